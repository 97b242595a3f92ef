/// What a file states of the time of a lap, or of a whole activity: when it was, and how long the timer ran in it.
package struct TimedSpan: Hashable, Sendable {
  /// When it began, on the clock of the recording.
  package let from: Int64
  /// When it ended; not before `from`.
  package let until: Int64
  /// The nanoseconds that the timer ran; `nil` where the file does not say so.
  package let timer: Int64?
  /// Whether it is a whole activity rather than a lap of it.
  package let isWhole: Bool
  /// What the file says of a lap beside its time; `nil` where it says nothing that is kept.
  package let step: StatedStep?

  /// Creates a statement.
  ///
  /// - Precondition: `until` is not before `from`.
  package init(from: Int64, until: Int64, timer: Int64?, isWhole: Bool, step: StatedStep? = nil) {
    precondition(from <= until, "what is stated ends after it begins")
    (self.from, self.until, self.timer, self.isWhole, self.step) = (from, until, timer, isWhole, step)
  }

  /// Seconds as a file states them; `nil` for 0, for less, and for more than thirty years, which are no statement.
  package static func nanoseconds(seconds: Double) -> Int64? {
    seconds > 0 && seconds < 1e9 ? Int64((seconds * 1e9).rounded()) : nil
  }
}

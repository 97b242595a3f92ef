internal import ZoneEngine

extension DecodedRecording {
  /// A span in which the timer stood still.
  struct Pause: Hashable, Sendable {
    /// When it was stopped.
    let from: Int64
    /// When it went on.
    let until: Int64

    /// The pauses between parts of a recording that nothing else holds together: gaps that are longer than a heart rate holds.
    ///
    /// - Parameter spans: from the first to the last reading of each part, in any order.
    static func between(_ spans: [ClosedRange<Int64>]) -> [Pause] {
      var pauses: [Pause] = []
      var end: Int64?
      for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if let end, SessionTime(nanoseconds: span.lowerBound) - SessionTime(nanoseconds: end) > CoachingEngine.holdLimit
        {
          pauses.append(Pause(from: end, until: span.lowerBound))
        }
        end = max(end ?? span.upperBound, span.upperBound)
      }
      return pauses
    }
  }
}

package import WorkoutSession
package import ZoneEngine

/// A silence in a recording that is too long to be a part of a workout.
package enum LongSilence {
  /// A silence of all streams that is longer than this is no workout: the session is paused across it.
  package static let longest = SessionTime.seconds(6 * 3_600)
  /// Between a stop and a start of the timer that are longer apart than this, the clock may have jumped: nobody goes on with a
  /// workout of the week before.
  static let longestOfTimer = SessionTime.seconds(7 * 86_400)

  /// Whether such a silence lies before an input.
  ///
  /// - Parameter latest: the time of the newest input before.
  package static func lies(before input: RecordedInput, after latest: SessionTime) -> Bool {
    switch input {
    case .sample(let sample): sample.time - latest > longest
    case .command(.pause, let time): time - latest > longest
    case .command, .unplaced, .advance: false
    }
  }

  /// Gives an input to `body`, and before it a pause across a silence that is no workout, so that a clock that jumps days
  /// makes no workout of days; a pause that comes after such a silence begins with it.
  ///
  /// - Parameter latest: the time of the newest input before.
  @inline(__always)
  package static func forEachBridged(
    _ input: RecordedInput, after latest: SessionTime, isPaused: Bool, _ body: (RecordedInput) throws -> Void
  ) rethrows {
    guard lies(before: input, after: latest) else { return try body(input) }
    switch input {
    case .sample(let sample):
      if !isPaused {
        try body(.command(.pause, at: latest))
        try body(.command(.resume, at: sample.time))
      }
      try body(input)
    case .command(.pause, _): try body(.command(.pause, at: latest))
    case .command, .unplaced, .advance: try body(input)
    }
  }
}

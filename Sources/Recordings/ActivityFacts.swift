internal import WorkoutSession
package import ZoneEngine

/// One of the activities of a recording, as its file tells it. Times count from the start of the recording.
package struct ActivityFacts: Sendable {
  /// The time of the first point.
  package let from: SessionTime
  /// The time of the last point.
  package let until: SessionTime
  /// The sport, as the file names it.
  package let sport: String?
  /// Spans in which the timer stood still, in the order of the file.
  package let pauses: [Pause]
  /// Metres that the file states beside its points.
  package let statedMeters: Double?
  /// Steps that the file states although its points have none.
  package let statedSteps: Int?

  /// A span in which the timer stood still.
  package struct Pause: Hashable, Sendable {
    /// When it was stopped.
    package let from: SessionTime
    /// When it went on; later than `from`.
    package let until: SessionTime
  }
}

extension ActivityFacts {
  /// An activity that was decoded; `nil` when it has no point.
  init?(_ activity: DecodedRecording.Activity, origin: Int64) {
    guard let first = activity.points.first, let last = activity.points.last else { return nil }
    let time = { (clock: Int64) in SessionTime(nanoseconds: clock) - SessionTime(nanoseconds: origin) }
    from = time(first.time)
    until = time(last.time)
    sport = activity.sport
    pauses = activity.pauses.map { Pause(from: time($0.from), until: time($0.until)) }
    statedMeters = activity.statedMeters
    statedSteps = activity.statedSteps
  }
}

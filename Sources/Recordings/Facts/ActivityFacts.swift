internal import WorkoutSession
public import ZoneEngine

/// One of the activities of a FIT, GPX or TCX file, as the file states it. Times count from the first sample of the recording.
public struct ActivityFacts: Sendable {
  /// The time of the first point.
  public let from: SessionTime
  /// The time of the last point.
  public let until: SessionTime
  /// The sport, as the file names it, in lower case (`running`); `nil` where it names none.
  public let sport: String?
  /// The more precise kind of it, in words of the FIT profile (`treadmill`); `nil` where the file states none.
  public let subSport: String?
  /// Spans in which the timer stood still, in order of time.
  public let pauses: [RecordedPause]
  /// The laps that the file states, in order of their starts.
  public let laps: [RecordedLap]
  /// The cues that a file of coach states, in order of time.
  package let cues: [RecordedCue]
  /// Metres that the file states beside its points; `nil` where it states none.
  public let statedMeters: Double?
  /// Steps that the file states although its points have none; `nil` where it states none.
  public let statedSteps: Int?
  /// Kilocalories that the file states; `nil` where it states none.
  public let statedKilocalories: Double?
}

extension ActivityFacts {
  /// An activity that was decoded; `nil` when it has no point.
  init?(_ activity: DecodedRecording.Activity, origin: Int64) {
    guard let first = activity.points.first, let last = activity.points.last else { return nil }
    let time = { (clock: Int64) in SessionTime(nanoseconds: clock) - SessionTime(nanoseconds: origin) }
    from = time(first.time)
    until = time(last.time)
    sport = activity.sport
    subSport = activity.subSport
    pauses = activity.pauses.map { RecordedPause(from: time($0.from), until: time($0.until)) }
    laps = activity.timed.filter { !$0.isWhole }.enumerated()
      .sorted { ($0.element.from, $0.offset) < ($1.element.from, $1.offset) }
      .map { _, lap in
        RecordedLap(
          from: time(lap.from), until: time(lap.until), timer: lap.timer.map { SessionTime(nanoseconds: $0) },
          step: lap.step)
      }
    cues = activity.cues.enumerated().filter { (first.time...last.time).contains($0.element.time) }
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map { _, cue in RecordedCue(time: time(cue.time), action: cue.action, message: cue.message) }
    statedMeters = activity.statedMeters
    statedSteps = activity.statedSteps
    statedKilocalories = activity.statedKilocalories
  }
}

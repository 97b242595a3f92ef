import TextFormats
import WorkoutSession
import ZoneEngine

/// Which clock moves a live session on, as it is typed.
enum ClockName: String, CaseIterable, Sendable {
  case samples, wall, auto
}

/// The streams of a session, as they are typed.
enum StreamName: String, CaseIterable, Sendable {
  case heartRate = "heart-rate"
  case steps, location, motion
}

/// How fast a recording is played.
enum PlaybackSpeed: Hashable, Sendable {
  /// As a multiple of the time it took.
  case times(Double)

  /// Without waiting at all.
  case maximum

  /// Reads a number from 0.1 to 100000, or `max`.
  ///
  /// - Throws: `ValueProblem` when the text is neither.
  init(reading text: String) throws(ValueProblem) {
    if text == "max" {
      self = .maximum
    } else if let factor = decimal(text), (0.1...100_000).contains(factor) {
      self = .times(factor)
    } else {
      throw ValueProblem(expected: "a number from 0.1 to 100000, or max")
    }
  }
}

/// How a session runs and what is kept of it.
enum SessionOptions {
  static let speed = Option(
    "speed", "N|max", kind: .text, in: .session, help: "How many times faster than it happened",
    default: "60 on a terminal, else max",
    reader: { (text: String) throws(ValueProblem) in try PlaybackSpeed(reading: text) })

  static let clock = Option.choice(
    "clock", "samples|wall|auto", of: ClockName.self, in: .input,
    help: "What moves the session on: the samples' own times, or the clock on the wall as well"
  ).otherwise(.auto, shown: "auto")

  static let part = Option.text(
    "part", "PART", in: .input,
    help: "Only one activity of a recording, by its number (see inspect --parts), or one person, by the id in the file")

  static let activity = Option(
    "activity", "LABEL", kind: .name(.activity), in: .session, help: "What the session is called, such as running",
    reader: { (text: String) throws(ValueProblem) in try readLabel(text) })

  static let duration = Option(
    "duration", "MINUTES", kind: .text, in: .session, help: "When to end: 30, 30m, 1h30m or 90s",
    reader: { (text: String) throws(ValueProblem) in try readDuration(text) })

  static let streams = Option.choiceList(
    "streams", "LIST", of: StreamName.self, in: .session, help: "Which streams to keep", default: "all that arrive")

  static let motionLog = Option.choice(
    "motion-log", "csv|binary", of: MotionLogFormat.self, in: .session,
    help: "How to keep motion: as text, or in a fraction of the bytes, from which every verb makes the same text"
  ).otherwise(.csv, shown: "csv")

  static let noSave = Option.flag("no-save", in: .session, help: "Keep nothing on disk")

  /// Those of a live session, in the order of the help.
  static let live: [any DeclaredOption] =
    LiveSourceOptions.all + [clock, activity, duration, streams, motionLog, noSave]
    + RemoteOptions.all
}

/// Reads a label that can stand in a folder's name: up to forty letters, digits, spaces, hyphens and underscores.
///
/// - Throws: `ValueProblem` when the text is no such label.
private func readLabel(_ text: String) throws(ValueProblem) -> String {
  guard let activity = Activity(typed: text) else {
    throw ValueProblem(expected: "up to 40 letters, digits, spaces, - and _")
  }
  return activity.label
}

/// Reads minutes as a number, or hours, minutes and seconds with their letters in that order: `30`, `30m`, `1h30m`.
///
/// - Throws: `ValueProblem` when the text is no such duration, or not from one second to two days.
func readDuration(_ text: String) throws(ValueProblem) -> SessionTime {
  guard let seconds = decimal(text).map({ $0 * 60 }) ?? DurationText.seconds(text).map(Double.init),
    (1...172_800).contains(seconds),
    let duration = SessionTime(seconds: seconds)
  else { throw ValueProblem(expected: "a duration from 1s to 48h, such as 30 (minutes), 30m, 1h30m or 90s") }
  return duration
}

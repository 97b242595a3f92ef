internal import Recordings
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// A recording that is to become a session, with what is asked for on its day.
struct ImportedWorkout {
  /// Why a recording cannot be a session.
  struct Refusal: Error {
    let reason: String
  }

  /// What was recorded.
  let recording: Recording
  /// When it began.
  let start: WallClockTime
  /// How far the clock of its place was ahead of UTC, as its file states it, else that of this machine.
  let utcOffsetSeconds: Int
  /// What is asked for.
  let session: SessionRequest
  /// By what activities are recognised in it; absent where none are, or where it has no motion.
  let recognition: RecognitionSettings?
  /// What people want to know of it, once it is added.
  let notices: [String]
  /// Hears that.
  let notice: (@Sendable (_ sessionID: String, _ line: String) -> Void)?

  /// Its day, where it has one.
  var day: CivilDate? { start.civilDate(utcOffsetSeconds: utcOffsetSeconds) }

  /// From its first sample to its last, in nanoseconds since the epoch.
  var span: ClosedRange<Int64> {
    start.nanoseconds...(start.nanoseconds &+ recording.facts.elapsed.nanoseconds)
  }

  /// The workout of a recording, or why it is none.
  ///
  /// - Throws: what the request throws for its day.
  static func make(_ recording: Recording, _ request: ImportRequest) throws -> Result<ImportedWorkout, Refusal> {
    guard let start = recording.facts.start ?? request.start else {
      return .failure(Refusal(reason: RecordingError.noTimeOfDay))
    }
    guard start.adding(nanoseconds: recording.facts.elapsed.nanoseconds) != nil else {
      return .failure(Refusal(reason: "its times lie outside of the years 1678 to 2261"))
    }
    let utcOffsetSeconds = recording.facts.utcOffsetSeconds ?? SystemWallClock.utcOffsetSeconds(at: start)
    var session = try request.requestOfDay(start.civilDate(utcOffsetSeconds: utcOffsetSeconds))
    if request.takesSport {
      session.coaching.activity = Activity(ofSport: recording.facts.sport)
    } else {
      session.isActivitySaid = true
    }
    let hasMotion = recording.facts.motionCount > 0
    return .success(
      ImportedWorkout(
        recording: recording, start: start, utcOffsetSeconds: utcOffsetSeconds, session: session,
        recognition: hasMotion ? request.recognition : nil,
        notices: hasMotion || request.recognition == nil ? [] : ["no motion in it: nothing is recognised"],
        notice: request.notice))
  }
}

/// Recordings that are gathered to be imported together: a bounded number with a bounded number of samples, and at least one.
struct GatheredRecordings {
  private static let mostRecordings = 128
  private static let mostSamples = 65_536

  private var recordings: [Recording] = []
  private var samples = 0

  /// Whether no more are to be gathered.
  var isEnough: Bool { recordings.count >= Self.mostRecordings || samples >= Self.mostSamples }

  /// Takes one more.
  mutating func append(_ recording: Recording) {
    recordings.append(recording)
    samples += recording.facts.sampleCount
  }

  /// Gives all of them away.
  mutating func take() -> [Recording] {
    defer { self = GatheredRecordings() }
    return recordings
  }
}

import ActivityRecognition
import OutsidePolicies
import Recordings
import SessionStore
import TextFormats
import WorkoutSession
import ZoneEngine

/// `coach replay`: what would have been said.
struct ReplayCommand {
  private let parsed: ParsedArguments
  private let console: Console
  private let interrupts = Interrupts()

  init(_ parsed: ParsedArguments, _ console: Console) {
    self.parsed = parsed
    self.console = console
  }

  /// Replays the recording to its end or until it is interrupted.
  func run() throws -> Int32 {
    let path = parsed[Operands.recording]
    let policies = try PolicyRequest.policies(parsed)
    defer { policies.end() }
    switch try RecordingKind(of: path) {
    case .session: return try replaySession(path, policies)
    case .scenario: return try replayScenario(path, policies)
    case .recording: return try replayRecording(path, policies)
    }
  }

  private func replayRecording(_ path: String, _ policies: Policies) throws -> Int32 {
    let asked = try SessionRequestOptions(parsed, asking: policies)
    // What is missing is said before a recording is read, however long that takes.
    if parsed[ZoneOptions.birthDate] == nil { _ = try RequestOptions.settings(asked.on(nil).coaching, on: nil) }
    let recording = try RecordingChoice.open(path, part: parsed[SessionOptions.part])
    try recording.requireOnePerson()
    guard recording.facts.sampleCount > 0 else {
      throw CommandFailure("\(path): " + RecordingChoice.emptyWorkouts(recording), .unusableData)
    }
    let day = recording.facts.day
    var request = try asked.on(day)
    if parsed[SessionOptions.activity] == nil { request.coaching.activity = Activity(ofSport: recording.facts.sport) }
    let settings = try RequestOptions.settings(request.coaching, on: day)
    let player = player(
      settings, request.coaching.activity,
      ending: SessionEnding(beats: recording.facts.beats, origin: recording.facts.origin))
    console.reportLaterValues(of: request.person)
    for warning in try recording.warningsOfFile(as: parsed[SessionOptions.activity].flatMap { Activity($0) }) {
      player.printer.complain("\(path): \(warning.sentence)")
    }
    var isEmpty = false
    let drawing = parsed[TrialOptions.trial] == nil ? nil : "--trial"
    var recognizer = try RecognitionRequest.settings(parsed, drawnBy: drawing).map {
      ReplayRecognizer($0, plan: settings.plan, recorded: nil)
    }
    if recognizer != nil, recording.facts.motionCount == 0 {
      throw CommandFailure("\(path): no motion in it: expected some for --recognize", .unusableData)
    }
    let policy = PolicyRequest.session(policies, settings)
    let status = try player.play(asking: policy) { step in
      let pipeline = try Replay.run(
        recording, settings: settings, asking: policy, recognizing: &recognizer, pace: player.pace, step: step)
      for notice in recognizer?.takeNotices() ?? [] { player.printer.complain("\(path): \(notice)") }
      if let line = DistanceWait.line(ofReplayed: pipeline) { player.printer.complain("\(path): \(line)") }
      isEmpty = pipeline.intake.received.allSatisfy { $0 == 0 } && recording.facts.beats == nil
      return pipeline
    }
    guard isEmpty, status == 0 else { return status }
    player.printer.complain("\(path): " + RecordingChoice.emptyWorkouts(recording))
    return ExitCode.unusableData.rawValue
  }

  private func replaySession(_ path: String, _ policies: Policies) throws -> Int32 {
    let recording = try SessionFolderRecording(path: path)
    let manifest = recording.manifest
    let day = manifest.start.civilDate(utcOffsetSeconds: manifest.utcOffsetSeconds)
    let asked = try SessionRequestOptions(parsed, over: manifest.request, asking: policies)
    let request = try asked.on(day)
    console.reportLaterValues(of: request.person)
    // What nobody asks otherwise is as the session has it, and wrong only there.
    let isAsRecorded = request.coaching == manifest.request
    let settings = try isAsRecorded ? recording.settings() : RequestOptions.settings(request.coaching, on: day)
    let changes = asked.followedChanges
    if changes.contains(FollowedChanges.target), try !recording.hasTargets(in: settings.zones) {
      throw CommandFailure(
        "\(path): a target that was asked for in the session is none of these zones: expected its own zones, or --target",
        .usage)
    }
    // Another strategy is not that of the arm.
    let arm = request.coaching.strategy == manifest.request.strategy ? manifest.randomization?.drawnArm : nil
    let player = player(
      settings, request.coaching.activity, arm: arm,
      ending: SessionEnding(sessionID: manifest.sessionID, beats: try recording.beats(), origin: manifest.origin))
    let isOfStudy = manifest.randomization != nil || manifest.request.trial != nil
    var recognizer = try RecognitionRequest.settings(
      parsed, isOfStudy: isOfStudy, recorded: manifest.recognition
    ).map {
      ReplayRecognizer($0, plan: settings.plan, recorded: manifest.recognition)
    }
    let policy = PolicyRequest.session(policies, settings)
    return try player.play(asking: policy) {
      let (pipeline, warnings) = try Replay.run(
        recording, settings: settings, following: changes, asking: policy, recognizing: &recognizer,
        pace: player.pace, step: $0)
      for notice in recognizer?.takeNotices() ?? [] { player.printer.complain("\(path): \(notice)") }
      if recognizer?.contradictsLog == true {
        player.printer.complain("\(path): the model finds other activities now than it did in the session")
      }
      for (file, warning) in warnings { player.printer.complain("\(file): \(warning.sentence)") }
      if let line = DistanceWait.line(ofReplayed: pipeline) { player.printer.complain("\(path): \(line)") }
      return pipeline
    }
  }

  private func replayScenario(_ path: String, _ policies: Policies) throws -> Int32 {
    guard try RecognitionRequest.settings(parsed) == nil else {
      throw CommandFailure("--recognize: expected a recording with motion, not a scenario", .usage)
    }
    let scenario = try Scenario(path: path)
    let asked = try SessionRequestOptions(parsed, over: scenario.request, asking: policies)
    let request = try asked.on(scenario.date)
    console.reportLaterValues(of: request.person)
    let settings =
      request.coaching == scenario.request
      ? scenario.settings : try RequestOptions.settings(request.coaching, on: scenario.date)
    let player = player(settings, request.coaching.activity)
    let policy = PolicyRequest.session(policies, settings)
    return try player.play(asking: policy) {
      let pipeline = try Replay.run(
        scenario, settings: settings, following: asked.followedChanges, asking: policy, pace: player.pace, step: $0)
      if let line = DistanceWait.line(ofReplayed: pipeline) { player.printer.complain("\(path): \(line)") }
      return pipeline
    }
  }

  private func player(
    _ settings: CoachingSettings, _ activity: Activity, arm: DrawnArm? = nil, ending: SessionEnding = SessionEnding()
  ) -> ReplayPlayer {
    let printer = PrinterChoice.printer(
      parsed, console, settings: settings, activity: activity, arm: arm, isLive: false,
      units: UnitSystem(reading: parsed, of: nil))
    let speed: Double?
    switch parsed[SessionOptions.speed] {
    case .times(let factor): speed = factor
    case .maximum: speed = nil
    case nil: speed = PrinterChoice.isTerminal ? 60 : nil
    }
    return ReplayPlayer(
      printer: printer, speed: speed, interrupts: interrupts, ending: ending)
  }
}

/// Shows a replay at a speed.
struct ReplayPlayer {
  /// Where it is shown.
  let printer: any SessionPrinter
  /// How many times faster than it happened; as fast as possible when absent.
  let speed: Double?
  /// Signals that end it.
  let interrupts: Interrupts
  /// What is printed at the end beside the summary.
  let ending: SessionEnding

  /// How often the player wants to be called.
  var pace: Replay.Pace { speed == nil ? .events : .everyInput }

  private struct Interrupted: Error {
    let signal: Int32
    let pipeline: SessionPipeline
    /// What was emitted and not shown yet.
    let events: [SessionEvent]
  }

  /// Plays what `run` replays, and shows the summary; the exit status.
  ///
  /// - Parameter policy: the program that is asked, whose failure ends it.
  func play(
    asking policy: PolicySession? = nil,
    _ run: ((SessionPipeline, [SessionEvent]) throws -> Void) throws -> SessionPipeline
  ) throws -> Int32 {
    let begin = MonotonicClock.now
    do {
      let pipeline = try run { pipeline, events in
        if let failure = policy?.failure {
          // A signal that came while the program was waited for gave it up.
          guard let signal = EndingSignal.ofEndedWait else { throw failure }
          throw Interrupted(signal: signal, pipeline: pipeline, events: [])
        }
        if let speed {
          let due = begin + Int64(Double(pipeline.latest.nanoseconds) / speed)
          let wait = due - MonotonicClock.now
          if wait > 0, let signal = interrupts.wait(nanoseconds: wait) {
            throw Interrupted(signal: signal, pipeline: pipeline, events: events)
          }
          try printer.show(events, pipeline)
        } else if !events.isEmpty {
          try printer.show(events, pipeline)
        }
        if let signal = interrupts.pending() {
          throw Interrupted(signal: signal, pipeline: pipeline, events: [])
        }
      }
      try policy?.end(isLast: true)
      try printer.showSummary(pipeline, ending)
      return 0
    } catch let interrupted as Interrupted {
      var pipeline = interrupted.pipeline
      var events = interrupted.events
      pipeline.finish(at: pipeline.latest, reason: .interrupted, into: &events)
      try printer.show(events, pipeline)
      try printer.showSummary(pipeline, ending)
      return Interrupts.exitStatus(interrupted.signal)
    }
  }
}

extension RecordingWarning.Kind {
  /// Whether all of a stream may have been read wrongly.
  var isOfUnits: Bool {
    self == .guessedUnit || self == .contradictedUnit || self == .impossibleMotion || self == .gravityLacking
  }
}

extension RecordingWarning {
  /// The warning as a sentence: where, what, how often.
  var sentence: String {
    let what =
      switch kind {
      case .unknownColumns: "columns that are not known were left out"
      case .doubledColumns: "columns that hold the same as another one were left out"
      case .unreadableRow: "rows that cannot be read were left out"
      case .unreadableValue: "values that cannot be read were left out"
      case .outOfOrder: "rows out of order were put in order"
      case .tornLine: "a line without its end was left out"
      case .pointWithoutTime: "points without a time were left out"
      case .trailingBytes: "bytes after the end were left out"
      case .truncated: "nothing further can be read"
      case .wrongChecksum: "the checksum is wrong"
      case .unreadableBytes: "bytes that cannot be read were left out"
      case .oddFieldSize: "fields of a size that does not fit their type were left out"
      case .clockNeverSet: "the clock of the device was never set"
      case .clockSetLate: "the clock of the device was set; readings from before end here"
      case .heartRateFromHrMessages: "heart rates that were stored apart from the records were taken"
      case .heartRateOutsideWorkout: "heart rates that the strap stored outside of the workout were left out"
      case .guessedUnit: "the unit is not stated, so it was guessed"
      case .contradictedUnit: "the unit that is stated cannot be right"
      case .impossibleMotion: "accelerations that are in no unit those of a person were left out"
      case .gravityLacking: MotionColumns.gravityLacking
      case .timeBeginsAnew: "times that begin anew were put one after the other"
      case .labelsLeftOut: "labels beyond \(detail ?? "\(RecordedLabels.largestCount) changes") were left out"
      case .clockJump: "did the clock jump?"
      case .implausibleTime: "readings with a time that is not of the recording were left out"
      case .fasterThanSport: "positions that are too far apart for the sport count for no distance"
      case .heartRateBesideOwn: "heart rates that the strap stored where the workout has its own were left out"
      case .stuckSignal: "is it the heart? the same heart rate, or two neighbours to and fro, for minutes"
      case .cadenceLock: "is it the heart? the heart rate follows the steps"
      case .sameWorkout: "holds the same workout"
      case .severalSources: "sums of several sources count some twice"
      case .routeNotRead: "routes outside of the file were left out"
      case .unreadableRoute: "routes that cannot be read were left out"
      case .recordingsLeftOut: "further recordings of the archive were left out"
      case .workoutsNotRead: "workouts were passed over"
      case .severalPeople: "rows of several people"
      }
    // Of labels the sentence has it already.
    let rest = kind == .labelsLeftOut ? nil : detail
    let details = [count > 1 ? "\(count)" : nil, rest].compactMap { $0 }.joined(separator: ": ")
    return "\(position): \(what)" + (details.isEmpty ? "" : " (\(details))")
  }
}

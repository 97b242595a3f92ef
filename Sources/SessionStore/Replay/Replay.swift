package import Recordings
package import WorkoutSession
package import ZoneEngine

/// Replays recordings through the pipeline of a live session.
package enum Replay {
  /// How often a step is called.
  package enum Pace: Hashable, Sendable {
    /// After every input, so that a session can be shown at the speed of its time.
    case everyInput
    /// When there is something to report, and now and then.
    case events
  }

  /// Called with the session and the events since the last call.
  package typealias Step = (SessionPipeline, [SessionEvent]) throws -> Void

  /// Replays a recording from its first sample to its last, with the pauses that it states.
  ///
  /// - Throws: What reading the recording throws, or what `step` throws.
  package static func run(
    _ recording: Recording, settings: CoachingSettings, durationLimit: SessionTime? = nil,
    asking judge: (any AskedJudge)? = nil, recognizing recognizer: inout ReplayRecognizer?, pace: Pace, step: Step
  ) throws -> SessionPipeline {
    var settings = settings
    settings.altitudesAreOfOneDevice = true
    var session = Driver(settings: settings, durationLimit: durationLimit, pace: pace)
    session.pipeline.ask(judge)
    session.recognizer = recognizer
    defer { recognizer = session.recognizer }
    try session.begin(step)
    try recording.forEachInput { try session.takeBridged($0, step) }
    session.finishRecognition()
    session.pipeline.finish(at: session.pipeline.latest, reason: .endOfInput, into: &session.events)
    try session.report(step)
    return session.pipeline
  }

  /// Replays a recording without recognising anything in it.
  ///
  /// - Throws: What reading the recording throws, or what `step` throws.
  package static func run(
    _ recording: Recording, settings: CoachingSettings, durationLimit: SessionTime? = nil, pace: Pace, step: Step
  ) throws -> SessionPipeline {
    var recognizer: ReplayRecognizer?
    return try run(
      recording, settings: settings, durationLimit: durationLimit, recognizing: &recognizer, pace: pace, step: step)
  }

  /// Replays the input of a scenario under settings, with those changes in the session that are followed.
  ///
  /// - Throws: What `step` throws.
  package static func run(
    _ scenario: Scenario, settings: CoachingSettings, following changes: FollowedChanges = .all,
    asking judge: (any AskedJudge)? = nil, pace: Pace, step: Step
  ) throws -> SessionPipeline {
    var run = ScenarioRun(scenario, settings: settings, following: changes)
    run.pipeline.ask(judge)
    var events: [SessionEvent] = []
    var isOver = false
    while !isOver {
      isOver = !run.next(into: &events)
      guard pace == .everyInput || !events.isEmpty else { continue }
      try step(run.pipeline, events)
      events.removeAll(keepingCapacity: true)
    }
    return run.pipeline
  }

  /// Called with every input of a session of our own, what became of a sample, and the session after it.
  package typealias Observer = (RecordedInput, Admission?, SessionPipeline) throws -> Void

  /// Replays a recorded session of our own, with its pauses, laps and duration limit, and with those changes in the session
  /// that are followed.
  ///
  /// - Returns: The session at its end, and what was odd in its logs.
  /// - Throws: What reading the logs throws, or what `step` throws.
  package static func run(
    _ recording: SessionFolderRecording, settings: CoachingSettings, following changes: FollowedChanges = .all,
    asking judge: (any AskedJudge)? = nil, recognizing recognizer: inout ReplayRecognizer?, pace: Pace, step: Step
  ) throws -> (pipeline: SessionPipeline, warnings: [(file: String, warning: RecordingWarning)]) {
    try run(
      recording, settings: settings, following: changes, asking: judge, recognizing: &recognizer, pace: pace,
      endReason: .endOfInput,
      observer: { _, _, _ in }, step: step)
  }

  /// Replays a recorded session of our own as it was recognised then.
  ///
  /// - Throws: What reading the logs throws, or what `step` throws.
  package static func run(
    _ recording: SessionFolderRecording, settings: CoachingSettings, following changes: FollowedChanges = .all,
    pace: Pace, step: Step
  ) throws -> (pipeline: SessionPipeline, warnings: [(file: String, warning: RecordingWarning)]) {
    var recognizer: ReplayRecognizer?
    return try run(
      recording, settings: settings, following: changes, recognizing: &recognizer, pace: pace, step: step)
  }

  /// Replays a recorded session of our own as it was, and shows every input to `observer`.
  ///
  /// - Returns: The session at its end, and what was odd in its logs.
  /// - Throws: What reading the logs throws, or what `step` throws.
  package static func run(
    _ recording: SessionFolderRecording, settings: CoachingSettings, following changes: FollowedChanges = .all,
    pace: Pace, endReason: SessionEvent.EndReason, observer: Observer, step: Step
  ) throws -> (pipeline: SessionPipeline, warnings: [(file: String, warning: RecordingWarning)]) {
    var recognizer: ReplayRecognizer?
    return try run(
      recording, settings: settings, following: changes, recognizing: &recognizer, pace: pace, endReason: endReason,
      observer: observer, step: step)
  }

  private static func run(
    _ recording: SessionFolderRecording, settings: CoachingSettings, following changes: FollowedChanges,
    asking judge: (any AskedJudge)? = nil, recognizing recognizer: inout ReplayRecognizer?, pace: Pace,
    endReason: SessionEvent.EndReason, observer: Observer, step: Step
  ) throws -> (pipeline: SessionPipeline, warnings: [(file: String, warning: RecordingWarning)]) {
    var settings = settings
    settings.altitudesAreOfOneDevice = recording.manifest.altitudesAreOfOneDevice
    var session = Driver(settings: settings, durationLimit: recording.manifest.durationLimit, pace: pace)
    session.pipeline.ask(judge)
    session.recognizer = recognizer
    defer { recognizer = session.recognizer }
    try session.begin(step)
    let warnings = try recording.forEachInput { input in
      if case .command(let command, _) = input {
        if case .recognized(let found) = command, session.recognizer?.isInstead(of: found) == true { return }
        if !changes.contains(command) { return }
        // Who asks anew does not take what was answered then.
        if case .answered = command, judge != nil { return }
      }
      let admission = session.take(input)
      try observer(input, admission, session.pipeline)
      try session.report(step)
    }
    session.finishRecognition()
    session.pipeline.finish(at: session.pipeline.latest, reason: endReason, into: &session.events)
    try session.report(step)
    return (session.pipeline, warnings)
  }

  /// Replays a recorded session of our own as it was, and gathers what an index keeps of it: the session at its end has an
  /// observation.
  ///
  /// - Throws: What reading the folder throws, or what `step` throws.
  package static func observe(
    _ recording: SessionFolderRecording, endReason: SessionEvent.EndReason, step: Step
  ) throws -> SessionPipeline {
    let manifest = recording.manifest
    var session = Driver(settings: try recording.settings(), durationLimit: manifest.durationLimit, pace: .events)
    session.pipeline.observe(from: manifest.start, utcOffsetSeconds: manifest.utcOffsetSeconds, within: .none)
    try session.begin(step)
    _ = try recording.forEachInput { input in
      session.take(input)
      try session.report(step)
    }
    session.pipeline.finish(at: session.pipeline.latest, reason: endReason, into: &session.events)
    try session.report(step)
    return session.pipeline
  }

  private struct Driver {
    var pipeline: SessionPipeline
    var events: [SessionEvent] = []
    var recognizer: ReplayRecognizer?
    private let pace: Pace
    private var inputs = 0

    init(settings: CoachingSettings, durationLimit: SessionTime?, pace: Pace) {
      self.pace = pace
      pipeline = SessionPipeline(settings: settings, durationLimit: durationLimit)
    }

    mutating func begin(_ step: Step) throws {
      pipeline.begin(into: &events)
      try report(step)
    }

    /// Takes an input, and what a long silence before it brings, and reports both.
    mutating func takeBridged(_ input: RecordedInput, _ step: Step) throws {
      let latest = pipeline.latest
      guard LongSilence.lies(before: input, after: latest) else {
        take(input)
        return try report(step)
      }
      try LongSilence.forEachBridged(input, after: latest, isPaused: pipeline.engine.isPaused) { input in
        take(input)
        try report(step)
      }
    }

    @discardableResult
    mutating func take(_ input: RecordedInput) -> Admission? {
      switch input {
      case .sample(let sample):
        let admission = pipeline.take(sample, into: &events)
        if recognizer != nil { recognize(sample) }
        return admission
      case .advance(let time):
        pipeline.catchUp(to: time, into: &events)
        return nil
      case .unplaced(let stream):
        _ = pipeline.reject(stream, source: nil)
        return nil
      case .command(let command, let time):
        pipeline.perform(command, at: time, into: &events)
        return nil
      }
    }

    mutating func finishRecognition() {
      for found in recognizer?.finish() ?? [] where !pipeline.isOver {
        pipeline.perform(.recognized(found), at: pipeline.latest, into: &events)
      }
    }

    private mutating func recognize(_ sample: Sample) {
      for found in recognizer?.take(sample, in: .init(of: pipeline)) ?? [] where !pipeline.isOver {
        pipeline.perform(.recognized(found), at: pipeline.latest, into: &events)
      }
    }

    mutating func report(_ step: Step) throws {
      inputs += 1
      guard pace == .everyInput || !events.isEmpty || inputs & 0xFFF == 0 else { return }
      try step(pipeline, events)
      events.removeAll(keepingCapacity: true)
    }
  }
}

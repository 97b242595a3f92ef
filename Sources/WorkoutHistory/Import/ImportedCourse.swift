internal import Recordings
internal import SessionStore
internal import WorkoutSession
internal import ZoneEngine

/// A recording on its way through the pipeline of a live session: everything that one writes is written.
///
/// What is recognised stands in the log behind the sample that decided it, as it does live, so that the session is replayed and
/// indexed without the model.
struct ImportedCourse {
  /// How many inputs are gathered between two writes.
  private static let inputsPerWrite = 8_192

  private(set) var pipeline: SessionPipeline
  private var recognizer: SessionRecognizer?
  private let recorder: SessionRecorder
  private var events: [SessionEvent] = []

  /// What people want to know of what is recognised.
  private(set) var notices: [String] = []

  /// A course that has not begun.
  ///
  /// - Parameter recognition: by what activities are recognised; absent where none are.
  /// - Throws: `ZoneError` when the manifest has no zones.
  init(
    _ manifest: SessionManifest, recognizing recognition: RecognitionSettings?, into recorder: SessionRecorder
  ) throws {
    let settings = try manifest.settings()
    pipeline = SessionPipeline(settings: settings, durationLimit: nil)
    pipeline.observe(from: manifest.start, utcOffsetSeconds: manifest.utcOffsetSeconds, within: .live)
    recognizer = recognition.map { SessionRecognizer($0, plan: settings.plan) }
    self.recorder = recorder
  }

  /// Takes a recording from its beginning to its end, and writes the summary; `progress` is called now and then.
  mutating func run(_ recording: Recording, isSynced: Bool, _ progress: () -> Void) throws {
    var inputs = 0
    for label in recording.facts.labels.changes { recorder.append(label: label) }
    pipeline.begin(into: &events)
    try recording.forEachInput { input in
      let (latest, isPaused) = (pipeline.latest, pipeline.engine.isPaused)
      LongSilence.forEachBridged(input, after: latest, isPaused: isPaused) { take($0) }
      giveEvents()
      inputs += 1
      if inputs.isMultiple(of: Self.inputsPerWrite) {
        try recorder.flush()
        progress()
      }
    }
    follow(recognizer?.finish() ?? [])
    notices += recognizer?.takeNotices() ?? []
    pipeline.finish(at: pipeline.latest, reason: .endOfInput, into: &events)
    giveEvents()
    recorder.append(.command(.end(for: pipeline.endReason ?? .endOfInput), at: pipeline.engine.now, id: ""))
    try recorder.finish(pipeline, badLines: nil, isSynced: isSynced)
  }

  private mutating func take(_ input: RecordedInput) {
    switch input {
    case .unplaced, .advance: break
    case .command(let command, let time): perform(command, at: time)
    // What nobody could read again decides nothing.
    case .sample(let sample) where !sample.reading.fitsLog: break
    case .sample(let sample):
      let admission = pipeline.take(sample, into: &events)
      recorder.append(admission == .standby ? .standby(sample) : .sample(sample))
      guard recognizer != nil else { return }
      follow(recognizer?.take(sample, in: SessionRecognizer.Place(of: pipeline)) ?? [])
      notices += recognizer?.takeNotices() ?? []
    }
  }

  /// Carries out what was recognised, as long as the session is not over.
  private mutating func follow(_ found: [Recognition]) {
    for found in found where !pipeline.isOver { perform(.recognized(found), at: pipeline.latest) }
  }

  private mutating func perform(_ command: SessionCommand, at time: SessionTime) {
    pipeline.perform(command, at: time, into: &events)
    recorder.append(.command(command, at: max(time, pipeline.engine.now), id: ""))
  }

  private mutating func giveEvents() {
    for event in events { recorder.append(event: event) }
    events.removeAll(keepingCapacity: true)
  }
}

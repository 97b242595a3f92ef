internal import Recordings
internal import SessionStore
internal import WorkoutSession
internal import ZoneEngine

/// What an import looks for in a recording before it writes it, and how it writes it.
struct ImportedContent {
  /// The streams that have samples.
  let streams: [SampleStream]
  /// A number that follows from all samples.
  let digest: UInt32

  init(_ recording: Recording) throws {
    var streams: Set<SampleStream> = []
    var hash = ContentHash()
    try recording.forEachInput { input in
      guard case .sample(let sample) = input else { return }
      if sample.reading.fitsLog { streams.insert(sample.reading.stream) }
      // It was not read once, and what was imported then is to have the same name.
      if case .altitude = sample.reading { return }
      hash.add(word: UInt64(bitPattern: sample.time.nanoseconds))
      switch sample.reading {
      case .heartRate(let value), .cadence(let value), .distance(let value), .speed(let value),
        .rrInterval(let value):
        hash.add(word: value.bitPattern)
      case .steps(let count): hash.add(word: UInt64(bitPattern: Int64(count)))
      case .location(let fix):
        hash.add(word: fix.coordinate.latitudeDegrees.bitPattern)
        hash.add(word: fix.coordinate.longitudeDegrees.bitPattern)
      case .motion, .direction, .altitude: break
      }
    }
    self.streams = SampleStream.allCases.filter(streams.contains)
    digest = UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32)
  }

  /// How many inputs are gathered between two writes.
  private static let inputsPerWrite = 8_192

  /// Runs a recording through the pipeline of a live session and writes everything that a live session writes; `progress` is
  /// called now and then. The session at its end.
  static func record(
    _ recording: Recording, _ manifest: SessionManifest, into recorder: SessionRecorder, isSynced: Bool,
    _ progress: () -> Void
  ) throws -> SessionPipeline {
    var pipeline = SessionPipeline(settings: try manifest.settings(), durationLimit: nil)
    pipeline.observe(from: manifest.start, utcOffsetSeconds: manifest.utcOffsetSeconds, within: .live)
    var events: [SessionEvent] = []
    var inputs = 0
    for label in recording.facts.labels.changes { recorder.append(label: label) }
    pipeline.begin(into: &events)
    try recording.forEachInput { input in
      let (latest, isPaused) = (pipeline.latest, pipeline.engine.isPaused)
      LongSilence.forEachBridged(input, after: latest, isPaused: isPaused) { input in
        switch input {
        case .unplaced, .advance: break
        case .command(let command, let time):
          pipeline.perform(command, at: time, into: &events)
          recorder.append(.command(command, at: max(time, pipeline.engine.now), id: ""))
        // What nobody could read again decides nothing.
        case .sample(let sample) where !sample.reading.fitsLog: break
        case .sample(let sample):
          let admission = pipeline.take(sample, into: &events)
          recorder.append(admission == .standby ? .standby(sample) : .sample(sample))
        }
      }
      for event in events { recorder.append(event: event) }
      events.removeAll(keepingCapacity: true)
      inputs += 1
      if inputs.isMultiple(of: inputsPerWrite) {
        try recorder.flush()
        progress()
      }
    }
    pipeline.finish(at: pipeline.latest, reason: .endOfInput, into: &events)
    for event in events { recorder.append(event: event) }
    recorder.append(.command(.end(for: pipeline.endReason ?? .endOfInput), at: pipeline.engine.now, id: ""))
    try recorder.finish(pipeline, badLines: nil, isSynced: isSynced)
    return pipeline
  }
}

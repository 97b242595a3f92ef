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
      streams.insert(sample.reading.stream)
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
  ///
  /// The laps that the recording states are marked in it, unless they would begin steps of a plan: a watch marks many by
  /// itself. One in a silence that is no workout is left out.
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
    var laps = manifest.request.plan?.isMovedByLaps == true ? [] : recording.facts.lapStarts[...]
    try recording.forEachInput { input in
      while let lap = laps.first, input.isAfter(lap) {
        laps.removeFirst()
        guard lap <= pipeline.latest || !LongSilence.lies(before: input, after: pipeline.latest) else { continue }
        pipeline.perform(.lap, at: lap, into: &events)
        recorder.append(.command(.lap, at: max(lap, pipeline.engine.now), id: ""))
      }
      let (latest, isPaused) = (pipeline.latest, pipeline.engine.isPaused)
      LongSilence.forEachBridged(input, after: latest, isPaused: isPaused) { input in
        switch input {
        case .unplaced, .advance: break
        case .command(let command, let time):
          pipeline.perform(command, at: time, into: &events)
          recorder.append(.command(command, at: max(time, pipeline.engine.now), id: ""))
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
    recorder.append(.command(.stop, at: pipeline.engine.now, id: ""))
    try recorder.finish(pipeline, badLines: nil, isSynced: isSynced)
    return pipeline
  }
}

extension RecordedInput {
  /// Whether all samples of an instant have come when this one comes.
  fileprivate func isAfter(_ instant: SessionTime) -> Bool {
    switch self {
    case .sample(let sample): sample.time > instant
    case .command(_, let time), .advance(let time): time >= instant
    case .unplaced: false
    }
  }
}

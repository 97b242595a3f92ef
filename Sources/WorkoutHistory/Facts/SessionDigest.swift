internal import SessionStore
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// What the index keeps of a session. All of it follows from the folder, so that the index can be made anew.
struct SessionDigest: Sendable {
  /// A moment at which the session was judged.
  struct JudgedMoment: Hashable, Sendable {
    let at: SessionTime
    /// The action of a cue; `nil` for a withheld one.
    let action: CueAction?
    /// Why it was withheld; `nil` for a cue.
    let reason: WithholdingReason?
    let band: String?
    let heartRateBPM: Int?
  }

  let manifest: SessionManifest
  let state: SessionState
  /// The text of `summary.json`.
  let summaryText: [UInt8]
  let summary: SessionSummary
  let moments: [JudgedMoment]
  let hours: [HourTotals.Hour]
  let splits: [KilometerSplits.Split]
  /// The course of the heart rate.
  let curve: HeartRateCurve
  /// Which target was in force when.
  let targets: TargetTimeline
  /// What became of samples that were not used.
  let unused: SessionOutcome.UnusedSamples
  /// The name of the zone model.
  let zoneModel: String
  let decoupling: Double?
  let recovery: Double?

  /// Reads a closed session and judges it again by its manifest.
  ///
  /// - Throws: `FileError` when a file cannot be read, `RecordingError` when the folder is not that of a closed session,
  ///   `ZoneError` when its manifest has no zones.
  init(folder place: some FilePlace) throws {
    let folder = place.path
    let recording = try SessionFolderRecording(path: place)
    guard let summary = try SessionSummaryFile.read(in: place) else {
      throw RecordingError(path: folder, problem: "no \(SessionFolder.summary): expected a session that is closed")
    }
    let manifest = recording.manifest
    guard folder.hasSuffix("/" + manifest.sessionID) else {
      throw RecordingError(path: folder, problem: "expected the folder of \(manifest.sessionID), as its manifest says")
    }
    // Nothing of them is in the index, but a log that cannot be read is no whole session.
    _ = try recording.labels()
    var observed = Observed(manifest)
    var moments: [JudgedMoment] = []
    let settings = try manifest.settings()
    var targets = TargetTimeline(settings: settings)
    let (pipeline, _) = try Replay.run(
      recording, settings: settings, pace: .events, endReason: .endOfInput, observer: { observed.admit($0, $1, $2) }
    ) { _, events in
      for event in events {
        targets.note(event)
        if case .engine(.decision(let decision)) = event { moments.append(JudgedMoment(decision)) }
      }
    }
    observed.advance(meters: pipeline.engine.distanceMeters, active: pipeline.engine.active)
    self.manifest = manifest
    (state, summaryText) = (summary.state, summary.text)
    self.summary = pipeline.engine.summary
    self.targets = targets
    zoneModel = settings.zones.model.name
    // Samples of other sources stand in a log of their own, which is no input: what was told of them at the end counts.
    unused = SessionOutcome.UnusedSamples(
      late: pipeline.intake.late, duplicates: pipeline.intake.duplicates, standby: summary.standby)
    self.moments = moments
    hours = observed.hours.hours
    splits = observed.splits.splits
    curve = pipeline.curve
    decoupling = observed.decoupling.value
    recovery = observed.recovery.largestFall
  }

  /// What is found on the way through the inputs.
  private struct Observed {
    var hours: HourTotals
    var splits = KilometerSplits()
    var decoupling = AerobicDecoupling()
    var recovery = HeartRateRecovery()

    init(_ manifest: SessionManifest) {
      hours = HourTotals(start: manifest.start, utcOffsetSeconds: manifest.utcOffsetSeconds)
    }

    mutating func admit(_ input: RecordedInput, _ admission: Admission?, _ pipeline: SessionPipeline) {
      switch input {
      case .unplaced, .advance: break
      case .command(.pause, let time): recovery.pause(at: time)
      case .command(.resume, _): recovery.resume()
      case .command: break
      case .sample(let sample):
        guard admission == .admitted else { return }
        switch sample.reading {
        case .heartRate(let beatsPerMinute):
          guard pipeline.engine.newestReading?.time == sample.time else { return }
          hours.admit(heartRate: beatsPerMinute, at: sample.time)
          recovery.admit(heartRate: beatsPerMinute, at: sample.time)
          guard !pipeline.engine.isPaused else { return }
          splits.admit(heartRate: beatsPerMinute)
          decoupling.admit(heartRate: beatsPerMinute, active: pipeline.engine.active)
        case .steps(let count): hours.admit(steps: count, at: sample.time)
        case .location, .distance: advance(meters: pipeline.engine.distanceMeters, active: pipeline.engine.active)
        case .cadence, .speed, .motion, .rrInterval: break
        }
      }
    }

    mutating func advance(meters: Double?, active: SessionTime) {
      guard let meters else { return }
      splits.admit(meters: meters, active: active)
      decoupling.admit(meters: meters, active: active)
    }
  }
}

extension SessionDigest.JudgedMoment {
  fileprivate init(_ decision: Decision) {
    at = decision.time
    switch decision.outcome {
    case .cue(let action): (self.action, reason) = (action, nil)
    case .withheld(let reason): (action, self.reason) = (nil, reason)
    }
    band = decision.band?.description
    heartRateBPM = decision.evidence.heartRateBPM
  }
}

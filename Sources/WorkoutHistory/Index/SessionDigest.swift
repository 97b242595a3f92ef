internal import ActivityRecognition
internal import Recordings
package import SessionStore
package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// What the index keeps of a session. All of it follows from the folder, so that the index can be made anew.
package struct SessionDigest: Sendable {
  let manifest: SessionManifest
  let state: SessionState
  /// The text of `summary.json`.
  let summaryText: [UInt8]
  /// What that would be by a replay of the logs, where a check asked for it.
  private(set) var replayedText: [UInt8]?
  let summary: SessionSummary
  let moments: [SessionObservation.JudgedMoment]
  let hours: [HourTotals.Hour]
  let splits: [DistanceSplits.Split]
  let mileSplits: [DistanceSplits.Split]
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
  /// The best efforts.
  let efforts: [BestEffort]
  /// What became of the steps of the plan.
  let verdict: PlanVerdict?
  /// The first position that counted.
  let firstPlace: Coordinate?
  /// What was noted of stretches of it, each once, sorted; the first thousand.
  let labels: [String]
  /// What was written down about it afterwards.
  let notes: SessionNotes

  /// The most labels that are kept.
  private static let mostLabels = 1_000

  /// What a session comes to that has just ended and has no labels; `nil` when it was not observed, or its folder has to be read because a
  /// replay may come to something else.
  ///
  /// - Parameters:
  ///   - manifest: the manifest in its folder.
  ///   - state: how its recording came to its end.
  ///   - badLines: what its summary says of lines that could not be used.
  /// - Precondition: the session is over.
  package init?(_ manifest: SessionManifest, _ pipeline: SessionPipeline, state: SessionState, badLines: Int?) {
    precondition(pipeline.isOver, "a session is closed when it is over")
    let file = SessionSummaryFile(manifest: manifest, state: state, badLines: badLines)
    guard let observation = pipeline.observation, observation.isExact else { return nil }
    self.init(manifest, pipeline, observation, file.content(pipeline), labels: [], SessionNotes())
  }

  /// Reads a closed session and judges it again by its manifest.
  ///
  /// - Parameter replaysSummary: whether to hold what its summary would be by that, for a check.
  /// - Throws: `FileError` when a file cannot be read, `RecordingError` when the folder is not that of a closed session,
  ///   `ZoneError` when its manifest has no zones.
  package init(folder place: some FilePlace, replaysSummary: Bool = false) throws {
    let folder = place.path
    let recording = try SessionFolderRecording(path: place)
    guard let summary = try SessionSummaryFile.read(in: place) else {
      throw RecordingError(path: folder, problem: "no \(SessionFolder.summary): expected a session that is closed")
    }
    let manifest = recording.manifest
    guard folder.hasSuffix("/" + manifest.sessionID) else {
      throw RecordingError(path: folder, problem: "expected the folder of \(manifest.sessionID), as its manifest says")
    }
    let labels = try recording.labels()
    let notes = try SessionNotes.read(in: place)
    let pipeline = try Replay.observe(recording, endReason: .endOfInput) { _, _ in }
    guard let observation = pipeline.observation else { preconditionFailure("a replay is observed") }
    self.init(manifest, pipeline, observation, summary, labels: labels, notes)
    guard replaysSummary else { return }
    replayedText =
      SessionSummaryFile(manifest: manifest, state: summary.state, badLines: nil).content(pipeline).text
  }

  private init(
    _ manifest: SessionManifest, _ pipeline: SessionPipeline, _ observation: SessionObservation,
    _ summary: SessionSummaryFile.Content, labels: [RecordedLabel], _ notes: SessionNotes
  ) {
    self.labels = Array(Set(labels.map(\.text)).subtracting([""]).sorted().prefix(Self.mostLabels))
    self.notes = notes
    self.manifest = manifest
    (state, summaryText) = (summary.state, summary.text)
    self.summary = pipeline.engine.summary
    zoneModel = pipeline.engine.settings.zones.model.name
    // Samples of other sources stand in a log of their own, which is no input: what the summary says of them counts.
    unused = SessionOutcome.UnusedSamples(
      late: pipeline.intake.late, duplicates: pipeline.intake.duplicates, standby: summary.standby)
    curve = pipeline.curve
    targets = observation.targets
    moments = observation.moments
    hours = Self.hours(observation.hours, labels, until: pipeline.engine.summary.elapsed)
    splits = observation.splits
    mileSplits = observation.mileSplits
    decoupling = observation.decoupling
    recovery = observation.heartRateRecovery
    efforts = observation.efforts
    verdict = observation.verdict
    firstPlace = observation.firstPlace
  }

  /// The hours with what labels say was done, where nothing was recognised: a label holds until the next one, the last until the end.
  private static func hours(
    _ totals: HourTotals, _ labels: [RecordedLabel], until end: SessionTime
  ) -> [HourTotals.Hour] {
    var totals = totals
    guard !totals.hasActivities else { return totals.hours }
    for (index, label) in labels.enumerated() {
      guard let kind = ActivityKind(label: label.text) else { continue }
      let next = index + 1 < labels.count ? min(labels[index + 1].time, end) : end
      totals.admit(kind, from: max(.zero, label.time), until: next, isLabelled: true)
    }
    return totals.hours
  }
}

package import SessionStore
package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// Everything that the index keeps of a session, with what was true on its day.
///
/// It is as small for a session of ten hours as for one of ten minutes.
package struct SessionDetail: Sendable {
  /// The session as a line of the history.
  package let entry: SessionEntry
  /// What was true on the day.
  package let manifest: SessionManifest
  /// Totals, zones, targets and the course of the heart rate.
  package let outcome: SessionOutcome
  /// The kilometres.
  package let splits: [DistanceSplits.Split]
  /// The miles.
  private let mileSplits: [DistanceSplits.Split]
  /// The aerobic decoupling as a part of 1; absent where the session does not allow it.
  package let decoupling: Double?
  /// The largest fall of the heart rate in the first minute of a pause, in beats per minute.
  package let heartRateRecovery: Double?
  /// What became of the steps of the plan; absent where none asks for anything.
  package let verdict: PlanVerdict?
  /// What its intervals between beats came to; absent without any.
  package let beats: BeatReport?
  /// What its laps and the steps of its plan came to; none unless its logs were read for them.
  package var laps: [SessionLap] = []
  /// What was written down about it afterwards.
  package let notes: SessionNotes
  /// The text of its summary.
  private let summaryText: [UInt8]

  /// The kilometres, or the miles, as somebody reads them.
  package func splits(in units: UnitSystem) -> [DistanceSplits.Split] {
    switch units {
    case .metric: splits
    case .imperial: mileSplits
    }
  }

  /// Writes the summary as it was at the end, then what else is known of the session, as one line.
  ///
  /// - Throws: `JSONError` when the index holds no summary that can be read.
  package func write(to writer: inout JSONWriter) throws(JSONError) {
    let written = try JSONValue.parse(summaryText.span).members ?? []
    writer.object { writer in
      for member in written { writer.member(JSONKey(member.key), member.value) }
      // A summary has its start and its state since sessions are closed.
      if !written.contains(where: { $0.key == "sessionID" }) { writer.member("sessionID", entry.sessionID) }
      if !written.contains(where: { $0.key == "startTime" }) { writer.member("startTime", entry.start) }
      if !written.contains(where: { $0.key == "state" }) { writer.member("state", entry.state.rawValue) }
      writer.member("utcOffsetSeconds", entry.utcOffsetSeconds)
      writer.member("activity", entry.activity)
      writer.member("person", entry.person)
      writer.member("target", entry.target)
      writer.member("programVersion", manifest.programVersion)
      manifest.writeOrigin(to: &writer)
      if let randomization = manifest.randomization {
        writer.object("randomization") { randomization.write(to: &$0) }
      }
      ZoneRecords.members(of: outcome.zones, to: &writer)
      writer.array("targets") { for span in outcome.targets.spans { Self.write(span, to: &$0) } }
      writer.array("splits") { for split in splits { Self.write(split, to: &$0) } }
      if !laps.isEmpty { writer.array("laps") { for lap in laps { lap.write(to: &$0) } } }
      writer.member("decoupling", decoupling)
      writer.member("heartRateRecoveryBPM", heartRateRecovery)
      verdict?.writeMember(to: &writer)
      beats?.writeObject("beats", to: &writer)
      writer.member("note", notes.note)
      if !notes.tags.isEmpty { writer.array("tags") { for tag in notes.tags { $0.value(tag) } } }
    }
    writer.endLine()
  }

  private static func write(_ span: TargetTimeline.Span, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("fromSeconds", secondsFromNanoseconds: span.start.nanoseconds)
      SessionRecords.writeLimits(of: span.target, to: &writer)
    }
  }

  private static func write(_ split: DistanceSplits.Split, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("distanceMeters", split.meters)
      writer.member("activeSeconds", secondsFromNanoseconds: split.active.nanoseconds)
      writer.member("paceSecondsPerKilometer", split.paceSecondsPerKilometer)
      writer.member("averageHeartRateBPM", split.meanHeartRate)
    }
  }
}

extension [DistanceSplits.Split] {
  /// How long the bars of the splits are, as parts of 1, and what a longer one says: on foot that it took longer, else
  /// that it was faster.
  package func shares(_ measure: SpeedMeasure) -> (title: String, values: [Double]) {
    let paces = map(\.paceSecondsPerKilometer)
    switch measure {
    case .pace:
      let slowest = paces.compactMap(\.self).max() ?? 0
      return ("slower →", paces.map { slowest > 0 ? ($0 ?? 0) / slowest : 0 })
    case .speed:
      let fastest = paces.compactMap(\.self).min() ?? 0
      return ("faster →", paces.map { $0.map { fastest / $0 } ?? 0 })
    }
  }
}

extension SessionDetail {
  /// What the aerobic decoupling is and says, behind its name; absent where there is none. What is shown as nothing has no sign.
  package var decouplingWords: String? {
    decoupling.map { decoupling in
      let tenths = (decoupling * 1_000).rounded()
      let percent = QuantityText.number(abs(tenths) / 10, decimals: 1)
      let (sign, words) = tenths < 0 ? ("−", "more") : ("", "less")
      return "\(sign)\(percent) %: that much \(words) speed for a heartbeat in the second half than in the first."
    }
  }
}

extension DistanceSplits.Split {
  /// What a split is called: the number of a whole one, what was left at the end.
  package func name(number: Int, _ units: UnitSystem) -> String {
    meters == units.splitMeters ? "\(number)" : units.distance(meters: meters)
  }

  /// Seconds for a kilometre.
  package var paceSecondsPerKilometer: Double? {
    meters > 0 && active > .zero ? active.seconds / meters * 1_000 : nil
  }
}

extension HistoryWorker {
  /// Everything that the index knows of a session; `nil` when it has just been deleted.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` or `RecordingError` when the manifest
  ///   cannot, `ZoneError` for a target in the index that is none.
  func detail(of entry: SessionEntry) throws -> SessionDetail? {
    let folder = SessionFolder.path(of: entry.sessionID, in: dataFolder)
    do {
      let recording = try SessionFolderRecording(path: folder)
      return try SessionDetail(
        entry, recording, verdict: verdict(of: entry.sessionID), recording.beats(),
        SessionNotes.read(in: folder),
        database())
    } catch let error as FileError where error.isMissing && FileSystem.lacksFolder(folder) {
      return nil
    }
  }
}

extension SessionDetail {
  private static let columns = """
    summary, curve, reading_count, reading_sum, pace_s_per_km, cadence_spm, edwards, banister, lucia,
    accepted_heart_rates, rejected_heart_rates, accepted_locations, rejected_locations, late, duplicates, standby,
    decoupling, recovery_bpm
    """

  /// Reads what the index keeps; `nil` when the session is gone.
  fileprivate init?(
    _ entry: SessionEntry, _ recording: SessionFolderRecording, verdict: PlanVerdict?, _ beats: BeatReport?,
    _ notes: SessionNotes, _ database: Database
  ) throws {
    let id = DatabaseValue.text(entry.sessionID)
    let manifest = recording.manifest
    let zones = try recording.settings().zones
    let targets = try Self.targets(id, zones, database)
    let inBand = try database.query("SELECT name, duration_ns FROM band WHERE session = ? ORDER BY position", id) {
      (Band(name: $0.text(0)), $0.span(1))
    }.compactMap { band, duration in band.map { (band: $0, duration: duration) } }
    let cues = try Self.cues(id, database)
    let found = try database.query(
      "SELECT \(Self.columns) FROM detail JOIN session ON session.id = detail.session WHERE detail.session = ?", id
    ) { row in
      let summary = SessionSummary(
        elapsed: entry.elapsed, active: entry.active, inBand: inBand, noData: entry.noData, inTarget: entry.inTarget,
        coveredWithTarget: entry.coveredWithTarget, activeWithTarget: entry.activeWithTarget,
        readings: HeartRateStatistics(
          count: row.int(2), sum: row.double(3) ?? 0, minimum: entry.minimumHeartRate, maximum: entry.maximumHeartRate),
        timeWeightedMeanHeartRate: entry.timeWeightedMeanHeartRate, distanceMeters: entry.distanceMeters,
        averagePaceSecondsPerKilometer: row.double(4), steps: entry.steps, cadenceStepsPerMinute: row.double(5),
        energyKilocalories: entry.energyKilocalories, edwards: row.double(6), banister: row.double(7),
        lucia: row.double(8), cues: cues, acceptedHeartRates: row.int(9), rejectedHeartRates: row.int(10),
        acceptedLocations: row.int(11), rejectedLocations: row.int(12))
      return Found(
        text: Array(row.text(0).utf8), decoupling: row.double(16), recovery: row.double(17),
        outcome: SessionOutcome(
          summary: summary, zones: zones, targets: targets,
          curve: HeartRateCurve(bytes: row.blob(1)) ?? HeartRateCurve(),
          unused: SessionOutcome.UnusedSamples(late: row.int(13), duplicates: row.int(14), standby: row.int(15)),
          activity: manifest.request.activity, statedKilocalories: manifest.source?.energyKilocalories))
    }.first
    guard let found else { return nil }
    self.entry = entry
    self.manifest = manifest
    outcome = found.outcome
    decoupling = found.decoupling
    heartRateRecovery = found.recovery
    summaryText = found.text
    self.verdict = verdict
    self.beats = beats
    self.notes = notes
    splits = try Self.splits(id, .metric, database)
    mileSplits = try Self.splits(id, .imperial, database)
  }

  private static func splits(
    _ id: DatabaseValue, _ units: UnitSystem, _ database: Database
  ) throws -> [DistanceSplits.Split] {
    try database.query(
      "SELECT meters, active_ns, mean_bpm FROM split WHERE session = ? AND every_m = ? ORDER BY position", id,
      .real(units.splitMeters)
    ) {
      DistanceSplits.Split(
        meters: $0.double(0) ?? 0, active: $0.span(1), meanHeartRate: $0.double(2))
    }
  }

  private struct Found {
    let text: [UInt8]
    let decoupling: Double?
    let recovery: Double?
    let outcome: SessionOutcome
  }

  private static func targets(
    _ id: DatabaseValue, _ zones: HeartRateZones, _ database: Database
  ) throws -> TargetTimeline {
    let rows = try database.query(
      "SELECT from_ns, zone, lower_bpm, upper_bpm, other FROM target WHERE session = ? ORDER BY position", id
    ) { row in
      let zone = row.optionalInt64(1).map { TrainingTarget.zone(Int($0)) }
      let lower = row.optionalInt64(2).map { Int($0) }
      let upper = row.optionalInt64(3).map { Int($0) }
      let range = lower.flatMap { lower in upper.map { TrainingTarget.range(lowerBPM: lower, upperBPM: $0) } }
      let start = row.span(0)
      return (start: start, heartRate: zone ?? range, other: row.optionalText(4).map { TargetRequest($0) })
    }
    return TargetTimeline(
      spans: try rows.map { row in
        let target = try row.heartRate ?? row.other?.target(in: zones)
        return TargetTimeline.Span(start: row.start, target: try target.flatMap { try ResolvedTarget($0, in: zones) })
      })
  }

  private static func cues(_ id: DatabaseValue, _ database: Database) throws -> CueCounts {
    var given: [CueAction: Int] = [:]
    var withheld: [WithholdingReason: Int] = [:]
    let rows = try database.query(
      "SELECT action, withheld, COUNT(*) FROM moment WHERE session = ? GROUP BY action, withheld", id
    ) { ($0.optionalText(0), $0.optionalText(1), $0.int(2)) }
    for (action, reason, count) in rows {
      if let action = action.flatMap({ CueAction(rawValue: $0) }) { given[action, default: 0] += count }
      if let reason = reason.flatMap({ WithholdingReason(rawValue: $0) }) { withheld[reason, default: 0] += count }
    }
    return CueCounts(given: given, withheld: withheld)
  }
}

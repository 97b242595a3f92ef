internal import ActivityRecognition
internal import SessionStore
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The rows of the index that stand for a session, and the only place that says what goes into which column.
struct SessionRows: Hashable, Sendable {
  /// One row of a table, its values in the order of the columns.
  struct Row: Hashable, Sendable {
    let table: Table
    let values: [DatabaseValue]

    /// Writes the row.
    ///
    /// - Throws: `DatabaseError`; the caller's transaction is then to be given up.
    func insert(into database: Database) throws(DatabaseError) {
      let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
      try database.run("INSERT INTO \(table.rawValue) VALUES (\(places))", values: values)
    }
  }

  /// The tables of the index.
  enum Table: String, CaseIterable, Hashable, Sendable {
    case session, detail, band, target, moment, hour, split, effort, step, place, label, note, tag

    /// The column with the session.
    var key: String { self == .session ? "id" : "session" }
    /// What its rows are ordered by.
    var order: String {
      switch self {
      case .session: "id"
      case .detail, .place, .note: "session"
      case .band, .target, .moment, .split, .effort, .step, .label, .tag: "position"
      case .hour: "from_s"
      }
    }
  }

  /// The session that they are about.
  let sessionID: String
  /// All of them, table by table, in order.
  let rows: [Row]

  /// The rows of a session as its folder states it.
  init(_ digest: SessionDigest) {
    sessionID = digest.manifest.sessionID
    let id = DatabaseValue.text(sessionID)
    var rows = [Row(table: .session, values: Self.session(digest)), Row(table: .detail, values: Self.detail(digest))]
    func add(_ table: Table, _ values: [[DatabaseValue]]) {
      for (position, values) in values.enumerated() {
        rows.append(Row(table: table, values: [id, .integer(Int64(position))] + values))
      }
    }
    add(.band, digest.summary.inBand.map { [.text($0.band.description), .integer($0.duration.nanoseconds)] })
    add(
      .target,
      digest.targets.spans.map { span in
        let zone: Int64? = if case .zone(let number)? = span.target?.target { Int64(number) } else { nil }
        return [
          .integer(span.start.nanoseconds), .optional(zone), .optional(span.target?.lowerBPM),
          .optional(span.target?.upperBPM), .optional(span.target?.quantity?.description),
        ]
      })
    add(
      .moment,
      digest.moments.map { moment in
        [
          .integer(moment.at.nanoseconds), .optional(moment.action?.rawValue), .optional(moment.reason?.rawValue),
          .optional(moment.band?.description), .optional(moment.heartRateBPM.map { Int64($0) }),
        ]
      })
    rows += digest.hours.map { hour in
      let steps: DatabaseValue = hour.hasSteps ? .integer(Int64(hour.steps)) : .null
      let heartRate: [DatabaseValue] = [.real(hour.heartRateSum), .integer(Int64(hour.heartRateCount))]
      let labelled: DatabaseValue = hour.isLabelled ? .integer(1) : .null
      return Row(
        table: .hour, values: [id, .integer(hour.from), steps] + heartRate + Self.activities(of: hour) + [labelled])
    }
    add(.split, Self.splits(digest.splits, in: .metric) + Self.splits(digest.mileSplits, in: .imperial))
    add(
      .effort,
      digest.efforts.map { effort in
        let (kind, size) = effort.span.column
        return [.text(kind), .real(size), .real(effort.rank), .real(effort.atSeconds)]
      })
    add(.step, digest.verdict?.steps.map(Self.step) ?? [])
    if let place = digest.firstPlace {
      rows.append(Row(table: .place, values: [id, .real(place.latitudeDegrees), .real(place.longitudeDegrees)]))
    }
    add(.label, digest.labels.map { [.text($0)] })
    rows += Self.rows(of: digest.notes, sessionID: sessionID)
    self.rows = rows
  }

  /// The rows of what was written down about a session.
  static func rows(of notes: SessionNotes, sessionID: String) -> [Row] {
    let note = notes.note.map { [Row(table: .note, values: [.text(sessionID), .text($0)])] } ?? []
    return note
      + notes.tags.enumerated().map { position, tag in
        Row(table: .tag, values: [.text(sessionID), .integer(Int64(position)), .text(tag)])
      }
  }

  private static func splits(_ splits: [DistanceSplits.Split], in units: UnitSystem) -> [[DatabaseValue]] {
    splits.map {
      [.real($0.meters), .integer($0.active.nanoseconds), .optional($0.meanHeartRate), .real(units.splitMeters)]
    }
  }

  private static func step(_ step: PlanVerdict.Step) -> [DatabaseValue] {
    [
      .integer(Int64(step.number)), .optional(step.name), .integer(step.start.nanoseconds),
      .integer(Int64(step.activeSeconds)), .integer(Int64(step.coveredSeconds)), .integer(Int64(step.inTargetSeconds)),
      .optional(step.secondsToTarget), .optional(step.lateSeconds), .text(step.result.rawValue),
      .optional(step.quantity?.rawValue),
    ]
  }

  private static func activities(of hour: HourTotals.Hour) -> [DatabaseValue] {
    ActivityMinutes.kinds.map { kind in hour.activities.map { DatabaseValue.integer($0[kind]) } ?? .null }
  }

  /// Rows that are at hand.
  init(sessionID: String, rows: [Row]) {
    self.sessionID = sessionID
    self.rows = rows
  }

  /// The rows that the index has of a session; none when it does not know it.
  ///
  /// - Throws: `DatabaseError` when they cannot be read.
  init(of sessionID: String, in database: Database) throws(DatabaseError) {
    self.sessionID = sessionID
    var rows: [Row] = []
    for table in Table.allCases {
      let sql = "SELECT * FROM \(table.rawValue) WHERE \(table.key) = ? ORDER BY \(table.order)"
      rows += try database.query(sql, .text(sessionID)) { Row(table: table, values: $0.values) }
    }
    self.rows = rows
  }

  /// Writes the rows instead of those that were there.
  ///
  /// - Throws: `DatabaseError`; the caller's transaction is then to be given up.
  func write(to database: Database) throws(DatabaseError) {
    try Self.delete(sessionID, from: database)
    for row in rows { try row.insert(into: database) }
  }

  /// Deletes the rows of a session; nothing when there are none.
  ///
  /// - Throws: `DatabaseError`.
  static func delete(_ sessionID: String, from database: Database) throws(DatabaseError) {
    try database.run("DELETE FROM session WHERE id = ?", .text(sessionID))
  }

  private static func session(_ digest: SessionDigest) -> [DatabaseValue] {
    let manifest = digest.manifest
    let summary = digest.summary
    return [
      .text(manifest.sessionID), .optional(manifest.person), .integer(manifest.start.nanoseconds),
      .integer(Int64(manifest.utcOffsetSeconds)), .text(manifest.request.activity.label), .text(digest.state.rawValue),
      .text(manifest.request.strategy.specification), .optional(manifest.request.target?.text),
      .optional(manifest.source?.format), .text(digest.zoneModel), .integer(summary.elapsed.nanoseconds),
      .integer(summary.active.nanoseconds), .integer(summary.noData.nanoseconds),
      .integer(summary.inTarget.nanoseconds), .integer(summary.coveredWithTarget.nanoseconds),
      .integer(summary.activeWithTarget.nanoseconds), .optional(summary.readings.mean),
      .optional(summary.timeWeightedMeanHeartRate), .optional(summary.readings.minimum),
      .optional(summary.readings.maximum), .optional(summary.distanceMeters), .optional(summary.steps),
      .optional(summary.energyKilocalories), .optional(digest.decoupling), .optional(digest.recovery),
      .optional(manifest.who?.profileID?.description), .optional(manifest.origin?.rawValue),
    ]
  }

  private static func detail(_ digest: SessionDigest) -> [DatabaseValue] {
    let summary = digest.summary
    return [
      .text(digest.manifest.sessionID), .text(String(decoding: digest.summaryText, as: UTF8.self)),
      .blob(digest.curve.bytes), .integer(Int64(summary.readings.count)), .real(summary.readings.sum),
      .optional(summary.averagePaceSecondsPerKilometer), .optional(summary.cadenceStepsPerMinute),
      .optional(summary.edwards), .optional(summary.banister), .optional(summary.lucia),
      .integer(Int64(summary.acceptedHeartRates)), .integer(Int64(summary.rejectedHeartRates)),
      .integer(Int64(summary.acceptedLocations)), .integer(Int64(summary.rejectedLocations)),
      .integer(Int64(digest.unused.late)), .integer(Int64(digest.unused.duplicates)),
      .integer(Int64(digest.unused.standby)),
    ]
  }
}

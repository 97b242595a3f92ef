internal import ZoneEngine

/// The index of the sessions in a data folder. It holds nothing that the folders do not, and can be made from them again.
///
/// One actor has all access to the database, on a queue of its own, because it waits for the disk.
package actor History {
  /// Which sessions are asked for. A session belongs to a span when it begins in it.
  package struct Filter: Hashable, Sendable {
    /// The earliest start; absent for all of the past.
    package var from: WallClockTime?
    /// The instant before which it begins; absent for all of the future.
    package var until: WallClockTime?
    /// The profile of the person; absent for everybody.
    package var person: String?
    /// The most sessions, the newest first; absent for all.
    package var limit: Int?

    /// Creates a filter that lets every session through.
    package init() {}
  }

  /// The data folder.
  package nonisolated let dataFolder: String

  private let executor = QueueExecutor(label: "coach.history")
  private var opened: Database?

  /// Creates a history; nothing is opened until something is asked.
  package init(dataFolder: String) { self.dataFolder = dataFolder }

  nonisolated package var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// The file of the index in a data folder.
  package static func path(in dataFolder: String) -> String { dataFolder + "/coach.sqlite" }

  /// Closes the database.
  package func close() {
    opened?.close()
    opened = nil
  }

  /// Takes the folder of a closed session into the index, instead of what was known of it.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError`, `RecordingError` or `ZoneError` when the
  ///   folder cannot.
  package func add(_ sessionID: String) throws {
    let digest = try SessionDigest(folder: SessionFolder.path(of: sessionID, in: dataFolder))
    let database = try database()
    try database.transaction { try Self.write(digest, to: database) }
  }

  /// Drops a session from the index; nothing when it is not there.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  package func remove(_ sessionID: String) throws {
    let database = try database()
    try database.run("DELETE FROM session WHERE id = ?", .text(sessionID))
    try database.checkpoint()
  }

  /// The sessions that a filter lets through, the newest first.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  package func sessions(_ filter: Filter) throws -> [SessionEntry] {
    try database().query(
      """
      SELECT \(SessionEntry.columns) FROM session
      WHERE start_ns >= ? AND start_ns < ? AND (?3 IS NULL OR person = ?3)
      ORDER BY start_ns DESC, id DESC LIMIT ?
      """,
      .integer(filter.from?.nanoseconds ?? .min), .integer(filter.until?.nanoseconds ?? .max), .optional(filter.person),
      .integer(Int64(filter.limit ?? -1))
    ) { SessionEntry($0) }
  }

  /// The sessions that have an instant in common with a span, the oldest first.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func sessions(around start: WallClockTime, _ span: SessionTime) throws -> [SessionEntry] {
    try database().query(
      """
      SELECT \(SessionEntry.columns) FROM session
      WHERE start_ns <= ?1 AND start_ns + elapsed_ns >= ?2 ORDER BY start_ns, id
      """,
      .integer(start.nanoseconds &+ span.nanoseconds), .integer(start.nanoseconds)
    ) { SessionEntry($0) }
  }

  /// The session with an identity, or with the only one that begins with `prefix`; `nil` when there is none.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `RecordingError` when several begin with it.
  package func session(_ prefix: String) throws -> SessionEntry? {
    let found = try database().query(
      "SELECT \(SessionEntry.columns) FROM session WHERE id >= ?1 AND substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 3",
      .text(prefix)
    ) { SessionEntry($0) }
    guard let first = found.first, first.sessionID != prefix, found.count > 1 else { return found.first }
    throw RecordingError(path: prefix, problem: "several sessions begin so: expected more of the name")
  }

  // MARK: - Upkeep

  /// Takes several digests into the index at once.
  func write(_ digests: [SessionDigest]) throws {
    guard !digests.isEmpty else { return }
    let database = try database()
    try database.transaction { for digest in digests { try Self.write(digest, to: database) } }
  }

  /// Drops every session that is not among `names`.
  func keepOnly(_ names: [String]) throws {
    let database = try database()
    let kept = Set(names)
    let gone = try database.query("SELECT id FROM session") { $0.text(0) }.filter { !kept.contains($0) }
    try database.transaction { for name in gone { try database.run("DELETE FROM session WHERE id = ?", .text(name)) } }
    try database.checkpoint()
  }

  /// What is wrong with the database itself.
  func integrity() throws -> [HistoryFinding] {
    do {
      let found = try database().query("PRAGMA integrity_check(20)") { $0.text(0) }.filter { $0 != "ok" }
      return found.map { HistoryFinding(kind: .damagedIndex, subject: "coach.sqlite", detail: $0) }
    } catch let error as DatabaseError where error.isDamage {
      return [HistoryFinding(kind: .damagedIndex, subject: "coach.sqlite", detail: error.reason)]
    }
  }

  /// Removes a database that is damaged, so that a new one is made. One of another program is left alone.
  func startAnewIfDamaged() throws {
    guard try !integrity().isEmpty else { return }
    close()
    for suffix in ["", "-wal", "-shm"] where FileSystem.exists(Self.path(in: dataFolder) + suffix) {
      try FileSystem.remove(Self.path(in: dataFolder) + suffix)
    }
  }

  /// The fingerprints of all sessions in the index.
  func fingerprints() throws -> [String: SessionFingerprint] {
    let rows = try database().query(
      """
      SELECT id, summary, curve, person, (SELECT count(*) FROM moment WHERE session = id),
        (SELECT count(*) FROM hour WHERE session = id), (SELECT count(*) FROM split WHERE session = id)
      FROM session JOIN detail ON detail.session = id
      """
    ) { row in
      (
        row.text(0),
        SessionFingerprint(
          summary: Array(row.text(1).utf8), curve: row.blob(2), moments: row.int(4), hours: row.int(5),
          splits: row.int(6), person: row.optionalText(3))
      )
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  // MARK: - The database

  private func database() throws -> Database {
    if let opened { return opened }
    try FileSystem.createFolder(dataFolder)
    let database = try Database(path: Self.path(in: dataFolder))
    try HistorySchema.migrate(database)
    opened = database
    return database
  }

  private static func write(_ digest: SessionDigest, to database: Database) throws(DatabaseError) {
    let manifest = digest.manifest
    let summary = digest.summary
    let id = DatabaseValue.text(manifest.sessionID)
    try database.run("DELETE FROM session WHERE id = ?", id)
    try database.run(
      "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      id, .optional(manifest.person), .integer(manifest.start.nanoseconds), .integer(Int64(manifest.utcOffsetSeconds)),
      .text(manifest.request.activity.label), .text(digest.state.rawValue),
      .text(manifest.request.strategy.specification), .optional(manifest.request.target),
      .optional(manifest.source?.format), .integer(summary.elapsed.nanoseconds), .integer(summary.active.nanoseconds),
      .integer(summary.noData.nanoseconds), .integer(summary.inTarget.nanoseconds),
      .integer(summary.coveredWithTarget.nanoseconds), .integer(summary.activeWithTarget.nanoseconds),
      .integer(Int64(summary.acceptedHeartRates)), .optional(summary.readings.mean),
      .optional(summary.readings.minimum), .optional(summary.readings.maximum), .optional(summary.distanceMeters),
      .optional(summary.steps.map { Int64($0) }), .optional(summary.energyKilocalories), .optional(digest.decoupling),
      .optional(digest.recovery))
    try database.run(
      "INSERT INTO detail VALUES (?, ?, ?)", id, .text(String(decoding: digest.summaryText, as: UTF8.self)),
      .blob(CurveBlob.bytes(digest.curve)))
    for (position, band) in summary.inBand.enumerated() {
      try database.run(
        "INSERT INTO band VALUES (?, ?, ?, ?)", id, .integer(Int64(position)), .text(band.band.description),
        .integer(band.duration.nanoseconds))
    }
    for (position, moment) in digest.moments.enumerated() {
      try database.run(
        "INSERT INTO moment VALUES (?, ?, ?, ?, ?, ?, ?)", id, .integer(Int64(position)),
        .integer(moment.at.nanoseconds), .optional(moment.action?.rawValue), .optional(moment.reason?.rawValue),
        .optional(moment.band), .optional(moment.heartRateBPM.map { Int64($0) }))
    }
    for hour in digest.hours {
      try database.run(
        "INSERT INTO hour VALUES (?, ?, ?, ?, ?)", id, .integer(hour.from),
        hour.hasSteps ? .integer(Int64(hour.steps)) : .null, .real(hour.heartRateSum),
        .integer(Int64(hour.heartRateCount)))
    }
    for (position, split) in digest.splits.enumerated() {
      try database.run(
        "INSERT INTO split VALUES (?, ?, ?, ?, ?)", id, .integer(Int64(position)), .real(split.meters),
        .integer(split.active.nanoseconds), .optional(split.meanHeartRate))
    }
  }
}

/// The course of a heart rate as the index keeps it: a 32-bit number in little-endian order for each span, NaN for none.
enum CurveBlob {
  static func bytes(_ curve: [Double?]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * curve.count)
    for value in curve {
      let bits = Float(value ?? .nan).bitPattern
      for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }
    return bytes
  }

  static func curve(_ bytes: [UInt8]) -> [Double?] {
    stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { start in
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
      let value = Float(bitPattern: bits)
      return value.isNaN ? nil : Double(value)
    }
  }
}

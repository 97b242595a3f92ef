package import FleetStore
internal import SessionStore
package import TextFormats
internal import WorkoutHistory

/// Copies a folder store into the database that instances share, or such a database into a folder store, and loses nothing: what
/// cannot be carried is refused by its name, unless it was said to be left out.
///
/// ```
/// StoreContents, SharedSessions ─► what is unfinished, deleted, foreign: refused before anything is copied
/// sessions, each in one transaction, or in its place by one rename ─► rows of the service, in one ─► profiles, motion, audit
/// ```
///
/// Nothing that is there is overwritten or deleted: what differs is refused, and the rest is copied. A copy that was cut off is
/// finished by the next one.
package struct StoreCopy {
  /// Where everything goes.
  package enum Target: String, CaseIterable, Hashable, Sendable {
    case database, folder
  }

  /// What is left out where that is asked for, and refused by its name otherwise.
  package enum Omission: String, CaseIterable, Hashable, Sendable {
    /// Sessions that are not over.
    case unfinished
    /// Sessions that were deleted on one of both sides.
    case deleted
    /// The list of what is to be sent to object storage.
    case uploads
    /// What coach has not written.
    case foreign
  }

  let dataFolder: StoredPath
  let address: PostgresAddress
  let omissions: Set<Omission>
  let report: @Sendable (WorkProgress) throws -> Void
  let copies: FleetCopies
  var done = StoreCopyReport()

  /// A copy between a data folder and a database whose schema is there; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - omissions: what is left out; everything else that cannot be carried is refused.
  ///   - report: called after each session; when it throws, the copy ends there.
  package init(
    _ dataFolder: StoredPath, _ address: PostgresAddress, without omissions: Set<Omission>,
    _ report: @escaping @Sendable (WorkProgress) throws -> Void
  ) {
    self.dataFolder = dataFolder
    self.address = address
    self.omissions = omissions
    self.report = report
    copies = FleetCopies(address, name: Self.connectionName)
  }

  /// What the server lists the connections of a copy as.
  package static let connectionName = "coach-copy"

  /// Copies everything.
  ///
  /// - Throws: ``StoreCopyRefused`` when there is what cannot be carried, and nothing was copied; `PostgresError`, `FileError`,
  ///   `DatabaseError` or `ServiceStoreError` when one of both cannot be used, and what `report` throws: what is copied by then
  ///   stays, and the next copy goes on.
  package mutating func run(into target: Target) async throws -> StoreCopyReport {
    defer { copies.close() }
    switch target {
    case .database: try copyIntoDatabase()
    case .folder: try await copyIntoFolder()
    }
    return done
  }

  // MARK: - What both ways have in common

  /// Gathers what cannot be carried, before anything is copied.
  struct Obstacles {
    let omissions: Set<Omission>
    private(set) var refusals: [StoreCopyRefusal] = []
    private(set) var leftOut: [(Omission, String)] = []

    init(_ omissions: Set<Omission>) { self.omissions = omissions }

    /// Something that is left out, or refused for a reason.
    mutating func add(_ omission: Omission, _ name: String, _ reason: String) {
      if omissions.contains(omission) { return leftOut.append((omission, name.visible)) }
      refuse(name, "\(reason), or --without \(omission.rawValue)")
    }

    /// Something that cannot be left out.
    mutating func refuse(_ name: String, _ reason: String) {
      refusals.append(StoreCopyRefusal(name: name.visible, reason: reason))
    }
  }

  /// Notes what is left out.
  ///
  /// - Throws: ``StoreCopyRefused`` when something may not be.
  mutating func settle(_ obstacles: Obstacles) throws {
    guard obstacles.refusals.isEmpty else { throw StoreCopyRefused(refusals: obstacles.refusals) }
    for (omission, name) in obstacles.leftOut { done.leaveOut(omission, name) }
  }

  /// Why one thing alone cannot be carried; `nil` for what concerns everything.
  static func reasonOfOne(_ error: any Error) -> String? {
    switch error {
    case let error as FileError where error.exitCode == 65 || error.exitCode == 66: "\(error)"
    case let error as JSONError: "its manifest: \(error)"
    case let error as RecordingError: error.problem
    case let error as PostgresError where error.kind == .damaged: error.problem
    default: nil
    }
  }

  /// What a session is called for that the other store has otherwise.
  static func difference(in name: String) -> String {
    "the other store has it with another \(name): it was left as it is there"
  }

  /// Compares a session of which both stores have files; `true` for the same.
  mutating func isSame(_ content: SessionFolderContent, as other: SessionFolderContent) -> Bool {
    guard let name = content.firstDifference(from: other) else { return true }
    done.refuse(.sessions, content.sessionID, Self.difference(in: name))
    return false
  }

  /// The tables of the service in the data folder; `nil` where no service was ever set up, and none is to be.
  ///
  /// - Throws: `DatabaseError` when they cannot be used, `ServiceStoreError` when they are of a newer version.
  func tablesOfFolder(makes: Bool) throws -> ServiceTables? {
    let place = dataFolder + "/" + ServiceStore.fileName
    guard try makes || FileSystem.has(place) else { return nil }
    let database = try Database(path: place)
    try ServiceSchema.make(in: database)
    return .embedded(database)
  }

  /// Copies the rows of the service, all of them in one transaction or none.
  ///
  /// - Parameters:
  ///   - sessions: those that a service began, for a store that has them beside their files.
  ///   - gone: sessions that were deleted in the other store; what is about one of them alone went with it, and stays away.
  /// - Throws: `DatabaseError` or `PostgresError`.
  mutating func copyRows(
    from source: ServiceTables, to target: ServiceTables, sessions: [ServiceSessionRow], without gone: Set<String>
  ) throws {
    let tables = CopiedServiceTable.all
    let (rows, facts) = try source.transaction(.reading) {
      (
        try tables.map { try $0.rows(in: source) },
        try CopiedServiceTable.facts.map { try Self.url(of: $0, in: source) }
      )
    }
    var counted = done
    try target.transaction(.changing) {
      for session in sessions { try session.add(to: target, &counted) }
      for (table, rows) in zip(tables, rows) {
        for row in rows where !table.isAbout(gone, row) { try table.add(row, to: target, &counted) }
      }
      for (table, url) in zip(CopiedServiceTable.facts, facts) {
        guard let url, try Self.url(of: table, in: target) == nil else { continue }
        try target.run("INSERT INTO \(table) VALUES (?)", .text(url))
      }
    }
    done = counted
  }

  /// The lines of the audit that instances have added.
  ///
  /// - Throws: `PostgresError`.
  func auditLines() throws -> [UInt8] {
    let audit = FleetAudit(address, name: Self.connectionName)
    defer { audit.close() }
    return try audit.text(mostBytes: SessionFolderContent.mostBytes)
  }

  /// Adds lines to the audit of the instances.
  ///
  /// - Throws: `PostgresError`.
  func addAuditLines(_ text: ArraySlice<UInt8>) throws(PostgresError) {
    let audit = FleetAudit(address, name: Self.connectionName)
    defer { audit.close() }
    try audit.append(text.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }, from: 1)
  }

  private static func url(of table: String, in tables: ServiceTables) throws -> String? {
    try tables.query("SELECT url FROM \(table)") { (row) throws(DatabaseError) in row.text(0) }.first
  }
}

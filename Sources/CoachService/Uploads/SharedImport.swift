internal import FleetStore
internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// A recording that is sent to one of several instances.
///
/// ```
/// file ─► `coach import` into a folder of its own ─► sessions ─► the turn of the person ─► the history as it is now: the same workout?
///                                                                                    └─► the database ─► every history
/// ```
///
/// The program that reads the file sees nothing of the database. A session is in no history before it is in the database, so that
/// nothing is left of an import that is cut off but the sessions that were added whole.
struct SharedImport {
  let service: Service
  let fleet: ServiceFleet
  /// Whose it is.
  let person: String

  /// What lies in the data folder of an instance while something is imported.
  private static let folder = "importing"

  /// Runs the verb, and adds what is new.
  ///
  /// - Returns: what came of the verb, and its records as they are true for all instances.
  /// - Throws: what the program, the folders and the database throw.
  func run(
    _ arguments: [String], _ request: HTTPRequest
  ) async throws -> (outcome: ProgramRunner.Outcome, records: [UInt8]) {
    let profile = try await service.profiles.current().text(named: person)
    let name = CacheFolderMark.importPrefix + FleetStore.newName()
    let place = service.settings.dataFolder + "/" + Self.folder + "/" + name
    let scratch = StoredPath(dataFolder: place.path)
    try FileSystem.createFolder(service.settings.dataFolder + "/" + Self.folder)
    defer { try? FileSystem.removeTree(place.path) }
    try DataFolderMark.make(scratch)
    if let profile { try ProfileStore(dataFolder: scratch).take(profile, of: person) }
    let outcome = try await service.programs.run(arguments, request, in: scratch)
    let printed = try outcome.printed()
    let records = try printed.split(separator: UInt8(ascii: "\n")).map { line in
      try JSONValue.parse(Array(line).span)
    }
    guard records.contains(where: { $0["status"]?.string == "added" }) else { return (outcome, printed) }
    return (outcome, try await add(records, in: scratch))
  }

  /// Adds the sessions that are new; the records of all.
  private func add(_ records: [JSONValue], in scratch: StoredPath) async throws -> [UInt8] {
    let turn = PersonImport(fleet.address, name: fleet.connectionName, person: person)
    defer { turn.close() }
    // Others wait for the turn meanwhile, and nothing else of the instance does.
    let desk = FileDesk()
    try await desk.run { try turn.begin() }
    try await service.sessions.bringHistory()
    var writer = JSONWriter()
    /// What the sessions of the folder are called for all.
    var names: [String: String] = [:]
    for record in records {
      let id = record["sessionID"]?.string
      let outcome: ImportOutcome
      switch (record["status"]?.string, id) {
      case ("added"?, let id?): outcome = try await add(id, in: scratch, turn, desk)
      case (_, let id?): outcome = .duplicate(sessionID: names[id] ?? id)
      default:
        outcome = .refused(reason: record["reason"]?.string ?? "")
      }
      if let id, let name = outcome.sessionID { names[id] = name }
      outcome.writeRecord(of: record["file"]?.string ?? "", to: &writer)
    }
    try await service.sessions.bringHistory()
    return writer.bytes
  }

  private func add(
    _ id: String, in scratch: StoredPath, _ turn: PersonImport, _ desk: FileDesk
  ) async throws -> ImportOutcome {
    let folder = SessionFolder.path(of: id, in: scratch)
    if let known = try await service.history.duplicate(of: folder) { return known }
    return .added(
      sessionID: try await desk.run {
        let content = try SessionFolderContent(sessionID: id, in: scratch)
        let text = content[SessionFolder.manifest] ?? []
        return try turn.add(content, start: try SessionManifest(json: text.span).start)
      })
  }
}

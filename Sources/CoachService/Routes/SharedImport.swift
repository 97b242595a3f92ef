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
///
/// Where what says more takes the place of what is there, and it is found that it does, the file is read once more beside the sessions
/// whose place it may take: so the program decides it as in a folder store, and carries over what was written about them. The one
/// comes into the database and the other goes from there in one transaction.
struct SharedImport {
  let service: Service
  let fleet: ServiceFleet
  /// Who sends it.
  let caller: Caller
  /// Whose it is.
  let person: String
  /// Whether a recording that says more of a workout than the session that holds it takes its place.
  let replaces: Bool
  /// What the program is given beside the file.
  let beside: ProgramRunner.Beside

  /// What lies in the data folder of an instance while something is imported.
  private static let folder = "importing"

  /// What came of reading a file into a folder of its own.
  private struct Reading {
    let outcome: ProgramRunner.Outcome
    let printed: [UInt8]
    let records: [JSONValue]
  }

  /// Runs the verb, and adds what is new.
  ///
  /// - Returns: what came of the verb, and its records as they are true for all instances.
  /// - Throws: what the program, the folders and the database throw.
  func run(
    _ arguments: [String], _ request: HTTPRequest
  ) async throws -> (outcome: ProgramRunner.Outcome, records: [UInt8]) {
    // A file that is read twice is kept until then.
    let again = replaces ? request.body : []
    let arguments = arguments + (replaces ? ["--replace"] : [])
    return try await withFolder { scratch, profile in
      let reading = try await read(arguments, request.heldBody, request, in: scratch)
      guard reading.records.contains(where: { $0["status"]?.string == "added" }) else {
        return (reading.outcome, reading.printed)
      }
      let turn = PersonImport(
        fleet.address, name: fleet.connectionName, person: person, isStill: Self.isStill(profile, of: person))
      defer { turn.close() }
      // Others wait for the turn meanwhile, and nothing else of the instance does.
      let desk = FileDesk()
      try await desk.run { try turn.begin() }
      try await service.sessions.bringHistory()
      let outdone = try await self.outdone(by: reading.records, in: scratch)
      guard !outdone.isEmpty else {
        return (reading.outcome, try await add(reading.records, in: scratch, turn, desk, replacing: []))
      }
      return try await withFolder { scratch, _ in
        for id in outdone { try await desk.run { try copy(id, into: scratch) } }
        let reading = try await read(arguments, HTTPBody(again), request, in: scratch)
        return (reading.outcome, try await add(reading.records, in: scratch, turn, desk, replacing: outdone))
      }
    }
  }

  /// Gives `body` a folder for sessions, with the profile of the person, which is gone afterwards.
  private func withFolder<Value>(
    _ body: (StoredPath, _ profile: [UInt8]?) async throws -> Value
  ) async throws -> Value {
    let profile = try await service.profiles.current().text(named: person)
    let name = CacheFolderMark.importPrefix + FleetStore.newName()
    let place = service.settings.dataFolder + "/" + Self.folder + "/" + name
    let scratch = StoredPath(dataFolder: place.path)
    try FileSystem.createFolder(service.settings.dataFolder + "/" + Self.folder)
    defer { try? FileSystem.removeTree(place.path) }
    try DataFolderMark.make(scratch)
    if let profile { try ProfileStore(dataFolder: scratch).take(profile, of: person) }
    return try await body(scratch, profile)
  }

  /// Whether what the database has under a name is the profile by which a recording was read: deleted meanwhile, it may be somebody
  /// else's. One that had no identity then is whatever profile has the name.
  private static func isStill(_ profile: [UInt8]?, of person: String) -> @Sendable ([UInt8]?) -> Bool {
    @Sendable func identity(_ text: [UInt8]) -> ProfileID? { try? StoredProfile(json: text.span, name: person).id }
    let known = profile.flatMap(identity)
    return { text in
      guard let text else { return false }
      return known == nil || identity(text) == known
    }
  }

  private func read(
    _ arguments: [String], _ file: HTTPBody, _ request: HTTPRequest, in scratch: StoredPath
  ) async throws -> Reading {
    let outcome = try await service.programs.run(
      arguments, input: file, beside: beside, in: scratch, isWanted: request.isWanted,
      atTurn: { try await service.requireStill(caller) })
    let printed = try outcome.printed()
    return Reading(
      outcome: outcome, printed: printed,
      records: try printed.split(separator: UInt8(ascii: "\n")).map { try JSONValue.parse(Array($0).span) })
  }

  /// The sessions of the history whose place those of the folder may take; none where nothing is replaced.
  private func outdone(by records: [JSONValue], in scratch: StoredPath) async throws -> Set<String> {
    guard replaces else { return [] }
    var outdone: Set<String> = []
    for record in records where record["status"]?.string == "added" {
      guard let folder = record["sessionID"]?.string.map({ SessionFolder.path(of: $0, in: scratch) }),
        // Another one of the file may have come in its place.
        try FileSystem.has(folder), case .outdone(let old, _, nil)? = try await service.history.duplicate(of: folder)
      else { continue }
      outdone.insert(old)
    }
    return outdone
  }

  /// Writes a session of the history into another folder.
  private func copy(_ id: String, into scratch: StoredPath) throws {
    let content = try SessionFolderContent(sessionID: id, in: service.settings.dataFolder)
    let folder = SessionFolder.path(of: id, in: scratch)
    try FileSystem.createFolder(folder)
    for one in content.files {
      let file = try POSIXFile(writing: folder + "/" + one.name, .exclusive)
      try file.write(one.bytes.span)
      try file.close()
    }
  }

  /// Adds the sessions that are new; the records of all.
  ///
  /// - Parameter outdone: those whose place may be taken, which stand in the folder too.
  private func add(
    _ records: [JSONValue], in scratch: StoredPath, _ turn: PersonImport, _ desk: FileDesk,
    replacing outdone: Set<String>
  ) async throws -> [UInt8] {
    var writer = JSONWriter()
    /// What the sessions of the folder are called for all.
    var names: [String: String] = [:]
    /// Those of the file in whose place another one of it came.
    let short = Dictionary(
      records.compactMap { record in
        record["replaces"]?.string.flatMap { old in record["sessionID"]?.string.map { (old, $0) } }
      }
    ) { $1 }.filter { !outdone.contains($0.key) }
    for record in records.filter({ $0["sessionID"]?.string.map { short[$0] == nil } ?? true }) {
      let id = record["sessionID"]?.string
      let outcome: ImportOutcome
      switch (record["status"]?.string, id) {
      case ("added"?, let id?):
        let old = record["replaces"]?.string.flatMap { outdone.contains($0) ? $0 : nil }
        outcome = try await add(id, in: scratch, turn, desk, replacing: old)
      case (_, let id?): outcome = .duplicate(sessionID: names[id] ?? id)
      default:
        outcome = .refused(reason: record["reason"]?.string ?? "")
      }
      if let id, let name = outcome.sessionID { names[id] = name }
      // What is to be said of a session is said of one that is new, as by the verb.
      let notices = outcome.status == "added" ? record["notices"]?.array ?? [] : []
      outcome.writeRecord(of: record["file"]?.string ?? "", notices: notices.compactMap(\.string), to: &writer)
    }
    try await service.sessions.bringHistory()
    return writer.bytes
  }

  private func add(
    _ id: String, in scratch: StoredPath, _ turn: PersonImport, _ desk: FileDesk, replacing old: String?
  ) async throws -> ImportOutcome {
    // Reading it took long.
    try service.access.require(caller)
    let folder = SessionFolder.path(of: id, in: scratch)
    if old == nil, let known = try await service.history.duplicate(of: folder) { return known }
    let added: PersonImport.Added
    do {
      added = try await desk.run {
        let content = try SessionFolderContent(sessionID: id, in: scratch)
        let text = content[SessionFolder.manifest] ?? []
        return try turn.add(content, start: try SessionManifest(json: text.span).start, replacing: old)
      }
    } catch is PersonImport.PersonGone {
      throw ServiceProblem.nobody(parameter: "person")
    }
    guard let old, added.hasReplaced else { return .added(sessionID: added.name) }
    return .replaced(sessionID: added.name, earlier: old)
  }
}

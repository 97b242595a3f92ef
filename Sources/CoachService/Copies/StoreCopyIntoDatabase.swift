internal import FleetStore
internal import SessionStore
internal import SessionUpload
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

extension StoreCopy {
  /// Copies the data folder into the database.
  mutating func copyIntoDatabase() throws {
    let contents = try StoreContents(of: dataFolder)
    let tables = try tablesOfFolder(makes: false)
    defer { tables?.close() }
    let rows = try tables.map { try ServiceSessionRow.all(in: $0) } ?? []
    let gone = Set(try copies.deletedSessions())
    let taken = contents.sessions.filter { !gone.contains($0) }
    try settle(try obstacles(contents, rows, gone))
    let rowOf = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
    let store = FleetStore(address, name: Self.connectionName, url: "")
    defer { store.close() }
    // The database finds what is a person's by the name of today.
    let owners = try OwnersOfSessions(in: dataFolder)
    for (count, id) in taken.enumerated() {
      do {
        try copy(session: id, rowOf[id], owners, to: store)
      } catch {
        guard let reason = Self.reasonOfOne(error) else { throw error }
        done.refuse(.sessions, id, reason)
      }
      try report(WorkProgress(done: count + 1, total: taken.count))
    }
    // Those that ended before they began have no folder.
    for row in rows where row.endedAt != nil && !contents.sessions.contains(row.id) && !gone.contains(row.id) {
      try copy(empty: row)
    }
    if let tables {
      let shared = SharedTables(address, name: Self.connectionName)
      defer { shared.close() }
      try copyRows(from: tables, to: .shared(shared), sessions: [], without: gone)
    }
    try keepFiles(contents)
  }

  private func obstacles(
    _ contents: StoreContents, _ rows: [ServiceSessionRow], _ gone: Set<String>
  ) throws -> Obstacles {
    var obstacles = Obstacles(omissions)
    for name in contents.undecided {
      obstacles.refuse(name, "a change of a person is not finished: expected another try in a moment")
    }
    let known = Set(contents.sessions)
    let open = rows.filter { $0.endedAt == nil && !known.contains($0.id) }.map(\.id)
    for id in Set(contents.unfinished).union(open).sorted() {
      obstacles.add(.unfinished, id, "is not over: expected its end")
    }
    for id in contents.deleted { obstacles.add(.deleted, id, "its deletion is not finished: expected another try") }
    for id in contents.sessions where gone.contains(id) {
      obstacles.add(.deleted, id, "was deleted in the database: expected `coach history delete` here too")
    }
    if let pending = try PendingUploads.existing(in: dataFolder) {
      defer { pending.close() }
      let count = try pending.places().reduce(0) { try $0 + pending.count(to: $1) }
      if count > 0 {
        obstacles.add(
          .uploads, FileSystem.name(of: PendingUploads.path(in: dataFolder).path),
          "\(count) files are to be sent to object storage: expected `coach upload --pending` before")
      }
    }
    for name in contents.foreign {
      obstacles.add(.foreign, name, "is nothing that coach has written: expected it elsewhere")
    }
    return obstacles
  }

  private mutating func copy(
    session id: String, _ row: ServiceSessionRow?, _ owners: OwnersOfSessions, to store: FleetStore
  ) throws {
    let content = try SessionFolderContent(sessionID: id, in: dataFolder)
    let text = content[SessionFolder.manifest] ?? []
    let manifest = try SessionManifest(json: text.span)
    guard manifest.sessionID == id else {
      return done.refuse(.sessions, id, "its manifest is that of \(manifest.sessionID)")
    }
    let person = manifest.who.map { owners.name(of: $0) } ?? row?.person
    let begun = BegunSession(
      id: id, person: person, maker: row?.maker ?? "", request: row?.request ?? "",
      createdAt: row?.createdAt ?? manifest.start)
    switch try copies.add(begun, endedAt: row?.endedAt ?? begun.createdAt, content) {
    case .added: done.add(.sessions)
    case .deleted: done.refuse(.sessions, id, "has just been deleted in the database")
    case .there:
      guard let log = try store.log(of: id), log.isOver, log.summary != nil else {
        return done.refuse(.sessions, id, "is not over in the database: it was left as it is there")
      }
      guard isSame(content, as: try log.content()) else { return }
      guard Self.isSame(log.session, begun) || row == nil && log.session.person == begun.person else {
        return done.refuse(.sessions, id, Self.otherwise)
      }
      done.leave(.sessions)
    }
  }

  private mutating func copy(empty row: ServiceSessionRow) throws {
    let begun = BegunSession(
      id: row.id, person: row.person, maker: row.maker, request: row.request, createdAt: row.createdAt)
    switch try copies.add(begun, endedAt: row.endedAt ?? row.createdAt, nil) {
    case .added: done.add(.service)
    case .deleted: break
    case .there:
      if let known = try copies.session(row.id), Self.isSame(known, begun) {
        done.leave(.service)
      } else {
        done.refuse(.service, row.id, Self.otherwise)
      }
    }
  }

  private static let otherwise = "the database says otherwise whose it is or who began it: it was left as it is"

  private static func isSame(_ one: BegunSession, _ other: BegunSession) -> Bool {
    one.person == other.person && one.maker == other.maker && one.createdAt == other.createdAt
  }

  // MARK: - Files

  private mutating func keepFiles(_ contents: StoreContents) throws {
    let known = Dictionary(try copies.keptFiles().map { ($0.name, $0) }) { first, _ in first }
    let former = DataFolderMark.formerPeople
    let files =
      (try FileSystem.has(dataFolder + "/" + former) ? [(.profiles, former)] : [])
      + contents.profiles.map { (StoreCopyReport.Kind.profiles, $0) }
      + contents.motion.map { (StoreCopyReport.Kind.motion, $0) }
      + (try FileSystem.has(dataFolder + "/" + AuditLog.fileName) ? [(.audit, AuditLog.fileName)] : [])
    for (kind, name) in files {
      do {
        try keep(name, kind, known[name])
      } catch {
        guard let reason = Self.reasonOfOne(error) else { throw error }
        done.refuse(kind, name, reason)
      }
    }
  }

  private mutating func keep(_ name: String, _ kind: StoreCopyReport.Kind, _ known: FleetCopies.KeptFile?) throws {
    let bytes = try POSIXFile(reading: dataFolder + "/" + name).readAll(maximumBytes: SessionFolderContent.mostBytes)
    var replaced: FleetCopies.KeptFile?
    if kind == .audit {
      let earlier = try known.map { try copies.content(of: $0, mostBytes: SessionFolderContent.mostBytes) } ?? []
      let lines = try auditLines()
      // Lines are only ever added to an audit: the longer one has all of both.
      if (earlier + lines).starts(with: bytes) { return done.leave(kind) }
      if !lines.isEmpty, bytes.starts(with: earlier + lines) {
        try addAuditLines(bytes[(earlier.count + lines.count)...])
        return done.add(kind)
      }
      guard bytes.starts(with: earlier) else { return done.refuse(kind, name, Self.difference(in: "content")) }
      if let known { return finish(try copies.extend(known, to: bytes), kind, name) }
    } else if let known, name == DataFolderMark.formerPeople {
      let earlier = FormerPeople(text: try copies.content(of: known, mostBytes: SessionFolderContent.mostBytes))
      // The longer one has all of both.
      if FormerPeople(text: bytes).areAll(among: earlier) { return done.leave(kind) }
      guard earlier.areAll(among: FormerPeople(text: bytes)) else {
        return done.refuse(kind, name, Self.difference(in: "content"))
      }
      replaced = known
    } else if let known {
      if known.digest == SHA256.digest(of: bytes.span) { return done.leave(kind) }
      return done.refuse(kind, name, Self.difference(in: "content"))
    }
    finish(try copies.keep(bytes, as: name, of: StoreContents.person(of: name), replacing: replaced), kind, name)
  }

  private mutating func finish(_ outcome: FleetCopies.Outcome, _ kind: StoreCopyReport.Kind, _ name: String) {
    switch outcome {
    case .added: done.add(kind)
    case .there, .deleted: done.refuse(kind, name, "another copy has just kept it: expected one at a time")
    }
  }
}

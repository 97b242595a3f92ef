internal import FleetStore
internal import SessionStore
internal import TextFormats
internal import WorkoutHistory

extension StoreCopy {
  /// How many sessions, and how many bytes of them, are written before they get their places.
  private static let mostTogether = (sessions: 32, bytes: 64 << 20)

  /// Copies the database into the data folder, which is made where there is none.
  mutating func copyIntoFolder() async throws {
    let sessions = try SharedSessions(copies)
    var obstacles = Obstacles(omissions)
    for id in sessions.unfinished { obstacles.add(.unfinished, id, "is not over: expected its end") }
    for id in try copies.deletedSessions() where SessionFolder.isName(id) {
      guard try FileSystem.has(SessionFolder.path(of: id, in: dataFolder)) else { continue }
      obstacles.add(.deleted, id, "was deleted in the database: expected `coach history delete` here too")
    }
    try settle(obstacles)
    for refusal in sessions.refusals { done.refuse(.sessions, refusal.name, refusal.reason) }
    try DataFolderMark.make(dataFolder)
    let carried = try await takeSessions(sessions.finished)
    let shared = ServiceTables.shared(SharedTables(address, name: Self.connectionName))
    defer { shared.close() }
    let rows = try ServiceSessionRow.all(in: shared).filter { row in
      row.endedAt != nil && (carried.contains(row.id) || sessions.empty.contains(row.id))
    }
    let hasRows = try CopiedServiceTable.hasRows(in: shared) || !rows.isEmpty
    if let tables = try tablesOfFolder(makes: hasRows) {
      defer { tables.close() }
      try copyRows(from: shared, to: tables, sessions: rows, without: [])
    }
    try writeFiles()
  }

  /// Writes the sessions that the folder does not have; those that it has now, as they are in the database.
  private mutating func takeSessions(_ names: [String]) async throws -> Set<String> {
    let store = FleetStore(address, name: Self.connectionName, url: "")
    defer { store.close() }
    let source = FinishedSessions.database(store, names)
    let history = History(dataFolder: dataFolder)
    do {
      var carried: Set<String> = []
      var waiting: [SessionFolderContent] = []
      for (count, name) in names.enumerated() {
        do {
          let content = try source.content(of: name)
          switch try place(of: content) {
          case .free: waiting.append(content)
          case .same:
            done.leave(.sessions)
            carried.insert(name)
          case .other: break
          }
        } catch {
          guard let reason = Self.reasonOfOne(error) else { throw error }
          done.refuse(.sessions, name, reason)
        }
        let bytes = waiting.reduce(0) { $0 + $1.files.reduce(0) { $0 + $1.bytes.count } }
        if waiting.count >= Self.mostTogether.sessions || bytes >= Self.mostTogether.bytes || count == names.count - 1 {
          carried.formUnion(waiting.map(\.sessionID))
          try await take(&waiting, in: history)
        }
        try report(WorkProgress(done: count + 1, total: names.count))
      }
      await history.close()
      return carried
    } catch {
      await history.close()
      throw error
    }
  }

  private enum Place {
    case free, same, other
  }

  private mutating func place(of content: SessionFolderContent) throws -> Place {
    let id = content.sessionID
    if try SessionMark.exists(id, in: dataFolder) {
      done.refuse(.sessions, id, "is not over in the folder: it was left as it is there")
      return .other
    }
    guard try FileSystem.status(SessionFolder.path(of: id, in: dataFolder)) != nil else { return .free }
    return isSame(content, as: try SessionFolderContent(sessionID: id, in: dataFolder)) ? .same : .other
  }

  private mutating func take(_ waiting: inout [SessionFolderContent], in history: History) async throws {
    do {
      try await history.take(waiting)
    } catch let error as RecordingError {
      done.unreadable.append("\(error)")
    }
    done.add(.sessions, waiting.count)
    waiting = []
  }

  // MARK: - Files

  private mutating func writeFiles() throws {
    var audit: [UInt8] = []
    // A service of a folder store reads its models where its options say.
    for file in try copies.keptFiles() where !file.name.hasPrefix(FleetModels.folder) {
      let person = StoreContents.person(of: file.name)
      let kind: StoreCopyReport.Kind =
        file.name == AuditLog.fileName ? .audit : file.name.hasPrefix(MotionFolder.name + "/") ? .motion : .profiles
      do {
        guard kind == .audit || person != nil || file.name == DataFolderMark.formerPeople else {
          done.refuse(kind, file.name, "is no file of a data folder")
          continue
        }
        let bytes = try copies.content(of: file, mostBytes: SessionFolderContent.mostBytes)
        if kind == .audit { audit = bytes } else { try write(bytes, file.name, kind) }
      } catch {
        guard let reason = Self.reasonOfOne(error) else { throw error }
        done.refuse(kind, file.name, reason)
      }
    }
    // What folders have brought, and then what instances have added.
    audit += try auditLines()
    if !audit.isEmpty { try write(audit, AuditLog.fileName, .audit) }
  }

  private mutating func write(_ bytes: [UInt8], _ name: String, _ kind: StoreCopyReport.Kind) throws {
    let place = dataFolder + "/" + name
    guard try FileSystem.status(place) != nil else {
      try FileSystem.createFolder(place.folder)
      let pending = try PendingFile(place)
      try pending.write(bytes.span)
      try pending.commit(replacing: false)
      return done.add(kind)
    }
    let known = try POSIXFile(reading: place).readAll(maximumBytes: SessionFolderContent.mostBytes)
    if known == bytes { return done.leave(kind) }
    if name == DataFolderMark.formerPeople {
      let (own, other) = (FormerPeople(text: known), FormerPeople(text: bytes))
      if other.areAll(among: own) { return done.leave(kind) }
      guard own.areAll(among: other) else { return done.refuse(kind, name, Self.difference(in: "content")) }
      try FileSystem.writeAtomically(bytes.span, to: place)
      return done.add(kind)
    }
    guard kind == .audit else { return done.refuse(kind, name, Self.difference(in: "content")) }
    // Lines are only ever added to an audit: the longer one has all of both.
    if known.starts(with: bytes) { return done.leave(kind) }
    guard bytes.starts(with: known) else {
      return done.refuse(kind, name, Self.difference(in: "content"))
    }
    let audit = try POSIXFile(writing: place, .append)
    try audit.write(bytes.span.extracting(known.count..<bytes.count))
    try audit.sync(metadata: true)
    try audit.close()
    done.add(kind)
  }
}

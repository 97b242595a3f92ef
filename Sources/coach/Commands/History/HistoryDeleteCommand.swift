import CoachService
import FleetStore
import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession

/// `coach history delete`: sessions that go for good.
enum HistoryDeleteCommand {
  /// Asks on a terminal, and deletes one after another; nothing goes unless every name is that of a session.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    if let address = try StoreOfService.database(parsed) { return try await run(parsed, in: address, console) }
    return try await HistoryRequest.with(parsed) { history in
      var names: [String] = []
      for word in parsed[Operands.sessions] {
        let name = try await name(word, in: history)
        if !names.contains(name) { names.append(name) }
      }
      guard try parsed[HistoryOptions.yes] || Agreement.isGiven("history delete", names, console) else { return 0 }
      let audit = try AuditLog(ofServiceIn: history.dataFolder)
      var report = DeletionReport(parsed[OutputOptions.format], console)
      do {
        for name in names {
          try await history.delete(name)
          audit?.note(.deleted, by: nil, at: SystemWallClock.now())
          try report.add(name)
        }
      } catch {
        // What is gone is said, also where the next one could not go.
        try report.end()
        throw error
      }
      try report.end()
      return 0
    }
  }

  /// The same in a database that instances share: they let go of the folders of their caches with their next look.
  private static func run(
    _ parsed: ParsedArguments, in address: PostgresAddress, _ console: Console
  ) async throws -> Int32 {
    try StoreOfService.prepare(address, for: .changing)
    let store = FleetStore(address, name: "coach-terminal", url: "")
    defer { store.close() }
    var names: [String] = []
    for name in parsed[Operands.sessions] where !names.contains(name) {
      guard let place = try store.place(of: name, for: nil), place.isOver else {
        throw CommandFailure(
          "\(name.visible): no such session that is over: expected its whole identity with --database", .noInput)
      }
      names.append(name)
    }
    guard try parsed[HistoryOptions.yes] || Agreement.isGiven("history delete", names, console) else { return 0 }
    let audit = AuditLog(address, name: "coach-terminal")
    var report = DeletionReport(parsed[OutputOptions.format], console)
    let outcome = Result {
      for name in names {
        try ServiceStore.forget(.session(name), inDatabase: address, name: "coach-terminal")
        audit.note(.deleted, by: nil, subject: name, at: SystemWallClock.now())
        try report.add(name)
      }
    }
    // What was deleted is in the audit, also where the next one could not be.
    await audit.close()
    try report.end()
    try outcome.get()
    return 0
  }

  /// The identity of a session that is in the index, or that has a folder only.
  private static func name(_ word: String, in history: History) async throws -> String {
    if SessionFolder.isName(word), try FileSystem.hasFolder(SessionFolder.path(of: word, in: history.dataFolder)) {
      return word
    }
    return try await HistoryRequest.session(word, in: history).sessionID
  }
}

/// Says which sessions are gone: each when it is, but in one document at the end.
private struct DeletionReport {
  private let format: OutputFormat
  private let console: Console
  private var document: RecordList

  init(_ format: OutputFormat, _ console: Console) {
    self.format = format
    self.console = console
    document = RecordList("deletions", .json)
  }

  /// A session is gone.
  ///
  /// - Throws: `FileError` when that cannot be written.
  mutating func add(_ name: String) throws(FileError) {
    switch format {
    case .text: try console.line("\(name): deleted")
    case .json: document.append { Self.write(name, to: &$0) }
    case .jsonl:
      var writer = JSONWriter()
      Self.write(name, to: &writer)
      writer.endLine()
      try console.write(writer.bytes)
    }
    try console.flush()
  }

  /// No other session goes.
  ///
  /// - Throws: `FileError` when the document cannot be written.
  func end() throws(FileError) {
    if format == .json { try document.print(to: console) }
  }

  private static func write(_ name: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "deleted")
      writer.member("sessionID", name)
    }
  }
}

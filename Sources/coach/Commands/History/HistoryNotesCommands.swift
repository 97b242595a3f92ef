import FleetStore
import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession

/// `coach history note`: what somebody writes down about a session.
enum HistoryNoteCommand {
  /// Writes the note down, takes it away, or shows what is written down when nothing is said.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let words = parsed[Operands.noted]
    let text = words.dropFirst().joined(separator: " ")
    let isCleared = parsed[HistoryOptions.clear]
    guard !isCleared || text.isEmpty else {
      throw CommandFailure("history note: expected a text or --clear, not both", .usage)
    }
    guard text.isEmpty || SessionNotes.isNote(text) else {
      throw CommandFailure(
        "TEXT: expected 1 to \(SessionNotes.mostCharacters) characters, none that steers a terminal", .usage)
    }
    let (session, notes) = try await NotedSession.edit(words.first ?? "", parsed) { notes in
      if isCleared || !text.isEmpty { notes.write(note: text.isEmpty ? nil : text) }
    }
    try NotesPrinter.print(notes, of: session, parsed, console)
    return 0
  }
}

/// `coach history tag`: words by which a session is found.
enum HistoryTagCommand {
  /// Puts tags on and takes others away.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let words = parsed[Operands.tagged]
    let added = words.dropFirst().map { $0.hasPrefix("+") ? String($0.dropFirst()) : $0 }
    let removed = (parsed[HistoryOptions.untag] ?? "").split(separator: ",").map(String.init)
    for tag in added + removed where !SessionNotes.isTag(tag) {
      throw CommandFailure(
        "\(tag.visible): expected a tag of 1 to \(SessionNotes.longestTag) letters, digits, - and _", .usage)
    }
    let (session, notes) = try await NotedSession.edit(words.first ?? "", parsed) { notes in
      guard notes.change(adding: added, removing: removed) else {
        throw CommandFailure("history tag: expected at most \(SessionNotes.mostTags) tags of a session", .usage)
      }
    }
    try NotesPrinter.print(notes, of: session, parsed, console)
    return 0
  }
}

/// A session that something is written down about, in a data folder or in a database that instances share.
private enum NotedSession {
  /// Changes what is written down; the identity of the session, and what is written down then.
  ///
  /// - Throws: `CommandFailure` when there is no such session, what the store throws, or what `edit` throws.
  static func edit(
    _ name: String, _ parsed: ParsedArguments, _ edit: @Sendable (inout SessionNotes) throws -> Void
  ) async throws -> (sessionID: String, notes: SessionNotes) {
    guard let address = try StoreOfService.database(parsed) else {
      return try await HistoryRequest.with(parsed) { history in
        let session = try await HistoryRequest.session(name, in: history).sessionID
        return (session, try await history.editNotes(of: session, edit))
      }
    }
    try StoreOfService.prepare(address, for: .changing)
    let store = FleetStore(address, name: "coach-terminal", url: "")
    defer { store.close() }
    guard let notes = try store.editNotes(of: name, edit) else {
      throw CommandFailure(
        "\(name.visible): no such session that is over: expected its whole identity with --database", .noInput)
    }
    return (name, notes)
  }
}

/// What is written down about a session, as the verbs print it.
private enum NotesPrinter {
  static func print(
    _ notes: SessionNotes, of sessionID: String, _ parsed: ParsedArguments, _ console: Console
  ) throws(FileError) {
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      notes.writeObject(of: sessionID, to: &writer)
      writer.endLine()
      return try console.write(writer.bytes)
    }
    let tags = notes.tags.map { "+" + $0 }.joined(separator: " ")
    let lines = (notes.note?.split(separator: "\n").map(String.init) ?? []) + (tags.isEmpty ? [] : [tags])
    try console.line("\(sessionID): " + (lines.isEmpty ? "nothing written down" : lines[0].visible))
    for line in lines.dropFirst() { try console.line("  " + line.visible) }
  }
}

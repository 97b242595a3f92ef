import SessionStore
import TextFormats
import WorkoutHistory

/// `coach history delete`: sessions that go for good.
enum HistoryDeleteCommand {
  /// Asks on a terminal, and deletes one after another; nothing goes unless every name is that of a session.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      var names: [String] = []
      for word in parsed[Operands.sessions] {
        let name = try await name(word, in: history)
        if !names.contains(name) { names.append(name) }
      }
      guard try parsed[HistoryOptions.yes] || Agreement.isGiven("delete", names, console) else { return 0 }
      for name in names {
        try await history.delete(name)
        try console.line("\(name): deleted")
        try console.flush()
      }
      return 0
    }
  }

  /// The identity of a session that is in the index, or that has a folder only.
  private static func name(_ word: String, in history: History) async throws -> String {
    if SessionFolder.isName(word), FileSystem.isFolder(SessionFolder.path(of: word, in: history.dataFolder)) {
      return word
    }
    return try await HistoryRequest.session(word, in: history).sessionID
  }
}

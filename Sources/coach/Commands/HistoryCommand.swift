import WorkoutSession
import ZoneEngine

/// `coach history list`: the sessions that are kept.
enum HistoryListCommand {
  /// Prints the sessions, the newest first.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let history = History(dataFolder: try DataFolder.path(parsed[OutputOptions.dataFolder]))
    let entries = try await history.sessions(HistoryFilter.read(parsed))
    await history.close()
    if parsed[OutputOptions.format] == .text {
      for entry in entries { try console.line("\(entry.sessionID)  \(entry.activity)  \(entry.state.rawValue)") }
    } else {
      var writer = JSONWriter()
      for entry in entries {
        entry.write(to: &writer)
        try console.write(writer.bytes)
        writer.removeAll()
      }
    }
    return 0
  }
}

/// `coach history show`: one session.
enum HistoryShowCommand {
  /// Prints the session.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let history = History(dataFolder: try DataFolder.path(parsed[OutputOptions.dataFolder]))
    let name = parsed[Operands.session]
    guard let entry = try await history.session(name) else {
      throw CommandFailure("\(name): no such session: expected a name of `coach history list`", .noInput)
    }
    await history.close()
    var writer = JSONWriter()
    entry.write(to: &writer)
    try console.write(writer.bytes)
    return 0
  }
}

/// The sessions that options ask for.
enum HistoryFilter {
  /// Reads the options; days are those of the local clock.
  ///
  /// - Throws: `CommandFailure` for what is no day.
  static func read(_ parsed: ParsedArguments) throws -> History.Filter {
    var filter = History.Filter()
    filter.person = parsed[HistoryOptions.person]
    return filter
  }
}

import WorkoutSession
import TextFormats
import WorkoutHistory

/// `coach history show`: one session.
enum HistoryShowCommand {
  /// Prints the session, from the index and its manifest; its logs are read for laps and the steps of a plan alone.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let entry = try await HistoryRequest.session(parsed[Operands.session], in: history)
      guard let detail = try await history.detailWithLaps(of: entry) else {
        throw CommandFailure("\(entry.sessionID): has just been deleted", .noInput)
      }
      guard parsed[OutputOptions.format] == .text else {
        var writer = JSONWriter()
        try detail.write(to: &writer)
        try console.write(writer.bytes)
        return 0
      }
      let facts = HistoryRequest.facts(parsed)
      try console.print(
        SessionView(
          detail, units: UnitSystem(reading: parsed, of: entry.person), width: facts.width, glyphs: facts.glyphs
        ).lines, facts)
      return 0
    }
  }
}

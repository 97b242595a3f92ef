import TextFormats
import WorkoutHistory

/// `coach history backup`: everything in one file.
enum HistoryBackupCommand {
  /// Writes the archive, which has its name only when it is whole; a signal ends it and leaves nothing.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    struct Interrupted: Error { let signal: Int32 }
    return try await HistoryRequest.with(parsed) { history in
      let path = parsed[Operands.archive]
      try OutputFile.check(path, isReplaced: parsed[ExportOptions.force])
      let interrupts = Interrupts()
      let file = try PendingFile(path)
      let progress = ProgressLine("packing")
      defer { progress.end() }
      do {
        let report = try history.backup(to: { try file.write($0) }) { done in
          progress.show(done)
          if let signal = interrupts.pending() { throw Interrupted(signal: signal) }
        }
        try file.commit(replacing: parsed[ExportOptions.force])
        progress.end()
        for name in report.unfinished { console.complain("\(name): is not closed, and in the backup as it stood") }
        try console.line("\(path): \(report.sessions == 1 ? "1 session" : "\(report.sessions) sessions")")
        return 0
      } catch let interrupted as Interrupted {
        return Interrupts.exitStatus(interrupted.signal)
      }
    }
  }
}

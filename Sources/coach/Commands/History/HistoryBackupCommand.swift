import TextFormats
import WorkoutHistory

/// `coach history backup`: everything in one file.
enum HistoryBackupCommand {
  private struct Interrupted: Error { let signal: Int32 }

  /// Writes the archive, which has its name only when it is whole; a signal ends it and leaves nothing. A hyphen is the standard
  /// output, where nothing else is said then.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let path = parsed[Operands.archive]
    let isStandardOutput = path == "-"
    if isStandardOutput {
      guard !PrinterChoice.isTerminal else {
        throw CommandFailure("history backup: an archive is no text for a terminal: expected a FILE", .usage)
      }
      guard parsed[OutputOptions.format] == .text else {
        throw CommandFailure("--format: the archive goes to the standard output: expected a FILE beside it", .usage)
      }
    } else {
      try OutputFile.check(path, isReplaced: parsed[ExportOptions.force])
    }
    return try await HistoryRequest.with(parsed) { history in
      let interrupts = Interrupts()
      let progress = ProgressLine("packing")
      defer { progress.end() }
      // Asked with each piece: a single log may take minutes.
      func requireNoSignal() throws {
        if let signal = interrupts.pending() { throw Interrupted(signal: signal) }
      }
      let report: (WorkProgress) throws -> Void = { done in
        progress.show(done)
        try requireNoSignal()
      }
      do {
        let written: BackupReport
        if isStandardOutput {
          written = try history.backup(
            to: { piece in
              try requireNoSignal()
              try console.write(piece)
            }, report)
          try console.flush()
        } else {
          let file = try PendingFile(path)
          written = try history.backup(
            to: { piece in
              try requireNoSignal()
              try file.write(piece)
            }, report)
          try file.commit(replacing: parsed[ExportOptions.force])
        }
        progress.end()
        for name in written.unfinished { console.complain("\(name): is not closed, and in the backup as it stood") }
        for part in written.leftOut { console.complain("\(part): not in the backup") }
        if !isStandardOutput {
          try WrittenSessions(
            type: "backedUp", path: path, count: written.sessions, unfinishedCount: written.unfinished.count
          ).print(parsed[OutputOptions.format], console)
        }
        return 0
      } catch let interrupted as Interrupted {
        return Interrupts.exitStatus(interrupted.signal)
      }
    }
  }
}

import CoachService
import FleetStore
import TextFormats
import WorkoutHistory

/// `coach history export --all`: the folders of all sessions that are over, byte by byte, of either store.
enum HistoryExportAllCommand {
  private struct Interrupted: Error { let signal: Int32 }

  /// Writes a folder, which has its name only when it is whole; a signal ends it and leaves nothing.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    guard let path = parsed[ExportOptions.output] else {
      throw CommandFailure("history export --all: expected --output with the folder to make", .usage)
    }
    guard path != "-" else {
      throw CommandFailure("--output -: --all makes a folder: expected its name", .usage)
    }
    let ofOne: [any DeclaredOption] = [
      ExportOptions.format, ExportOptions.force, ExportOptions.privacyRadius, ExportOptions.rowRate, ExportOptions.fill,
    ]
    if let option = ofOne.first(where: { parsed.isGiven($0) }) {
      throw CommandFailure(
        "\(option.declaration.flag): --all writes folders as they are: expected it without", .usage)
    }
    let address = try StoreOfService.database(parsed)
    let dataFolder = try address == nil ? DataFolder.keptPath(parsed[OutputOptions.dataFolder]) : nil
    try OutputFile.requireOutsideOfData(path)
    guard try FileSystem.status(path) == nil else {
      throw CommandFailure("\(path): is there already: expected another name", .cannotCreate)
    }
    var unfinished: [String] = []
    var refusals: [StoreCopyRefusal] = []
    let sessions: FinishedSessions
    if let address {
      try StoreOfService.prepare(address, for: .reading)
      let copies = FleetCopies(address, name: StoreCopy.connectionName)
      defer { copies.close() }
      let shared = try SharedSessions(copies)
      (unfinished, refusals) = (shared.unfinished, shared.refusals)
      sessions = .database(FleetStore(address, name: StoreCopy.connectionName, url: ""), shared.finished)
    } else if let dataFolder {
      let contents = try StoreContents(of: dataFolder)
      unfinished = contents.unfinished
      // What lies beside the sessions is no part of them.
      for name in contents.foreignBesideSessions {
        console.complain("\(name): is nothing that coach has written: not exported")
      }
      sessions = .folder(dataFolder, contents.sessions)
    } else {
      return ExitCode.noInput.rawValue
    }
    let interrupts = Interrupts()
    let progress = ProgressLine("exporting")
    defer { progress.end() }
    do {
      let (written, unreadable, leftOut) = try sessions.export(to: path) { done in
        progress.show(done)
        if let signal = interrupts.pending() { throw Interrupted(signal: signal) }
      }
      progress.end()
      for name in unfinished { console.complain("\(name): is not over: not exported") }
      for part in leftOut { console.complain("\(part): not exported") }
      for refusal in refusals + unreadable { console.complain("\(refusal): not exported") }
      try console.line("\(path): \(written == 1 ? "1 session" : "\(written) sessions")")
      return (refusals + unreadable).isEmpty ? ExitCode.done.rawValue : ExitCode.unusableData.rawValue
    } catch let interrupted as Interrupted {
      return Interrupts.exitStatus(interrupted.signal)
    }
  }
}

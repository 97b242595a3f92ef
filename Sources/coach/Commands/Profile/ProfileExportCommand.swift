import CoachService
import SessionStore
import TextFormats
import WorkoutHistory

/// `coach profile export`: all data of a person.
enum ProfileExportCommand {
  private struct Interrupted: Error { let signal: Int32 }

  /// Writes a folder or an archive, which has its name only when it is whole; a signal ends it and leaves nothing.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    guard let path = parsed[ExportOptions.output] else {
      throw CommandFailure("profile export: expected --output with a folder, or a file that ends in .tar.gz", .usage)
    }
    guard path != "-" else {
      throw CommandFailure("--output -: several files go nowhere but to a folder or a .tar.gz: expected one", .usage)
    }
    let name = parsed[Operands.profile]
    let isArchive = path.hasSuffix(".tar.gz") || path.hasSuffix(".tgz")
    guard isArchive || !path.hasSuffix(".zip") else {
      throw CommandFailure("\(path): expected a folder, or a file that ends in .tar.gz", .usage)
    }
    return try await HistoryRequest.with(parsed) { history in
      try await bringLive(of: name, in: history.dataFolder)
      let interrupts = Interrupts()
      let progress = ProgressLine("exporting")
      defer { progress.end() }
      let report: @Sendable (WorkProgress) throws -> Void = { done in
        progress.show(done)
        if let signal = interrupts.pending() { throw Interrupted(signal: signal) }
      }
      do {
        let exported =
          isArchive
          ? try await writeArchive(path, name, history, isReplaced: parsed[ExportOptions.force], report)
          : try await writeFolder(path, name, history, report)
        progress.end()
        for name in exported.unfinished { console.complain("\(name): is not closed, and in the export as it stood") }
        for part in exported.leftOut { console.complain("\(part): not in the export") }
        try WrittenSessions(
          type: "profileExported", path: path, count: exported.sessions, unfinishedCount: exported.unfinished.count
        ).print(parsed[OutputOptions.format], console)
        return 0
      } catch let interrupted as Interrupted {
        return Interrupts.exitStatus(interrupted.signal)
      }
    }
  }

  /// Has a service that runs write what it has of the live sessions of a person to their folders, which lag behind and may not say yet
  /// whose they are. One that waits for its first sample has nothing, and is not waited for any longer.
  private static func bringLive(of name: String, in dataFolder: StoredPath) async throws {
    let service = ServiceStore(reading: dataFolder)
    let live = try await service.openSessions(of: name).map(\.id).filter { try SessionMark.isHeld($0, in: dataFolder) }
    await service.close()
    for id in live { SessionMark.askForFolder(of: id, in: dataFolder) }
    let manifests = live.map { SessionFolder.path(of: $0, in: dataFolder) + "/" + SessionFolder.manifest }
    let end = ContinuousClock.now + .seconds(2)
    while ContinuousClock.now < end, try manifests.contains(where: { try !FileSystem.has($0) }) {
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private static func writeFolder(
    _ path: String, _ name: String, _ history: History, _ report: @Sendable (WorkProgress) throws -> Void
  ) async throws -> PersonExportReport {
    try OutputFile.requireOutsideOfData(path)
    guard try FileSystem.status(path) == nil else {
      throw CommandFailure("\(path): is there already: expected another name", .cannotCreate)
    }
    return try await history.export(personNamed: name, toFolder: path, report)
  }

  private static func writeArchive(
    _ path: String, _ name: String, _ history: History, isReplaced: Bool,
    _ report: @Sendable (WorkProgress) throws -> Void
  ) async throws -> PersonExportReport {
    try OutputFile.check(path, isReplaced: isReplaced)
    return try await history.export(personNamed: name, toArchive: path, replacing: isReplaced, report)
  }
}

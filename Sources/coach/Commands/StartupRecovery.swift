import WorkoutSession

/// What every verb does first: sessions whose process is gone are closed, so that none is forgotten.
enum StartupRecovery {
  /// Closes them and says so; the verb goes on whatever comes of it.
  static func run(_ parsed: ParsedArguments, _ console: Console) async {
    let option = parsed.declares(OutputOptions.dataFolder) ? parsed[OutputOptions.dataFolder] : nil
    // Where nothing tells a folder, nothing was ever recorded.
    guard let dataFolder = try? DataFolder.path(option) else { return }
    let history = History(dataFolder: dataFolder)
    if history.hasUnfinishedDeletions {
      do {
        for name in try await history.finishDeletions() {
          console.complain("\(name): its deletion was cut off, and is finished now")
        }
      } catch {
        console.complain("\(CommandFailure(error).line): a deletion cannot be finished yet")
      }
      await history.close()
    }
    do {
      guard try !SessionMark.all(in: dataFolder).isEmpty else { return }
      for recovery in try await history.recover() {
        if let line = words(for: recovery) { console.complain(line) }
      }
      await history.close()
    } catch {
      console.complain("\(CommandFailure(error).line): sessions that were cut off are not looked for")
    }
  }

  /// What is said; nothing where nothing had been recorded, or a process has just finished its work.
  private static func words(for recovery: Recovery) -> String? {
    switch recovery {
    case .failed(let sessionID, let error):
      return "\(sessionID): cannot be recovered yet: \(CommandFailure(error).line)"
    case .closed(let session):
      guard session.state == .recovered else { return nil }
      let torn = session.tornLines.sorted { $0.key < $1.key }.map { "\($0.key), \($0.value) bytes" }
      let dropped = torn.isEmpty ? "" : "; last lines that were cut off are dropped: " + torn.joined(separator: "; ")
      return "\(session.sessionID): recovered\(dropped)"
    }
  }
}

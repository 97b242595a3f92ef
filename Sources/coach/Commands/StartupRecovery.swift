import SessionStore
import SessionUpload
import TextFormats
import WorkoutHistory

/// What every verb does first: sessions whose process is gone are closed, so that none is forgotten.
enum StartupRecovery {
  /// Closes them and says so; the verb goes on whatever comes of it.
  ///
  /// - Throws: `FileError` when the folder that was asked for is none of coach's.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws {
    let takesFolder = parsed.declares(OutputOptions.dataFolder)
    let option = takesFolder ? parsed[OutputOptions.dataFolder] : nil
    let dataFolder: StoredPath
    do {
      dataFolder = try DataFolder.path(option)
    } catch let error as FileError where takesFolder && DataFolder.isChosen(option) {
      throw error
    } catch {
      // Where nothing tells a folder, nothing was ever recorded. A verb that needs one says itself what is wrong with it.
      return
    }
    let history = History(dataFolder: dataFolder)
    await finishProfileChanges(history, console)
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
      if Self.needsIndex(parsed.verb) { try await makeIndexIfMissing(history, console) }
      guard try !SessionMark.all(in: dataFolder).isEmpty || LiveJournal.hasAny(in: dataFolder) else { return }
      for recovery in try await history.recover() {
        if let line = words(for: recovery) { console.complain(line) }
      }
      await history.close()
    } catch {
      console.complain("\(CommandFailure(error).line): sessions that were cut off are not looked for")
    }
  }

  /// What was decided of people and not finished: another name, or that all of their data goes.
  private static func finishProfileChanges(_ history: History, _ console: Console) async {
    let store = ProfileStore(dataFolder: history.dataFolder)
    do {
      try store.finishRenames()
    } catch {
      console.complain("\(CommandFailure(error).line): the renaming of a profile cannot be finished yet")
    }
    guard history.hasUnfinishedErasures else { return }
    do {
      if try await history.finishErasures() {
        console.complain("\(history.dataFolder): the deletion of a person's data was cut off, and is finished now")
      }
    } catch {
      console.complain("\(CommandFailure(error).line): the deletion of a person's data cannot be finished yet")
    }
    await history.close()
  }

  /// Whether a verb asks the index, or adds to it; those that look after it say themselves what is wrong with it.
  private static func needsIndex(_ verb: Verb) -> Bool {
    switch verb.id {
    case .live, .importing, .history, .historyList, .historyShow, .historyHourly, .historyTrends, .historyQuality,
      .historyBackup, .historyExport, .historyDelete, .profileCreate, .profileSet, .profileShow, .profileList,
      .profileRename, .profileDelete, .profileExport, .report, .upload, .compare:
      true
    case .zones, .replay, .follow, .strategies, .plans, .straps, .inspect, .export, .verify, .historyCheck,
      .historyRebuild,
      .study, .studyPopulation, .studyMerge, .studyPower, .studyPlan, .completions, .complete, .help:
      false
    }
  }

  /// An index that was deleted, or whose making was cut off, is made anew before anybody asks it.
  private static func makeIndexIfMissing(_ history: History, _ console: Console) async throws {
    let isMissing = !history.hasIndex
    // What is wrong with it is said by the verb.
    guard try isMissing ? history.hasClosedFolders() : await (try? history.isWhole()) == false else {
      return await history.close()
    }
    let progress = ProgressLine("rebuilding")
    defer { progress.end() }
    let (sessions, findings) = try await history.rebuild { progress.show($0) }
    progress.end()
    await history.close()
    let count = sessions == 1 ? "1 session" : "\(sessions) sessions"
    console.complain(
      "\(history.dataFolder): the index was \(isMissing ? "missing" : "not whole") and is made anew from \(count)")
    for finding in findings { console.complain("\(finding.subject): left out of the history: \(finding.detail)") }
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

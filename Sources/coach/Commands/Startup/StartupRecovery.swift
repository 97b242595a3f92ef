import SessionStore
import CoachService
import TextFormats
import WorkoutHistory

/// Sessions whose process is gone are closed by whoever asks for them, so that none is forgotten and nobody waits for those
/// of others.
struct StartupRecovery {
  /// Which sessions a verb asks for.
  private enum Concern {
    /// None: a few are closed when it has answered.
    case none
    /// None, and it goes on for long: who records calls ``beside(_:say:)``. So does nobody close what is in the cache of a fleet.
    case running
    /// Those that it names, by the beginning of their names.
    case named([String])
    /// All: what leaves some out would be wrong.
    case all
  }

  /// How many sessions are closed after an answer that did not need them; more are left to who asks for them.
  private static let mostAfterAnswer = 4

  private let history: History
  private let concern: Concern
  private let verb: Verb
  private let console: Console

  /// Looks what a verb asks for; `nil` where nothing says where sessions are, so that nothing was ever recorded: a verb that
  /// needs a folder says itself what is wrong with it.
  ///
  /// - Throws: `FileError` when the folder that was asked for is none of coach's.
  init?(_ parsed: ParsedArguments, _ console: Console) throws {
    let takesFolder = parsed.declares(OutputOptions.dataFolder)
    let option = takesFolder ? parsed[OutputOptions.dataFolder] : nil
    do {
      history = History(dataFolder: try DataFolder.path(option))
    } catch let error as FileError where takesFolder && DataFolder.isChosen(option) {
      throw error
    } catch {
      return nil
    }
    try CacheRefusal.check(parsed, in: history.dataFolder)
    // What is unfinished in the cache of one of several instances goes on elsewhere; so it may where nobody can say what it is.
    let isCache = (try? CacheFolderMark.exists(in: history.dataFolder)) ?? true
    concern = isCache ? .running : Self.concern(of: parsed)
    verb = parsed.verb
    self.console = console
  }

  /// Finishes what was cut off and closes the sessions that the verb asks for, and says so; the verb goes on whatever comes
  /// of it.
  func beforeAnswer() async {
    let hasErased = await finishProfileChanges()
    await finishDeletions()
    // What is left of a session whose folder was moved away is said with the deletions.
    if hasErased, !history.hasUnfinishedDeletions {
      console.complain("\(history.dataFolder): the deletion of a person's data was cut off, and is finished now")
    }
    await finishAnnotations()
    do {
      if Self.needsIndex(verb) { try await makeIndexIfMissing() }
      switch concern {
      case .none, .running: break
      case .named(let words):
        for word in words { say(try await history.recover(beginningWith: word)) }
      case .all:
        guard try hasUnfinished() else { break }
        let progress = ProgressLine("recovering", unit: .named("sessions"))
        let recoveries = try await history.recover { progress.show($0) }
        progress.end()
        say(recoveries)
      }
    } catch {
      complain(of: error)
    }
    await history.close()
  }

  /// Closes a few sessions that the verb did not ask for, when it has answered.
  func afterAnswer() async {
    guard case .none = concern else { return }
    do {
      let unfinished = try SessionMark.all(in: history.dataFolder)
      guard !unfinished.isEmpty, unfinished.count <= Self.mostAfterAnswer else { return }
      say(try await history.recover())
    } catch {
      complain(of: error)
    }
    await history.close()
  }

  /// Closes all sessions whose process is gone beside a session that is recorded, and gives what is to be said to `say`.
  ///
  /// Whoever began it cancels it when the session is over, and waits for it: then it ends with those that it is at, and the
  /// rest is closed by who asks for it. It is begun when everybody knows which sessions are being recorded: one that is being
  /// closed looks like one of them.
  static func beside(
    _ dataFolder: StoredPath, after wait: @escaping @Sendable () async -> Void = {},
    say: @escaping @Sendable (String) -> Void
  ) -> Task<Void, Never> {
    Task {
      await wait()
      guard !Task.isCancelled else { return }
      let history = History(dataFolder: dataFolder)
      do {
        for recovery in try await history.recover() {
          if let line = words(for: recovery) { say(line) }
        }
      } catch {
        say(problem(error))
      }
      await history.close()
    }
  }

  private func hasUnfinished() throws -> Bool {
    try SessionMark.hasAny(in: history.dataFolder) || LiveJournal.hasAny(in: history.dataFolder)
  }

  private static func concern(of parsed: ParsedArguments) -> Concern {
    // A database that is asked has nothing to do with the folder.
    let takesDatabase: Set<VerbID> = [.historyExport, .historyNote, .historyTag]
    if takesDatabase.contains(parsed.verb.id), parsed[ServeOptions.database] != nil { return .running }
    let words = parsed.sessionWords
    switch parsed.verb.id {
    case .live, .follow, .serve: return .running
    case .historyShow, .historyExport, .historyLabel, .historyNote, .historyTag, .historyDelete, .historyQuality,
      .report:
      return words.isEmpty || words.contains("latest") ? .all : .named(words)
    case .importing, .history, .historyList, .historyHourly, .historyTrends, .historyRecords, .historyFitness,
      .historyFind, .historyCheck, .historyRebuild, .historyBackup, .profileCreate, .profileSet, .profileShow,
      .profileList, .profileRename,
      .profileDelete,
      .profileExport, .upload, .compare, .storeCopy:
      return .all
    case .zones, .replay, .strategies, .plans, .planExport, .straps, .inspect, .export, .verify, .motionRecord,
      .motionTrain,
      .motionEvaluate,
      .motionRecognize, .motionTune, .motionSteps, .motionText, .motionModels, .motionShow, .motionExport, .study,
      .studyPopulation, .studyFit, .studyMerge, .studyPower, .studyPlan, .trialShow, .trialAnalyse, .trialPower,
      .benchmarkCues, .benchmarkVerify, .storeAudit, .storeMonths,
      .storeDropMonth,
      .tokenCreate,
      .tokenList, .tokenRevoke, .tokenLink,
      .keyCreate,
      .keyList, .keyRevoke, .identityAdd, .identityList, .identityRemove, .completions, .complete, .help:
      // The folder of a session can be read like a file.
      let folders = words.filter { SessionFolder.isName($0) }
      return folders.isEmpty ? .none : .named(folders)
    }
  }

  /// What was decided of people and not finished: another name, or that all of their data goes; whether data went.
  private func finishProfileChanges() async -> Bool {
    let store = ProfileStore(dataFolder: history.dataFolder)
    do {
      try store.finishRenamesEverywhere()
    } catch {
      console.complain("\(CommandFailure(error).line): the renaming of a profile cannot be finished yet")
    }
    guard history.hasUnfinishedErasures else { return false }
    var hasErased = false
    do {
      hasErased = try await history.finishErasures()
    } catch {
      console.complain("\(CommandFailure(error).line): the deletion of a person's data cannot be finished yet")
    }
    await history.close()
    return hasErased
  }

  /// Deletions that were cut off.
  private func finishDeletions() async {
    guard history.hasUnfinishedDeletions else { return }
    do {
      for name in try await history.finishDeletions() {
        console.complain("\(name): its deletion was cut off, and is finished now")
      }
    } catch {
      console.complain("\(CommandFailure(error).line): a deletion cannot be finished yet")
    }
    await history.close()
  }

  /// Notes, tags and labels of which the index does not know yet.
  private func finishAnnotations() async {
    guard history.hasUnfinishedAnnotations else { return }
    do {
      try await history.finishAnnotations()
    } catch {
      console.complain("\(CommandFailure(error).line): what was written down about a session is not in the index yet")
    }
    await history.close()
  }

  private func say(_ recoveries: [Recovery]) {
    for recovery in recoveries {
      if let line = Self.words(for: recovery) { console.complain(line) }
    }
  }

  private func complain(of error: any Error) { console.complain(Self.problem(error)) }

  private static func problem(_ error: any Error) -> String {
    "\(CommandFailure(error).line): sessions that were cut off are not looked for"
  }

  /// Whether a verb asks the index, or adds to it; those that look after it say themselves what is wrong with it.
  private static func needsIndex(_ verb: Verb) -> Bool {
    switch verb.id {
    case .live, .serve, .importing, .history, .historyList, .historyShow, .historyHourly, .historyTrends,
      .historyRecords, .historyFitness, .historyQuality,
      .historyBackup, .historyExport, .historyLabel, .historyFind, .historyNote, .historyTag, .historyDelete,
      .profileCreate, .profileSet, .profileShow,
      .profileList,
      .profileRename, .profileDelete, .profileExport, .report, .upload, .compare, .storeCopy:
      true
    case .zones, .replay, .follow, .strategies, .plans, .planExport, .straps, .inspect, .export, .verify, .historyCheck,
      .historyRebuild, .motionRecord, .motionTrain, .motionEvaluate, .motionRecognize, .motionTune, .motionSteps,
      .motionText, .motionModels,
      .motionShow, .motionExport, .study, .studyPopulation, .studyFit, .studyMerge, .studyPower, .studyPlan, .trialShow,
      .trialAnalyse, .trialPower, .benchmarkCues, .benchmarkVerify, .storeAudit, .storeMonths,
      .storeDropMonth,
      .tokenCreate, .tokenList, .tokenRevoke, .tokenLink, .keyCreate,
      .keyList, .keyRevoke, .identityAdd, .identityList, .identityRemove, .completions, .complete, .help:
      false
    }
  }

  /// An index that was deleted, or whose making was cut off, is made anew before anybody asks it.
  private func makeIndexIfMissing() async throws {
    let isMissing = try !history.hasIndex
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

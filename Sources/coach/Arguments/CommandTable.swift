import TextFormats

/// The verbs and their options: the only source of parsing, help, suggestions and completions.
struct CommandTable: Sendable {
  /// The name of the executable.
  let program: String

  /// What the program is, in one line without a full stop.
  let summary: String

  /// The verbs, in the order in which their groups list them.
  let verbs: [Verb]

  /// The verbs that help and completions show.
  var shownVerbs: [Verb] { verbs.filter { !$0.isHidden } }

  /// The shown verbs of two words.
  var shownPairs: [Verb] { shownVerbs.filter { $0.words.count == 2 } }

  /// The first words of the shown verbs, each once.
  var shownHeads: [String] {
    var heads: [String] = []
    for head in shownVerbs.compactMap(\.words.first) where !heads.contains(head) { heads.append(head) }
    return heads
  }

  /// Whether a word is the first one of shown verbs and no verb itself. Each start of the program asks this, so no list is made.
  func isShownBareHead(_ word: String) -> Bool {
    let beginning = word + " "
    var isHead = false
    for verb in verbs where !verb.isHidden {
      if verb.name == word { return false }
      if verb.name.hasPrefix(beginning) { isHead = true }
    }
    return isHead
  }

  /// The second words of the shown verbs of a family.
  func shownTails(of head: String) -> [String] {
    shownVerbs.map(\.words).filter { $0.count == 2 && $0[0] == head }.map { $0[1] }
  }

  /// The verb at the beginning of some words, and how many of them are its name: two words go before one.
  ///
  /// - Throws: `ArgumentError` when there is no such verb.
  func verb(at words: some Collection<String>) throws(ArgumentError) -> (verb: Verb, wordCount: Int) {
    for wordCount in [2, 1] where words.count >= wordCount {
      let name = words.prefix(wordCount).joined(separator: " ")
      if let verb = verbs.first(where: { $0.name == name && $0.words.count == wordCount }) { return (verb, wordCount) }
    }
    guard let head = words.first else { throw .missingVerb(family: nil) }
    let tails = shownTails(of: head)
    guard !tails.isEmpty else {
      throw .unknownVerb(head, suggestion: Spelling.closest(to: head, among: shownHeads))
    }
    guard let tail = words.dropFirst().first, !isOptionLike(tail) else { throw .missingVerb(family: head) }
    throw .unknownVerb("\(head) \(tail)", suggestion: Spelling.closest(to: tail, among: tails).map { "\(head) \($0)" })
  }
}

extension CommandTable {
  /// What `coach` understands.
  static let coach = CommandTable(
    program: "coach",
    summary: "a heart-rate zone coach: how fast to go to stay in the zone",
    verbs: [
      .zones, .replay, .live, .follow, .compare, .strategies, .plans, .planExport, .straps, .inspect, .export, .verify,
      .importing,
      .history,
      .historyList, .historyShow, .historyHourly, .historyTrends, .historyRecords, .historyFitness, .historyQuality,
      .historyCheck,
      .historyRebuild, .historyBackup, .historyExport, .historyLabel, .historyFind, .historyNote,
      .historyTag, .historyDelete,
      .profileCreate, .profileSet, .profileShow, .profileList, .profileRename, .profileDelete, .profileExport,
      .motionRecord, .motionTrain, .motionEvaluate, .motionRecognize, .motionTune, .motionSteps, .motionModels,
      .motionShow,
      .motionExport,
      .study, .studyPopulation, .studyFit, .studyMerge, .studyPower, .studyPlan,
      .trialShow, .trialAnalyse, .trialPower, .benchmarkCues, .benchmarkVerify,
      .serve, .tokenCreate, .tokenList, .tokenRevoke, .tokenLink, .keyCreate, .keyList, .keyRevoke,
      .identityAdd, .identityList, .identityRemove, .storeCopy, .report, .upload,
      .completions, .complete, .help,
    ])
}

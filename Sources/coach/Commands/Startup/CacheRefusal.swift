import SessionStore
import TextFormats

/// What a verb would write into the folder that an instance of several keeps as its cache, and the database never hears of.
enum CacheRefusal {
  /// Lets a verb through that reads a cache, or has nothing to do with it.
  ///
  /// - Throws: `CacheFolderMark.Refused` for one that would put something there.
  static func check(_ parsed: ParsedArguments, in dataFolder: StoredPath) throws {
    if writes(parsed) { try CacheFolderMark.requireNone(in: dataFolder) }
  }

  private static func writes(_ parsed: ParsedArguments) -> Bool {
    switch parsed.verb.id {
    case .live: !parsed[SessionOptions.noSave] && parsed[RemoteOptions.server] == nil
    // `--instance-url` and `--database-replica` without a database are mistakes, which the verb explains.
    case .serve:
      parsed[ServeOptions.database] == nil && parsed[ServeOptions.instanceURL] == nil
        && parsed[ServeOptions.replica] == nil
    // Lists too: they would be of a store beside the database, which no instance asks, and make it.
    case .tokenCreate, .tokenList, .tokenRevoke, .tokenLink, .keyCreate, .keyList, .keyRevoke, .identityAdd,
      .identityList, .identityRemove, .historyNote, .historyTag, .profileCreate, .profileSet:
      parsed[ServeOptions.database] == nil
    case .importing, .historyLabel, .historyDelete, .profileRename, .profileDelete,
      .motionRecord, .storeCopy:
      true
    case .zones, .inspect, .export, .replay, .follow, .history, .historyList, .historyShow, .historyHourly,
      .historyTrends, .historyRecords, .historyFitness, .historyQuality, .historyFind, .historyCheck, .historyRebuild,
      .historyBackup, .historyExport, .upload, .report, .profileShow, .profileList, .profileExport, .compare, .verify,
      .strategies, .plans, .planExport, .straps, .motionTrain, .motionEvaluate, .motionRecognize, .motionTune,
      .motionSteps, .motionText, .motionModels, .motionShow, .motionExport, .study, .studyPopulation, .studyFit,
      .studyMerge, .studyPower, .studyPlan, .trialShow, .trialAnalyse, .trialPower, .benchmarkCues, .benchmarkVerify,
      .storeAudit, .storeMonths, .storeDropMonth, .completions,
      .complete, .help:
      false
    }
  }
}

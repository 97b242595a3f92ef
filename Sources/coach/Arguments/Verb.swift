/// The verbs that the program dispatches on, by what is typed, in the order the help lists them.
///
/// The name of a verb of a family is two words with a space between them. A `switch` over it without `default` makes the compiler ask for what a new verb does.
enum VerbID: String, CaseIterable, Sendable {
  case zones
  case replay
  case live
  case follow
  case compare
  case strategies
  case plans
  case planExport = "plan export"
  case straps
  case inspect
  case export
  case verify
  case importing = "import"
  case history
  case historyList = "history list"
  case historyShow = "history show"
  case historyHourly = "history hourly"
  case historyTrends = "history trends"
  case historyRecords = "history records"
  case historyFitness = "history fitness"
  case historyQuality = "history quality"
  case historyCheck = "history check"
  case historyRebuild = "history rebuild"
  case historyBackup = "history backup"
  case historyExport = "history export"
  case historyLabel = "history label"
  case historyFind = "history find"
  case historyNote = "history note"
  case historyTag = "history tag"
  case historyDelete = "history delete"
  case profileCreate = "profile create"
  case profileSet = "profile set"
  case profileShow = "profile show"
  case profileList = "profile list"
  case profileRename = "profile rename"
  case profileDelete = "profile delete"
  case profileExport = "profile export"
  case motionRecord = "motion record"
  case motionTrain = "motion train"
  case motionEvaluate = "motion evaluate"
  case motionRecognize = "motion recognize"
  case motionTune = "motion tune"
  case motionSteps = "motion steps"
  case motionText = "motion text"
  case motionModels = "motion models"
  case motionShow = "motion show"
  case motionExport = "motion export"
  case study
  case studyPopulation = "study population"
  case studyFit = "study fit"
  case studyMerge = "study merge"
  case studyPower = "study power"
  case studyPlan = "study plan"
  case trialShow = "trial show"
  case trialAnalyse = "trial analyse"
  case trialPower = "trial power"
  case benchmarkCues = "benchmark cues"
  case benchmarkVerify = "benchmark verify"
  case serve
  case tokenCreate = "token create"
  case tokenList = "token list"
  case tokenRevoke = "token revoke"
  case tokenLink = "token link"
  case keyCreate = "key create"
  case keyList = "key list"
  case keyRevoke = "key revoke"
  case identityAdd = "identity add"
  case identityList = "identity list"
  case identityRemove = "identity remove"
  case storeCopy = "store copy"
  case storeAudit = "store audit"
  case storeMonths = "store months"
  case storeDropMonth = "store drop-month"
  case report
  case upload
  case completions
  case complete
  case help

  /// Whether help and completions pass over it.
  var isHidden: Bool { self == .complete }

  /// What parsing, help and completions know of it.
  var verb: Verb {
    switch self {
    case .zones: .zones
    case .replay: .replay
    case .live: .live
    case .follow: .follow
    case .compare: .compare
    case .strategies: .strategies
    case .plans: .plans
    case .planExport: .planExport
    case .straps: .straps
    case .inspect: .inspect
    case .export: .export
    case .verify: .verify
    case .importing: .importing
    case .history: .history
    case .historyList: .historyList
    case .historyShow: .historyShow
    case .historyHourly: .historyHourly
    case .historyTrends: .historyTrends
    case .historyRecords: .historyRecords
    case .historyFitness: .historyFitness
    case .historyQuality: .historyQuality
    case .historyCheck: .historyCheck
    case .historyRebuild: .historyRebuild
    case .historyBackup: .historyBackup
    case .historyExport: .historyExport
    case .historyLabel: .historyLabel
    case .historyFind: .historyFind
    case .historyNote: .historyNote
    case .historyTag: .historyTag
    case .historyDelete: .historyDelete
    case .profileCreate: .profileCreate
    case .profileSet: .profileSet
    case .profileShow: .profileShow
    case .profileList: .profileList
    case .profileRename: .profileRename
    case .profileDelete: .profileDelete
    case .profileExport: .profileExport
    case .motionRecord: .motionRecord
    case .motionTrain: .motionTrain
    case .motionEvaluate: .motionEvaluate
    case .motionRecognize: .motionRecognize
    case .motionTune: .motionTune
    case .motionSteps: .motionSteps
    case .motionText: .motionText
    case .motionModels: .motionModels
    case .motionShow: .motionShow
    case .motionExport: .motionExport
    case .study: .study
    case .studyPopulation: .studyPopulation
    case .studyFit: .studyFit
    case .studyMerge: .studyMerge
    case .studyPower: .studyPower
    case .studyPlan: .studyPlan
    case .trialShow: .trialShow
    case .trialAnalyse: .trialAnalyse
    case .trialPower: .trialPower
    case .benchmarkCues: .benchmarkCues
    case .benchmarkVerify: .benchmarkVerify
    case .serve: .serve
    case .tokenCreate: .tokenCreate
    case .tokenList: .tokenList
    case .tokenRevoke: .tokenRevoke
    case .tokenLink: .tokenLink
    case .keyCreate: .keyCreate
    case .keyList: .keyList
    case .keyRevoke: .keyRevoke
    case .identityAdd: .identityAdd
    case .identityList: .identityList
    case .identityRemove: .identityRemove
    case .storeCopy: .storeCopy
    case .storeAudit: .storeAudit
    case .storeMonths: .storeMonths
    case .storeDropMonth: .storeDropMonth
    case .report: .report
    case .upload: .upload
    case .completions: .completions
    case .complete: .complete
    case .help: .help
    }
  }
}

/// The headings under which `coach --help` lists the verbs, in its order.
enum VerbGroup: String, CaseIterable, Sendable {
  case training = "Training"
  case recordings = "Recordings"
  case history = "History"
  case profiles = "People"
  case motion = "Motion"
  case studies = "Studies"
  case service = "Service"
  case program = "The program itself"
}

/// One verb: all that parsing, help and completions know of it.
struct Verb: Sendable {
  /// Which of the verbs it is.
  let id: VerbID

  /// What is typed: one word, or two with a space between them for a verb of a family, such as `history list`.
  let name: String

  /// The heading it stands under.
  let group: VerbGroup

  /// One line of explanation, without a full stop.
  let summary: String

  /// A whole command line that works.
  package let example: String

  /// What it works on; nothing when it takes options only.
  let operand: OperandDeclaration?

  /// What it understands besides `--help`.
  let options: [OptionDeclaration]

  /// How it can end, in ascending order.
  let exitCodes: [ExitCode]

  /// Whether Ctrl-C is left to end it by the signal itself, of a verb that may take long; a shell counts that as 130 too.
  let isEndedBySignal: Bool

  /// Whether help and completions pass over it.
  let isHidden: Bool

  /// A row of the table.
  ///
  /// - Parameters:
  ///   - name: what is typed, when it is not the identifier's own word.
  ///   - exitCodes: those beyond the four that any verb can end with: 0, 64, 70 and 74.
  ///   - isEndedBySignal: whether help says so of Ctrl-C; not for one that exits with 130 by itself.
  ///   - isHidden: whether help and completions pass over it, when that is not the identifier's own answer.
  init(
    _ id: VerbID, name: String? = nil, in group: VerbGroup, summary: String, example: String,
    operand: OperandDeclaration? = nil, options: [any DeclaredOption] = [], exitCodes: [ExitCode] = [],
    isEndedBySignal: Bool = false, isHidden: Bool? = nil
  ) {
    self.id = id
    self.name = name ?? id.rawValue
    self.group = group
    self.summary = summary
    self.example = example
    self.operand = operand
    self.options = options.map(\.declaration)
    let possible = exitCodes + [.done, .usage, .internalError, .inputOutput]
    self.exitCodes = ExitCode.allCases.filter { possible.contains($0) }
    self.isEndedBySignal = isEndedBySignal
    self.isHidden = isHidden ?? id.isHidden
  }

  /// The words of its name.
  var words: [String] { name.split(separator: " ").map(String.init) }

  /// The option with that name.
  func option(named name: some StringProtocol) -> OptionDeclaration? {
    options.first { $0.name == name }
  }
}

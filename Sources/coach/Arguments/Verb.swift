/// The verbs that the program dispatches on, in the order the help lists them.
///
/// A `switch` over it without `default` makes the compiler ask for what a new verb does.
enum VerbID: String, CaseIterable, Sendable {
  case zones
  case replay
  case live
  case follow
  case strategies
  case plans
  case planExport
  case straps
  case compare
  case inspect
  case export
  case verify
  case importing = "import"
  case history
  case historyList
  case historyShow
  case historyHourly
  case historyTrends
  case historyRecords
  case historyFitness
  case historyQuality
  case historyCheck
  case historyRebuild
  case historyBackup
  case historyExport
  case historyLabel
  case historyFind
  case historyNote
  case historyTag
  case historyDelete
  case upload
  case report
  case profileCreate
  case profileSet
  case profileShow
  case profileList
  case profileRename
  case profileDelete
  case profileExport
  case motionRecord
  case motionTrain
  case motionEvaluate
  case motionRecognize
  case motionTune
  case motionSteps
  case motionModels
  case motionShow
  case motionExport
  case study
  case studyPopulation
  case studyFit
  case studyMerge
  case studyPower
  case studyPlan
  case trialShow
  case trialAnalyse
  case trialPower
  case benchmarkCues
  case benchmarkVerify
  case serve
  case tokenCreate
  case tokenList
  case tokenRevoke
  case tokenLink
  case keyCreate
  case keyList
  case keyRevoke
  case identityAdd
  case identityList
  case identityRemove
  case storeCopy
  case completions
  case complete
  case help
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

  /// Whether help and completions pass over it.
  let isHidden: Bool

  /// A row of the table.
  ///
  /// - Parameters:
  ///   - name: what is typed, when it is not the identifier's own word.
  ///   - exitCodes: those beyond the four that any verb can end with: 0, 64, 70 and 74.
  init(
    _ id: VerbID, name: String? = nil, in group: VerbGroup, summary: String, example: String,
    operand: OperandDeclaration? = nil, options: [any DeclaredOption] = [], exitCodes: Set<ExitCode> = [],
    isHidden: Bool = false
  ) {
    self.id = id
    self.name = name ?? id.rawValue
    self.group = group
    self.summary = summary
    self.example = example
    self.operand = operand
    self.options = options.map(\.declaration)
    let possible = exitCodes.union([.done, .usage, .internalError, .inputOutput])
    self.exitCodes = ExitCode.allCases.filter { possible.contains($0) }
    self.isHidden = isHidden
  }

  /// The words of its name.
  var words: [String] { name.split(separator: " ").map(String.init) }

  /// The option with that name.
  func option(named name: some StringProtocol) -> OptionDeclaration? {
    options.first { $0.name == name }
  }
}

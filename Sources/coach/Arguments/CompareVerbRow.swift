import StrategyStudy
import ZoneEngine

/// The target of a comparison as it is typed.
enum ComparedTargetArgument: Hashable, Sendable {
  /// The same for every recording.
  case same(TargetRequest)
  /// So many beats per minute to both sides of the median of each recording.
  case aroundMedian(marginBPM: Int)

  /// How far from the median a target can reach, in beats per minute.
  static let plausibleMargins = 1...50

  /// Reads `median±5` or `median:5`, else what every verb takes for a target.
  ///
  /// - Throws: `ValueProblem` when the text is none of them.
  init(reading text: String) throws(ValueProblem) {
    let word = "median"
    guard text.hasPrefix(word), let sign = text.dropFirst(word.count).first, sign == "±" || sign == ":" else {
      self = .same(try TargetRequest(typed: text))
      return
    }
    guard let margin = Int(text.dropFirst(word.count + 1)), Self.plausibleMargins.contains(margin) else {
      throw ValueProblem(expected: "median±N with a whole number of beats per minute from 1 to 50")
    }
    self = .aroundMedian(marginBPM: margin)
  }
}

/// The options of a comparison. Target and strategy mean what they mean everywhere; here a target can follow each
/// recording, and a strategy is given once for each that is compared.
enum CompareOptions {
  static let target = Option(
    "target", "ZONE|LOW-HIGH|median±N", kind: .name(.target), in: .guidance,
    help: GuidanceOptions.heartRateTargetHelp + "; median±5: around the median of each recording",
    reader: { (text: String) throws(ValueProblem) in try ComparedTargetArgument(reading: text) })

  static let strategies = Option.text(
    "strategy", "SPEC", in: .guidance,
    help: GuidanceOptions.strategy.declaration.help
  ).repeated()

  static let skip = Option.number(
    "skip", "SECONDS", 0...86_400, in: .input, help: "Leave out the first seconds of every recording")

  static let personSource = Option.choice(
    "person-from", "session|folder|file", of: PersonSource.self, in: .input,
    help: "Whom a recording belongs to: the person that it names or else the folder, the folder, or the file"
  ).otherwise(.session, shown: "session")
}

extension Operands {
  /// Recordings, folders of them, and sessions.
  static let compared = Operand.oneOrMore("RECORDING|FOLDER|SESSION", .nameOrFile(.session))
}

extension Verb {
  static let compare = Verb(
    .compare, in: .training,
    summary: "Compare what strategies would have said over recordings, with how sure the differences are",
    example: "coach compare runs/ --age 23 --target median±5 --strategy runnerup-like --strategy zone-change",
    operand: Operands.compared.declaration,
    options: ZoneOptions.all + [
      CompareOptions.target, GuidanceOptions.plan, CompareOptions.strategies, GuidanceOptions.warmUp,
      GuidanceOptions.grace, GuidanceOptions.minimumInterval, PolicyOptions.seconds, PolicyOptions.seed,
      CompareOptions.skip, CompareOptions.personSource,
      SessionOptions.activity,
      HistoryOptions.includeSimulated, StudyOptions.csv, ExportOptions.force,
    ] + OutputOptions.all,
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate], isEndedBySignal: true)
}

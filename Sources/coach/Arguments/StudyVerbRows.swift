import StrategyStudy
import ZoneEngine

/// The options of the study verbs.
enum StudyOptions {
  static let runners = Option.integer(
    "runners", "N", Study.runnerCounts, in: .session, help: "How many virtual runners, instead of 1000 or the file's")
  static let population = Option.choice(
    "population", "NAME", of: RunnerPopulation.self, in: .session,
    help: "Whom the runners are drawn from: wise, or hunt with the gain that Hunt measured, instead of wise")
  static let model = Option.file(
    "runner-model", "FILE", in: .session, help: "Runners like the people of a file that coach study fit wrote")
  static let heart = Option.choice(
    "heart", "NAME", of: HeartShape.self, in: .session,
    help: "How the runners' hearts follow the work: other shapes than first-order are not what strategies assume")
  static let minutes = Option.number(
    "minutes", "N", 1...1_440, in: .session, help: "How long each session lasts, instead of 25 or the file's")
  static let seed = Option.integer(
    "seed", "N", 0...Int.max, in: .session, help: "The number that everything drawn at random follows from")
  /// Virtual runners have a heart rate to be kept, and no other target.
  static let target = Option(
    "target", "ZONE|LOW-HIGH", kind: .name(.target), in: .guidance, help: GuidanceOptions.heartRateTargetHelp,
    reader: { (text: String) throws(ValueProblem) in try TargetRequest(typed: text) })
  static let arms = Option.text(
    "arm", "SPEC", in: .guidance,
    help: "A strategy to try, such as moment:every=120; any number of them, coach strategies lists them"
  ).repeated()
  static let behaviour = Option(
    "behaviour", "SPEC", kind: .text, in: .guidance,
    help:
      "What runners make of the coach: reflex, relapse, anticipate, visible, such as visible+anticipate:rho=1,lead=15",
    default: "reflex",
    reader: { (text: String) throws(ValueProblem) in
      do throws(BehaviourError) {
        return try StudyBehaviour(text)
      } catch {
        throw ValueProblem(expected: error.expected)
      }
    })
  static let behaviours = behaviour.repeated()
  static let shard = Option(
    "shard", "I/N", kind: .text, in: .input, help: "Only part I of N, to be merged later",
    reader: { (text: String) throws(ValueProblem) in
      let words = text.split(separator: "/", omittingEmptySubsequences: false)
      guard words.count == 2, let number = Int(words[0]), let count = Int(words[1]),
        let shard = StudyShard(number: number, count: count)
      else { throw ValueProblem(expected: "I/N with I from 1 to N, such as 1/4") }
      return shard
    })
  static let threads = Option.integer(
    "threads", "N", 1...1_024, in: .input,
    help: "How many threads work, instead of one a core; results do not depend on it")
  static let csv = Option.file(
    "csv", "FILE", in: .output,
    help: "Write the outcomes as a table too, a row a session, of a comparison a row a recording and strategy, "
      + "of a trial a row a decision point")
  static let traces = Option.integer(
    "traces", "N", 1...100, in: .output,
    help: "Show the sessions of the first N runners too, in the records or on a page, which has 1 when nothing is said")

  static let effect = Option.number(
    "effect", "N", -1e9...1e9, in: .input, help: "The mean difference between two arms that is to be found; needed")
  static let spread = Option.number(
    "spread", "N", 1e-9...1e9, in: .input,
    help: "The standard deviation of people's differences, in the same unit; needed")
  static let uncertainty = Option.number(
    "uncertainty", "N", 1e-9...1e9, in: .input,
    help: "Half of the 95 % interval of the effect, where it was estimated: says what it leaves open")
  static let power = Option.number(
    "power", "P", 0.01...0.9999, in: .input, help: "The probability of finding it"
  ).otherwise(0.8, shown: "0.8")
  static let alpha = Option.number(
    "alpha", "P", 0.0001...0.5, in: .input, help: "The probability of finding a difference where there is none"
  ).otherwise(0.05, shown: "0.05")

  static let armNames = Option(
    "arms", "LIST", kind: .text, in: .input, help: "The arms, with commas between them; needed",
    reader: { (text: String) throws(ValueProblem) in try readArmNames(text) })
  static let people = Option.integer("people", "N", 1...100_000, in: .input, help: "How many people; needed")

  /// How results are written, in the order of the help.
  static let results: [any DeclaredOption] = [
    ExportOptions.output, csv, ExportOptions.force, OutputOptions.format, OutputOptions.color,
  ]
}

/// Reads names with commas between them; a piece like `window=60` belongs to the specification before it.
///
/// - Throws: `ValueProblem` when there are fewer than 2 or more than 26, or one stands there twice.
private func readArmNames(_ text: String) throws(ValueProblem) -> [String] {
  var names: [String] = []
  for piece in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
    if let last = names.last, last.contains("="), piece.contains("="), !piece.contains(":") {
      names[names.count - 1] = last + "," + piece
    } else {
      names.append(piece)
    }
  }
  guard (2...26).contains(names.count), !names.contains(""), Set(names).count == names.count else {
    throw ValueProblem(expected: "2 to 26 different arms, such as A,B,C")
  }
  return names
}

extension Operands {
  /// A study file; none when options describe the study.
  static let study = Operand.optional("FILE", .file)

  /// Parts of a study.
  static let parts = Operand.oneOrMore("PART", .file)
}

extension Verb {
  static let study = Verb(
    .study, in: .studies,
    summary: "Try strategies on virtual runners who hear the coach; an --output that ends in .html is a page",
    example:
      "coach study --age 23 --arm none --arm moment:every=120 --arm period:every=120,window=60 --output study.html",
    operand: Operands.study.declaration,
    options: [
      ZoneOptions.age, ZoneOptions.maximumHeartRate, ZoneOptions.formula, SessionOptions.activity,
      StudyOptions.target, StudyOptions.arms, StudyOptions.behaviours, StudyOptions.population, StudyOptions.model,
      StudyOptions.heart, StudyOptions.runners, StudyOptions.minutes, StudyOptions.seed, StudyOptions.shard,
      StudyOptions.threads, StudyOptions.traces,
      PolicyOptions.seconds, TrialOptions.trial, TrialOptions.points,
    ] + StudyOptions.results,
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate, .interrupted])

  static let studyPopulation = Verb(
    .studyPopulation, in: .studies,
    summary: "Say how fast the virtual runners prefer to go, and how their heart rate answers the speed",
    example: "coach study population --age 23 --activity run --population hunt",
    operand: Operands.study.declaration,
    options: [
      ZoneOptions.age, ZoneOptions.maximumHeartRate, ZoneOptions.formula, SessionOptions.activity,
      StudyOptions.target, StudyOptions.population, StudyOptions.model, StudyOptions.heart, StudyOptions.runners,
      StudyOptions.seed, OutputOptions.format, OutputOptions.color,
    ],
    exitCodes: [.unusableData, .noInput], isEndedBySignal: true)

  static let studyFit = Verb(
    .studyFit, in: .studies,
    summary: "Fit the model of virtual runners to recordings of people, and say how well it foresees them",
    example: "coach study fit ~/runs --output people.json",
    operand: Operands.compared.declaration,
    options: [CompareOptions.personSource, HistoryOptions.includeSimulated, ExportOptions.output, ExportOptions.force]
      + OutputOptions.all,
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate], isEndedBySignal: true)

  static let studyMerge = Verb(
    .studyMerge, in: .studies,
    summary: "Put the parts of a study together again; an --output that ends in .html is a page",
    example: "coach study merge part1.json part2.json --format json",
    operand: Operands.parts.declaration,
    options: [StudyOptions.traces] + StudyOptions.results,
    exitCodes: [.checkFailed, .unusableData, .noInput, .cannotCreate], isEndedBySignal: true)

  static let studyPower = Verb(
    .studyPower, in: .studies,
    summary: "Say how many people a study needs to find a difference",
    example: "coach study power --effect 10 --spread 22.5",
    options: [
      StudyOptions.effect, StudyOptions.spread, StudyOptions.uncertainty, StudyOptions.power, StudyOptions.alpha,
      OutputOptions.format,
    ])

  static let studyPlan = Verb(
    .studyPlan, in: .studies,
    summary: "Say who gets which arm on which day, so that order speaks for none",
    example: "coach study plan --arms A,B,C --people 12",
    options: [
      StudyOptions.armNames, StudyOptions.people, StudyOptions.seed, OutputOptions.format, OutputOptions.color,
    ])
}

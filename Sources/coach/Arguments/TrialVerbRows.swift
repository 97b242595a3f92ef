import StrategyStudy
import WorkoutSession

/// The options of a trial within sessions.
enum TrialOptions {
  static let trial = Option.file(
    "trial", "PROTOCOL", in: .guidance,
    help: "Draw at each decision point whether its cue is given, by the protocol of a trial")
  static let session = Option.integer(
    "trial-session", "N", 0...(1 << 53), in: .guidance,
    help: "The number from which a session of a trial draws, instead of one of the system, of a replay 0")
  static let points = Option.file(
    "points", "FILE", in: .output, help: "Write the decision points of a trial as a table, a row a point")

  static let protocolFile = Option.file(
    "protocol", "FILE", in: .input, help: "The protocol by which all sessions were made; needed")
  static let moderators = Option.choice(
    "moderator", "NAME", of: TrialProtocol.Covariate.self, in: .input,
    help: "What the effect depends on, instead of what the protocol plans; any number of them"
  ).repeated()
  static let outcomeSeconds = Option.integer(
    "outcome-seconds", "N", 10...600, in: .input, help: "Which outcome, instead of the one that the protocol plans")
  static let activity = Option.text(
    "activity", "LABEL", in: .input, help: "Only sessions of this activity: running of people, walk or run of a study")
  static let behaviour = Option.text(
    "behaviour", "SPEC", in: .input,
    help: "Only sessions of runners of a study who make this of the coach; person, simulated or imported of others")
  static let arm = Option.text(
    "arm", "NAME", in: .input, help: "Only sessions by this arm of a study, or by this preset or strategy")

  static let pointsPerPerson = Option.integer(
    "points-per-person", "N", 1...100_000, in: .input,
    help: "Decision points of a person, all sessions together; needed")
  static let probability = Option.number(
    "probability", "P", 0.01...0.99, in: .input, help: "The probability of a cue that is available"
  ).otherwise(0.5, shown: "0.5")
  static let probabilityAfterCue = Option.number(
    "probability-after-cue", "P", 0.01...0.99, in: .input,
    help: "Its probability at a point after one with a cue, where the protocol's rule makes it another one")
  static let availability = Option.number(
    "availability", "P", 0.001...1, in: .input, help: "How often a cue is available"
  ).otherwise(1, shown: "1")
  static let effect = Option.number(
    "standardized-effect", "N", 0...10, in: .input,
    help: "The effect to be found, in standard deviations of what the controls leave of the outcome; needed")
  static let controls = Option.integer(
    "controls", "N", 0...20, in: .input, help: "How many controls the protocol has, instead of 1")
  static let people = Option.integer(
    "trial-people", "N", 4...100_000, in: .input, help: "Say what so many people find, instead of how many are needed")
  static let simulated = Option.integer(
    "simulate", "N", 1...100_000, in: .input, help: "Make and analyse so many trials besides")
}

extension Operands {
  /// What the points of a trial are read from.
  static let trialInputs = Operand.oneOrMore("SESSION|FILE", .file)

  /// The protocol of a trial.
  static let trialProtocol = Operand.one("PROTOCOL", .file)
}

extension Verb {
  static let trialShow = Verb(
    .trialShow, in: .studies,
    summary: "Check the protocol of a trial within sessions, and print the SHA-256 by which it is registered",
    example: "coach trial show pilot.json",
    operand: Operands.trialProtocol.declaration, options: [OutputOptions.format],
    exitCodes: [.unusableData, .noInput])

  static let trialAnalyse = Verb(
    .trialAnalyse, in: .studies,
    summary: "Estimate what a cue does to the time in target after it, from sessions or tables of one protocol",
    example: "coach trial analyse points.csv --protocol pilot.json",
    operand: Operands.trialInputs.declaration,
    options: [
      TrialOptions.protocolFile, TrialOptions.activity, TrialOptions.behaviour, TrialOptions.arm,
      HistoryOptions.includeSimulated, TrialOptions.outcomeSeconds, TrialOptions.moderators, StudyOptions.csv,
      ExportOptions.force, OutputOptions.format,
    ],
    exitCodes: [.unusableData, .noInput, .cannotCreate], isEndedBySignal: true)

  static let trialPower = Verb(
    .trialPower, in: .studies,
    summary: "Say how many people a trial within sessions needs, by the formula of Liao and by simulation",
    example: "coach trial power --points-per-person 60 --standardized-effect 0.2 --availability 0.5",
    options: [
      TrialOptions.pointsPerPerson, TrialOptions.effect, TrialOptions.probability, TrialOptions.probabilityAfterCue,
      TrialOptions.availability,
      TrialOptions.controls, StudyOptions.power, StudyOptions.alpha, TrialOptions.people, TrialOptions.simulated,
      StudyOptions.seed, OutputOptions.format,
    ], isEndedBySignal: true)
}

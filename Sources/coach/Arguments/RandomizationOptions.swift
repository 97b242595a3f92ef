/// How the strategy of a session is drawn.
enum RandomizationOptions {
  static let study = Option.file(
    "randomize", "STUDY", in: .guidance,
    help: "Draw the strategy from the arms of a study file, balanced within the person, instead of --strategy")

  /// Of another meaning than that of the study verbs, in which everything is drawn.
  static let seed = Option(
    "seed", "N", kind: .integer, in: .guidance, help: "The number that the arm of --randomize is drawn from",
    default: "drawn from the system and written down",
    reader: { (text: String) throws(ValueProblem) in try readInteger(text, in: 0...Int.max) })

  /// All of them, in the order of the help.
  static let all: [any DeclaredOption] = [study, seed]
}

/// The options of programs that stand in place of a strategy.
enum PolicyOptions {
  static let seconds = Option.number(
    "policy-seconds", "N", 0.05...600, in: .guidance,
    help: "How long the program of a strategy exec:PROGRAM may take for an answer, instead of 2 seconds")
  static let seed = Option.integer(
    "policy-seed", "N", 0...Int.max, in: .guidance, help: "What such a program may draw from, instead of 1")

  /// Those of a single session.
  static let all: [any DeclaredOption] = [seconds, seed]
}

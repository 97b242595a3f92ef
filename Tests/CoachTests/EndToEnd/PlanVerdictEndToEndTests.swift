import Foundation
import Testing

@Suite("The program: what became of a plan")
struct PlanVerdictEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  /// Runs a plan of steps without a name by a virtual runner.
  private func run(_ options: [String] = [], source: String = "simulated") throws -> CoachProgram.Outcome {
    let outcome = try program.run(
      [
        "live", "--age", "30", "--plan", "1min z1, 3x(1min z3, 1min rest), 2min z1", "--source", source, "--speed",
        "max",
      ] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome
  }

  private func sentence(_ outcome: CoachProgram.Outcome) -> Substring? {
    outcome.lines.first { $0.contains("steps in target") }
  }

  @Test("The end of a live session says it, whether it is kept or not, and names steps as the table does")
  func notKept() throws {
    let kept = try #require(sentence(try run()))
    #expect(kept == "3 of 5 steps in target; the second too low, the fifth (step 8) too high.")
    let loose = try run(["--no-save"])
    #expect(sentence(loose) == kept, "\(loose.output)")
    #expect(loose.lines.count { $0.contains("steps in target") } == 1)
    #expect(try program.run(["history", "show", "latest"]).output.contains(kept))
    let aimless = try program.run(
      [
        "live", "--age", "30", "--target", "z2", "--source", "simulated", "--speed", "max", "--duration", "5m",
        "--no-save",
      ])
    #expect(sentence(aimless) == nil)
  }

  @Test("A virtual runner is another one of each seed, as the help says, and the same of one")
  func seeds() throws {
    let first = try run(["--no-save", "--format", "jsonl"]).lines.last
    #expect(try run(["--no-save", "--format", "jsonl"], source: "simulated:1").lines.last == first)
    #expect(try run(["--no-save", "--format", "jsonl"], source: "simulated:2").lines.last != first)
    let help = try program.run(["live", "--help"]).output
    #expect(help.contains("simulated[:SEED]"), "\(help)")
    #expect(!help.contains("everything drawn at random"), "\(help)")
    let refused = try program.run(["live", "--age", "30", "--source", "simulated", "--seed", "1"])
    #expect(refused.status == 64)
    #expect(refused.errors.contains("--source simulated:SEED"), "\(refused.errors)")
  }
}

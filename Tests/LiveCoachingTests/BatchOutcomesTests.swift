@testable import LiveCoaching
import Testing

@Suite("The outcomes of batches")
struct BatchOutcomesTests {
  private func outcome(_ number: Int) -> BatchOutcome {
    BatchOutcome(
      accepted: number, rejected: number % 3 == 0 ? [LiveReport.BadLine(number: number, problem: "no")] : [],
      moreRejected: number % 6 == 0 ? number : 0, recordBefore: number * 2, lastRecord: number * 2 + 1)
  }

  @Test(
    "The last 256 are known by their whole names, though many end alike, and older ones are not",
    arguments: [1, 256, 257])
  func last(step: UInt64) {
    var outcomes = BatchOutcomes()
    #expect(outcomes.outcome(of: 1) == nil)
    for number in 0..<1_000 { outcomes.keep(outcome(number), of: 1 + UInt64(number) * step) }
    for number in 0..<1_000 {
      let known = outcomes.outcome(of: 1 + UInt64(number) * step)
      #expect(known == (number < 1_000 - BatchOutcomes.limit ? nil : outcome(number)), "\(number)")
    }
    #expect(outcomes.outcome(of: 1 + 1_000 * step) == nil)
  }

  @Test("Outcomes with large numbers are kept as they are, in their turn", arguments: [0, 1, 70_000, 1 << 40])
  func large(number: Int) {
    var outcomes = BatchOutcomes()
    let kept = (0..<3).map { index in
      BatchOutcome(accepted: index, rejected: [], moreRejected: 0, recordBefore: 5, lastRecord: 5 + number + index)
    }
    for (index, outcome) in kept.enumerated() { outcomes.keep(outcome, of: UInt64(index + 1)) }
    let many = BatchOutcome(accepted: number, rejected: [], moreRejected: 0, recordBefore: number, lastRecord: number)
    outcomes.keep(many, of: 9)
    for (index, outcome) in kept.enumerated() { #expect(outcomes.outcome(of: UInt64(index + 1)) == outcome) }
    #expect(outcomes.outcome(of: 9) == many)
    for index in 0..<BatchOutcomes.limit { outcomes.keep(outcome(index), of: UInt64(1_000 + index)) }
    #expect(outcomes.outcome(of: 9) == nil)
  }
}

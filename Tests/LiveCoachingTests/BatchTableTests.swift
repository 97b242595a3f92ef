@testable import LiveCoaching
import Testing
import TestSupport

@Suite("The outcomes of batches by the numbers that stand for their names")
struct BatchTableTests {
  private func outcome(_ number: Int) -> BatchOutcome {
    BatchOutcome(
      accepted: number, rejected: number % 3 == 0 ? [LiveReport.BadLine(number: number, problem: "no")] : [],
      moreRejected: number % 6 == 0 ? number : 0, recordBefore: number * 2, lastRecord: number * 2 + 1)
  }

  @Test(
    "All are known by their whole names, though many end alike; of bad lines of old ones only the number is",
    arguments: [1, 256, 257])
  func all(step: UInt64) {
    var outcomes = BatchTable()
    #expect(outcomes.outcome(of: 1) == nil)
    for number in 0..<1_000 { outcomes.keep(outcome(number), of: 1 + UInt64(number) * step, lines: UInt32(number)) }
    let withProblems = (0..<1_000).filter { $0 % 3 == 0 }.suffix(BatchOutcomes.limit)
    for number in 0..<1_000 {
      let known = outcomes.outcome(of: 1 + UInt64(number) * step)
      let expected = outcome(number)
      #expect(known?.lines == UInt32(number), "\(number)")
      if expected.rejected.isEmpty || withProblems.contains(number) {
        #expect(known?.outcome == expected, "\(number)")
      } else {
        #expect(known?.outcome.rejected == [], "\(number)")
        #expect(known?.outcome.moreRejected == expected.moreRejected + 1, "\(number)")
        #expect(known?.outcome.accepted == expected.accepted, "\(number)")
        #expect(known?.outcome.recordBefore == expected.recordBefore, "\(number)")
        #expect(known?.outcome.lastRecord == expected.lastRecord, "\(number)")
      }
    }
    #expect(outcomes.outcome(of: 1 + 1_000 * step) == nil)
  }

  @Test(
    "Outcomes with large numbers are kept as they are", arguments: [0, 1, 255, 256, 65_534, 65_535, 70_000, 1 << 40])
  func large(number: Int) {
    var outcomes = BatchTable()
    let kept = (0..<3).map { index in
      BatchOutcome(accepted: index, rejected: [], moreRejected: 0, recordBefore: 5, lastRecord: 5 + number + index)
    }
    for (index, outcome) in kept.enumerated() { outcomes.keep(outcome, of: UInt64(index + 1), lines: 7) }
    let many = BatchOutcome(accepted: number, rejected: [], moreRejected: 0, recordBefore: number, lastRecord: number)
    outcomes.keep(many, of: 9, lines: 8)
    for index in 0..<1_000 { outcomes.keep(outcome(index), of: UInt64(1_000 + index), lines: 7) }
    for (index, outcome) in kept.enumerated() { #expect(outcomes.outcome(of: UInt64(index + 1))?.outcome == outcome) }
    #expect(outcomes.outcome(of: 9)?.outcome == many)
    #expect(outcomes.outcome(of: 9)?.lines == 8)
  }

  /// A name of a kind, as senders write them.
  private static func name(_ kind: String, _ number: Int, _ random: inout SplitMix64) -> String {
    switch kind {
    case "counting": "live-\(number)"
    case "in any order": "\(UInt32.random(in: 0...5_000, using: &random))"
    default: "\(UInt64.random(in: .min ... .max, using: &random))-x"
    }
  }

  @Test(
    "What came of each batch of a long session is known, whatever they are called and however many records lie between",
    arguments: ["counting", "in any order", "unlike"], 0..<3 as Range<UInt64>)
  func properties(kind: String, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var outcomes = BatchTable()
    var expected: [UInt64: BatchOutcome] = [:]
    var record = 0
    for number in 0..<2_000 {
      let name = BatchName.number(of: Self.name(kind, number, &random))
      guard expected[name] == nil else { continue }
      #expect(outcomes.outcome(of: name) == nil, "seed \(seed)")
      if Int.random(in: 0..<10, using: &random) == 0 { record += Int.random(in: 0..<40, using: &random) }
      let records = Int.random(in: 0..<10, using: &random) == 0 ? Int.random(in: 0..<400, using: &random) : 0
      let outcome = BatchOutcome(
        accepted: Int.random(in: 0..<100, using: &random) == 0 ? 65_530 + number % 10 : 1, rejected: [],
        moreRejected: Int.random(in: 0..<100, using: &random) == 0 ? 2 : 0, recordBefore: record,
        lastRecord: record + records)
      record += records
      outcomes.keep(outcome, of: name, lines: UInt32(truncatingIfNeeded: name))
      expected[name] = outcome
    }
    for (name, outcome) in expected {
      let known = outcomes.outcome(of: name)
      #expect(known?.outcome == outcome, "seed \(seed)")
      #expect(known?.lines == UInt32(truncatingIfNeeded: name), "seed \(seed)")
    }
  }

  @Test("A few batches take next to nothing, and those of a day about a megabyte", arguments: ["counting", "unlike"])
  func memory(kind: String) {
    var random = SplitMix64(seed: 1)
    var outcomes = BatchTable()
    #expect(outcomes.byteCount == 0)
    for number in 0..<86_400 {
      // A record a minute.
      let outcome = BatchOutcome(
        accepted: 1, rejected: [], moreRejected: 0, recordBefore: number / 60, lastRecord: (number + 1) / 60)
      outcomes.keep(outcome, of: BatchName.number(of: Self.name(kind, number, &random)), lines: 0)
      if number == 99 { #expect(outcomes.byteCount < 6 << 10) }
    }
    #expect(outcomes.byteCount < (kind == "counting" ? 1_250_000 : 3_600_000))
  }
}

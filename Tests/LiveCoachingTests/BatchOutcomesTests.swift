@testable import LiveCoaching
import TestSupport
import Testing

@Suite("The outcomes of batches")
struct BatchOutcomesTests {
  private static func name(_ text: String) -> BatchName { BatchName(text, isOfItsLines: true) }

  /// The same name where only the number is known that stands for it.
  private static func numberAlone(_ text: String) -> BatchName {
    BatchName(number: BatchName.number(of: text), isOfItsLines: true)
  }

  /// A batch a second of a run with a record every fifteen.
  private static func outcome(_ second: Int) -> BatchOutcome {
    BatchOutcome(
      accepted: 1, rejected: [], moreRejected: 0, recordBefore: second / 15, lastRecord: (second + 1) / 15)
  }

  private static func uuid(_ random: inout SplitMix64) -> String {
    let digits = [random.next(), random.next()].map { String($0 | 1 << 63, radix: 16) }.joined()
    let ends = [8, 12, 16, 20, 32]
    return zip([0] + ends, ends).map { String(digits.dropFirst($0).prefix($1 - $0)) }.joined(separator: "-")
  }

  /// The names of a session, as senders of all kinds write them.
  private struct Names {
    private static let prefixes = ["b-", "", "phone/", "watch-0", "x", "live-1-", "q"]
    private let count: Int
    private let isPadded: Bool
    private let (leavingOut, unlike): (Double, Double)
    private var next: [UInt64]
    private var late: [String] = []

    init(_ random: inout SplitMix64) {
      count = random.int(1...Self.prefixes.count)
      isPadded = random.chance(0.25)
      leavingOut = random.pick([0.01, 0.05, 0.3])
      unlike = random.pick([0, 0.02, 0.3])
      next = Self.prefixes.map { _ in random.pick([0, 1, 5, 95, 990, 99_999_999_999_999_990, 999_999_999_999_999_990]) }
    }

    private func text(_ sender: Int, _ number: UInt64) -> String {
      let digits = String(number)
      let zeros = isPadded ? String(repeating: "0", count: max(0, 5 - digits.count)) : ""
      return Self.prefixes[sender] + zeros + digits
    }

    mutating func take(_ random: inout SplitMix64) -> String {
      if random.chance(unlike) {
        return random.pick([
          "\(random.next())", BatchOutcomesTests.uuid(&random), "b-\(random.int(0...3_000))",
          "b-0\(random.int(0...300))",
          "end\(random.next())x", "",
        ])
      }
      if !late.isEmpty, random.chance(0.2) { return late.remove(at: random.int(0...late.count - 1)) }
      let sender = random.int(0...count - 1)
      if random.chance(leavingOut) {
        let leftOut = random.pick([1, 1, 2, 3, 4, 5, 20, 5_000] as [UInt64])
        if leftOut < 30 { late += (0..<leftOut).map { text(sender, next[sender] + $0) } }
        next[sender] += leftOut
      }
      next[sender] += 1
      return text(sender, next[sender] - 1)
    }
  }

  /// What came of a batch, with anything that can be in it.
  private static func outcome(
    after record: inout Int, often: Double, badly: Double, _ random: inout SplitMix64
  ) -> BatchOutcome {
    if random.chance(often) { record += random.pick([0, 1, 1, 2, 15, 16, 40, 300, 70_000]) }
    let before = record
    if random.chance(often) { record += random.pick([1, 1, 2, 15, 16, 300]) }
    let accepted = random.chance(often) ? random.pick([0, 2, 3, 123, 124, 125, 300, 65_535, 70_000]) : 1
    let isBad = random.chance(badly)
    return BatchOutcome(
      accepted: accepted, rejected: isBad ? [LiveReport.BadLine(number: 1, problem: "no")] : [],
      moreRejected: isBad ? random.int(0...2) : 0, recordBefore: before, lastRecord: record)
  }

  private static func expect(
    _ known: (outcome: BatchOutcome, lines: LinesHash)?, _ expected: (outcome: BatchOutcome, lines: UInt32),
    _ comment: Comment
  ) {
    #expect(known?.outcome.accepted == expected.outcome.accepted, comment)
    #expect(known?.outcome.recordBefore == expected.outcome.recordBefore, comment)
    #expect(known?.outcome.lastRecord == expected.outcome.lastRecord, comment)
    let rejected = known.map { $0.outcome.rejected.count + $0.outcome.moreRejected }
    #expect(rejected == expected.outcome.rejected.count + expected.outcome.moreRejected, comment)
    #expect(known?.lines.agrees(with: expected.lines) == true, comment)
    #expect(known?.lines.agrees(with: expected.lines ^ 0x8001) == false, comment)
    if case .whole(let lines)? = known?.lines { #expect(lines == expected.lines, comment) }
  }

  @Test(
    "What came of each batch is known, and of no other, however they are called, in whatever order, with whatever in them, and also where a session goes on",
    arguments: [false, true], 0..<12 as Range<UInt64>)
  func properties(goesOn: Bool, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var outcomes = BatchOutcomes()
    var expected: [String: (outcome: BatchOutcome, lines: UInt32)] = [:]
    var used: [String] = []
    var names = Names(&random)
    var record = 0
    let (often, badly) = (random.pick([0.03, 0.1, 0.5]), random.pick([0, 0.02, 0.3]))
    for step in 0..<4_000 {
      if goesOn, step == 2_500 { outcomes.noteGoingOn() }
      var name = names.take(&random)
      if !used.isEmpty, random.chance(0.1) { name = random.pick(used) }
      if !used.isEmpty, random.chance(0.03) { name = random.pick(used.suffix(3)) }
      let known = outcomes.outcome(of: Self.name(name))
      if let expected = expected[name] {
        Self.expect(known, expected, "seed \(seed), step \(step): \(name)")
        continue
      }
      #expect(known == nil, "seed \(seed), step \(step): \(name)")
      let outcome = Self.outcome(after: &record, often: often, badly: badly, &random)
      let lines = UInt32(truncatingIfNeeded: random.next())
      let isNumberAlone = goesOn && step < 2_500
      outcomes.keep(outcome, of: isNumberAlone ? Self.numberAlone(name) : Self.name(name), lines: lines)
      expected[name] = (outcome, lines)
      used.append(name)
    }
    for (name, expected) in expected {
      Self.expect(outcomes.outcome(of: Self.name(name)), expected, "seed \(seed), at the end: \(name)")
    }
  }

  @Test("Names that look alike are different ones")
  func alike() {
    var outcomes = BatchOutcomes()
    var number = 0
    let texts = (1...40).flatMap { ["b-\($0)", "b-0\($0)", "b-00\($0)", "\($0)", "0\($0)", "b\($0)", "b-1\($0)x"] }
    for text in texts {
      #expect(outcomes.outcome(of: Self.name(text)) == nil, "\(text)")
      outcomes.keep(Self.outcome(number), of: Self.name(text), lines: UInt32(number))
      number += 1
    }
    for (number, text) in texts.enumerated() {
      #expect(outcomes.outcome(of: Self.name(text))?.outcome == Self.outcome(number), "\(text)")
    }
  }

  @Test("Of the newest 256 batches the whole hash of their lines is kept, of older ones half")
  func wholeHashes() {
    var random = SplitMix64(seed: 7)
    var outcomes = BatchOutcomes()
    var lines: [UInt32] = []
    for second in 0..<2_000 {
      lines.append(UInt32(truncatingIfNeeded: random.next()))
      outcomes.keep(Self.outcome(second), of: Self.name("live-\(second)"), lines: lines[second])
      guard second > 1_000, second % 50 == 0 else { continue }
      for older in [0, 1, 17, 100, 254, 255] {
        let known = outcomes.outcome(of: Self.name("live-\(second - older)"))?.lines
        #expect(known == .whole(lines[second - older]), "\(second), \(older) before")
      }
      for older in [256, 257, 700, 900] {
        let known = outcomes.outcome(of: Self.name("live-\(second - older)"))?.lines
        #expect(known == .half(UInt16(truncatingIfNeeded: lines[second - older])), "\(second), \(older) before")
      }
    }
  }

  // MARK: - Memory

  /// How many bytes so many batches take, of some names, and how many by the numbers of these alone.
  private static func byteCounts(
    _ count: Int, outcome: (Int) -> BatchOutcome = BatchOutcomesTests.outcome, _ text: (Int) -> String
  ) -> (outcomes: Int, table: Int) {
    var outcomes = BatchOutcomes()
    var table = BatchTable()
    for second in 0..<count {
      let name = name(text(second))
      outcomes.keep(outcome(second), of: name, lines: UInt32(second))
      table.keep(outcome(second), of: name.number, lines: UInt32(second))
    }
    return (outcomes.byteCount, table.byteCount)
  }

  @Test("Batches whose names count take less than two and a half bytes each, beside what a count takes for itself")
  func memoryOfCounts() {
    let count = 36_000
    let constant = 6 << 10
    #expect(Self.byteCounts(count) { "b-\($0 + 1)" }.outcomes < count * 5 / 2 + constant)
    #expect(Self.byteCounts(count) { "\(1_795_158_000 + $0)" }.outcomes < count * 5 / 2 + constant)
    let ofTwo = Self.byteCounts(count) { "\($0 % 2 == 0 ? "phone" : "watch")-\($0 / 2)" }
    #expect(ofTwo.outcomes < count * 5 / 2 + 2 * constant)
  }

  @Test("Names that leave out numbers or are unlike take no more than by the numbers that stand for them")
  func memoryOfOthers() {
    // A large array has the rest of its last page of memory, too, and grows by it later on, unless it comes from the heap: as all below
    // the size of the largest that was given back.
    withExtendedLifetime([UInt8](repeating: 1, count: 16 << 20)) {}
    let constant = 16 << 10
    for step in [2, 3, 4, 5, 10, 1_000] {
      let bytes = Self.byteCounts(20_000) { "b-\($0 * step)" }
      #expect(bytes.outcomes <= bytes.table + constant, "\(step)")
    }
    var random = SplitMix64(seed: 1)
    let unlike = Self.byteCounts(20_000) { _ in Self.uuid(&random) }
    #expect(unlike.outcomes <= unlike.table + constant)
  }

  @Test("Counts that begin anew all the time take no more than half as much again")
  func memoryOfShortCounts() {
    for length in [2, 3, 8, 16, 31, 32, 33, 40, 60] {
      let bytes = Self.byteCounts(20_000) { "b-\($0 + $0 / length * 10)" }
      #expect(bytes.outcomes <= bytes.table + bytes.table / 2, "\(length)")
    }
    let swapped = Self.byteCounts(20_000) { "b-\($0 ^ 1)" }
    #expect(swapped.outcomes <= swapped.table + swapped.table / 2)
  }

  @Test("Batches of which not one is like the one before take little more than by the numbers of their names at most")
  func memoryOfUnevenOnes() {
    let uneven = Self.byteCounts(20_000) { second in
      BatchOutcome(
        accepted: 1 + second * 7 % 5, rejected: [], moreRejected: 0, recordBefore: 2 * second,
        lastRecord: 2 * second + 1)
    } _: {
      "b-\($0)"
    }
    #expect(uneven.outcomes < uneven.table * 2 / 3)
    let withMany = Self.byteCounts(20_000) { second in
      BatchOutcome(
        accepted: 200 + second % 100, rejected: [], moreRejected: 0, recordBefore: second, lastRecord: second)
    } _: {
      "b-\($0)"
    }
    #expect(withMany.outcomes <= withMany.table + withMany.table / 4)
  }

  @Test("The first batches of a session take about what they take by the numbers of their names")
  func memoryOfFew() {
    for count in 1...200 {
      let bytes = Self.byteCounts(count) { "b-\($0)" }
      #expect(bytes.outcomes <= bytes.table + 320, "\(count)")
    }
    #expect(BatchOutcomes().byteCount == 0)
  }

  @Test("Where a session goes on, the batches of before take as little once their count goes on, and all are known")
  func goingOn() {
    var outcomes = BatchOutcomes()
    func outcome(_ second: Int) -> BatchOutcome {
      guard second % 100 == 50 else { return Self.outcome(second) }
      return BatchOutcome(
        accepted: 0, rejected: [LiveReport.BadLine(number: 1, problem: "no")], moreRejected: second,
        recordBefore: second / 15, lastRecord: (second + 1) / 15)
    }
    func lines(_ second: Int) -> UInt32 { UInt32(second) &* 0x9E37_79B1 }
    let (before, all) = (10_000, 10_400)
    for second in 0..<before {
      outcomes.keep(outcome(second), of: Self.numberAlone("b-\(second)"), lines: lines(second))
    }
    let bytesBefore = outcomes.byteCount
    outcomes.noteGoingOn()
    for second in before..<all { outcomes.keep(outcome(second), of: Self.name("b-\(second)"), lines: lines(second)) }
    // Lines that have their count joined, however the others hashed.
    outcomes.keep(outcome(all), of: Self.name("b-\(all)"), lines: 0x80)
    #expect(outcomes.byteCount < bytesBefore / 3)
    for second in 0..<all {
      let known = outcomes.outcome(of: Self.name("b-\(second)"))
      #expect(known?.lines.agrees(with: lines(second)) == true, "\(second)")
      #expect(known?.outcome.recordBefore == second / 15, "\(second)")
      #expect(known?.outcome.lastRecord == (second + 1) / 15, "\(second)")
      #expect(known?.outcome.accepted == outcome(second).accepted, "\(second)")
    }
    #expect(outcomes.outcome(of: Self.name("b-\(all - 50)"))?.outcome == outcome(all - 50))
    #expect(outcomes.outcome(of: Self.name("b-\(all + 1)")) == nil)
  }

  @Test("Other lines have another hash, and a line feed at their end makes none")
  func lines() {
    let lines = Array("a\nb".utf8)
    #expect(BatchOutcomes.hash(of: lines) == BatchOutcomes.hash(of: lines + Array("\n".utf8)))
    #expect(BatchOutcomes.hash(of: []) == BatchOutcomes.hash(of: Array("\n".utf8)))
    let others = ["", "a", "a\nc", "b\na", "a\n\nb", " a\nb"].map { BatchOutcomes.hash(of: Array($0.utf8)) }
    #expect(!others.contains(BatchOutcomes.hash(of: lines)))
  }
}

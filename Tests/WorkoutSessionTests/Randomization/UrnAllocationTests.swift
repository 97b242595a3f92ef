import StrategyStudy
import Testing
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("The urn from which arms are drawn")
struct UrnAllocationTests {
  /// Every series of draws with its weight: its probability is the weight over the product of all balls on its way, which
  /// is the same for all series of one length.
  private func series(arms: Int, draws: Int) -> (all: [(drawn: [Int], last: Int, weight: Int)], whole: Int) {
    var all = [(drawn: [Int](repeating: 0, count: arms), last: 0, weight: 1)]
    var whole = 1
    for _ in 0..<draws {
      whole *= UrnAllocation(drawn: all[0].drawn).balls
      all = all.flatMap { past in
        let urn = UrnAllocation(drawn: past.drawn)
        return (0..<arms).map { arm in
          var drawn = past.drawn
          drawn[arm] += 1
          return (drawn, arm, past.weight * urn.balls(of: arm))
        }
      }
    }
    return (all, whole)
  }

  @Test("Probabilities are those of Wei's design, add up to one and are never 0 or 1", arguments: 2...4)
  func probabilities(arms: Int) {
    for draws in 0...5 {
      let (all, whole) = series(arms: arms, draws: draws)
      #expect(all.reduce(0) { $0 + $1.weight } == whole, "the probabilities of all series add up to one")
      for past in all {
        let urn = UrnAllocation(drawn: past.drawn)
        let balls = (0..<arms).map(urn.balls(of:))
        #expect(balls.reduce(0, +) == urn.balls)
        #expect(balls.allSatisfy { $0 > 0 && $0 < urn.balls })
        // An arm that was drawn less often is likelier, one drawn as often is as likely.
        for a in 0..<arms {
          for b in 0..<arms { #expect((balls[a] > balls[b]) == (past.drawn[a] < past.drawn[b])) }
        }
        // What a coin that knows nothing would give, at the beginning and after equal counts.
        if Set(past.drawn).count == 1 { #expect(Set(balls).count == 1) }
      }
    }
    #expect(UrnAllocation(drawn: [2, 1]).probability(of: 1) == 0.6)
    #expect(UrnAllocation(drawn: [5, 0]).probability(of: 0) == 1.0 / 7)
  }

  @Test("Every arm is drawn as often on average, and counts differ by a third of what a coin makes them differ")
  func balance() {
    for draws in 1...11 {
      let (all, whole) = series(arms: 2, draws: draws)
      let first = all.reduce(0) { $0 + $1.weight * $1.drawn[0] }
      #expect(2 * first == draws * whole)
      let square = all.reduce(0) { sum, one in
        let difference = one.drawn[0] - one.drawn[1]
        return sum + one.weight * difference * difference
      }
      // E[(n₁ − n₂)²] = (n + 2) / 3, as exact whole numbers.
      #expect(3 * square == (draws + 2) * whole, "\(draws) draws")
    }
    for draws in 1...6 {
      let (all, whole) = series(arms: 3, draws: draws)
      for arm in 0..<3 { #expect(3 * all.reduce(0) { $0 + $1.weight * $1.drawn[arm] } == draws * whole) }
    }
  }

  @Test(
    "The lowest and the highest bits of every ball draw its arm",
    arguments: [[0, 0], [3, 1], [0, 7, 2], [1, 1, 1, 9]])
  func bits(drawn: [Int]) {
    let urn = UrnAllocation(drawn: drawn)
    var expected: [Int] = []
    for arm in drawn.indices { expected += Array(repeating: arm, count: urn.balls(of: arm)) }
    #expect(expected.count == urn.balls)
    let balls = UInt64(urn.balls)
    for (ball, arm) in expected.enumerated() {
      // The lowest bits are ⌈ball · 2⁶⁴ ÷ balls⌉.
      let (quotient, remainder) = balls.dividingFullWidth((high: UInt64(ball), low: 0))
      let lowest = quotient + (remainder > 0 ? 1 : 0)
      #expect(urn.arm(bits: lowest) == arm)
      if ball > 0 { #expect(urn.arm(bits: lowest - 1) == expected[ball - 1]) }
    }
    #expect(urn.arm(bits: .max) == expected.last)
  }
}

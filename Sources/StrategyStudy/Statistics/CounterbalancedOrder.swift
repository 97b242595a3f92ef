internal import ZoneEngine

/// Which arm each person of a real study gets on which day, so that neither the day nor the arm before speaks for one of
/// them: in every square each arm stands once on each day, and follows each other arm equally often.
///
/// Source: Williams 1949, *Experimental designs balanced for the estimation of residual effects of treatments*,
/// 10.1071/CH9490149: one square for an even number of arms, two for an odd one.
package struct CounterbalancedOrder: Hashable, Sendable {
  /// For each person the arms, by their numbers from 0, in the order of the days.
  package let orders: [[Int]]
  /// After how many people every order was used equally often.
  package let blockSize: Int

  /// Orders for a number of people. In each block of people every order of the square is used once, and by chance who
  /// gets which; which arm plays which part in the square is chance too.
  ///
  /// - Precondition: there are at least two arms and one person.
  package init(arms: Int, people: Int, seed: UInt64) {
    precondition(arms > 1 && people > 0, "an order needs arms and people")
    let rows = Self.square(arms)
    blockSize = rows.count
    let names = Self.shuffled(arms, CounterRandom(seed: seed, 1, 0))
    var orders: [[Int]] = []
    while orders.count < people {
      let block = Self.shuffled(rows.count, CounterRandom(seed: seed, 2, UInt64(orders.count)))
      for row in block.prefix(people - orders.count) { orders.append(rows[row].map { names[$0] }) }
    }
    self.orders = orders
  }

  /// Whether every order is used equally often.
  package var isBalanced: Bool { orders.count % blockSize == 0 }

  /// The rows of the square, or of both.
  static func square(_ arms: Int) -> [[Int]] {
    // 0, 1, n−1, 2, n−2 …: neighbours differ by another number each time.
    let first = (0..<arms).map { $0 == 0 ? 0 : $0 % 2 == 1 ? ($0 + 1) / 2 : arms - $0 / 2 }
    let rows = (0..<arms).map { row in first.map { ($0 + row) % arms } }
    return arms % 2 == 0 ? rows : rows + rows.map { $0.reversed() }
  }

  /// Fisher and Yates' shuffle.
  private static func shuffled(_ count: Int, _ random: CounterRandom) -> [Int] {
    var numbers = Array(0..<count)
    for last in stride(from: count - 1, to: 0, by: -1) {
      let other = Int(random.bits(at: UInt64(last)).multipliedFullWidth(by: UInt64(last + 1)).high)
      numbers.swapAt(last, other)
    }
    return numbers
  }
}

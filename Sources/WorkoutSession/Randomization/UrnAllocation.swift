/// Wei's urn, from which the arm of a session is drawn: it begins with one ball of each arm, and each draw puts one ball
/// of every other arm into it. So an arm that was drawn less often is likelier, every arm can always be drawn and none
/// ever must be, and the longer a series is, the less the past says of the next draw.
///
/// With two arms the expected square of how far their counts differ after n draws is (n + 2) / 3; tossing a coin gives n.
///
/// Source: Wei 1977, *A class of designs for sequential clinical trials*, J. Am. Stat. Assoc. 72:382–386; for more than
/// two arms Wei 1978, *An application of an urn model to the design of sequential controlled clinical trials*, J. Am. Stat.
/// Assoc. 73:559–563: the design UD(1, 1).
package struct UrnAllocation: Hashable, Sendable {
  /// What the rule is called in manifests.
  package static let name = "weiUrn"
  /// The version of the rule and of how numbers are made for it: another one would draw otherwise.
  package static let version = 1

  /// How often each arm was drawn.
  package let drawn: [Int]

  /// The urn after some draws.
  ///
  /// - Precondition: there are at least two arms, and no count is negative.
  package init(drawn: [Int]) {
    precondition(drawn.count > 1 && drawn.allSatisfy { $0 >= 0 }, "an urn has at least two arms")
    self.drawn = drawn
  }

  /// How many draws there were.
  package var draws: Int { drawn.reduce(0, +) }

  /// How many balls of an arm are in the urn.
  package func balls(of arm: Int) -> Int { 1 + draws - drawn[arm] }

  /// How many balls are in the urn.
  package var balls: Int { drawn.count + draws * (drawn.count - 1) }

  /// The probability that an arm is drawn next, always above 0 and below 1.
  package func probability(of arm: Int) -> Double { Double(balls(of: arm)) / Double(balls) }

  /// The arm that 64 random bits draw.
  ///
  /// The bits choose a ball by the upper half of their product with the number of balls, so that probabilities are
  /// exact to one part in 2⁶⁴ ÷ balls.
  package func arm(bits: UInt64) -> Int {
    var ball = Int(bits.multipliedFullWidth(by: UInt64(balls)).high)
    for arm in drawn.indices {
      ball -= balls(of: arm)
      if ball < 0 { return arm }
    }
    preconditionFailure("a ball beyond the urn")
  }
}

/// A whole number by which many others are divided, each by a multiplication.
///
/// Source: Granlund & Montgomery 1994, *Division by invariant integers using multiplication*, with 64 bits for numbers of 32: what the
/// rounded-up inverse is too large by comes to less than the distance to the next quotient.
struct WholeDivisor: Hashable, Sendable {
  /// The number, at least 1 and below 2³².
  let value: Int
  /// 2⁶⁴ divided by it, rounded up; 0 stands for 2⁶⁴ itself.
  private let inverse: UInt64

  /// - Precondition: `value` is in 1..<2³².
  init(_ value: Int) {
    precondition(value >= 1 && value < 1 << 32, "a divisor has 32 bits")
    self.value = value
    inverse = UInt64.max / UInt64(value) &+ 1
  }

  /// How often the number is in another, rounded down.
  ///
  /// - Parameter dividend: not negative and, as seconds of a session and of a strategy are, below 2³².
  @inline(__always)
  func quotient(_ dividend: Int) -> Int {
    let whole = UInt64(truncatingIfNeeded: dividend)
    return value == 1 ? dividend : Int(truncatingIfNeeded: whole.multipliedFullWidth(by: inverse).high)
  }

  /// The same, rounded up.
  @inline(__always)
  func quotientRoundedUp(_ dividend: Int) -> Int { quotient(dividend &+ value &- 1) }
}

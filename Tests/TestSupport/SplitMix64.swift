/// A seeded generator: the same seed gives the same numbers on every machine.
///
/// Source: Steele, Lea & Flood 2014, *Fast splittable pseudorandom number generators*, 10.1145/2714064.2660195.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A whole number of a closed range, by remainder, so that it does not depend on the standard library's method.
  public mutating func int(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  /// A number in 0..<1.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Whether something with a probability happens.
  public mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// One of several values.
  ///
  /// - Precondition: there is at least one.
  public mutating func pick<Value>(_ values: [Value]) -> Value { values[int(0...values.count - 1)] }
}

/// Numbers that look random and follow from a seed: the same on every machine.
///
/// Source: Steele, Lea & Flood 2014, *Fast splittable pseudorandom number generators*, 10.1145/2714064.2660195 (SplitMix64).
package struct SeededRandom: Sendable {
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var state: UInt64

  /// Begins the sequence of a seed and of any further words, such as the number of a window.
  package init(seed: UInt64, _ words: UInt64...) {
    var key = Self.mixed(seed &+ Self.step)
    for word in words { key = Self.mixed(Self.mixed(key &+ Self.step) ^ Self.mixed(word &+ Self.step)) }
    state = key
  }

  private static func mixed(_ word: UInt64) -> UInt64 {
    var bits = word
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// The next 64 bits.
  package mutating func bits() -> UInt64 {
    state &+= Self.step
    return Self.mixed(state)
  }

  /// The next number, uniform in 0..<1.
  package mutating func unit() -> Double { Double(bits() >> 11) * 0x1p-53 }

  /// The next whole number, uniform in 0..<`count` but for 2⁻⁶⁴ · `count`.
  package mutating func below(_ count: Int) -> Int {
    Int(truncatingIfNeeded: bits().multipliedFullWidth(by: UInt64(count)).high)
  }

  /// The next number of a standard normal distribution.
  ///
  /// Source: Box & Muller 1958, 10.1214/aoms/1177706645; the second number of each pair is not used.
  package mutating func normal() -> Double {
    let u = (Double(bits() >> 11) + 1) * 0x1p-53
    return (-2 * FixedMath.log(u)).squareRoot() * FixedMath.cosineAndSine(radians: unit() * 2 * Double.pi).cosine
  }

  /// The next number of a beta distribution with both parameters `shape`, for a shape of at most 1.
  ///
  /// Source: Jöhnk 1964, *Erzeugung von betaverteilten und gammaverteilten Zufallszahlen*, Metrika 8.
  package mutating func beta(shape: Double) -> Double {
    while true {
      let x = FixedMath.power(unit() + 0x1p-54, 1 / shape)
      let y = FixedMath.power(unit() + 0x1p-54, 1 / shape)
      if x + y > 0, x + y <= 1 { return x / (x + y) }
    }
  }

  /// Brings the elements into an order by chance (Fisher & Yates).
  package mutating func shuffle<Element>(_ elements: inout [Element]) {
    for index in stride(from: elements.count - 1, to: 0, by: -1) { elements.swapAt(index, below(index + 1)) }
  }
}

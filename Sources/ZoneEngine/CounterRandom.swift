/// Numbers that look random and are a function of a key and a counter: the same everywhere, in any order, on any number
/// of threads. There is no state to share, so any number of a sequence can be asked for alone.
///
/// The bits are those of SplitMix64 at its n-th step. Source: Steele, Lea & Flood 2014, *Fast splittable pseudorandom
/// number generators*, 10.1145/2714064.2660195; counter-based use: Salmon et al. 2011, 10.1145/2063384.2063405.
public struct CounterRandom: Hashable, Sendable {
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Where the sequence begins.
  public let key: UInt64

  /// Creates the sequence of a seed and of any further words, such as the numbers of a runner and of a stream.
  public init(seed: UInt64, _ words: UInt64...) {
    var key = Self.mixed(seed &+ Self.step)
    for word in words { key = Self.mixed(Self.mixed(key &+ Self.step) ^ Self.mixed(word &+ Self.step)) }
    self.key = key
  }

  /// The 64 bits at a place of the sequence.
  @inlinable
  public func bits(at counter: UInt64) -> UInt64 { Self.mixed(key &+ (counter &+ 1) &* 0x9E37_79B9_7F4A_7C15) }

  /// The number at a place of the sequence, uniform in 0..<1.
  @inlinable
  public func unit(at counter: UInt64) -> Double { Double(bits(at: counter) >> 11) * 0x1p-53 }

  /// The finaliser of SplitMix64: every bit of the result depends on every bit of the word.
  @inlinable
  public static func mixed(_ word: UInt64) -> UInt64 {
    var bits = word
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

internal import TextFormats

/// Elementary functions made of additions, multiplications, divisions and square roots alone, which IEEE 754 rounds in
/// one way: the same numbers on every machine, which no C library promises for its own.
///
/// Relative errors are a few units of the last place; arguments are finite.
package enum PortableMath {
  /// The natural logarithm of a number above zero that is not subnormal.
  @inline(__always)
  package static func log(_ x: Double) -> Double { PortableLogarithm.natural(x) }

  /// The exponential; 0 and infinity beyond what a number can be.
  ///
  /// Source: Taylor's series to its 13th power on −½ln 2…½ln 2, scaled by a power of two.
  package static func exp(_ x: Double) -> Double {
    guard x > -745 else { return 0 }
    guard x < 709.7 else { return .infinity }
    let power = (x * 1.442_695_040_888_963_4).rounded()
    let r = (x - power * 0x1.62e42fefa38p-1) - power * 0x1.ef35793c7673p-45
    var sum = 1.0
    for divisor in stride(from: 13.0, to: 0, by: -1) { sum = 1 + sum * r / divisor }
    // In two steps, so that the factor itself is no subnormal.
    let half = Int(power) / 2
    return sum * scale(half) * scale(Int(power) - half)
  }

  /// A number above zero to a power.
  package static func power(_ base: Double, _ exponent: Double) -> Double { exp(exponent * log(base)) }

  /// Sine and cosine of 2π·`turns`, for 0..<1.
  ///
  /// Source: Taylor's series to the 16th power on −π/4…π/4, after a rotation by whole quarters.
  @inline(__always)
  static func sineAndCosine(turns: Double) -> (sine: Double, cosine: Double) {
    let rounded = turns * 4 + 0x1p52
    let quarter = rounded.bitPattern & 3
    let angle = (turns - (rounded - 0x1p52) * 0.25) * (2 * Double.pi)
    let z = angle * angle
    var sine = -1.0 / 1_307_674_368_000
    sine = sine * z + 1.0 / 6_227_020_800
    sine = sine * z - 1.0 / 39_916_800
    sine = sine * z + 1.0 / 362_880
    sine = sine * z - 1.0 / 5_040
    sine = sine * z + 1.0 / 120
    sine = sine * z - 1.0 / 6
    sine = (sine * z + 1) * angle
    var cosine = 1.0 / 20_922_789_888_000
    cosine = cosine * z - 1.0 / 87_178_291_200
    cosine = cosine * z + 1.0 / 479_001_600
    cosine = cosine * z - 1.0 / 3_628_800
    cosine = cosine * z + 1.0 / 40_320
    cosine = cosine * z - 1.0 / 720
    cosine = cosine * z + 1.0 / 24
    cosine = cosine * z - 0.5
    cosine = cosine * z + 1
    // In odd quarters sine and cosine change places; signs follow from the quarter. Without a branch, as above.
    let swap = (sine.bitPattern ^ cosine.bitPattern) & (0 &- (quarter & 1))
    return (
      Double(bitPattern: sine.bitPattern ^ swap ^ (quarter & 2) << 62),
      Double(bitPattern: cosine.bitPattern ^ swap ^ ((quarter &+ 1) & 2) << 62)
    )
  }

  private static func scale(_ power: Int) -> Double {
    Double(bitPattern: UInt64(bitPattern: Int64(power + 1023)) << 52)
  }
}

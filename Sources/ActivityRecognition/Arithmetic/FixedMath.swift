internal import TextFormats

/// Elementary functions made of additions, multiplications, divisions and square roots alone, which IEEE 754 rounds in one
/// way: what enters a model is the same on every machine, which no C library promises for its own functions.
///
/// Relative errors are a few units of the last place; arguments are finite.
package enum FixedMath {
  /// The natural logarithm of a number above zero that is not subnormal.
  static func log(_ x: Double) -> Double { PortableLogarithm.natural(x) }

  /// The exponential; 0 below −700 and infinity above 700.
  ///
  /// Source: Taylor's series to its 13th power on −½ln 2…½ln 2, scaled by a power of two.
  static func exp(_ x: Double) -> Double {
    guard x > -700 else { return 0 }
    guard x < 700 else { return .infinity }
    let power = (x * 1.442_695_040_888_963_4).rounded()
    let r = (x - power * 0x1.62e42fefa38p-1) - power * 0x1.ef35793c7673p-45
    var sum = 1.0
    for divisor in stride(from: 13.0, to: 0, by: -1) { sum = 1 + sum * r / divisor }
    return sum * Double(bitPattern: UInt64(bitPattern: Int64(power) + 1023) << 52)
  }

  /// A number above zero to a power.
  static func power(_ base: Double, _ exponent: Double) -> Double { exp(exponent * log(base)) }

  /// The cosine and the sine of an angle within ±2³⁰ turns.
  ///
  /// Source: Taylor's series to the 16th power on −π/4…π/4, after a rotation by whole quarters.
  package static func cosineAndSine(radians: Double) -> (cosine: Double, sine: Double) {
    let turns = radians / (2 * Double.pi)
    let quarters = (turns * 4).rounded()
    let angle = (turns - quarters * 0.25) * (2 * Double.pi)
    let z = angle * angle
    var (sine, cosine) = (1.0, 1.0)
    for n in stride(from: 16.0, through: 2, by: -2) {
      sine = 1 - sine * z / (n * (n + 1))
      cosine = 1 - cosine * z / (n * (n - 1))
    }
    sine *= angle
    switch Int64(quarters) & 3 {
    case 0: return (cosine, sine)
    case 1: return (-sine, cosine)
    case 2: return (-cosine, -sine)
    default: return (sine, -cosine)
    }
  }

  /// The angle of a point seen from the origin, in −π…π; 0 at the origin itself.
  static func angle(y: Double, x: Double) -> Double {
    if x == 0, y == 0 { return 0 }
    let angle = x == 0 ? Double.pi / 2 : arctangent(y.magnitude / x.magnitude)
    let upper = x < 0 ? Double.pi - angle : angle
    return y < 0 ? -upper : upper
  }

  /// The angle whose cosine is `x`, which is brought to −1…1.
  static func arccosine(_ x: Double) -> Double {
    let x = min(1, max(-1, x))
    return angle(y: ((1 - x) * (1 + x)).squareRoot(), x: x)
  }

  /// The angle whose tangent is `x`, for 0 and above.
  ///
  /// Source: S. L. Moshier, Cephes library 2.8 (2000), `atan.c`: a rational function on −tan π/8…tan π/8.
  private static func arctangent(_ x: Double) -> Double {
    let (offset, t) =
      if x > 2.414_213_562_373_095 {
        (Double.pi / 2, -1 / x)
      } else if x > 0.414_213_562_373_095 {
        (Double.pi / 4, (x - 1) / (x + 1))
      } else {
        (0.0, x)
      }
    let z = t * t
    var p = -8.750_608_600_031_904_122_785e-1
    for term in [
      -1.615_753_718_733_365_076_637e1, -7.500_855_792_314_704_667_340e1, -1.228_866_684_490_136_173_410e2,
      -6.485_021_904_942_025_371_773e1,
    ] { p = p * z + term }
    var q = 1.0
    for term in [
      2.485_846_490_142_306_297_962e1, 1.650_270_098_316_988_542_046e2, 4.328_810_604_912_902_668_951e2,
      4.853_903_996_359_136_964_868e2, 1.945_506_571_482_613_964_425e2,
    ] { q = q * z + term }
    return offset + (t + t * z * (p / q))
  }
}

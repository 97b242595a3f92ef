/// The natural logarithm made of additions, multiplications and divisions alone, which IEEE 754 rounds in one way: the same on
/// every machine, which no C library promises for its own.
///
/// The relative error is a few units of the last place.
package enum PortableLogarithm {
  /// The natural logarithm of a finite number above zero that is not subnormal.
  ///
  /// Source: the series 2·artanh((m − 1)/(m + 1)) after m was brought to √½…√2, to its 19th power.
  @inlinable
  @inline(__always)
  package static func natural(_ x: Double) -> Double {
    // Without a branch, which for numbers by chance would be guessed wrong half of the time.
    let bits = x.bitPattern
    let aboveRoot = bits &- 0x3FE6_A09E_667F_3BCD
    let mantissa = Double(bitPattern: bits &- (aboveRoot & 0xFFF0_0000_0000_0000))
    let power = Double(Int64(bitPattern: aboveRoot) >> 52)
    let s = (mantissa - 1) / (mantissa + 1)
    let z = s * s
    var sum = 1.0 / 19
    sum = sum * z + 1.0 / 17
    sum = sum * z + 1.0 / 15
    sum = sum * z + 1.0 / 13
    sum = sum * z + 1.0 / 11
    sum = sum * z + 1.0 / 9
    sum = sum * z + 1.0 / 7
    sum = sum * z + 1.0 / 5
    sum = sum * z + 1.0 / 3
    sum = sum * z + 1
    return power * 0x1.62e42fefa38p-1 + (power * 0x1.ef35793c7673p-45 + 2 * s * sum)
  }
}

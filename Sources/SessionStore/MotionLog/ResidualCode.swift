/// How whole numbers near zero are written as bits: a Golomb code whose parameter follows the numbers.
///
/// A number is folded (0, −1, 1, −2, … are 0, 1, 2, 3, …) and written as its part above the `k` lowest bits in ones and a
/// zero, then those bits. `k` is the binary logarithm of the mean of the last numbers, rounded down. Twenty-four ones are no
/// such part: a zero behind them says that 64 bits follow, a one that the unit changes.
///
/// Source: Golomb 1966, "Run-length encodings"; Rice 1979; the rule for `k` after Weinberger, Seroussi & Sapiro 2000 (LOCO-I).
struct ResidualCode {
  /// What stands next.
  enum Item {
    /// A number.
    case number(Int64)
    /// The unit changes; the number follows.
    case change(unit: Int)
  }

  /// So many ones are no part of a number.
  private static let escape = 24
  /// Behind so many numbers the older half counts half.
  private static let memory: UInt64 = 32
  /// The most that a number adds to the sum, so that it never overflows.
  private static let largest: UInt64 = 1 << 57
  private static let unitBits = 5
  private static let parameterBits = 6

  private var sum: UInt64 = 0
  private var count: UInt64 = 1

  /// The binary logarithm of the mean, rounded down: of `sum / count`, without a division for each number.
  private var parameter: Int {
    let shift = max(0, count.leadingZeroBitCount - sum.leadingZeroBitCount)
    return shift > 0 && count << UInt64(shift) > sum ? shift - 1 : shift
  }

  private mutating func admit(_ folded: UInt64) {
    sum += min(folded, Self.largest)
    count += 1
    if count == Self.memory {
      sum >>= 1
      count >>= 1
    }
  }

  /// Appends a number.
  mutating func write(_ number: Int64, to bits: inout BitWriter) {
    let folded = UInt64(bitPattern: number << 1 ^ number >> 63)
    let parameter = parameter
    let upper = folded >> UInt64(parameter)
    if upper < UInt64(Self.escape) {
      let (ones, lower) = (UInt64(1) << upper - 1, folded & (1 << UInt64(parameter) - 1))
      let count = Int(upper) + 1 + parameter
      if count <= BitWriter.mostAtOnce {
        bits.write(ones | lower << (upper + 1), count)
      } else {
        bits.write(ones, Int(upper) + 1)
        bits.write(lower, parameter)
      }
    } else {
      bits.write(1 << UInt64(Self.escape) - 1, Self.escape + 1)
      bits.write(folded, 64)
    }
    admit(folded)
  }

  /// Appends that the unit changes, and the first number in the new one.
  mutating func write(_ number: Int64, in unit: Int, to bits: inout BitWriter) {
    let folded = UInt64(bitPattern: number << 1 ^ number >> 63)
    let parameter = folded == 0 ? 0 : min(UInt64.bitWidth - 1 - folded.leadingZeroBitCount, 57)
    bits.write(1 << UInt64(Self.escape) - 1, Self.escape)
    bits.write(true)
    bits.write(UInt64(unit), Self.unitBits)
    bits.write(UInt64(parameter), Self.parameterBits)
    begin(parameter)
    write(number, to: &bits)
  }

  private mutating func begin(_ parameter: Int) {
    sum = 1 << UInt64(parameter)
    count = 1
  }

  /// Reads what stands next.
  mutating func read(from bits: inout BitReader) -> Item {
    let upper = bits.readOnes(most: Self.escape)
    let folded: UInt64
    if upper < Self.escape {
      let parameter = parameter
      folded = UInt64(upper) << UInt64(parameter) | bits.read(parameter)
    } else if bits.readBit() {
      let unit = Int(bits.read(Self.unitBits))
      begin(min(Int(bits.read(Self.parameterBits)), 57))
      return .change(unit: unit)
    } else {
      folded = bits.read(64)
    }
    admit(folded)
    return .number(Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1))
  }
}

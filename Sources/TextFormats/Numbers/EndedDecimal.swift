/// A plain number with the byte behind it: a whole one of at most 15 digits, or one of at most seven before its point and 15 in all.
/// Nearly all numbers of a table are; ``PlainDecimal`` reads the others, and these as well.
struct EndedDecimal {
  /// Whether a minus sign stands before it.
  let isNegative: Bool
  /// Its digits.
  let significand: UInt64
  /// How many of them stand behind the point.
  let decimals: Int
  /// The index behind its last byte.
  let end: Int
  /// The byte there.
  let stop: UInt8

  /// How many bytes there have to be from its first on: a sign, seven digits and a point, and two words behind them.
  static let room = 25
  /// The most digits that are read: as a whole number they are a `Double` without rounding.
  private static let mostDigits = 15

  /// Reads the number that begins at `start`; `nil` where it is another one or none.
  ///
  /// - Precondition: `start` is at least 0, and at most ``room`` less than the count of the bytes. Nothing looks for that.
  @inline(__always)
  init?(_ bytes: Span<UInt8>, from start: Int) {
    isNegative = unsafe bytes[unchecked: start] == UInt8(ascii: "-")
    let first = start &+ (isNegative ? 1 : 0)
    let word = Self.word(of: bytes, at: first)
    let others = DigitRun.others(word)
    guard others != 0 else {
      let rest = Self.word(of: bytes, at: first &+ 8)
      let bits = Self.digitBits(DigitRun.others(rest))
      guard bits < 64 else { return nil }
      let count = Int(truncatingIfNeeded: bits &>> 3)
      let more = bits > 0 ? DigitRun.value(rest, bits: bits) : 0
      significand = DigitRun.value(word, bits: 64) &* PowersOfTen.integer(count) &+ more
      decimals = 0
      end = first &+ 8 &+ count
      stop = UInt8(truncatingIfNeeded: rest &>> bits)
      return
    }
    let whole = Self.digitBits(others)
    let behind = UInt8(truncatingIfNeeded: word &>> whole)
    guard behind == UInt8(ascii: ".") else {
      guard whole > 0 else { return nil }
      significand = DigitRun.value(word, bits: whole)
      decimals = 0
      end = first &+ Int(truncatingIfNeeded: whole &>> 3)
      stop = behind
      return
    }
    let ends = others & (others &- 1)
    guard ends != 0 else {
      guard whole > 0 else { return nil }
      let begin = first &+ Int(truncatingIfNeeded: whole &>> 3) &+ 1
      let rest = Self.word(of: bytes, at: begin)
      let bits = Self.digitBits(DigitRun.others(rest))
      guard bits > 0 else { return nil }
      let count = Int(truncatingIfNeeded: bits &>> 3)
      let value = DigitRun.value(word, bits: whole) &* PowersOfTen.integer(count) &+ DigitRun.value(rest, bits: bits)
      let behind = unsafe bytes[unchecked: begin &+ count]
      guard bits == 64, behind &- UInt8(ascii: "0") < 10 else {
        (significand, decimals, end, stop) = (value, count, begin &+ count, behind)
        return
      }
      // A place on earth has nine decimals and more.
      let last = Self.word(of: bytes, at: begin &+ 8)
      let lastBits = Self.digitBits(DigitRun.others(last))
      let more = Int(truncatingIfNeeded: lastBits &>> 3)
      guard lastBits < 64, Int(truncatingIfNeeded: whole &>> 3) &+ 8 &+ more <= Self.mostDigits else { return nil }
      significand = value &* PowersOfTen.integer(more) &+ DigitRun.value(last, bits: lastBits)
      (decimals, end) = (8 &+ more, begin &+ 8 &+ more)
      stop = UInt8(truncatingIfNeeded: last &>> lastBits)
      return
    }
    let length = Self.digitBits(ends)
    let bits = length &- 8
    guard bits > 0 else { return nil }
    // Without the point the digits stand together.
    let joined = word & ((1 &<< whole) &- 1) | ((word &>> 8) &>> whole) &<< whole
    significand = DigitRun.value(joined, bits: bits)
    decimals = Int(truncatingIfNeeded: (bits &- whole) &>> 3)
    end = first &+ Int(truncatingIfNeeded: length &>> 3)
    stop = UInt8(truncatingIfNeeded: word &>> length)
  }

  /// The number rounded to the nearest `Double`.
  @inline(__always)
  var nearest: Double { PlainDecimal(self).nearest }

  /// The bits of the bytes before the first that is marked by its top bit; 64 where none is.
  @inline(__always)
  private static func digitBits(_ others: UInt64) -> UInt64 {
    UInt64(truncatingIfNeeded: others.trailingZeroBitCount) & 0x78
  }

  @inline(__always)
  private static func word(of bytes: Span<UInt8>, at index: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }
}

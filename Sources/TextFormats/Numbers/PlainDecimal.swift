/// A number written with digits and a point alone, read eight bytes at once. Most numbers of a file are.
package struct PlainDecimal {
  /// Whether a minus sign stands before it.
  let isNegative: Bool
  /// Its digits, at most 19.
  let significand: UInt64
  /// How many of them stand behind the point.
  let decimals: Int
  /// The index behind its last byte.
  let end: Int

  /// Reads the number that begins at `start`; what follows it is for the caller to judge.
  ///
  /// Returns `nil` without a digit, with a plus sign, and for more than 15 digits before or behind the point or 19 in all,
  /// even where there is a number.
  /// - Precondition: `start` is in 0…count.
  @inline(__always)
  init?(_ bytes: Span<UInt8>, from start: Int, separator: UInt8) {
    // The sign is counted, not branched upon: signs of measured values cannot be guessed.
    isNegative = start < bytes.count && bytes[start] == UInt8(ascii: "-")
    var index = start &+ (isNegative ? 1 : 0)
    var word = bytes.word(at: index)
    let others = DigitRun.others(word)
    var whole = 8
    if others != 0 {
      // Places in the word are counted in bits, eight a byte.
      let wholeBits = UInt64(truncatingIfNeeded: others.trailingZeroBitCount) & 0x38
      let hasPoint = UInt8(truncatingIfNeeded: word &>> wholeBits) == separator
      // What ends the number, behind the point if there is one.
      let ends = hasPoint ? others & (others &- 1) : others
      if ends != 0 {
        let length = UInt64(truncatingIfNeeded: ends.trailingZeroBitCount) & 0x38
        // Without the point the digits stand together.
        let joined = hasPoint ? word & ((1 &<< wholeBits) &- 1) | ((word &>> 8) &>> wholeBits) &<< wholeBits : word
        let bits = hasPoint ? length &- 8 : length
        guard bits > 0 else { return nil }
        significand = DigitRun.value(joined, bits: bits)
        decimals = Int(truncatingIfNeeded: (bits &- wholeBits) &>> 3)
        end = index &+ Int(truncatingIfNeeded: length &>> 3)
        return
      }
      whole = Int(truncatingIfNeeded: wholeBits &>> 3)
    }
    var significand = whole > 0 ? DigitRun.value(word, count: whole) : 0
    var digits = whole
    index &+= whole
    if whole == 8 {
      word = bytes.word(at: index)
      let run = DigitRun(word)
      guard run.count < 8 else { return nil }
      significand = significand &* PowersOfTen.integer(run.count) &+ run.value
      digits &+= run.count
      index &+= run.count
    }
    var decimals = 0
    if index < bytes.count, unsafe bytes[unchecked: index] == separator {
      index &+= 1
      let run = DigitRun(bytes.word(at: index))
      significand = significand &* PowersOfTen.integer(run.count) &+ run.value
      decimals = run.count
      index &+= run.count
      if run.count == 8, index < bytes.count, unsafe bytes[unchecked: index] &- 48 < 10 {
        let rest = DigitRun(bytes.word(at: index))
        guard rest.count < 8 else { return nil }
        significand = significand &* PowersOfTen.integer(rest.count) &+ rest.value
        decimals &+= rest.count
        index &+= rest.count
      }
      digits &+= decimals
    }
    guard digits > 0, digits <= 19 else { return nil }
    self.significand = significand
    self.decimals = decimals
    end = index
  }

  /// Takes a number that was read with what ends it.
  @inline(__always)
  init(_ ended: EndedDecimal) {
    (isNegative, significand, decimals, end) = (ended.isNegative, ended.significand, ended.decimals, ended.end)
  }

  /// The number of seconds as whole nanoseconds; see ``DecimalText/nanoseconds``.
  package var nanoseconds: Int64? { DecimalText(self).nanoseconds }

  /// The number rounded to the nearest `Double`; `nil` where one division cannot decide it.
  @inline(__always)
  var double: Double? { significand <= 1 << 53 ? nearest : nil }

  /// The number rounded to the nearest `Double`, where its digits make no more than 2⁵³.
  @inline(__always)
  var nearest: Double {
    // A signed number becomes a double in one instruction.
    let whole = Double(Int64(truncatingIfNeeded: significand))
    let magnitude = decimals == 0 ? whole : whole / PowersOfTen.double(decimals)
    return Double(bitPattern: magnitude.bitPattern | (isNegative ? 1 << 63 : 0))
  }
}

/// The digits at the beginning of eight bytes.
struct DigitRun {
  /// How many there are, 0…8.
  let count: Int
  /// The number they stand for, 0 for none.
  let value: UInt64

  @inline(__always)
  init(_ word: UInt64) {
    count = Self.others(word).trailingZeroBitCount &>> 3
    value = count > 0 ? Self.value(word, count: count) : 0
  }

  /// The top bit of every byte that is no digit, up to the first that is no ASCII.
  @inline(__always)
  static func others(_ word: UInt64) -> UInt64 {
    // A digit is 0…9 after the exclusive or: only other bytes get a top bit. Only bytes beyond ASCII carry, to later ones.
    let digits = word ^ 0x3030_3030_3030_3030
    return ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
  }

  /// The number that the first `count` of eight bytes stand for, at least one and all of them digits.
  @inline(__always)
  static func value(_ word: UInt64, count: Int) -> UInt64 {
    value(word, bits: UInt64(truncatingIfNeeded: count &* 8))
  }

  /// The same for bytes whose bits are given.
  @inline(__always)
  static func value(_ word: UInt64, bits: UInt64) -> UInt64 {
    // Zeros before the digits, then pairs, then the four pairs at once.
    let digits = (word ^ 0x3030_3030_3030_3030) &<< (64 &- bits)
    let pairs = digits &* 10 &+ (digits &>> 8)
    let low = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let high = ((pairs &>> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (low &+ high) &>> 32
  }
}

extension Span where Element == UInt8 {
  /// Eight bytes from `index` on, the first in the lowest place, and zeros beyond the end.
  ///
  /// - Precondition: `index` is in 0…count.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    guard index >= 0, index <= count &- 8 else { return lastWord(at: index) }
    return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  @inline(never)
  private func lastWord(at index: Int) -> UInt64 {
    precondition(index >= 0 && index <= count, "a word begins inside the bytes")
    let rest = count &- index
    if rest == 0 { return 0 }
    if count >= 8 {
      let last = unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
      return last &>> UInt64(truncatingIfNeeded: (8 &- rest) &* 8)
    }
    var word: UInt64 = 0
    for place in 0..<rest { word |= UInt64(self[index &+ place]) &<< UInt64(truncatingIfNeeded: place &* 8) }
    return word
  }

  /// The index of the first byte at or after `start` that is a delimiter, given as a word of eight, or a line feed;
  /// `count` when there is none.
  @inline(__always)
  func index(ofDelimiter delimiters: UInt64, orLineFeedFrom start: Int) -> Int {
    var index = start
    while true {
      let word = word(at: index)
      let hits = Self.zeros(word ^ delimiters) | Self.zeros(word ^ 0x0A0A_0A0A_0A0A_0A0A)
      if hits != 0 { return index &+ hits.trailingZeroBitCount &>> 3 }
      index &+= 8
      if index >= count { return count }
    }
  }

  /// The top bit of the first byte that is zero, perhaps with bits above it.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }
}

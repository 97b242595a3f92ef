/// A number written with digits and a point alone, read eight bytes at once. Most numbers of a file are.
struct PlainDecimal {
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
    var index = start
    var word = bytes.word(at: index)
    isNegative = word & 0xFF == 0x2D
    if isNegative {
      index &+= 1
      word = bytes.word(at: index)
    }
    let whole = DigitRun.count(word)
    if whole < 7 {
      let bits = UInt64(truncatingIfNeeded: whole &* 8)
      let hasPoint = UInt8(truncatingIfNeeded: word &>> bits) == separator
      // Without the point the digits stand together; where they end within the word, it is the whole number.
      let joined = hasPoint ? word & ((1 &<< bits) &- 1) | ((word &>> 8) &>> bits) &<< bits : word
      let count = hasPoint ? DigitRun.count(joined) : whole
      if count < 7 {
        guard count > 0 else { return nil }
        significand = DigitRun.value(joined, count: count)
        decimals = count &- whole
        end = index &+ count &+ (hasPoint ? 1 : 0)
        return
      }
    }
    var significand = DigitRun.value(word, count: whole)
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

  /// The number rounded to the nearest `Double`; `nil` where one division cannot decide it.
  @inline(__always)
  var double: Double? {
    guard significand <= 1 << 53 else { return nil }
    // A signed number becomes a double in one instruction.
    let whole = Double(Int64(truncatingIfNeeded: significand))
    let magnitude = decimals == 0 ? whole : whole / PowersOfTen.double(decimals)
    return isNegative ? -magnitude : magnitude
  }
}

/// The digits at the beginning of eight bytes.
private struct DigitRun {
  /// How many there are, 0…8.
  let count: Int
  /// The number they stand for, 0 for none.
  let value: UInt64

  @inline(__always)
  init(_ word: UInt64) {
    count = Self.count(word)
    value = Self.value(word, count: count)
  }

  /// How many of eight bytes are digits, up to the first that is none.
  @inline(__always)
  static func count(_ word: UInt64) -> Int {
    // A digit is 0…9 after the exclusive or: only other bytes get a top bit. A carry reaches later bytes alone.
    let digits = word ^ 0x3030_3030_3030_3030
    let others = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
    return others.trailingZeroBitCount &>> 3
  }

  /// The number that the first `count` of eight bytes stand for, all of them digits; 0 for none.
  @inline(__always)
  static func value(_ word: UInt64, count: Int) -> UInt64 {
    guard count > 0 else { return 0 }
    // Zeros before the digits, then pairs, then the four pairs at once.
    let digits = (word ^ 0x3030_3030_3030_3030) &<< UInt64(truncatingIfNeeded: 64 &- count &* 8)
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
    let rest = count &- index
    precondition(index >= 0 && rest >= 0, "a word begins inside the bytes")
    if rest >= 8 {
      return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }
    if rest == 0 { return 0 }
    if count >= 8 {
      let last = unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
      return last &>> UInt64(truncatingIfNeeded: (8 &- rest) &* 8)
    }
    var word: UInt64 = 0
    for place in 0..<rest { word |= UInt64(self[index &+ place]) &<< UInt64(truncatingIfNeeded: place &* 8) }
    return word
  }

  /// The index of the first byte at or after `start` that equals the byte of which `pattern` is made; `count` when there
  /// is none.
  @inline(__always)
  func index(of pattern: UInt64, from start: Int) -> Int {
    var index = start
    while true {
      let difference = word(at: index) ^ pattern
      let lowBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
      let hits = ~(((difference & lowBits) &+ lowBits) | difference | lowBits)
      if hits != 0 { return index &+ hits.trailingZeroBitCount &>> 3 }
      index &+= 8
      if index >= count { return count }
    }
  }
}

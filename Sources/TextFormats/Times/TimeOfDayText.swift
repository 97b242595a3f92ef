/// A time of day as people write it: `7:21`, `07:21:05.5`, `7:21:00 AM`.
package struct TimeOfDayText: Hashable, Sendable {
  /// Nanoseconds since midnight, below 24 h.
  package let nanoseconds: Int64
  /// Whether seconds are written.
  package let hasSeconds: Bool
  /// Whether `AM` or `PM` is written.
  package let hasHalfOfDay: Bool

  /// Reads the whole of `bytes`: hours in one or two digits, minutes and seconds in two, any number of decimals of the
  /// seconds (rounded half up to nanoseconds), then `AM` or `PM` in any case, which a space may precede.
  ///
  /// Hours are 0…23, and 1…12 before `AM` and `PM`. Returns `nil` for anything else.
  package init?(_ bytes: Span<UInt8>) {
    var end = bytes.count
    var afternoon: Bool?
    if end >= 3, bytes[end - 1] | 0x20 == UInt8(ascii: "m") {
      switch bytes[end - 2] | 0x20 {
      case UInt8(ascii: "a"): afternoon = false
      case UInt8(ascii: "p"): afternoon = true
      default: return nil
      }
      end -= 2
      if bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    }
    let colon = UInt8(ascii: ":")
    guard end >= 4 else { return nil }
    let hourDigits = bytes[1] == colon ? 1 : 2
    guard end >= hourDigits + 3, bytes[hourDigits] == colon, bytes[0] &- 48 < 10, bytes[hourDigits - 1] &- 48 < 10,
      let minute = bytes.twoDigits(at: hourDigits + 1), minute < 60
    else { return nil }
    var hour = Int64(bytes[0] &- 48)
    if hourDigits == 2 { hour = hour * 10 + Int64(bytes[1] &- 48) }
    if let afternoon {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (afternoon ? 12 : 0)
    }
    guard hour < 24 else { return nil }
    var fraction: Int64 = 0
    if end > hourDigits + 3 {
      let start = hourDigits + 4
      guard bytes[hourDigits + 3] == colon, end >= start + 2, bytes.twoDigits(at: start) != nil,
        end == start + 2 || bytes[start + 2] == UInt8(ascii: "."),
        let seconds = DecimalText.exactNanoseconds(from: bytes.extracting(start..<end)), seconds < 60_000_000_000
      else { return nil }
      fraction = seconds
    }
    nanoseconds = (hour * 60 + Int64(minute)) * 60_000_000_000 + fraction
    hasSeconds = end > hourDigits + 3
    hasHalfOfDay = afternoon != nil
  }
}

extension CivilDate {
  /// Reads the whole of `bytes` as `YYYY-MM-DD`, `YYYY/MM/DD` or, in the order of the United States, `M/D/YYYY`.
  ///
  /// Months and days have one or two digits. Returns `nil` for anything else and for a day that does not exist.
  package init?(written bytes: Span<UInt8>) {
    var numbers: InlineArray<3, Int> = [0, 0, 0]
    var digits: InlineArray<3, Int> = [0, 0, 0]
    var part = 0
    var separator: UInt8?
    for index in bytes.indices {
      let digit = bytes[index] &- 48
      if digit < 10 {
        guard digits[part] < 4 else { return nil }
        numbers[part] = numbers[part] * 10 + Int(digit)
        digits[part] += 1
      } else {
        let isSlash = bytes[index] == UInt8(ascii: "/")
        guard isSlash || bytes[index] == UInt8(ascii: "-"), part < 2, (separator ?? bytes[index]) == bytes[index]
        else { return nil }
        separator = bytes[index]
        part += 1
      }
    }
    if digits[0] == 4, (1...2).contains(digits[1]), (1...2).contains(digits[2]) {
      self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    } else if separator == UInt8(ascii: "/"), digits[2] == 4, (1...2).contains(digits[0]), (1...2).contains(digits[1]) {
      self.init(year: numbers[2], month: numbers[0], day: numbers[1])
    } else {
      return nil
    }
  }
}

extension WallClockTime {
  /// A day with a time of day that says nothing of its zone, taken for UTC; `nil` before 1678.
  package init?(_ date: CivilDate, _ time: TimeOfDayText) {
    guard date.year >= 1678 else { return nil }
    self.init(nanoseconds: Int64(date.daysSinceEpoch) * 86_400_000_000_000 + time.nanoseconds)
  }

  /// Reads the whole of `bytes` as a date, a space or `T`, and a time of day as people write them:
  /// `4/12/2016 7:21:00 AM`, `2016-04-12 07:21`. Taken for UTC. Returns `nil` for anything else.
  package init?(written bytes: Span<UInt8>) {
    guard
      let divider = bytes.indices.first(where: { bytes[$0] == UInt8(ascii: " ") || bytes[$0] == UInt8(ascii: "T") }),
      let date = CivilDate(written: bytes.extracting(..<divider)),
      let time = TimeOfDayText(bytes.extracting((divider + 1)...))
    else { return nil }
    self.init(date, time)
  }
}

/// In which order a date has its day and its month where its year stands behind both.
package enum DateOrder: Hashable, Sendable {
  /// Nothing says so: dates with slashes have that of the United States, and those with hyphens are refused.
  case unstated
  /// `20/11/2026`.
  case dayFirst
  /// `11/20/2026`.
  case monthFirst
}

/// A date as three numbers, before it is known which of them are its day and its month.
package struct DateParts: Hashable, Sendable {
  /// The numbers in their order.
  package let numbers: [Int]
  /// What stands between them: a slash, a hyphen or a point.
  package let separator: UInt8
  /// Whether the first number is a year of four digits.
  package let beginsWithYear: Bool

  /// Reads the whole of `bytes`: three numbers of which one at an end has four digits and the others one or two. With points the
  /// last may have two as well, which are of this century. Returns `nil` for anything else.
  package init?(_ bytes: Span<UInt8>) {
    var numbers = [0]
    var digits = [0]
    var separator: UInt8?
    for index in bytes.indices {
      let (digit, part) = (bytes[index] &- 48, numbers.count - 1)
      if digit < 10 {
        guard digits[part] < 4 else { return nil }
        numbers[part] = numbers[part] * 10 + Int(digit)
        digits[part] += 1
      } else {
        guard [UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(bytes[index]), numbers.count < 3,
          (separator ?? bytes[index]) == bytes[index]
        else { return nil }
        separator = bytes[index]
        numbers.append(0)
        digits.append(0)
      }
    }
    guard numbers.count == 3, let separator, (1...2).contains(digits[1]) else { return nil }
    beginsWithYear = digits[0] == 4
    guard (1...2).contains(digits[beginsWithYear ? 2 : 0]) else { return nil }
    if !beginsWithYear, digits[2] != 4 {
      guard digits[2] == 2, separator == UInt8(ascii: ".") else { return nil }
      numbers[2] += 2_000
    }
    self.numbers = numbers
    self.separator = separator
  }

  /// The order that the numbers themselves show, because one of them is no month; `nil` where they show none.
  package var shownOrder: DateOrder? {
    guard !beginsWithYear, separator != UInt8(ascii: ".") else { return nil }
    if numbers[0] > 12, numbers[1] <= 12 { return .dayFirst }
    return numbers[1] > 12 && numbers[0] <= 12 ? .monthFirst : nil
  }
}

extension CivilDate {
  /// Reads the whole of `bytes` as a date in one of many spellings: `YYYY-MM-DD`, also with slashes and points, `D.M.YYYY`,
  /// `D.M.YY`, and with slashes or hyphens in `order`. Returns `nil` for anything else and for a day that does not exist.
  package init?(written bytes: Span<UInt8>, order: DateOrder) {
    if order != .dayFirst, let date = CivilDate(written: bytes) {
      self = date
      return
    }
    guard let parts = DateParts(bytes) else { return nil }
    let (first, second, third) = (parts.numbers[0], parts.numbers[1], parts.numbers[2])
    if parts.beginsWithYear {
      self.init(year: first, month: second, day: third)
    } else if parts.separator == UInt8(ascii: ".") || order == .dayFirst {
      self.init(year: third, month: second, day: first)
    } else if order == .monthFirst {
      self.init(year: third, month: first, day: second)
    } else {
      return nil
    }
  }
}

/// A time of day with what people write behind it: `7:21 p.m.`, `07:21 Uhr`, `07:21:05Z`, `07:21+01:00`.
package struct ZonedTimeOfDay: Hashable, Sendable {
  /// The time of day.
  package let time: TimeOfDayText
  /// How far its clock is ahead of UTC; `nil` where it does not say.
  package let utcOffsetSeconds: Int?

  /// Reads the whole of `bytes`: a time of day, whose decimals may stand behind a comma, and what may follow it in any case.
  /// Returns `nil` for anything else.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count <= 48 else { return nil }
    var text = bytes.indices.map { bytes[$0] &- 65 < 26 ? bytes[$0] | 0x20 : bytes[$0] }
    func drop(_ ending: StaticString) -> Bool {
      let letters = unsafe Array(UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount))
      guard text.count > letters.count, text.suffix(letters.count).elementsEqual(letters) else { return false }
      text.removeLast(letters.count)
      while text.last == UInt8(ascii: " ") { text.removeLast() }
      return true
    }
    var offset: Int?
    if drop("z") || drop("utc") || drop("gmt") {
      offset = 0
    } else if let sign = text.lastIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }) {
      guard let seconds = Self.offset(text[(sign + 1)...]) else { return nil }
      offset = text[sign] == UInt8(ascii: "-") ? -seconds : seconds
      text.removeSubrange(sign...)
      while text.last == UInt8(ascii: " ") { text.removeLast() }
    } else {
      _ = drop("uhr")
    }
    for (half, letter) in [("a.m.", "a"), ("p.m.", "p")] where text.count > 4 && text.suffix(4).elementsEqual(half.utf8)
    {
      text.removeLast(4)
      text += Array(letter.utf8) + [UInt8(ascii: "m")]
    }
    if let comma = text.lastIndex(of: UInt8(ascii: ",")) { text[comma] = UInt8(ascii: ".") }
    guard let time = TimeOfDayText(text.span) else { return nil }
    self.time = time
    utcOffsetSeconds = offset
  }

  /// The seconds of `HH`, `HHMM` or `HH:MM`.
  private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
    let digits = text.filter { $0 != UInt8(ascii: ":") }.map { Int($0) - 48 }
    guard [2, 4].contains(digits.count), digits.allSatisfy({ (0..<10).contains($0) }), text.count <= 5 else {
      return nil
    }
    let hours = digits[0] * 10 + digits[1]
    let minutes = digits.count == 4 ? digits[2] * 10 + digits[3] : 0
    return hours < 24 && minutes < 60 ? hours * 3600 + minutes * 60 : nil
  }
}

extension WallClockTimeText {
  /// Reads the whole of `bytes` as ISO 8601, or as apps write it on a phone whose clock has twelve hours:
  /// `2026-11-20 7:00:00 PM +0100`, with any space before `AM` and `PM`. Returns `nil` for anything else.
  package init?(ofPhone bytes: Span<UInt8>) {
    if let text = WallClockTimeText(iso8601: bytes) {
      self = text
      return
    }
    guard (17...48).contains(bytes.count), let date = CivilDate(iso8601: bytes.extracting(first: 10)),
      bytes[10] == UInt8(ascii: " ")
    else { return nil }
    // The spaces that do not break a line, narrow or not.
    let text = String(decoding: (11..<bytes.count).map { bytes[$0] }, as: UTF8.self)
      .replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ")
    guard let zoned = ZonedTimeOfDay(text.utf8.span), zoned.time.hasHalfOfDay, let instant = WallClockTime(date, zoned)
    else { return nil }
    time = instant
    utcOffsetSeconds = zoned.utcOffsetSeconds
  }
}

extension WallClockTime {
  /// A day with a time of day, which is taken for UTC where it says nothing of its zone; `nil` before 1678.
  package init?(_ date: CivilDate, _ time: ZonedTimeOfDay) {
    guard let local = WallClockTime(date, time.time),
      let instant = local.adding(nanoseconds: Int64(time.utcOffsetSeconds ?? 0) * -1_000_000_000)
    else { return nil }
    self = instant
  }

  /// Reads the whole of `bytes` as a date, a space, a comma with a space or `T`, and a time of day, in the spellings of
  /// ``CivilDate/init(written:order:)`` and ``ZonedTimeOfDay``. Returns `nil` for anything else.
  package init?(written bytes: Span<UInt8>, order: DateOrder) {
    if order != .dayFirst, let time = WallClockTime(written: bytes) {
      self = time
      return
    }
    guard
      let divider = bytes.indices.first(where: { bytes[$0] == UInt8(ascii: " ") || bytes[$0] == UInt8(ascii: "T") }),
      divider > 0
    else { return nil }
    let dateEnd = bytes[divider - 1] == UInt8(ascii: ",") ? divider - 1 : divider
    guard let date = CivilDate(written: bytes.extracting(..<dateEnd), order: order),
      let time = ZonedTimeOfDay(bytes.extracting((divider + 1)...))
    else { return nil }
    self.init(date, time)
  }
}

/// An instant read from text, and what the text said about its zone.
package struct WallClockTimeText: Hashable, Sendable {
  /// The instant.
  package let time: WallClockTime
  /// How far the text's clock is ahead of UTC; `nil` when the text does not say, and `time` takes it for UTC.
  package let utcOffsetSeconds: Int?

  /// Reads the whole of `bytes` as a date with a time of day.
  ///
  /// `YYYY-MM-DD`, then `T`, `t` or a space, then `HH:MM:SS`, then any number of decimals after `.` or `,` (rounded half
  /// up to nanoseconds), then nothing (taken for UTC), `Z`, `z`, `±HH`, `±HHMM` or `±HH:MM`, which a space may precede.
  /// A second numbered 60 becomes the last nanosecond of the second before it.
  /// Returns `nil` for anything else, for a date or a time of day that does not exist, and outside of 1678…2200.
  package init?(iso8601 bytes: Span<UInt8>) {
    guard bytes.count >= 19, let date = CivilDate(iso8601: bytes.extracting(first: 10)) else { return nil }
    let divider = bytes[10]
    guard divider | 0x20 == UInt8(ascii: "t") || divider == UInt8(ascii: " "),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let hour = bytes.twoDigits(at: 11), hour < 24,
      let minute = bytes.twoDigits(at: 14), minute < 60,
      let second = bytes.twoDigits(at: 17), second <= 60,
      date.year >= 1678
    else { return nil }
    var index = 19
    guard var fraction = Self.fraction(bytes, &index),
      let zone = Self.zone(bytes, from: index)
    else { return nil }
    if second == 60 { fraction = 999_999_999 }
    let secondOfDay = hour * 3600 + minute * 60 + min(second, 59) - (zone.offset ?? 0)
    let seconds = date.daysSinceEpoch * 86_400 + secondOfDay
    time = WallClockTime(nanoseconds: Int64(seconds * 1_000_000_000 + fraction))
    utcOffsetSeconds = zone.offset
  }

  /// Reads the whole of `text` as a date with a time of day, as from bytes.
  package init?(iso8601 text: String) { self.init(iso8601: text.utf8.span) }

  /// The decimals of a second at `index` as nanoseconds, 0…1,000,000,000; 0 when there are none.
  private static func fraction(_ bytes: Span<UInt8>, _ index: inout Int) -> Int? {
    guard index < bytes.count, bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ",") else { return 0 }
    index += 1
    var nanoseconds = 0
    var digits = 0
    while index < bytes.count {
      let digit = bytes[index] &- 48
      guard digit < 10 else { break }
      if digits < 9 {
        nanoseconds = nanoseconds * 10 + Int(digit)
      } else if digits == 9, digit >= 5 {
        nanoseconds += 1
      }
      digits += 1
      index += 1
    }
    guard digits > 0 else { return nil }
    for _ in stride(from: digits, to: 9, by: 1) { nanoseconds *= 10 }
    return nanoseconds
  }

  private struct Zone {
    var offset: Int?
  }

  /// The zone from `start` to the end; `nil` when it is malformed.
  private static func zone(_ bytes: Span<UInt8>, from start: Int) -> Zone? {
    var index = start
    guard index < bytes.count else { return Zone(offset: nil) }
    if bytes[index] == UInt8(ascii: " ") {
      index += 1
      guard index < bytes.count else { return nil }
    }
    let sign = bytes[index]
    let rest = bytes.count - index - 1
    if sign | 0x20 == UInt8(ascii: "z") { return rest == 0 ? Zone(offset: 0) : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), rest >= 2,
      let hours = bytes.twoDigits(at: index + 1), hours < 24
    else { return nil }
    var minutes = 0
    switch rest {
    case 2: break
    case 4:
      guard let value = bytes.twoDigits(at: index + 3) else { return nil }
      minutes = value
    case 5:
      guard bytes[index + 3] == UInt8(ascii: ":"), let value = bytes.twoDigits(at: index + 4) else { return nil }
      minutes = value
    default: return nil
    }
    guard minutes < 60 else { return nil }
    let offset = hours * 3600 + minutes * 60
    return Zone(offset: sign == UInt8(ascii: "-") ? -offset : offset)
  }
}

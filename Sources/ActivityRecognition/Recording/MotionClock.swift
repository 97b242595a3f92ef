internal import TextFormats

/// Times of the day, as loggers write them: `10:06:17.810`, alone, behind a date in any order, or with one in a column of its own.
///
/// The date is not looked at, because only what lies between two rows counts; a clock that begins anew at midnight goes on.
struct MotionClock: Hashable, Sendable {
  private static let day: Int64 = 86_400_000_000_000
  /// How many days a clock goes on at most: a hundred years.
  private static let mostDays: Int64 = 36_525

  /// The time of the row before, since midnight of the first day, in nanoseconds.
  private var before: Int64?

  /// The seconds since midnight of the first day; `nil` for a text that ends with no time of day with seconds, and after a hundred
  /// years.
  mutating func seconds(_ text: Span<UInt8>) -> Double? {
    guard let time = Self.timeOfDay(text), time.hasSeconds else { return nil }
    var nanoseconds = time.nanoseconds
    if let before {
      // A row is on that day on which it is nearest to the one before.
      let days = max(0, (before - nanoseconds + Self.day / 2) / Self.day)
      guard days <= Self.mostDays else { return nil }
      nanoseconds += days * Self.day
    }
    before = nanoseconds
    return Double(nanoseconds) / 1e9
  }

  /// The time of day at the end of a text.
  private static func timeOfDay(_ text: Span<UInt8>) -> TimeOfDayText? {
    if let time = TimeOfDayText(text) { return time }
    let colon = text.indices.first { text[$0] == UInt8(ascii: ":") }
    guard let colon else { return nil }
    // The hours begin behind what divides them from a date.
    let digits = (0..<colon).reversed().prefix { text[$0] &- 48 < 10 }
    guard let start = digits.last, start > 0,
      text[start - 1] == UInt8(ascii: " ") || text[start - 1] | 0x20 == UInt8(ascii: "t")
    else { return nil }
    return TimeOfDayText(text.extracting(start..<text.count))
  }
}

/// An instant of the wall clock: whole nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// It reaches from 1677-09-21 to 2262-04-11.
public struct WallClockTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Whole nanoseconds since the Unix epoch, negative before it.
  public let nanoseconds: Int64

  /// Creates an instant from nanoseconds since the Unix epoch.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates an instant from whole seconds since the Unix epoch; `nil` when it does not fit.
  public init?(secondsSinceEpoch seconds: Int64) {
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return nil }
    self.nanoseconds = nanoseconds
  }

  /// Whether one instant comes before another.
  public static func < (left: WallClockTime, right: WallClockTime) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The nanoseconds from another instant to this one; `nil` when they do not fit.
  public func nanoseconds(since other: WallClockTime) -> Int64? {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return overflow ? nil : difference
  }

  /// The instant a number of nanoseconds later; `nil` when it does not fit.
  public func adding(nanoseconds span: Int64) -> WallClockTime? {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(span)
    return overflow ? nil : WallClockTime(nanoseconds: sum)
  }

  /// The day of this instant at a place whose clocks are `utcOffsetSeconds` ahead of UTC.
  ///
  /// Returns `nil` after the year 2200.
  package func civilDate(utcOffsetSeconds: Int) -> CivilDate? {
    CivilDate(daysSinceEpoch: Self.floor(wholeSeconds + utcOffsetSeconds, by: 86_400).quotient)
  }

  /// The seconds since the epoch, rounded down.
  package var wholeSeconds: Int { Self.floor(Int(nanoseconds), by: 1_000_000_000).quotient }

  package static func floor(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// ISO 8601 in UTC with as many decimals as are needed: `2026-11-20T07:00:00.5Z`.
  public var description: String {
    var text: [UInt8] = []
    appendISO8601(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// ISO 8601 in UTC without separators, rounded down to the second: `20261120T070000Z`.
  package var compactDescription: String {
    var text: [UInt8] = []
    let (date, secondOfDay, _) = parts
    text.reserveCapacity(16)
    Self.append(date, to: &text, separator: nil)
    text.append(UInt8(ascii: "T"))
    Self.append(secondOfDay: secondOfDay, to: &text, separator: nil)
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends ISO 8601 in UTC with as many decimals as are needed, up to nine.
  package func appendISO8601(to buffer: inout [UInt8]) {
    let (date, secondOfDay, fraction) = parts
    if let date = CivilDate(daysSinceEpoch: date) {
      buffer.append(span: Self.text(of: date, secondOfDay: secondOfDay).span)
    } else {
      Self.append(date, to: &buffer, separator: UInt8(ascii: "-"))
      buffer.append(UInt8(ascii: "T"))
      Self.append(secondOfDay: secondOfDay, to: &buffer, separator: UInt8(ascii: ":"))
    }
    DecimalFormat.append(fractionNanoseconds: UInt64(fraction), to: &buffer)
    buffer.append(UInt8(ascii: "Z"))
  }

  /// `2026-11-20T07:00:00`, rounded down to the second; `nil` where the year has no civil date.
  var secondText: InlineArray<19, UInt8>? {
    let (date, secondOfDay, _) = parts
    return CivilDate(daysSinceEpoch: date).map { Self.text(of: $0, secondOfDay: secondOfDay) }
  }

  /// `2026-11-20T07:00:00`, at once: the time of each row of a log is written so.
  private static func text(of date: CivilDate, secondOfDay: Int) -> InlineArray<19, UInt8> {
    var text = InlineArray<19, UInt8>(repeating: UInt8(ascii: "-"))
    func write(_ number: Int, at place: Int) {
      text[place] = UInt8(ascii: "0") + UInt8(number / 10)
      text[place + 1] = UInt8(ascii: "0") + UInt8(number % 10)
    }
    write(date.year / 100, at: 0)
    write(date.year % 100, at: 2)
    write(date.month, at: 5)
    write(date.day, at: 8)
    text[10] = UInt8(ascii: "T")
    write(secondOfDay / 3_600, at: 11)
    text[13] = UInt8(ascii: ":")
    write(secondOfDay / 60 % 60, at: 14)
    text[16] = UInt8(ascii: ":")
    write(secondOfDay % 60, at: 17)
    return text
  }

  private var parts: (daysSinceEpoch: Int, secondOfDay: Int, fraction: Int) {
    let (seconds, fraction) = Self.floor(Int(nanoseconds), by: 1_000_000_000)
    let (days, secondOfDay) = Self.floor(seconds, by: 86_400)
    return (days, secondOfDay, fraction)
  }

  private static func append(_ daysSinceEpoch: Int, to buffer: inout [UInt8], separator: UInt8?) {
    // The calendar repeats every 400 years: what lies beyond the years of a civil date is shown through one that does.
    let cycle = 146_097
    if let date = CivilDate(daysSinceEpoch: daysSinceEpoch) {
      date.append(to: &buffer, separator: separator)
    } else if let date = CivilDate(daysSinceEpoch: daysSinceEpoch - cycle) {
      let start = buffer.count
      date.append(to: &buffer, separator: separator)
      var year: [UInt8] = []
      DecimalFormat.append(magnitude: UInt64(date.year + 400), minimumDigits: 4, to: &year)
      buffer.replaceSubrange(start..<start + 4, with: year)
    }
  }

  private static func append(secondOfDay: Int, to buffer: inout [UInt8], separator: UInt8?) {
    let (hour, rest) = secondOfDay.quotientAndRemainder(dividingBy: 3600)
    let (minute, second) = rest.quotientAndRemainder(dividingBy: 60)
    DecimalFormat.append(magnitude: UInt64(hour), minimumDigits: 2, to: &buffer)
    if let separator { buffer.append(separator) }
    DecimalFormat.append(magnitude: UInt64(minute), minimumDigits: 2, to: &buffer)
    if let separator { buffer.append(separator) }
    DecimalFormat.append(magnitude: UInt64(second), minimumDigits: 2, to: &buffer)
  }
}

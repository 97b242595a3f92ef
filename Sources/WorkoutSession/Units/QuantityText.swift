internal import TextFormats
package import ZoneEngine

/// Quantities as people read them.
package enum QuantityText {
  /// `0:02:00`, `1:02:03`: hours, minutes and seconds; parts of a second are left out.
  package static func clock(_ time: SessionTime) -> String {
    ascii { append(clock: time, to: &$0) }
  }

  /// Appends the same.
  private static func append(clock time: SessionTime, to bytes: inout [UInt8]) {
    let seconds = UInt64(max(0, time.nanoseconds / 1_000_000_000))
    DecimalFormat.append(magnitude: seconds / 3600, minimumDigits: 1, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    DecimalFormat.append(magnitude: seconds / 60 % 60, minimumDigits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    DecimalFormat.append(magnitude: seconds % 60, minimumDigits: 2, to: &bytes)
  }

  /// `2:05`, `1:02:03`: the same without hours while there are none, as large digits show it.
  package static func shortClock(_ time: SessionTime) -> String {
    let text = clock(time)
    guard text.hasPrefix("0:") else { return text }
    let rest = text.dropFirst(2)
    return String(rest.hasPrefix("0") ? rest.dropFirst() : rest)
  }

  /// `0:02:00` of a span, to the nearest second, so that the spans of a list add up as well as they can.
  package static func clockRounded(_ span: SessionTime) -> String { ascii { append(clockRounded: span, to: &$0) } }

  /// Appends the same.
  package static func append(clockRounded span: SessionTime, to bytes: inout [UInt8]) {
    append(clock: span + SessionTime(nanoseconds: 500_000_000), to: &bytes)
  }

  /// `48 s`: to the nearest second.
  package static func seconds(_ span: SessionTime) -> String { "\(wholeSeconds(span)) s" }

  /// The nearest whole number of seconds.
  package static func wholeSeconds(_ span: SessionTime) -> Int64 {
    (span + SessionTime(nanoseconds: 500_000_000)).nanoseconds / 1_000_000_000
  }

  /// `90 s`, `3 min`, `1 h`, else `0:12:30`: how long a step lasts.
  package static func length(_ span: SessionTime) -> String {
    let seconds = wholeSeconds(span)
    if seconds < 120 { return "\(seconds) s" }
    if seconds % 3600 == 0 { return "\(seconds / 3600) h" }
    return seconds % 60 == 0 && seconds < 7200 ? "\(seconds / 60) min" : clockRounded(span)
  }

  /// `34 min`, to the nearest minute; something that rounds to nothing is `<1 min`.
  package static func minutes(_ span: SessionTime) -> String {
    let minutes = (wholeSeconds(span) + 30) / 60
    return minutes == 0 && span > .zero ? "<1 min" : "\(minutes) min"
  }

  /// `820 B`, `12.3 kB`, `4.5 MB`: thousands, not 1,024s.
  package static func bytes(_ count: Int) -> String {
    if count < 1_000 { return "\(count) B" }
    return count < 999_950
      ? number(Double(count) / 1e3, decimals: 1, unit: " kB") : number(Double(count) / 1e6, decimals: 1, unit: " MB")
  }

  /// A number with that many decimals, with what stands behind it.
  package static func number(_ value: Double, decimals: Int, unit: StaticString = "") -> String {
    ascii { append(value, decimals: decimals, unit: unit, to: &$0) }
  }

  /// `−0.12`: the same with a minus sign of the width of a digit.
  package static func signed(_ value: Double, decimals: Int) -> String {
    number(value, decimals: decimals).replacing("-", with: "−")
  }

  /// Appends the same.
  package static func append(_ value: Double, decimals: Int, unit: StaticString = "", to bytes: inout [UInt8]) {
    DecimalFormat.append(value, decimals: decimals, to: &bytes)
    unit.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  /// `45 %`; something that rounds to nothing is `<1 %`, what rounds to all but is not is `>99 %`.
  package static func percent(_ fraction: Double) -> String {
    ascii { append(percent: fraction, to: &$0) }
  }

  /// Appends the same.
  package static func append(percent fraction: Double, to bytes: inout [UInt8]) {
    let rounded = (fraction * 100).rounded()
    if rounded == 0, fraction > 0 {
      bytes.append(contentsOf: "<1 %".utf8)
    } else if rounded == 100, fraction < 1 {
      bytes.append(contentsOf: ">99 %".utf8)
    } else {
      append(rounded, decimals: 0, unit: " %", to: &bytes)
    }
  }

  /// `119–137`, `to 145`, `from 168`, or `any`.
  package static func range(_ lowerBPM: Int?, _ upperBPM: Int?) -> String {
    switch (lowerBPM, upperBPM) {
    case (let lower?, let upper?): "\(lower)–\(upper)"
    case (nil, let upper?): "to \(upper)"
    case (let lower?, nil): "from \(lower)"
    case (nil, nil): "any"
    }
  }

  /// A text that is made as bytes; a list of ten thousand sessions takes the bytes.
  private static func ascii(_ append: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    append(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

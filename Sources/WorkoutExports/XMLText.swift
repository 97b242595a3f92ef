internal import Recordings
internal import TextFormats
internal import WorkoutSession

/// Text of an XML document, written by hand.
package struct XMLText {
  /// What was written so far, in UTF-8.
  package private(set) var bytes: [UInt8] = []

  /// An empty text.
  package init() {}

  /// Appends text as it is.
  package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a name in which any character may stand: it is cleaned, and the five that XML reserves are escaped.
  mutating func escaped(_ text: String) { escapedWithSpaces(Self.cleaned(text)) }

  /// Appends any text, its spaces as they are: what XML cannot hold is left out, the five that it reserves are escaped.
  package mutating func escapedWithSpaces(_ text: String) {
    for scalar in text.unicodeScalars where Self.isAllowed(scalar) || scalar.properties.isWhitespace {
      switch scalar {
      case "&": raw("&amp;")
      case "<": raw("&lt;")
      case ">": raw("&gt;")
      case "\"": raw("&quot;")
      case "'": raw("&apos;")
      case _ where scalar.value < 0x20: raw(" ")
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
  }

  /// A name as one line: without what XML cannot hold, with single spaces between words and none around them.
  static func cleaned(_ text: String) -> String {
    var words = String.UnicodeScalarView()
    for word in text.unicodeScalars.filter({ isAllowed($0) || $0.properties.isWhitespace })
      .split(whereSeparator: \.properties.isWhitespace)
    {
      if !words.isEmpty { words.append(" ") }
      words.append(contentsOf: word)
    }
    return String(words)
  }

  /// Source: W3C, *Extensible Markup Language (XML) 1.0*, production 2 (Char); and no delete character.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && scalar.value != 0x7F && scalar.value != 0xFFFE && scalar.value != 0xFFFF
  }

  /// Appends the shortest decimal that reads back as the same number, without an exponent.
  ///
  /// - Precondition: `value` is finite.
  mutating func number(_ value: Double) { DecimalFormat.appendShortest(value, to: &bytes, alwaysPlain: true) }

  /// Appends an element that holds a number.
  mutating func element(_ name: String, _ value: Double) {
    raw("<\(name)>")
    number(value)
    raw("</\(name)>")
  }

  /// Appends an element that holds a whole number.
  mutating func element(_ name: String, _ value: UInt8?) {
    guard let value else { return }
    raw("<\(name)>\(value)</\(name)>")
  }

  /// Appends a time in UTC with as many decimals as are needed.
  mutating func time(_ time: WallClockTime) { time.appendISO8601(to: &bytes) }

  /// Gives the text away when it is long.
  mutating func spill(to output: (Span<UInt8>) throws -> Void, above limit: Int = 64 << 10) throws {
    try bytes.spill(to: output, above: limit)
  }
}

extension ExportLosses {
  /// A heart rate as the schemas of TCX and GPX have it: whole beats from 1; 255 means none to some. Counts what is
  /// rounded or left out.
  mutating func wholeBeats(_ beatsPerMinute: Double) -> UInt8? {
    guard !beatsPerMinute.isNaN else { return nil }
    let whole = beatsPerMinute.rounded()
    guard (1...254).contains(whole) else {
      add(.heartRatesOutOfRange)
      return nil
    }
    if whole != beatsPerMinute { add(.heartRatesRounded) }
    return UInt8(whole)
  }

  /// A cadence as TCX and GPX have it: whole strides of one leg, and above 120 of them steps of both feet, as readers
  /// distinguish the two. Counts what is rounded or left out.
  mutating func strides(_ stepsPerMinute: Double) -> UInt8? {
    guard !stepsPerMinute.isNaN else { return nil }
    let strides = (stepsPerMinute / 2).rounded()
    let written = strides > 120 ? stepsPerMinute.rounded() : strides
    guard (0...254).contains(written) else {
      add(.valuesOutOfRange)
      return nil
    }
    if RecordedSport.stepsPerMinute(written) != stepsPerMinute { add(.cadencesRounded) }
    return UInt8(written)
  }

  /// A number that may stand in XML; `nil` and counted when it is beyond what is measured by anything.
  mutating func plausible(_ value: Double, atLeast minimum: Double = -1e15) -> Double? {
    guard !value.isNaN else { return nil }
    guard (minimum...1e15).contains(value) else {
      add(.valuesOutOfRange)
      return nil
    }
    return value
  }

  /// The position of a row; `nil` when there is none, or when its accuracy says that it is invalid, which only a CSV can
  /// state. The meridian 180° east is written as west, as schemas want it.
  mutating func position(of row: RecordedPoint) -> (latitude: Double, longitude: Double)? {
    guard row.hasPosition else { return nil }
    guard !(row.horizontalAccuracy < 0) else {
      add(.invalidPositions)
      return nil
    }
    return (row.latitude, row.longitude == 180 ? -180 : row.longitude)
  }
}

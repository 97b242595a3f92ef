/// The unit in brackets behind the name of a column: `Distance (km)`, `Speed [km/h]`.
struct CSVUnit {
  /// The unit in lower case without spaces; `nil` where nothing stands in brackets.
  private let text: String?

  /// The unit of a column by its name.
  init(ofColumn name: String) {
    let unit = name.drop { $0 != "(" && $0 != "[" }.dropFirst().prefix { $0 != ")" && $0 != "]" }
    let text = unit.lowercased().filter { !$0.isWhitespace && $0 != "." }
    self.text = text.isEmpty ? nil : text
  }

  /// What a column holds whose name has this unit. One that is not known changes nothing; `nil` for one that is known and in
  /// which the column is not read, so that it is left out with a warning instead of being read wrongly.
  func meaning(of meaning: CSVColumns.Meaning) -> CSVColumns.Meaning? {
    guard let text else { return meaning }
    switch meaning {
    case .distance(factor: 1): return Self.meters(text).map { .distance(factor: $0) } ?? meaning
    case .speed(factor: 1):
      if ["min/km", "min/mi", "min/mile", "s/km", "/km", "/mi"].contains(text) { return nil }
      return Self.metersPerSecond(text).map { .speed(factor: $0) } ?? meaning
    case .altitude, .horizontalAccuracy, .verticalAccuracy:
      return [nil, 1].contains(Self.meters(text)) ? meaning : nil
    case .time, .relativeSeconds:
      if ["ms", "msec", "millis", "milliseconds"].contains(text) { return .milliseconds }
      return ["min", "mins", "minutes", "h", "hours", "days", "us", "µs", "ns"].contains(text) ? nil : meaning
    default: return meaning
    }
  }

  /// Metres in one of a unit of length; `nil` for one that is not known.
  private static func meters(_ unit: String) -> Double? {
    switch unit {
    case "m", "meter", "meters", "metre", "metres": 1
    case "km", "kilometer", "kilometers", "kilometre", "kilometres": 1_000
    case "mi", "mile", "miles": 1_609.344
    case "yd", "yard", "yards": 0.914_4
    case "ft", "foot", "feet": 0.304_8
    default: nil
    }
  }

  /// Metres per second in one of a unit of speed; `nil` for one that is not known.
  private static func metersPerSecond(_ unit: String) -> Double? {
    switch unit {
    case "m/s", "mps", "ms": 1
    case "km/h", "kmh", "kph", "kmph": 1 / 3.6
    case "mph", "mi/h": 0.447_04
    case "m/min": 1 / 60.0
    case "kn", "kt", "kts", "knots": 1_852 / 3_600.0
    default: nil
    }
  }
}

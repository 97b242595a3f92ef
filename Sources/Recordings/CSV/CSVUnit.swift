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

  /// What a column holds whose name has this unit. One that is not known changes nothing, unless it looks like a unit; `nil` for
  /// one in which the column is not read, so that it is left out with a warning instead of being read wrongly.
  func meaning(of meaning: CSVColumns.Meaning) -> CSVColumns.Meaning? {
    guard let text else { return meaning }
    switch meaning {
    case .distance(factor: 1):
      if text.contains("/") || ["nm", "nmi", "in", "inch", "inches", "%", "s", "min"].contains(text) { return nil }
      return Self.meters(text).map { .distance(factor: $0) } ?? meaning
    case .speed(factor: 1):
      if let factor = Self.metersPerSecond(text) { return .speed(factor: factor) }
      return text.contains("/") || text.contains("%") || ["rpm", "pace"].contains(text) ? nil : meaning
    case .altitude, .horizontalAccuracy, .verticalAccuracy:
      return [nil, 1].contains(Self.meters(text)) ? meaning : nil
    case .time, .relativeSeconds:
      if ["ms", "msec", "millis", "milliseconds", "millisekunden"].contains(text) || nanoseconds != nil {
        return .milliseconds
      }
      let others = [
        "min", "mins", "minutes", "minuten", "h", "hours", "std", "stunden", "days", "tage", "samples", "frames",
        "ticks",
      ]
      // What is left are parts of a second that are no whole nanoseconds.
      return text.hasPrefix("s/") || others.contains(text) ? nil : meaning
    case .heartRate:
      // Of minimum, mean and maximum the mean is the heart rate.
      return text.contains("%") || ["min", "max", "minimum", "maximum", "hz", "ms", "s", "reserve"].contains(text)
        ? nil : meaning
    case .cadence:
      let others = ["strides/min", "stride/min", "doppelschritte/min", "hz", "1/s", "rps"]
      return text.contains("%") || others.contains(text) ? nil : meaning
    case .latitude, .longitude: return ["rad", "radians", "semicircles"].contains(text) ? nil : meaning
    case .rrInterval:
      return milliseconds == nil && (text.contains("/") || ["bpm", "brpm", "us", "µs"].contains(text)) ? nil : meaning
    // Read as the name says, whatever stands in brackets; the units of motion are `CSVMotionUnits`'.
    case .timeOfDay, .date, .hour, .minute, .second, .milliseconds, .steps, .cumulativeSteps, .fractionalCadence,
      .distance, .speed, .acceleration, .gravity, .rotationRate, .magneticField, .label, .trial, .direction:
      return meaning
    }
  }

  /// Nanoseconds in one of a unit of time that is shorter than a millisecond, or a part of a second; `nil` for any other.
  var nanoseconds: Int64? {
    switch text {
    case "us", "µs", "\u{3BC}s", "microseconds", "micros": 1_000
    case "ns", "nanoseconds", "nanos": 1
    default: partsOfSecond.flatMap { 1_000_000_000 % $0 == 0 ? 1_000_000_000 / $0 : nil }
    }
  }

  /// How many of a unit such as `s/256`, in which clocks of sensors count, are a second; `nil` for any other.
  private var partsOfSecond: Int64? {
    guard let text, text.hasPrefix("s/"), let parts = Int64(text.dropFirst(2)), (2...1_000_000).contains(parts)
    else { return nil }
    return parts
  }

  /// Milliseconds in one of a unit of time between beats; `nil` for any other.
  var milliseconds: Double? {
    switch text {
    case "ms", "msec", "milliseconds": 1
    case "s", "sec", "seconds": 1_000
    default: partsOfSecond.map { 1_000 / Double($0) }
    }
  }

  /// Metres in one of a unit of length; `nil` for one that is not known.
  private static func meters(_ unit: String) -> Double? {
    switch unit {
    case "m", "meter", "meters", "metre", "metres": 1
    case "km", "kilometer", "kilometers", "kilometre", "kilometres": 1_000
    case "cm", "centimeter", "centimeters", "centimetre", "centimetres": 0.01
    case "mm", "millimeter", "millimeters", "millimetre", "millimetres": 0.001
    case "mi", "mile", "miles", "meilen": 1_609.344
    case "yd", "yard", "yards": 0.914_4
    case "ft", "foot", "feet", "fuß": 0.304_8
    default: nil
    }
  }

  /// Metres per second in one of a unit of speed; `nil` for one that is not known.
  private static func metersPerSecond(_ unit: String) -> Double? {
    switch unit {
    case "m/s", "mps", "ms", "ms-1", "ms^-1", "ms⁻¹", "m/sec": 1
    case "km/h", "kmh", "kph", "kmph", "km/std", "km/hr": 1 / 3.6
    case "mph", "mi/h": 0.447_04
    case "m/min": 1 / 60.0
    case "cm/s": 0.01
    case "ft/s", "fps": 0.304_8
    case "kn", "kt", "kts", "knots": 1_852 / 3_600.0
    default: nil
    }
  }
}

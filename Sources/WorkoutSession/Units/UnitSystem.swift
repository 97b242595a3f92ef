internal import TextFormats
package import ZoneEngine

/// The units in which people read distances, paces, speeds and heights. Records, raw logs and CSVs are metric whatever they
/// read.
package enum UnitSystem: String, CaseIterable, Hashable, Sendable {
  /// Metres and kilometres.
  case metric
  /// Feet and miles.
  case imperial

  /// A number as it is read, and what it counts.
  package struct Measure: Hashable, Sendable {
    /// The number: `4.86`, `5:12`.
    package let number: String
    /// The unit: `km`, `/mi`; empty where there is none.
    package let unit: String

    /// Creates a measure.
    package init(_ number: String, _ unit: String) { (self.number, self.unit) = (number, unit) }

    /// Both, with a space between: `4.86 km`.
    package var text: String { unit.isEmpty ? number : number + " " + unit }
  }

  /// The metres of a foot, which is exact.
  package static let metersPerFoot = 0.3048
  /// Metres under which a distance is read in feet.
  private static let leastMilesMeters = 304.8

  /// The metres of a kilometre or of a mile: what a pace is for, and after which a split is counted.
  package var splitMeters: Double {
    switch self {
    case .metric: 1_000
    case .imperial: QuantityUnit.metersPerMile
    }
  }

  /// What ``splitMeters`` are written like: `km`, `mi`.
  package var splitUnit: String {
    switch self {
    case .metric: "km"
    case .imperial: "mi"
    }
  }

  /// What stands over a table of splits: `Kilometres`, `Miles`.
  package var splitsTitle: String {
    switch self {
    case .metric: "Kilometres"
    case .imperial: "Miles"
    }
  }

  /// `840 m`, `4.86 km`; `820 ft`, `3.02 mi`.
  package func distance(meters: Double) -> String {
    var bytes: [UInt8] = []
    append(distanceMeters: meters, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the same; a list of ten thousand sessions takes the bytes.
  package func append(distanceMeters meters: Double, to bytes: inout [UInt8]) {
    switch self {
    case .metric where meters < 999.5: QuantityText.append(meters, decimals: 0, unit: " m", to: &bytes)
    case .metric: QuantityText.append(meters / 1_000, decimals: 2, unit: " km", to: &bytes)
    case .imperial where meters < Self.leastMilesMeters - 0.05:
      QuantityText.append(meters / Self.metersPerFoot, decimals: 0, unit: " ft", to: &bytes)
    case .imperial: QuantityText.append(meters / splitMeters, decimals: 2, unit: " mi", to: &bytes)
    }
  }

  /// Metres and feet with a digit more than is shown elsewhere, miles with two more, so that two values can be distinguished.
  package func fineDistance(meters: Double) -> String {
    switch self {
    case .metric: QuantityText.number(meters, decimals: 1, unit: " m")
    case .imperial where meters < Self.leastMilesMeters - 0.05:
      QuantityText.number(meters / Self.metersPerFoot, decimals: 1, unit: " ft")
    case .imperial: QuantityText.number(meters / splitMeters, decimals: 4, unit: " mi")
    }
  }

  /// `30 km`, `18.6 mi`: what somebody wants to come to.
  package func goal(kilometers: Double) -> String {
    let amount = kilometers * 1_000 / splitMeters
    return QuantityText.number(amount, decimals: amount == amount.rounded() ? 0 : 1) + " " + splitUnit
  }

  /// A round length in these units, in metres, by what rounds a number down to one.
  package func roundMeters(upTo meters: Double, _ rounded: (Double) -> Double) -> Double {
    switch self {
    case .metric: rounded(meters)
    case .imperial:
      meters < splitMeters / 2
        ? rounded(meters / Self.metersPerFoot) * Self.metersPerFoot : rounded(meters / splitMeters) * splitMeters
    }
  }

  /// The same as number and unit.
  package func distanceMeasure(meters: Double) -> Measure { Self.measure(distance(meters: meters)) }

  /// A height or an ascent: `34 m`, `112 ft`.
  package func elevation(meters: Double) -> String {
    switch self {
    case .metric: QuantityText.number(meters, decimals: 0, unit: " m")
    case .imperial: QuantityText.number(meters / Self.metersPerFoot, decimals: 0, unit: " ft")
    }
  }

  /// `5:12 /km`, `8:22 /mi`; `nil` when a kilometre would take an hour or longer, which is standing still.
  package func pace(secondsPerKilometer seconds: Double) -> String? {
    guard seconds > 0, seconds < 3_599.5 else { return nil }
    return Pace.text(secondsPerKilometer: seconds * splitMeters / 1_000) + " /" + splitUnit
  }

  /// `28.4 km/h`, `17.6 mph`.
  package func speed(metersPerSecond speed: Double) -> String {
    switch self {
    case .metric: QuantityText.number(speed * 3.6, decimals: 1, unit: " km/h")
    case .imperial: QuantityText.number(speed * 3_600 / splitMeters, decimals: 1, unit: " mph")
    }
  }

  /// `400 m`, `1 km`, `1.61 km`; `328 ft`, `1 mi`, `0.25 mi`: what a step lasts, without needless digits.
  package func length(meters: Double) -> String {
    switch self {
    case .metric where meters < 1_000: return QuantityText.number(meters, decimals: 0, unit: " m")
    case .imperial where meters < splitMeters / 10: return elevation(meters: meters)
    case .metric, .imperial:
      // In hundredths first, so that 1.2 km is not written with the digits that its binary fraction has.
      let count = (meters / splitMeters * 100).rounded() / 100
      let decimals = count == count.rounded() ? 0 : (count * 10).rounded() == count * 10 ? 1 : 2
      return QuantityText.number(count, decimals: decimals) + " " + splitUnit
    }
  }

  /// How long a step of a plan lasts: `90 s`, `3 min`, `400 m`, `until a lap`.
  package func length(_ length: StepLength) -> String {
    switch length {
    case .untilLap: "until a lap"
    case .time(let span): QuantityText.length(span)
    case .distance(let meters): self.length(meters: meters)
    }
  }

  /// A text of a number, a space and a unit as these two.
  package static func measure(_ text: String) -> Measure {
    guard let space = text.firstIndex(of: " ") else { return Measure(text, "") }
    return Measure(String(text[..<space]), String(text[text.index(after: space)...]))
  }
}

extension SpeedMeasure {
  /// `5:12 /km`, `8:22 /mi`, or `28.4 km/h`, `17.6 mph`; `nil` when a kilometre would take an hour or longer.
  package func text(secondsPerKilometer seconds: Double, _ units: UnitSystem) -> String? {
    guard let pace = units.pace(secondsPerKilometer: seconds) else { return nil }
    switch self {
    case .pace: return pace
    case .speed: return units.speed(metersPerSecond: 1_000 / seconds)
    }
  }

  /// The same of a speed; `nil` at a standstill.
  package func text(metersPerSecond speed: Double, _ units: UnitSystem) -> String? {
    Pace.secondsPerKilometer(metersPerSecond: speed).flatMap { text(secondsPerKilometer: $0, units) }
  }

  /// The same as number and unit.
  package func measure(metersPerSecond speed: Double, _ units: UnitSystem) -> UnitSystem.Measure? {
    text(metersPerSecond: speed, units).map(UnitSystem.measure)
  }
}

extension QuantityBand {
  /// The same limits as somebody reads them who reads miles; who reads kilometres reads them as they were asked for.
  package func read(in units: UnitSystem) -> QuantityBand {
    let other: QuantityUnit =
      switch (units, unit) {
      case (.imperial, .secondsPerKilometer): .secondsPerMile
      case (.imperial, .kilometersPerHour), (.imperial, .metersPerSecond): .milesPerHour
      case (.metric, _), (.imperial, .secondsPerMile), (.imperial, .milesPerHour), (.imperial, .stepsPerMinute),
        (.imperial, .alpha1):
        unit
      }
    guard other != unit else { return self }
    let limits = [lower, upper].map { other.shown(unit.value(ofShown: $0)) }
    // A limit at the edge of what is plausible may lie beyond it by its rounding.
    return (try? QuantityBand(quantity, other, limits[0], limits[1])) ?? self
  }
}

extension TrainingTarget {
  /// What a step asks for, in short: `z3`, `119-137`, `8:35–9:07 /mi`, `no target`.
  package func shortText(in zones: HeartRateZones, _ units: UnitSystem) -> String {
    switch self {
    case .open: "no target"
    case .quantity(let band): band.read(in: units).rangeText
    case .zone, .range: text(in: zones)
    }
  }
}

extension ResolvedTarget {
  /// `119–137`, `8:35–9:07 /mi`, `170–180 spm`.
  package func range(in units: UnitSystem) -> String { quantity?.read(in: units).rangeText ?? rangeText }

  /// `119–137 bpm`, `8:35–9:07 /mi`, `170–180 spm`.
  package func text(in units: UnitSystem) -> String { quantity?.read(in: units).rangeText ?? rangeTextWithUnit }
}

package import ZoneEngine

extension HeartRateZone {
  /// `Z2`, `Z5a`.
  package var shortLabel: String { "Z" + label }
}

extension HeartRateZones {
  /// `Z2`; `<Z1` under the zones, `>Z5` over them.
  package func shortLabel(of band: Band) -> String {
    switch band {
    case .below: "<" + (zones.first?.shortLabel ?? "")
    case .zone(let number): zones[number - 1].shortLabel
    case .aboveMaximum: ">" + (zones.last?.shortLabel ?? "")
    }
  }

  /// `Z2 Weight control`; `below Z1`, `above Z5`.
  package func title(of band: Band) -> String {
    switch band {
    case .below: "below " + (zones.first?.shortLabel ?? "")
    case .zone(let number): zones[number - 1].shortLabel + " " + zones[number - 1].name
    case .aboveMaximum: "above " + (zones.last?.shortLabel ?? "")
    }
  }

  /// The limits in beats per minute: `119–137`, `under 98`, `over 197`.
  package func range(of band: Band) -> String {
    switch band {
    case .below: zones.first?.lowerBPM.map { "under \($0)" } ?? ""
    case .zone(let number): QuantityText.range(zones[number - 1].lowerBPM, zones[number - 1].upperBPM)
    case .aboveMaximum: zones.last?.upperBPM.map { "over \($0)" } ?? ""
    }
  }

  /// The bands that a heart rate can lie in: without the ones beyond an open end.
  package var possibleBands: [Band] {
    bands.filter { band in
      switch band {
      case .below: zones.first?.lowerBPM != nil
      case .zone: true
      case .aboveMaximum: zones.last?.upperBPM != nil
      }
    }
  }
}

extension ResolvedTarget {
  /// `119–137`, `to 145`, `from 168`; `5:20–5:40 /km`, `170–180 spm`.
  package var rangeText: String { quantity?.rangeText ?? QuantityText.range(lowerBPM, upperBPM) }

  /// The same with the unit of a heart rate: `119–137 bpm`.
  package var rangeTextWithUnit: String { quantity?.rangeText ?? rangeText + " bpm" }

  /// The target where it asks for a heart rate, as pictures of a heart rate show it.
  package var ofHeartRate: ResolvedTarget? { quantity == nil ? self : nil }
}

extension Band {
  /// The band where sessions of several zone models are added up: `Z2`; `below Z1` under the zones, `above` over them.
  package var periodLabel: String {
    switch self {
    case .below: "below Z1"
    case .zone(let number): "Z\(number)"
    case .aboveMaximum: "above"
    }
  }
}

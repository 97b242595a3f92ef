internal import ZoneEngine

extension HeartRateZone {
  /// `Z2`, `Z5a`.
  var shortLabel: String { "Z" + label }

  /// The colour of the zone.
  var ink: Ink? { Ink(rawValue: color) }
}

extension HeartRateZones {
  /// `Z2`; `<Z1` under the zones, `>Z5` over them.
  func shortLabel(of band: Band) -> String {
    switch band {
    case .below: "<" + (zones.first?.shortLabel ?? "")
    case .zone(let number): zones[number - 1].shortLabel
    case .aboveMaximum: ">" + (zones.last?.shortLabel ?? "")
    }
  }

  /// `Z2 Weight control`; `below Z1`, `above Z5`.
  func title(of band: Band) -> String {
    switch band {
    case .below: "below " + (zones.first?.shortLabel ?? "")
    case .zone(let number): zones[number - 1].shortLabel + " " + zones[number - 1].name
    case .aboveMaximum: "above " + (zones.last?.shortLabel ?? "")
    }
  }

  /// The limits in beats per minute: `119–137`, `under 98`, `over 197`.
  func range(of band: Band) -> String {
    switch band {
    case .below: zones.first?.lowerBPM.map { "under \($0)" } ?? ""
    case .zone(let number): QuantityText.range(zones[number - 1].lowerBPM, zones[number - 1].upperBPM)
    case .aboveMaximum: zones.last?.upperBPM.map { "over \($0)" } ?? ""
    }
  }

  /// The colour of a band: gray under the zones, magenta over them.
  func ink(of band: Band) -> Ink? {
    switch band {
    case .below: .gray
    case .zone(let number): zones[number - 1].ink
    case .aboveMaximum: .magenta
    }
  }

  /// The bands that a heart rate can lie in: without the ones beyond an open end.
  var possibleBands: [Band] {
    bands.filter { band in
      switch band {
      case .below: zones.first?.lowerBPM != nil
      case .zone: true
      case .aboveMaximum: zones.last?.upperBPM != nil
      }
    }
  }

  /// The columns that the widest title takes.
  var titleWidth: Int { possibleBands.map { title(of: $0).count }.max() ?? 0 }
}

extension ResolvedTarget {
  /// `119–137`, `to 145`, `from 168`.
  var rangeText: String { QuantityText.range(lowerBPM, upperBPM) }
}

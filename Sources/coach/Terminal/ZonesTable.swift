import WorkoutSession
import ZoneEngine

/// The zones of a person as a table.
struct ZonesTable: Sendable {
  /// The zones.
  let zones: HeartRateZones

  /// A table of these zones.
  init(_ zones: HeartRateZones) { self.zones = zones }

  /// The lines, each in at most `width` columns.
  func lines(width: Int) -> [StyledText] {
    let share = zones.maximum.map { maximum in zones.zones.map { Self.share($0, of: maximum.beatsPerMinute) } }
    let nameWidth = zones.zones.map { StyledText($0.name).width }.max() ?? 0
    let labelWidth = zones.zones.map(\.shortLabel.count).max() ?? 0
    let ranges = zones.zones.map { QuantityText.range($0.lowerBPM, $0.upperBPM) }
    let rangeWidth = ranges.map { StyledText($0).width }.max() ?? 0
    let rows = zones.zones.enumerated().map { index, zone in
      var parts = [
        StyledText("█ ", .ink(zone.ink)) + StyledText(zone.shortLabel, .bold(zone.ink)).padded(to: labelWidth),
        StyledText(zone.name).padded(to: nameWidth),
        StyledText(ranges[index]).padded(to: rangeWidth) + StyledText(" bpm", .dim),
      ]
      let color = StyledText(zone.color, .ink(zone.ink))
      if width >= 60 {
        parts.append(color.padded(to: 7))
        if let share { parts.append(StyledText(share[index], .dim)) }
      } else if parts.joined(by: .spaces(2)).width + 2 + 7 <= width - 2 {
        parts.append(color)
      }
      return (.spaces(2) + parts.joined(by: .spaces(2))).withoutTrailingSpaces.cut(to: width)
    }
    return heading.map { $0.cut(to: width) } + [.empty] + rows
  }

  private var heading: [StyledText] {
    let model: String
    switch zones.model {
    case .percentOfMaximum: model = "percent of the maximum"
    case .heartRateReserve(let resting): model = "heart-rate reserve, resting \(resting) bpm"
    case .percentOfThreshold(let threshold, let scheme):
      model = "\(scheme.rawValue), threshold \(threshold) bpm"
    case .threeZone(let first, let second): model = "thresholds \(first) and \(second) bpm"
    case .custom: model = "own limits"
    }
    var lines = [StyledText("Zones", .bold) + StyledText("    \(model)")]
    if let maximum = zones.maximum {
      let source: String
      switch maximum.source {
      case .measured: source = "measured"
      case .estimated: source = "estimated"
      case .formula(let formula): source = "estimated by \(formula.rawValue)"
      }
      lines.append(StyledText("Maximum", .bold) + StyledText("  \(maximum.beatsPerMinute) bpm, \(source)"))
    }
    return lines
  }

  private static func share(_ zone: HeartRateZone, of maximum: Int) -> String {
    func percent(_ bpm: Int) -> Int { (bpm * 200 / maximum + 1) / 2 }
    return QuantityText.range(zone.lowerBPM.map(percent), zone.upperBPM.map(percent)) + " % of the maximum"
  }
}

import WorkoutSession
import ZoneEngine

/// The time in each band as bars.
struct BandBars: Sendable {
  private struct Row {
    let band: Band?
    let duration: SessionTime
    let isTarget: Bool
  }

  private let rows: [Row]
  private let active: SessionTime
  private let zones: HeartRateZones

  /// The bars of a session; the zone of `target` is marked.
  init(_ summary: SessionSummary, zones: HeartRateZones, target: ResolvedTarget?) {
    self.zones = zones
    active = summary.active
    let possible = zones.possibleBands
    rows =
      summary.inBand.filter { possible.contains($0.band) }.map { band, duration in
        let isTarget = if case .zone(let number) = target?.target { band == .zone(number) } else { false }
        return Row(band: band, duration: duration, isTarget: isTarget)
      } + [Row(band: nil, duration: summary.noData, isTarget: false)]
  }

  /// The lines in at most `width` columns: the names go when there is no room for them.
  func lines(width: Int) -> [StyledText] {
    let hasNames = width >= 60
    let heads = rows.map { row in
      let style = Style(ink: row.band.flatMap(zones.ink) ?? .gray, isDim: row.duration == .zero)
      let mark = StyledText(row.isTarget ? "▸ " : "  ", .bold)
      guard let band = row.band else { return mark + StyledText("no data", style) }
      return mark + StyledText(hasNames ? zones.title(of: band) : zones.shortLabel(of: band), style)
    }
    let ranges = rows.map { StyledText($0.band.map(zones.range) ?? "") }
    let gap = hasNames ? 2 : 1
    let headWidth = zip(rows, heads).filter { $0.0.band != nil }.map(\.1.width).max() ?? 0
    // The row without data has no range, so that its head may reach into that column.
    let rangeWidth = max(ranges.map(\.width).max() ?? 0, (heads.last?.width ?? 0) - headWidth - gap)
    let rest = headWidth + rangeWidth + 7 + 5 + 4 * gap
    let barWidth = min(60, width - rest)
    let longest = rows.map(\.duration).max() ?? .zero
    return zip(rows, zip(heads, ranges)).map { row, texts in
      let share = longest > .zero ? row.duration.seconds / longest.seconds : 0
      let fraction = active > .zero ? row.duration.seconds / active.seconds : 0
      let bar = StyledText(
        row.band == nil ? Self.lightBar(share, width: barWidth) : Self.bar(share, width: barWidth),
        .ink(row.band.flatMap(zones.ink) ?? .gray))
      let numbers = row.duration > .zero ? Style.plain : .dim
      return [
        (texts.0.padded(to: headWidth + gap) + texts.1).padded(to: headWidth + gap + rangeWidth),
        bar.padded(to: max(0, barWidth)),
        StyledText(QuantityText.clockRounded(row.duration), numbers),
        StyledText(QuantityText.percent(fraction), numbers).aligned(to: 5),
      ].joined(by: .spaces(gap)).cut(to: width)
    }
  }

  /// A bar in eighths of a column; anything above nothing is seen.
  static func bar(_ share: Double, width: Int) -> String {
    guard width > 0, share > 0 else { return "" }
    let eighths = max(1, Int((share * Double(width) * 8).rounded()))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }

  private static func lightBar(_ share: Double, width: Int) -> String {
    guard width > 0, share > 0 else { return "" }
    return String(repeating: "░", count: max(1, Int((share * Double(width)).rounded())))
  }
}

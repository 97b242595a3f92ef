import WorkoutSession
import ZoneEngine

/// The course of the heart rate drawn in text.
///
/// The line is made of braille dots, or of stars in ASCII, in the colours of the zones. The limits of the target are
/// dotted lines behind it, and for a session with one target the axis beside the target is heavy. Where there was no
/// heart rate for more than 15 s there is no line.
struct CurveView: Sendable {
  /// The lines; none when there was no heart rate.
  let lines: [StyledText]

  /// Columns left of the plot: a label of three digits, a space and the axis.
  private static let margin = 6

  /// Draws a curve.
  init(
    _ curve: HeartRateCurve, until end: SessionTime, zones: HeartRateZones, targets: TargetTimeline, units: UnitSystem,
    width: Int,
    glyphs: GlyphSet
  ) {
    let columns = max(4, width - Self.margin)
    let points = CurvePoints(curve.means(columns: columns * 2, until: end), over: max(end, .seconds(1)))
    let limits = targets.targets.flatMap { [$0.lowerBPM, $0.upperBPM] }.compactMap { $0.map(Double.init) }
    let shown = points.known + limits
    guard !points.known.isEmpty, let lowest = shown.min(), let highest = shown.max() else {
      lines = []
      return
    }
    let scale = CurveScale(from: lowest, to: highest)
    let plot = Plot(
      canvas: points.drawn(scale), scale: scale, times: TimeScale(until: end, columns: columns), zones: zones,
      targets: targets, glyphs: glyphs)
    lines = ([Self.title(targets, units, width: width)] + (0..<plot.scale.rows).map(plot.line) + plot.timeAxis).map {
      $0.cut(to: width)
    }
  }

  private static func title(_ targets: TargetTimeline, _ units: UnitSystem, width: Int) -> StyledText {
    let title = StyledText("Heart rate", .bold) + StyledText(" in bpm", .dim)
    if let only = targets.only { return title + StyledText(", ┃ target \(only.range(in: units))", .dim) }
    guard !targets.targets.isEmpty else { return title }
    return [title + StyledText(", ┄ limits of the targets", .dim), title + StyledText(", ┄ targets", .dim)]
      .fitting(width)
  }
}

/// The parts of a picture of the heart rate, from which its lines are made.
private struct Plot {
  let canvas: BrailleCanvas
  let scale: CurveScale
  let times: TimeScale
  let zones: HeartRateZones
  let targets: TargetTimeline
  let glyphs: GlyphSet

  /// The line of a row, from the top.
  func line(ofRow row: Int) -> StyledText {
    var line = axis(ofRow: row)
    for column in 0..<canvas.columns {
      if let character = canvas.character(column: column, row: row) {
        let bpm = canvas.middle(column: column, row: row).map(scale.bpm(atPlace:)) ?? 0
        let band = zones.band(ofDisplayedBPM: HeartRateZones.displayed(bpm))
        line += StyledText(glyphs == .unicode ? String(character) : "*", .ink(zones.ink(of: band)))
      } else if let target = targets.target(at: times.time(ofColumn: column))?.ofHeartRate,
        target.lowerBPM.map(scale.row) == row || target.upperBPM.map(scale.row) == row
      {
        line += StyledText("┄", .dim)
      } else {
        line += .spaces(1)
      }
    }
    return line.withoutTrailingSpaces
  }

  private func axis(ofRow row: Int) -> StyledText {
    var label = (scale.rows - 1 - row) % 2 == 0 ? scale.middle(ofRow: row) : nil
    var isTarget = false
    if let only = targets.only?.ofHeartRate {
      let lower = only.lowerBPM.map(scale.row)
      let upper = only.upperBPM.map(scale.row)
      if lower == row { label = only.lowerBPM }
      if upper == row { label = only.upperBPM }
      isTarget = row <= lower ?? .max && row >= upper ?? 0
    }
    let tick = isTarget ? (label == nil ? "┃" : "┫") : (label == nil ? "│" : "┤")
    return StyledText(label.map(String.init) ?? "", .dim).aligned(to: 4) + .spaces(1)
      + StyledText(tick, isTarget ? .bold : .dim)
  }

  /// The axis of the time with its labels.
  var timeAxis: [StyledText] {
    var axis = [Character](repeating: "─", count: canvas.columns)
    var labels = StyledText.empty
    for (column, time) in times.marks {
      axis[column] = "┬"
      let label = StyledText(QuantityText.clock(time), .dim)
      if column + label.width <= canvas.columns { labels = labels.padded(to: column) + label }
    }
    return [.spaces(5) + StyledText("└" + String(axis), .dim), (.spaces(6) + labels).withoutTrailingSpaces]
  }
}

import LiveCoaching
import WorkoutSession
import ZoneEngine

/// The heart rate of the last minutes as a curve, with the band of the target behind it.
struct RecentCurve: Sendable {
  /// The lines from the top, at most as many as there is room for.
  let lines: [StyledText]

  /// Columns left of the plot: a label of three digits, and the axis.
  private static let margin = 4

  /// Draws the last five minutes, or ten where there is room.
  init(
    _ course: RecentCourse, until end: SessionTime, zones: HeartRateZones, targets: TargetTimeline, size: ScreenSize,
    glyphs: GlyphSet
  ) {
    let hasTimes = size.rows >= 5
    let columns = size.columns - Self.margin
    guard size.rows >= 2, columns >= 10 else {
      lines = []
      return
    }
    let seconds = columns >= 100 ? RecentCourse.reach : RecentCourse.reach / 2
    let points = CurvePoints(course.means(columns * 2, last: seconds, until: end), over: .seconds(seconds))
    let visible = targets.targets(from: end - .seconds(seconds), to: end)
    let limits = visible.flatMap { [$0.lowerBPM, $0.upperBPM] }.compactMap { $0.map(Double.init) }
    let shown = points.known + limits
    // Without any heart rate the band alone shows where it will be.
    let lowest = shown.min() ?? 100
    let highest = shown.max() ?? 150
    let rows = min(16, size.rows - (hasTimes ? 1 : 0))
    let scale = CurveScale(from: lowest, to: highest, rows: rows...rows)
    let plot = RecentPlot(
      canvas: points.drawn(scale), scale: scale, zones: zones, targets: targets, start: end - .seconds(seconds),
      span: .seconds(seconds), glyphs: glyphs)
    lines = (0..<rows).map(plot.line) + (hasTimes ? [plot.times] : [])
  }
}

/// The parts from which the lines are made.
private struct RecentPlot {
  let canvas: BrailleCanvas
  let scale: CurveScale
  let zones: HeartRateZones
  let targets: TargetTimeline
  let start: SessionTime
  let span: SessionTime
  let glyphs: GlyphSet

  func line(ofRow row: Int) -> StyledText {
    let label = (scale.rows - 1 - row) % 2 == 0 || scale.rows < 4 ? "\(scale.middle(ofRow: row))" : ""
    var line = StyledText(label, .dim).aligned(to: 3) + StyledText("│", .dim)
    var band = (target: ResolvedTarget?.none, rows: Range<Int>?.none)
    for column in 0..<canvas.columns {
      if let character = canvas.character(column: column, row: row) {
        let bpm = canvas.middle(column: column, row: row).map(scale.bpm(atPlace:)) ?? 0
        let ink = zones.ink(of: zones.band(ofDisplayedBPM: HeartRateZones.displayed(bpm)))
        line += StyledText(glyphs == .unicode ? String(character) : "*", .bold(ink))
        continue
      }
      let target = targets.target(at: max(.zero, time(ofColumn: column)))?.ofHeartRate
      if target != band.target || band.rows == nil { band = (target, target.map(rows(of:))) }
      line += band.rows?.contains(row) == true ? StyledText("·", .dim) : .spaces(1)
    }
    return line
  }

  /// The labels of the time, minutes before now.
  var times: StyledText {
    let minutes = Int(span.seconds) / 60
    var line = StyledText.spaces(3)
    for minute in stride(from: minutes, to: 0, by: minutes > 5 ? -2 : -1) {
      let column = 4 + (minutes - minute) * canvas.columns / minutes
      line = line.padded(to: column) + StyledText("−\(minute) min", .dim)
    }
    return line.padded(to: 4 + canvas.columns - 3) + StyledText("now", .dim)
  }

  private func time(ofColumn column: Int) -> SessionTime {
    start + SessionTime(nanoseconds: span.nanoseconds / Int64(canvas.columns) * Int64(column))
  }

  private func rows(of target: ResolvedTarget) -> Range<Int> {
    let upper = target.upperBPM.map(scale.row) ?? 0
    let lower = target.lowerBPM.map(scale.row) ?? scale.rows - 1
    return min(upper, lower)..<(max(upper, lower) + 1)
  }
}

import ZoneEngine

/// The target as a band on a scale, with the heart rate as a needle.
struct TargetGauge: Sendable {
  /// The width of a target that is open at one side, in bpm.
  private static let openWidth = 20

  /// The heart rates at both ends, in bpm.
  let ends: ClosedRange<Int>
  private let target: ResolvedTarget

  /// The gauge of a target: as much room at both sides as the band is wide, at least 15 bpm.
  init(_ target: ResolvedTarget) {
    self.target = target
    let lower = target.lowerBPM ?? (target.upperBPM ?? 0) - Self.openWidth
    let upper = target.upperBPM ?? (target.lowerBPM ?? 0) + Self.openWidth
    let room = max(15, upper - lower)
    ends = (lower - room)...(upper + room)
  }

  /// The line in exactly `width` columns; without a heart rate there is no needle.
  ///
  /// - Precondition: `width` has room for two numbers and some scale, at least 20.
  func line(_ bpm: Int?, ink: Ink?, width: Int) -> StyledText {
    let low = StyledText("\(ends.lowerBound)", .dim) + .spaces(1)
    let high = .spaces(1) + StyledText("\(ends.upperBound)", .dim)
    let columns = width - low.width - high.width
    precondition(columns > 0, "a gauge has columns")
    let needle = bpm.map { column(Double($0), of: columns) }
    let band =
      column(
        Double(target.lowerBPM ?? ends.lowerBound), of: columns)...column(
        Double(target.upperBPM ?? ends.upperBound), of: columns)
    var line = low
    for column in 0..<columns {
      if column == needle {
        line += StyledText("◆", .bold(ink))
      } else if band.contains(column) {
        line += StyledText("━", .bold)
      } else {
        line += StyledText("─", .dim)
      }
    }
    return line + high
  }

  /// The column of a heart rate; one that lies beyond the scale stands at its end.
  func column(_ bpm: Double, of columns: Int) -> Int {
    let share = (bpm - Double(ends.lowerBound)) / Double(ends.upperBound - ends.lowerBound)
    return min(columns - 1, max(0, Int(share * Double(columns))))
  }
}

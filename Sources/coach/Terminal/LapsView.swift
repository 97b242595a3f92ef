import WorkoutSession
import ZoneEngine

/// What the laps of a session and the steps of its plan came to, a line each.
struct LapsView: Sendable {
  /// The lines from the top, none wider than asked for; none without laps.
  let lines: [StyledText]

  /// The view of laps.
  init(_ laps: [SessionLap], _ measure: SpeedMeasure, units: UnitSystem, width: Int) {
    guard !laps.isEmpty else {
      lines = []
      return
    }
    let hasMeters = laps.contains { $0.meters != nil }
    let hasNames = laps.contains { $0.name != nil }
    var columns = [TextTable.Column(title: "lap", isNumber: true)]
    if hasNames { columns.append(TextTable.Column(title: "", limit: 24)) }
    columns.append(TextTable.Column(title: "from", isNumber: true, rank: 3))
    columns.append(TextTable.Column(title: "time", isNumber: true))
    if hasMeters {
      columns.append(TextTable.Column(title: "distance", isNumber: true, rank: 1))
      columns.append(TextTable.Column(title: measure.title, isNumber: true))
    }
    columns.append(TextTable.Column(title: "bpm", isNumber: true))
    columns.append(TextTable.Column(title: "max", isNumber: true, rank: 2))
    let rows = laps.enumerated().map { index, lap -> [TextTable.Cell] in
      var cells: [String?] = ["\(index + 1)"]
      if hasNames { cells.append(lap.name) }
      cells += [QuantityText.clock(lap.start), QuantityText.clockRounded(lap.active)]
      if hasMeters {
        cells.append(lap.meters.map { units.distance(meters: $0) })
        cells.append(lap.paceSecondsPerKilometer.flatMap { measure.text(secondsPerKilometer: $0, units) })
      }
      for beats in [lap.heartRates.mean, lap.heartRates.maximum] {
        cells.append(beats.map { QuantityText.number($0, decimals: 0) })
      }
      return cells.map { .text($0) }
    }
    lines = [StyledText("Laps", .bold).cut(to: width)] + TextTable(columns, rows).lines(width: width)
  }
}

import ZoneEngine

/// The vertical axis of a heart-rate curve: every row stands for a round heart rate and the span around it.
struct CurveScale: Hashable, Sendable {
  /// Beats per minute of a row.
  let step: Int
  /// How many rows there are.
  let rows: Int
  private let top: Int

  /// An axis that shows every heart rate from `lowest` to `highest` in one of some counts of rows.
  ///
  /// - Precondition: `lowest` is not over `highest`, and both are heart rates; there is at least one row.
  init(from lowest: Double, to highest: Double, rows counts: ClosedRange<Int> = 6...13) {
    precondition(lowest <= highest, "an axis goes upwards")
    precondition(counts.lowerBound > 0, "an axis has rows")
    func index(_ value: Double, _ step: Int) -> Int { Int((value / Double(step)).rounded()) }
    step =
      [2, 5, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 300]
      .first { index(highest, $0) - index(lowest, $0) < counts.upperBound } ?? 600
    let bottom = index(lowest, step)
    let needed = min(counts.upperBound, index(highest, step) - bottom + 1)
    rows = max(counts.lowerBound, needed)
    top = bottom + needed - 1 + (rows - needed + 1) / 2
  }

  /// The heart rate in the middle of a row, counted from the top.
  func middle(ofRow row: Int) -> Int { (top - row) * step }

  /// The place of a heart rate in rows from the top edge; 0 is the top edge, ``rows`` the bottom edge.
  func place(_ bpm: Double) -> Double {
    min(max(0, Double(top) + 0.5 - bpm / Double(step)), Double(rows).nextDown)
  }

  /// The heart rate at a place.
  func bpm(atPlace place: Double) -> Double { (Double(top) + 0.5 - place) * Double(step) }

  /// The row of a heart rate, counted from the top.
  func row(_ bpm: Int) -> Int { Int(place(Double(bpm))) }
}

/// The horizontal axis of a heart-rate curve: round times that are far enough apart for their labels.
struct TimeScale: Hashable, Sendable {
  /// The time between two marks.
  let step: SessionTime
  private let end: SessionTime
  private let columns: Int

  /// An axis over `columns` columns.
  init(until end: SessionTime, columns: Int) {
    self.end = max(end, .seconds(1))
    self.columns = columns
    let least = self.end.seconds * 10 / Double(columns)
    let seconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200]
      .first { Double($0) >= least }
    step = .seconds(seconds ?? 86_400 * max(1, Int(least / 86_400 + 1)))
  }

  /// The marks from the left: the column and the time.
  var marks: [(column: Int, time: SessionTime)] {
    var marks: [(column: Int, time: SessionTime)] = []
    var time = SessionTime.zero
    while time < end {
      let column = Int(time.seconds / end.seconds * Double(columns))
      if column < columns { marks.append((column, time)) }
      time += step
    }
    return marks
  }

  /// The time in the middle of a column.
  func time(ofColumn column: Int) -> SessionTime {
    SessionTime(seconds: (Double(column) + 0.5) / Double(columns) * end.seconds) ?? .zero
  }
}

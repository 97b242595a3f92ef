import ZoneEngine

/// The points of a heart-rate curve, equal spans apart, two to a column of a terminal.
struct CurvePoints: Sendable {
  /// The heart rates in bpm; `nil` where there is no line.
  let values: [Double?]

  /// Points over a span; holes over which a heart rate holds are closed by a straight line.
  ///
  /// - Precondition: their count is even and positive.
  init(_ means: [Double?], over span: SessionTime) {
    precondition(!means.isEmpty && means.count.isMultiple(of: 2), "two points stand in a column")
    let columnSeconds = span.seconds / Double(means.count)
    let widest = Int((CoachingEngine.holdLimit.seconds / columnSeconds).rounded(.up))
    var points = means
    var last: (column: Int, value: Double)?
    for (column, value) in means.enumerated() {
      guard let value else { continue }
      if let last, column - last.column > 1, column - last.column <= widest {
        let slope = (value - last.value) / Double(column - last.column)
        for hole in (last.column + 1)..<column { points[hole] = last.value + slope * Double(hole - last.column) }
      }
      last = (column, value)
    }
    values = points
  }

  /// The heart rates that are known.
  var known: [Double] { values.compactMap(\.self) }

  /// The line as dots.
  func drawn(_ scale: CurveScale) -> BrailleCanvas {
    var canvas = BrailleCanvas(columns: values.count / 2, rows: scale.rows)
    var last: Int?
    for (x, point) in values.enumerated() {
      guard let point else {
        last = nil
        continue
      }
      let y = Int(scale.place(point) * 4)
      if let from = last, abs(y - from) > 1 {
        // A steep part belongs half to the column before and half to this one.
        let middle = (from + y) / 2
        for dot in min(from, middle)...max(from, middle) { canvas.set(x - 1, dot) }
        for dot in min(middle, y)...max(middle, y) { canvas.set(x, dot) }
      }
      canvas.set(x, y)
      last = y
    }
    return canvas
  }
}

internal import WorkoutSession
internal import ZoneEngine

/// The hours of a day: steps as bars and the heart rate as hearts in one chart, then both in a table.
struct HourlyView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The view of a day; `utcOffsetSeconds` tells what the clock shows at the beginning of an hour.
  init(_ hours: [HistoryHour], day: CivilDate, clock: LocalClock, width: Int) {
    guard !hours.isEmpty else {
      lines = SummaryView.paragraph("Nothing was measured on \(CalendarText.day(day)).", width: width)
      return
    }
    let named = hours.map { hour in
      (
        name: CalendarText.timeOfDay(hour.from, utcOffsetSeconds: clock.utcOffsetSeconds(at: hour.from)), hour: hour
      )
    }
    lines =
      [
        [[StyledText(CalendarText.day(day), .bold), StyledText("\(day)", .bold)].fitting(width)]
          + SummaryView.paragraph(Self.total(hours), width: width),
        HourChart(named, width: width).lines,
        Self.table(named, width: width),
      ].joinedBlocks
  }

  private static func total(_ hours: [HistoryHour]) -> String {
    let parts = [
      hours.steps.map { "\($0) steps" },
      hours.meanHeartRate.map { "mean heart rate \(QuantityText.number($0, decimals: 0)) bpm" },
    ].compactMap(\.self)
    return parts.joined(separator: ", ") + "."
  }

  private static func table(_ hours: [(name: String, hour: HistoryHour)], width: Int) -> [StyledText] {
    TextTable(
      [
        TextTable.Column(title: "hour from"), TextTable.Column(title: "steps", isNumber: true),
        TextTable.Column(title: "bpm", isNumber: true),
      ],
      hours.map { name, hour in
        [
          .text(name), .text(hour.steps.map { "\($0)" }),
          .text(hour.meanHeartRate.map { QuantityText.number($0, decimals: 0) }),
        ]
      }
    ).lines(width: width)
  }
}

/// Steps and heart rate of the 24 hours of a day in one picture, each with an axis of its own: steps at the left,
/// beats per minute at the right.
struct HourChart: Sendable {
  private static let rows = 8
  private static let hoursOfDay = 24

  /// The lines; none when there is no room.
  let lines: [StyledText]

  /// The chart of hours that are named by what the clock shows when they begin.
  init(_ hours: [(name: String, hour: HistoryHour)], width: Int) {
    var steps = [Int](repeating: 0, count: Self.hoursOfDay)
    var heartRates = [[HistoryHour]](repeating: [], count: Self.hoursOfDay)
    for (name, hour) in hours {
      guard let index = Int(name.prefix(2)), steps.indices.contains(index) else { continue }
      steps[index] += hour.steps ?? 0
      heartRates[index].append(hour)
    }
    let means = heartRates.map(\.meanHeartRate)
    let top = steps.max() ?? 0
    let stepLabels = top > 0 ? ["\(top)", "0"] : ["", ""]
    let margin = (stepLabels.map(\.count).max() ?? 0) + 2
    let cell = min(6, (width - margin - 6) / Self.hoursOfDay)
    guard cell > 0 else {
      lines = []
      return
    }
    let scale = HeartRateAxis(means.compactMap(\.self), rows: Self.rows)
    let caption = StyledText("█ steps", .ink(.green)) + .spaces(2) + StyledText("♥ heart rate in bpm", .ink(.red))
    var lines = [caption]
    for row in 0..<Self.rows {
      let label = row == 0 ? stepLabels[0] : row == Self.rows - 1 ? stepLabels[1] : ""
      var line = StyledText(label, .dim).aligned(to: margin - 1) + StyledText(label.isEmpty ? "│" : "┤", .dim)
      for hour in 0..<Self.hoursOfDay {
        let bar = Self.block(steps[hour], of: top, row: row)
        let isHeart = means[hour].flatMap { scale?.row($0) } == row
        let wide = cell > 2 ? cell - 1 : 1
        let heart = StyledText("♥", .ink(.red))
        let body = StyledText(String(repeating: bar, count: isHeart ? wide - 1 : wide), .ink(.green))
        line += (isHeart ? heart + body : body) + .spaces(cell - wide)
      }
      let beats = scale?.label(ofRow: row) ?? ""
      line += StyledText(beats.isEmpty ? "│" : "├", .dim) + StyledText(beats, .dim)
      lines.append(line.withoutTrailingSpaces.cut(to: width))
    }
    lines.append(Self.axis(margin: margin, cell: cell).cut(to: width))
    self.lines = lines
  }

  /// The part of a bar in a row, counted from the top, in eighths of a row; anything above nothing is seen.
  private static func block(_ value: Int, of top: Int, row: Int) -> String {
    guard top > 0, value > 0 else { return " " }
    let eighths = max(1, Int((Double(value) / Double(top) * Double(rows * 8)).rounded()))
    let part = min(8, max(0, eighths - (rows - 1 - row) * 8))
    return [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][part]
  }

  private static func axis(margin: Int, cell: Int) -> StyledText {
    let every = cell == 1 ? 6 : cell < 4 ? 3 : 2
    var line = StyledText.spaces(margin)
    for hour in stride(from: 0, to: hoursOfDay, by: every) {
      line = line.padded(to: margin + hour * cell) + StyledText(hour < 10 ? "0\(hour)" : "\(hour)", .dim)
    }
    return line
  }
}

/// The axis of the heart rate beside another one: round numbers at the top and at the bottom.
struct HeartRateAxis: Sendable {
  private let lowest: Double
  private let step: Double
  private let rows: Int

  /// An axis for these heart rates; `nil` for none.
  init?(_ values: [Double], rows: Int) {
    guard let low = values.min(), let high = values.max() else { return nil }
    self.rows = rows
    let spans = [2.0, 5, 10, 20, 25, 50]
    let last = Double(rows - 1)
    step = spans.first { (low / $0).rounded(.down) * $0 + $0 * last >= high } ?? 50
    lowest = (low / step).rounded(.down) * step
  }

  /// The row of a heart rate, counted from the top.
  func row(_ value: Double) -> Int { min(rows - 1, max(0, rows - 1 - Int(((value - lowest) / step).rounded()))) }

  /// The heart rate of every second row, counted from the bottom; empty between.
  func label(ofRow row: Int) -> String {
    let index = rows - 1 - row
    return index.isMultiple(of: 2) ? QuantityText.number(lowest + Double(index) * step, decimals: 0) : ""
  }
}

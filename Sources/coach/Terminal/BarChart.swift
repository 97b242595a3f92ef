import WorkoutSession

/// Bars and hearts in one picture, each with an axis of its own: the bars at the left, beats per minute at the right.
struct BarChart: Sendable {
  /// What stands at one place.
  struct Bin: Hashable, Sendable {
    /// What stands under it.
    let label: String
    /// The height of the bar.
    let bar: Int
    /// Where the heart is, in beats per minute, or another mark; absent for none.
    let heartRate: Double?
  }

  /// What stands before or in the bars, on the axis at the right.
  struct Mark: Sendable {
    let symbol: String
    let name: String
    let ink: Ink

    /// The heart rate.
    static let heart = Mark(symbol: "♥", name: "heart rate in bpm", ink: .red)
  }

  private static let rows = 8
  private static let widestCell = 6

  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The chart of bins from the left; `nil` when there is no room for all of them.
  ///
  /// - Parameters:
  ///   - name: what the bars are called; `nil` where there are none, which the legend then leaves out.
  ///   - mark: what stands before or in the bars; `nil` where nothing does, which the legend leaves out as well.
  ///   - labelEvery: how many bins share a label when each takes that many columns.
  init?(
    _ bins: [Bin], name: String?, mark: Mark? = .heart, width: Int, labelEvery: (_ cell: Int) -> Int
  ) {
    let top = bins.map(\.bar).max() ?? 0
    let labels = top > 0 ? ["\(top)", "0"] : ["", ""]
    let margin = Self.margin(bins)
    let cell = min(Self.widestCell, (width - margin - 6) / max(1, bins.count))
    guard cell > 0 else { return nil }
    let scale = HeartRateAxis(bins.compactMap(\.heartRate), rows: Self.rows)
    let heart = mark.map { StyledText($0.symbol, .ink($0.ink)) } ?? .empty
    var caption = name.map { StyledText("█ \($0)", .ink(.green)) } ?? .empty
    if let mark {
      caption += (name == nil ? .empty : .spaces(2)) + StyledText("\(mark.symbol) \(mark.name)", .ink(mark.ink))
    }
    var lines = [caption.cut(to: width)]
    for row in 0..<Self.rows {
      let label = row == 0 ? labels[0] : row == Self.rows - 1 ? labels[1] : ""
      var line = StyledText(label, .dim).aligned(to: margin - 1) + StyledText(label.isEmpty ? "│" : "┤", .dim)
      for bin in bins {
        let bar = Self.block(bin.bar, of: top, row: row)
        let isHeart = bin.heartRate.flatMap { scale?.row($0) } == row
        let wide = cell > 2 ? cell - 1 : 1
        let body = StyledText(String(repeating: bar, count: isHeart ? wide - 1 : wide), .ink(.green))
        line += (isHeart ? heart + body : body) + .spaces(cell - wide)
      }
      let beats = scale?.label(ofRow: row) ?? ""
      line += StyledText(beats.isEmpty ? "│" : "├", .dim) + StyledText(beats, .dim)
      lines.append(line.withoutTrailingSpaces.cut(to: width))
    }
    var axis = StyledText.spaces(margin)
    for index in stride(from: 0, to: bins.count, by: labelEvery(cell)) {
      axis = axis.padded(to: margin + index * cell) + StyledText(bins[index].label, .dim)
    }
    lines.append(axis.cut(to: width))
    self.lines = lines
  }

  /// How many bins there is room for in so many columns.
  static func room(for bins: [Bin], width: Int) -> Int { max(0, width - margin(bins) - 6) }

  /// The columns of the axis at the left.
  private static func margin(_ bins: [Bin]) -> Int {
    let top = bins.map(\.bar).max() ?? 0
    return (top > 0 ? "\(top)".count : 0) + 2
  }

  /// The part of a bar in a row, counted from the top, in eighths of a row; anything above nothing is seen.
  private static func block(_ value: Int, of top: Int, row: Int) -> String {
    guard top > 0, value > 0 else { return " " }
    let eighths = max(1, Int((Double(value) / Double(top) * Double(rows * 8)).rounded()))
    let part = min(8, max(0, eighths - (rows - 1 - row) * 8))
    return [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][part]
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

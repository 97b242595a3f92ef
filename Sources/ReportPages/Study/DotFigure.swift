internal import StrategyStudy

/// Means as dots with their 95 % intervals as lines, one row each, over a horizontal axis.
struct DotFigure {
  /// One dot.
  struct Row {
    /// What it is of.
    let name: String
    /// A second line under the name.
    var more: String?
    /// Where the dot stands.
    let mean: Double
    /// Where its line ends; absent without one.
    let interval: ConfidenceInterval?
    /// The numbers in words, at the right end.
    let label: String
    /// The numbers of the arms with which it is shown.
    var arms = ""
  }

  private static let dotHeight = 20.0
  private static let lineHeight = 16.0
  /// How many scalars of a name have room in a line of a narrow screen, and how many of a name and the numbers beside it.
  private static let longestName = 34, longestLine = 36
  /// How many lines a name has at most.
  private static let mostNameLines = 6

  /// The identity of the drawing.
  let id: String
  /// What is drawn.
  let title: String
  /// From the top.
  let rows: [Row]
  /// What the axis shows at least.
  let range: ClosedRange<Double>
  /// The label of a mark at the axis.
  let markLabel: (Double) -> String
  /// A value that all are held against, as an upright stroke beside each dot.
  var limit: Double?

  /// Writes the drawing; its words hold every number of it.
  func write(to page: inout Markup) {
    let height = rows.reduce(0) { $0 + rowHeight($1) }
    let axis = axis
    page.element(
      .svg,
      [
        .class: "plot dots", .height: Length.number(height), .role: "img",
        .ariaLabelledBy: "\(id)-title \(id)-desc",
      ]
    ) { svg in
      svg.element(.title, [.id: "\(id)-title"], title)
      svg.element(.desc, [.id: "\(id)-desc"], summary)
      for mark in axis.marks {
        let x = Self.x(mark, axis)
        svg.empty(
          .line, [.class: mark == 0 ? "axis" : "grid", .x1: x, .x2: x, .y1: "0", .y2: Length.number(height)])
        svg.element(.text, [.class: "mid", .x: x, .y: Length.number(height), .dy: "17"], markLabel(mark))
      }
      var top = 0.0
      for row in rows {
        let height = Length.number(rowHeight(row))
        svg.element(.g, [.dataArms: row.arms, .dataHeight: height]) { write(row, at: top, axis, to: &$0) }
        top += rowHeight(row)
      }
    }
  }

  private var summary: String {
    rows.map { row in "\(row.name)\(row.more.map { " \($0)" } ?? ""): \(row.label)" }.joined(separator: "; ") + "."
  }

  private var axis: ValueAxis {
    let values =
      rows.flatMap { [$0.mean, $0.interval?.lower, $0.interval?.upper] }.compactMap(\.self) + [
        limit ?? range.lowerBound
      ]
    let lowest = values.reduce(range.lowerBound, min)
    return ValueAxis(lowest...values.reduce(range.upperBound, max), height: 1, marks: 5)
  }

  /// Whether the numbers have lines of their own, under the names, because not all of them have room beside.
  private var hasLabelLines: Bool {
    rows.contains { row in
      min(row.name.unicodeScalars.count, Self.longestName) + row.label.unicodeScalars.count > Self.longestLine
    }
  }

  private func nameLines(_ row: Row) -> [String] { [row.name, row.more].compactMap(\.self).flatMap(Self.lines) }

  /// The lines of a name, all of it: what distinguishes arms may stand anywhere in their names. Of one that needs too many lines there
  /// are the beginning and the end.
  private static func lines(of name: String) -> [String] {
    var scalars = Array(name.unicodeScalars)
    let half = longestName * mostNameLines / 2
    if scalars.count > 2 * half { scalars.replaceSubrange(half - 1..<scalars.count - half, with: CollectionOfOne("…")) }
    var rest = scalars[...]
    var lines: [String] = []
    while rest.count > longestName {
      // Behind a comma or a blank, where that leaves no short line.
      let line = rest.prefix(longestName)
      let mark = line.dropFirst(longestName / 2).lastIndex { $0 == "," || $0 == " " || $0 == "+" }
      let end = mark.map { $0 + 1 } ?? line.endIndex
      lines.append(String(String.UnicodeScalarView(rest[..<end])))
      rest = rest[end...]
    }
    return lines + [String(String.UnicodeScalarView(rest))]
  }

  private func lineCount(_ row: Row) -> Int { nameLines(row).count + (hasLabelLines ? 1 : 0) }

  private func rowHeight(_ row: Row) -> Double { Self.dotHeight + Self.lineHeight * Double(lineCount(row)) + 4 }

  private func write(_ row: Row, at top: Double, _ axis: ValueAxis, to svg: inout Markup) {
    for (index, line) in nameLines(row).enumerated() {
      let y = Length.number(top + Double(index + 1) * Self.lineHeight - 2)
      svg.element(.text, [.class: "name halo", .x: "0", .y: y], line)
    }
    let labelLine = hasLabelLines ? lineCount(row) : 1
    svg.element(
      .text, [.class: "right halo", .x: "100%", .y: Length.number(top + Double(labelLine) * Self.lineHeight - 2)],
      row.label)
    let middle = top + Double(lineCount(row)) * Self.lineHeight + Self.dotHeight / 2 - 3
    let y = Length.number(middle)
    if let limit {
      // Beside the dot alone, so that it neither runs through the words above nor touches what hangs under their line.
      let x = Self.x(limit, axis)
      svg.empty(
        .line,
        [.class: "goal", .x1: x, .x2: x, .y1: Length.number(middle - 5), .y2: Length.number(middle + 8)])
    }
    if let interval = row.interval {
      let (from, until) = (Self.x(interval.lower, axis), Self.x(interval.upper, axis))
      svg.empty(.line, [.class: "whisker", .x1: from, .x2: until, .y1: y, .y2: y])
      for end in [from, until] {
        svg.empty(
          .line,
          [.class: "whisker", .x1: end, .x2: end, .y1: Length.number(middle - 4), .y2: Length.number(middle + 4)])
      }
    }
    svg.element(.circle, [.class: "ink", .cx: Self.x(row.mean, axis), .cy: y, .r: "4"]) {
      $0.element(.title, "\(row.name): \(row.label)")
    }
  }

  /// The place of a value as a part of the width.
  private static func x(_ value: Double, _ axis: ValueAxis) -> String { Length.percent(1 - axis.y(value)) }
}

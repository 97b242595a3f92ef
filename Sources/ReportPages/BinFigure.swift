/// Bars and points over hours, days, weeks or sessions: bars with an axis at the left, points with an axis at the right,
/// or at the left where there are no bars.
struct BinFigure {
  /// One place on the axis.
  struct Bin {
    /// What stands under it.
    let label: String
    /// The parts of its bar from the bottom, each with what fills it.
    var parts: [(fill: String, value: Double)] = []
    /// What stands over the bar, where there is room.
    var total: String?
    /// The value of its point.
    var point: Double?
  }

  /// The part of the width that a bar takes at most, so that one or two are bars and no walls.
  static let widestBar = 0.09
  /// What a letter or digit of a label takes, and what has to be free between two, in pixels.
  private static let letterWidth = 7.2, leastGap = 4.0
  /// The width of the plot on a narrow screen in pixels.
  private static let narrowWidth = 220.0

  let id, title, summary: String
  let bins: [Bin]
  /// The label of a mark at the axis of the points.
  let pointLabel: (Double) -> String
  /// The range that the axis of the points shows at least; absent for that of the points.
  var pointRange: ClosedRange<Double>?
  /// The least difference of two marks at the axis of the points.
  var leastPointStep = 0.0
  /// The height of the plot in pixels.
  var height = 190.0
  /// The least width of the plot in pixels where a screen is not narrow.
  var leastWidth = 500.0

  private var hasBars: Bool { bins.contains { !$0.parts.isEmpty } }

  /// Writes the drawing.
  func write(to page: inout Markup) {
    let tallest = bins.map { $0.parts.reduce(0) { $0 + $1.value } }.max() ?? 0
    let bars = ValueAxis(0...max(tallest, 1), height: height, marks: 4)
    let points = pointAxis
    page.element(
      .svg,
      [
        .class: "plot", .height: Length.number(height), .role: "img",
        .ariaLabelledBy: "\(id)-title \(id)-desc",
      ]
    ) { svg in
      svg.element(.title, [.id: "\(id)-title"], title)
      svg.element(.desc, [.id: "\(id)-desc"], summary)
      axes(bars: bars, points: points, to: &svg)
      let hasTotals = labelStep(bins.map { $0.total ?? "" }, in: leastWidth) == 1
      for (index, bin) in bins.enumerated() where !bin.parts.isEmpty {
        bar(bin, at: index, bars, hasTotal: hasTotals, to: &svg)
      }
      labels(to: &svg)
      guard let points else { return }
      let isLabelled = labelStep(bins.map { $0.point.map(pointLabel) ?? "" }, in: leastWidth) == 1
      for (index, bin) in bins.enumerated() {
        guard let value = bin.point else { continue }
        let y = Length.number(points.y(value))
        svg.element(.circle, [.class: "hollow", .cx: center(index), .cy: y, .r: "4.5"]) {
          $0.element(.title, "\(bin.label): \(pointLabel(value))")
        }
        guard isLabelled else { continue }
        svg.element(.text, [.class: "mid strong wide", .x: center(index), .y: y, .dy: "-9"], pointLabel(value))
      }
    }
  }

  private var pointAxis: ValueAxis? {
    let values = bins.compactMap(\.point)
    guard let lowest = values.min(), let highest = values.max() else { return nil }
    let range = min(lowest, pointRange?.lowerBound ?? lowest)...max(highest, pointRange?.upperBound ?? highest)
    return ValueAxis(range, height: height, marks: 4, leastStep: leastPointStep)
  }

  private func axes(bars: ValueAxis, points: ValueAxis?, to svg: inout Markup) {
    if hasBars {
      for value in bars.marks { mark(bars.y(value), Length.number(value), isLeft: true, to: &svg) }
    }
    if let points {
      for value in points.marks { mark(points.y(value), pointLabel(value), isLeft: !hasBars, to: &svg) }
    }
    let bottom = Length.number(height)
    svg.empty(.line, [.class: "axis", .x1: "0", .x2: "100%", .y1: bottom, .y2: bottom])
  }

  private func mark(_ y: Double, _ label: String, isLeft: Bool, to svg: inout Markup) {
    let y = Length.number(y)
    if isLeft {
      svg.empty(.line, [.class: "grid", .x1: "0", .x2: "100%", .y1: y, .y2: y])
      svg.element(.text, [.class: "y", .x: "0", .dx: "-7", .y: y, .dy: "4"], label)
    } else {
      svg.element(.text, [.x: "100%", .dx: "7", .y: y, .dy: "4"], label)
    }
  }

  private func bar(_ bin: Bin, at index: Int, _ axis: ValueAxis, hasTotal: Bool, to svg: inout Markup) {
    var sum = 0.0
    let share = min(0.72 / Double(bins.count), Self.widestBar)
    let x = Length.percent((Double(index) + 0.5) / Double(bins.count) - share / 2)
    let width = Length.percent(share)
    for part in bin.parts where part.value > 0 {
      let bottom = axis.y(sum)
      sum += part.value
      let top = axis.y(sum)
      svg.empty(
        .rect, [.x: x, .y: Length.number(top), .width: width, .height: Length.number(bottom - top), .fill: part.fill])
    }
    svg.empty(
      .rect,
      [
        .class: "outline", .x: x, .y: Length.number(axis.y(sum)), .width: width,
        .height: Length.number(axis.height - axis.y(sum)),
      ])
    guard hasTotal, let total = bin.total, bin.point == nil else { return }
    svg.element(
      .text, [.class: "mid strong wide", .x: center(index), .y: Length.number(axis.y(sum)), .dy: "-5"], total)
  }

  /// Writes as many labels under the axis as have room, fewer on a narrow screen.
  private func labels(to svg: inout Markup) {
    let every = labelStep(bins.map(\.label), in: leastWidth)
    let shown = stride(from: 0, to: bins.count, by: every)
    let everyNarrow = labelStep(shown.map { bins[$0].label }, in: Self.narrowWidth)
    for (place, index) in shown.enumerated() {
      let isAlwaysShown = place.isMultiple(of: everyNarrow)
      svg.element(
        .text, [.class: isAlwaysShown ? "mid" : "mid wide", .x: center(index), .y: Length.number(height), .dy: "18"],
        bins[index].label)
    }
  }

  /// Every how many-th of some labels, evenly spread, has room beside its neighbours in so many pixels.
  private func labelStep(_ labels: [String], in width: Double) -> Int {
    let widths = labels.map { Double($0.count) * Self.letterWidth }
    return (1..<max(2, labels.count)).first { step in
      let distance = Double(step) * width / Double(labels.count)
      return stride(from: step, to: labels.count, by: step).allSatisfy { index in
        (widths[index] + widths[index - step]) / 2 + Self.leastGap <= distance
      }
    } ?? max(1, labels.count)
  }

  private func center(_ index: Int) -> String { Length.percent((Double(index) + 0.5) / Double(bins.count)) }
}

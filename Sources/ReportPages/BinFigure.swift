internal import WorkoutSession
internal import ZoneEngine

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

  /// The most bins whose labels all have room on a wide screen.
  private static let mostLabels = 16

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
      for (index, bin) in bins.enumerated() {
        if !bin.parts.isEmpty { bar(bin, at: index, bars, to: &svg) }
        label(bin, at: index, to: &svg)
      }
      guard let points else { return }
      for (index, bin) in bins.enumerated() {
        guard let value = bin.point else { continue }
        let y = Length.number(points.y(value))
        svg.element(.circle, [.class: "hollow", .cx: center(index), .cy: y, .r: "4.5"]) {
          $0.element(.title, "\(bin.label): \(pointLabel(value))")
        }
        guard bins.count <= Self.mostLabels else { continue }
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

  private func bar(_ bin: Bin, at index: Int, _ axis: ValueAxis, to svg: inout Markup) {
    var sum = 0.0
    let x = Length.percent((Double(index) + 0.14) / Double(bins.count))
    let width = Length.percent(0.72 / Double(bins.count))
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
    guard bins.count <= Self.mostLabels, let total = bin.total, bin.point == nil else { return }
    svg.element(
      .text, [.class: "mid strong wide", .x: center(index), .y: Length.number(axis.y(sum)), .dy: "-5"], total)
  }

  private func label(_ bin: Bin, at index: Int, to svg: inout Markup) {
    let every = max(1, (bins.count + Self.mostLabels - 1) / Self.mostLabels)
    guard index.isMultiple(of: every) else { return }
    let isRoomy = bins.count <= 6 || index.isMultiple(of: every * 3)
    svg.element(
      .text, [.class: isRoomy ? "mid" : "mid wide", .x: center(index), .y: Length.number(height), .dy: "18"],
      bin.label)
  }

  private func center(_ index: Int) -> String { Length.percent((Double(index) + 0.5) / Double(bins.count)) }
}

internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

extension Markup {
  /// The key of the broken line that is another session.
  mutating func besideKey(_ other: SessionReport) {
    element(.li) { item in
      item.element(.svg, [.width: "22", .height: "12", .ariaHidden: "true"]) {
        $0.empty(.path, [.class: "beside", .d: "M0 6h22"])
      }
      item.text(other.detail.entry.startText)
    }
  }
}

/// A drawing over the time of a session: it is as wide as there is room, and its letters keep their size.
///
/// Places along the width are parts of it, places along the height are pixels. A line is drawn in a box of its own that
/// is stretched, with a stroke that is not.
struct SessionPlot {
  /// The units of a stretched box from left to right.
  private static let boxWidth = 1_000.0

  let times: TimeAxis
  let values: ValueAxis

  /// Writes the drawing; `extra` pixels under the axis of time are for `content`.
  func write(
    id: String, title: String, summary: String, extra: Double = 0, to page: inout Markup,
    _ content: (inout Markup) -> Void
  ) {
    page.element(
      .svg,
      [
        .class: "plot", .height: Length.number(values.height + extra), .role: "img",
        .ariaLabelledBy: "\(id)-title \(id)-desc",
      ]
    ) { svg in
      svg.element(.title, [.id: "\(id)-title"], title)
      svg.element(.desc, [.id: "\(id)-desc"], summary)
      content(&svg)
      svg.empty(.line, [.class: "cursor", .x1: "0", .x2: "0", .y1: "0", .y2: Length.number(values.height)])
    }
  }

  /// Draws the marks of both axes.
  func axes(to svg: inout Markup, label: (Double) -> String?) {
    for value in values.marks {
      let y = Length.number(values.y(value))
      svg.empty(.line, [.class: "grid", .x1: "0", .x2: "100%", .y1: y, .y2: y])
      guard let label = label(value) else { continue }
      svg.element(.text, [.class: "y", .x: "0", .dx: "-7", .y: y, .dy: "4"], label)
    }
    let bottom = Length.number(values.height)
    svg.empty(.line, [.class: "axis", .x1: "0", .x2: "100%", .y1: bottom, .y2: bottom])
    for mark in times.marks {
      let x = times.x(mark.time)
      svg.empty(.line, [.class: "axis", .x1: x, .x2: x, .y1: bottom, .y2: Length.number(values.height + 5)])
      let kind = mark.isAlwaysShown ? "mid" : "mid wide"
      svg.element(.text, [.class: kind, .x: x, .y: bottom, .dy: "19"], mark.label)
    }
  }

  /// Draws a course; readings that stand alone are dots, and the only one of all is a large one: it may lie on an axis.
  ///
  /// - Parameter stroke: what the line is drawn with, over a wider one in the colour of the page; absent for plain ink.
  func line(_ course: Course, stroke: String? = nil, to svg: inout Markup) {
    let path = path(of: course)
    if course.lines.count == 1, let only = course.lines[0].first, course.lines[0].count == 1 {
      svg.empty(
        .circle, [.class: "ink", .cx: times.x(only.time), .cy: Length.number(values.y(only.value)), .r: "4"])
    }
    stretched(to: &svg, height: values.height) { box in
      guard let stroke else {
        return box.empty(.path, [.class: "curve", .d: path, .vectorEffect: "non-scaling-stroke"])
      }
      box.empty(.path, [.class: "under", .d: path, .vectorEffect: "non-scaling-stroke"])
      box.empty(.path, [.class: "curve", .d: path, .stroke: stroke, .vectorEffect: "non-scaling-stroke"])
    }
  }

  /// Draws the course of another session behind, as far as this one lasted.
  func lineBeside(_ course: Course, to svg: inout Markup) {
    let path = path(of: course.until(times.end))
    guard !path.isEmpty else { return }
    stretched(to: &svg, height: values.height) { box in
      box.empty(.path, [.class: "beside", .d: path, .vectorEffect: "non-scaling-stroke"])
    }
  }

  private func path(of course: Course) -> String {
    var path = ""
    for line in course.lines {
      var letter = "M"
      for point in line {
        path += letter + Length.number(x(point.time)) + " " + Self.pixel(values.y(point.value))
        letter = "L"
      }
      if line.count == 1 { path += "h0" }
    }
    return path
  }

  /// Fills every second of some spans that follow each other, so that they are distinguished.
  func bands(_ starts: [SessionTime], to svg: inout Markup) {
    for (index, start) in starts.enumerated() where index % 2 == 1 {
      let until = index + 1 < starts.count ? starts[index + 1] : times.end
      svg.empty(
        .rect,
        [
          .class: "lap", .x: times.x(start), .y: "0",
          .width: Length.percent(times.share(until) - times.share(start)), .height: Length.number(values.height),
        ])
    }
  }

  /// Draws upright strokes, `height` pixels long, at some times.
  func strokes(_ times: [SessionTime], y: Double, height: Double, color: Palette, to svg: inout Markup) {
    let path = times.map { "M\(Length.number(x($0))) \(Length.number(y))v\(Length.number(height))" }.joined()
    stretched(to: &svg, height: y + height) { box in
      box.empty(
        .path,
        [.class: "strokes", .d: path, .stroke: "var(--\(color.rawValue))", .vectorEffect: "non-scaling-stroke"])
    }
  }

  /// Fills a target over a span, with lines at its limits; the top and the bottom of it in pixels.
  @discardableResult
  func target(
    _ lowerBPM: Int?, _ upperBPM: Int?, from start: SessionTime, until end: SessionTime, to svg: inout Markup
  ) -> (top: Double, bottom: Double) {
    // A limit belongs to the target: the band reaches half a beat beyond it.
    let top = upperBPM.map { values.y(Double($0) + 0.5) } ?? 0
    let bottom = lowerBPM.map { values.y(Double($0) - 0.5) } ?? values.height
    svg.empty(
      .rect,
      [
        .class: "target", .x: times.x(start), .y: Length.number(top),
        .width: Length.percent(times.share(end) - times.share(start)), .height: Length.number(bottom - top),
      ])
    for (bpm, y) in [(upperBPM, top), (lowerBPM, bottom)] where bpm != nil {
      let y = Length.number(y)
      svg.empty(.line, [.class: "limit", .x1: times.x(start), .x2: times.x(end), .y1: y, .y2: y])
    }
    return (top, bottom)
  }

  /// Fills spans over the whole height.
  func spans(_ spans: [SessionSpan], fill: String, title: String, to svg: inout Markup) {
    for span in spans {
      svg.element(
        .rect,
        [
          .x: times.x(span.from), .y: "0", .width: Length.percent(times.share(span.until) - times.share(span.from)),
          .height: Length.number(values.height), .fill: fill,
        ]
      ) { $0.element(.title, "\(title), \(QuantityText.clock(span.from)) to \(QuantityText.clock(span.until))") }
    }
  }

  private func x(_ time: SessionTime) -> Double { times.share(time) * Self.boxWidth }

  private static func pixel(_ value: Double) -> String {
    let text = QuantityText.number(value, decimals: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private func stretched(to svg: inout Markup, height: Double, _ content: (inout Markup) -> Void) {
    svg.element(
      .svg,
      [
        .width: "100%", .height: Length.number(height),
        .viewBox: "0 0 \(Length.number(Self.boxWidth)) \(Length.number(height))", .preserveAspectRatio: "none",
        .overflow: "visible",
      ], content)
  }
}

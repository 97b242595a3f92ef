internal import WorkoutExports
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// The outline of a way, north up, without a map and without a place.
struct TrackFigure {
  private let outline: TrackOutline
  private let layout: TrackLayout
  private let privacyRadius: PrivacyRadius?
  private let colors: [TrackColoring]
  private let units: UnitSystem

  /// The figure of the outline in a report.
  init(_ outline: TrackOutline, of report: SessionReport) {
    self.outline = outline
    units = report.units
    layout = TrackLayout(outline, units)
    privacyRadius = report.privacyRadius
    colors = [TrackColoring(heartRateOf: report), TrackColoring(paceOf: report)].compactMap(\.self)
  }

  /// Writes the figure.
  func write(to page: inout Markup) {
    page.element(.figure, [.class: "track"]) { figure in
      writeChoice(to: &figure)
      figure.element(
        .svg,
        [
          .viewBox: "0 0 \(Self.text(layout.drawing.width)) \(Self.text(layout.drawing.height))", .role: "img",
          .ariaLabelledBy: "track-title track-desc",
        ]
      ) { svg in
        svg.element(.title, [.id: "track-title"], "Outline of the way")
        svg.element(
          .desc, [.id: "track-desc"],
          "\(units.distance(meters: outline.widthMeters)) from west to east, "
            + "\(units.distance(meters: outline.heightMeters)) from south to north.")
        writeWay(to: &svg)
        for coloring in colors { write(coloring, to: &svg) }
        if let last = outline.lines.last?.last {
          let (x, y) = place(last)
          svg.element(.g, [.transform: "translate(\(x) \(y))"]) {
            $0.empty(.rect, [.class: "hollow", .x: "-6", .y: "-6", .width: "12", .height: "12"])
          }
        }
        if let first = outline.lines.first?.first {
          let (x, y) = place(first)
          svg.empty(.circle, [.class: "ink", .cx: x, .cy: y, .r: "5"])
        }
        scaleBar(to: &svg)
        north(to: &svg)
        svg.empty(.circle, [.class: "here", .cx: "0", .cy: "0", .r: "7"])
      }
      for coloring in colors {
        figure.element(.ul, [.class: "legend by-\(coloring.id)"]) { list in
          for shade in coloring.shades {
            list.element(.li) { item in
              item.element(.svg, [.width: "18", .height: "12", .ariaHidden: "true"]) {
                $0.empty(.rect, [.y: "3", .width: "18", .height: "6", .fill: shade.color])
              }
              item.text(shade.words)
            }
          }
        }
      }
      figure.element(.ul, [.class: "legend"]) { list in
        list.element(.li) { item in
          item.element(.svg, [.width: "12", .height: "12", .ariaHidden: "true"]) {
            $0.empty(.circle, [.class: "ink", .cx: "6", .cy: "6", .r: "5"])
          }
          item.text("start")
        }
        list.element(.li) { item in
          item.element(.svg, [.width: "14", .height: "14", .ariaHidden: "true"]) {
            $0.empty(.rect, [.class: "hollow", .x: "1", .y: "1", .width: "12", .height: "12"])
          }
          item.text("end")
        }
      }
      figure.element(.figcaption, caption)
    }
  }

  /// The choice between the colours, where there are several.
  private func writeChoice(to figure: inout Markup) {
    guard colors.count > 1 else { return }
    for (index, coloring) in colors.enumerated() {
      let id = "track-by-\(coloring.id)"
      if index == 0 {
        figure.empty(.input, [.type: "radio", .name: "track-color", .id: id, .checked: "checked"])
      } else {
        figure.empty(.input, [.type: "radio", .name: "track-color", .id: id])
      }
      figure.element(.label, [.for: id], "by \(coloring.name)")
    }
  }

  /// The whole way, with the seconds between its points.
  private func writeWay(to svg: inout Markup) {
    let path = outline.lines.map { line in
      "M" + line.map { place($0) }.map { "\($0.x) \($0.y)" }.joined(separator: "L") + (line.count == 1 ? "h0" : "")
    }.joined()
    var last = 0
    let seconds = outline.lines.joined().map { point in
      let tenths = Int((point.time.seconds * 10).rounded())
      defer { last = tenths }
      return Length.number(Double(tenths - last) / 10)
    }
    svg.empty(.path, [.class: "way", .d: path, .dataSeconds: seconds.joined(separator: " ")])
  }

  /// The way in colours: each stretch between two points has that of what was measured in its middle.
  private func write(_ coloring: TrackColoring, to svg: inout Markup) {
    var paths = [String](repeating: "", count: coloring.shades.count)
    for line in outline.lines {
      var before: Int?
      for (from, to) in zip(line, line.dropFirst()) {
        let middle = SessionTime(nanoseconds: (from.time.nanoseconds + to.time.nanoseconds) / 2)
        guard let shade = coloring.shade(at: middle) else {
          before = nil
          continue
        }
        let (start, end) = (place(from), place(to))
        if before != shade { paths[shade] += "M\(start.x) \(start.y)" }
        paths[shade] += "L\(end.x) \(end.y)"
        before = shade
      }
    }
    svg.element(.g, [.class: "by-\(coloring.id)"]) { group in
      for (shade, path) in zip(coloring.shades, paths) where !path.isEmpty {
        group.empty(.path, [.class: "curve", .d: path, .stroke: shade.color])
      }
    }
  }

  private func place(_ point: TrackOutline.Point) -> (x: String, y: String) {
    let (x, y) = layout.place(point)
    return (Self.text(x), Self.text(y))
  }

  private var caption: String {
    let hidden = privacyRadius.map {
      "What lies within \(units.distance(meters: $0.meters)) of both ends is left out. "
    }
    return
      "The way from above, north up, in equal scale; the line ends where no position came for 30 s. \(hidden ?? "")"
      + "There is no map and no coordinate on this page, and yet the outline shows where you were to whoever knows the "
      + "place: coach report --without-track leaves it out, --privacy-radius its ends."
  }

  private func scaleBar(to svg: inout Markup) {
    let (bar, label) = (layout.bar, layout.barLabel)
    let (from, until, top) = (Self.text(bar.x), Self.text(bar.x + bar.width), Self.text(bar.y))
    let height = Self.text(bar.height)
    let path =
      "M\(from) \(top)v\(height)M\(from) \(Self.text(bar.y + bar.height / 2))h\(Self.text(bar.width))"
      + "M\(until) \(top)v\(height)"
    svg.empty(.path, [.class: "hollow", .d: path])
    svg.element(
      .text, [.x: Self.text(label.x), .y: Self.text(label.y + label.height / 2), .dy: ".35em"], layout.barText)
  }

  private func north(to svg: inout Markup) {
    let box = layout.north
    svg.element(
      .g, [.transform: "translate(\(Self.text(box.x + box.width - 6)) \(Self.text(box.y + box.height / 2)))"]
    ) { arrow in
      arrow.empty(.path, [.class: "ink", .d: "M0-10L5 8L0 4L-5 8z"])
      arrow.element(.text, [.x: "-10", .dy: ".35em", .textAnchor: "end"], "N")
    }
  }

  private static func text(_ value: Double) -> String {
    QuantityText.number(value, decimals: 1)
  }
}

internal import WorkoutSession

/// The outline of a way, north up, without a map and without a place.
struct TrackFigure {
  private static let longest = 560.0
  private static let margin = 24.0

  private let outline: TrackOutline
  private let privacyRadius: PrivacyRadius?

  /// The figure of an outline of which something may be hidden.
  init(_ outline: TrackOutline, hidden privacyRadius: PrivacyRadius?) {
    self.outline = outline
    self.privacyRadius = privacyRadius
  }

  /// Pixels for a metre.
  private var scale: Double {
    (Self.longest - 2 * Self.margin) / max(outline.widthMeters, outline.heightMeters)
  }

  /// Writes the figure.
  func write(to page: inout Markup) {
    // A way that is nearly straight still has a breadth.
    let width = max(outline.widthMeters * scale, 120) + 2 * Self.margin
    let height = max(outline.heightMeters * scale, 40) + 2 * Self.margin
    let bar = Self.barMeters(outline)
    let barWidth = bar * scale
    page.element(.figure, [.class: "track"]) { figure in
      figure.element(
        .svg,
        [
          .viewBox: "0 0 \(Length.number(width)) \(Length.number(height + 26))", .role: "img",
          .ariaLabelledBy: "track-title track-desc",
        ]
      ) { svg in
        svg.element(.title, [.id: "track-title"], "Outline of the way")
        svg.element(
          .desc, [.id: "track-desc"],
          "\(QuantityText.distance(meters: outline.widthMeters)) from west to east, "
            + "\(QuantityText.distance(meters: outline.heightMeters)) from south to north.")
        let left = (width - outline.widthMeters * scale) / 2
        let bottom = (height + outline.heightMeters * scale) / 2
        func place(_ point: TrackOutline.Point) -> (x: String, y: String) {
          (Self.text(left + point.eastMeters * scale), Self.text(bottom - point.northMeters * scale))
        }
        let path = outline.lines.map { line in
          "M" + line.map { place($0) }.map { "\($0.x) \($0.y)" }.joined(separator: "L") + (line.count == 1 ? "h0" : "")
        }.joined()
        svg.empty(.path, [.class: "curve", .d: path])
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
        Self.scaleBar(meters: bar, width: barWidth, y: height + 6, to: &svg)
        Self.north(x: width - 14, y: height + 2, to: &svg)
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

  private var caption: String {
    let hidden = privacyRadius.map {
      "What lies within \(QuantityText.distance(meters: $0.meters)) of both ends is left out. "
    }
    return
      "The way from above, north up, in equal scale; the line ends where no position came for 30 s. \(hidden ?? "")"
      + "There is no map and no coordinate on this page, and yet the outline shows where you were to whoever knows the "
      + "place: coach report --without-track leaves it out, --privacy-radius its ends."
  }

  private static func scaleBar(meters: Double, width: Double, y: Double, to svg: inout Markup) {
    let (from, until) = (margin, margin + width)
    let path =
      "M\(text(from)) \(text(y - 4))v8M\(text(from)) \(text(y))h\(text(width))M\(text(until)) \(text(y - 4))v8"
    svg.empty(.path, [.class: "hollow", .d: path])
    svg.element(
      .text, [.x: text(until + 8), .y: text(y + 4)], QuantityText.distance(meters: meters).replacing(".00", with: ""))
  }

  private static func north(x: Double, y: Double, to svg: inout Markup) {
    svg.element(.g, [.transform: "translate(\(text(x)) \(text(y)))"]) { arrow in
      arrow.empty(.path, [.class: "ink", .d: "M0-10L5 8L0 4L-5 8z"])
      arrow.element(.text, [.x: "-9", .y: "6", .textAnchor: "end"], "N")
    }
  }

  /// A round length of about a quarter of the drawing.
  private static func barMeters(_ outline: TrackOutline) -> Double {
    ValueAxis.roundStep(max(outline.widthMeters, outline.heightMeters) / 5)
  }

  private static func text(_ value: Double) -> String {
    QuantityText.number(value, decimals: 1)
  }
}

internal import StrategyStudy
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// The heart rate with the targets, the zones, and every evaluated moment.
struct HeartRateFigure {
  /// The most moments that stand on the curve; more of them stand in rows under it.
  private static let mostOnCurve = 80
  private static let height = 300.0
  private static let rowHeight = 20.0
  /// How many letters have room beside each other where a screen is not narrow.
  private static let lettersAcross = 66.0
  /// How many have room beside each other on a phone of 360 pixels.
  private static let lettersOfPhone = 38.0
  /// How far the letters of a label reach above and below their line, in pixels.
  private static let (ascent, descent) = (12.0, 4.0)

  private let report: SessionReport
  private let beside: SessionReport?
  private let plot: SessionPlot
  private let moments: CueMarks

  /// The figure, with the curve of another session behind it; `nil` without any heart rate.
  init?(_ report: SessionReport, beside other: SessionReport?) {
    self.report = report
    beside = other
    let limits = report.detail.outcome.targets.targets.flatMap { [$0.lowerBPM, $0.upperBPM] }.compactMap(\.self)
    let end = report.detail.outcome.summary.elapsed
    guard let measured = report.courses.heartRate.range(with: other?.courses.heartRate, until: end) else { return nil }
    let lowest = limits.map(Double.init).reduce(measured.lowerBound, min)
    let highest = limits.map(Double.init).reduce(measured.upperBound, max)
    plot = SessionPlot(
      times: TimeAxis(until: report.detail.outcome.summary.elapsed),
      values: ValueAxis(lowest...highest, height: Self.height, marks: 7, leastStep: 5))
    moments = CueMarks(report.courses.decisions, report.units)
  }

  /// Writes the figure with its legend.
  func write(to page: inout Markup) {
    let isCrowded = report.courses.decisions.count > Self.mostOnCurve
    page.element(.figure) { figure in
      plot.write(
        id: "heart-rate-plot", title: "Heart rate over time", summary: summary,
        extra: isCrowded ? 30 + Double(moments.rows.count) * Self.rowHeight : 0, to: &figure
      ) { svg in
        gradient(to: &svg)
        plot.bands(bandStarts, to: &svg)
        let labels = targets(to: &svg)
        plot.spans(report.courses.pauses, fill: Symbols.pause, title: "Paused", to: &svg)
        plot.spans(report.courses.withoutHeartRate, fill: Symbols.noData, title: "No usable heart rate", to: &svg)
        plot.axes(to: &svg) { QuantityText.number($0, decimals: 0) }
        zones(to: &svg)
        if let beside { plot.lineBeside(beside.courses.heartRate, to: &svg) }
        plot.line(report.courses.heartRate, stroke: Self.stroke, to: &svg)
        if report.courses.steps.isEmpty { laps(to: &svg) } else { steps(to: &svg) }
        if isCrowded {
          moments.writeRows(from: Self.height + 40, every: Self.rowHeight, in: plot, to: &svg)
        } else {
          moments.write(in: plot, to: &svg)
        }
        write(labels, among: isCrowded ? [] : moments.places(in: plot), to: &svg)
      }
      legend(to: &figure)
      figure.element(.figcaption, caption(isCrowded: isCrowded))
    }
  }

  private var summary: String {
    let outcome = report.detail.outcome
    var parts: [String] = []
    if let mean = outcome.summary.timeWeightedMeanHeartRate, let lowest = outcome.summary.readings.minimum,
      let highest = outcome.summary.readings.maximum
    {
      let numbers = [mean, lowest, highest].map { QuantityText.number($0, decimals: 0) }
      parts.append("Mean \(numbers[0]), lowest \(numbers[1]), highest \(numbers[2]) bpm.")
    }
    if let only = outcome.targets.only { parts.append("Target \(only.text(in: report.units)).") }
    let cues = outcome.summary.cues
    parts.append(
      "\(StudyText.counted(cues.givenTotal, "cue")), \(StudyText.counted(cues.withheldTotal, "moment")) without one; all of them stand in a table."
    )
    return parts.joined(separator: " ")
  }

  // MARK: - The curve

  private static let stroke = "url(#zone-strokes)"

  /// The colours of the zones from the top to the bottom, each as far as its zone reaches.
  private func gradient(to svg: inout Markup) {
    let zones = report.detail.outcome.zones
    var strips = zones.zones.reversed().map { zone in
      (
        color: BandPattern.color(of: .zone(zone.number), in: zones),
        bottom: zone.lowerBPM.map { plot.values.y(Double($0) - 0.5) } ?? plot.values.height
      )
    }
    if let top = zones.zones.last?.upperBPM {
      strips.insert((.magenta, plot.values.y(Double(top) + 0.5)), at: 0)
    }
    strips.append((.gray, plot.values.height))
    svg.element(.defs) { defs in
      defs.element(
        .linearGradient,
        [
          .id: "zone-strokes", .gradientUnits: "userSpaceOnUse", .x1: "0", .x2: "0", .y1: "0",
          .y2: Length.number(plot.values.height),
        ]
      ) { gradient in
        var top = 0.0
        for strip in strips where strip.bottom > top {
          for y in [top, strip.bottom] {
            gradient.empty(
              .stop, [.offset: Length.percent(y / plot.values.height), .stopColor: "var(--\(strip.color.rawValue))"])
          }
          top = strip.bottom
        }
      }
    }
  }

  // MARK: - Behind the curve

  /// Where steps of a plan begin, or laps where there is none.
  private var bandStarts: [SessionTime] {
    report.courses.steps.isEmpty ? [.zero] + report.courses.laps : report.courses.steps.map(\.time)
  }

  /// The numbers of the laps, at the top, where there is room for them.
  private func laps(to svg: inout Markup) {
    let starts = bandStarts
    guard starts.count > 1 else { return }
    for (index, start) in starts.enumerated() {
      let until = index + 1 < starts.count ? starts[index + 1] : plot.times.end
      guard plot.times.share(until) - plot.times.share(start) > 0.07 else { continue }
      svg.element(.text, [.class: "wide", .x: plot.times.x(start), .dx: "3", .y: "-4"], "lap \(index + 1)")
    }
  }

  /// What is written at a target, over all that is drawn.
  private struct TargetLabel {
    let words: String
    let start: SessionTime
    /// Whether a phone has room for it.
    let isAlwaysShown: Bool
    let band: (top: Double, bottom: Double)
  }

  /// Draws the targets; the labels for them.
  private func targets(to svg: inout Markup) -> [TargetLabel] {
    var labels: [TargetLabel] = []
    let spans = report.detail.outcome.targets.spans
    for (index, span) in spans.enumerated() {
      let until = index + 1 < spans.count ? spans[index + 1].start : plot.times.end
      guard let target = span.target?.ofHeartRate, until > span.start else { continue }
      let band = plot.target(target.lowerBPM, target.upperBPM, from: span.start, until: until, to: &svg)
      let width = plot.times.share(until) - plot.times.share(span.start)
      guard width > 0.14 else { continue }
      labels.append(
        TargetLabel(
          words: spans.count > 1 ? target.rangeText : "target \(target.rangeText)", start: span.start,
          isAlwaysShown: width > 0.3, band: band))
    }
    return labels
  }

  /// Writes the labels of targets where the fewest marks are: in the band at its top, else at its bottom, above or below it.
  private func write(_ labels: [TargetLabel], among marks: [(share: Double, y: Double)], to svg: inout Markup) {
    for label in labels {
      let (top, bottom) = label.band
      let lines = [top + 15, bottom - 6, top - 6, bottom + 15].filter { line in
        (Self.ascent...plot.values.height - Self.descent).contains(line)
      }
      let from = plot.times.share(label.start)
      // A letter is as wide as a phone has it: where there is more room, the label is shorter than that.
      let until = from + Double(label.words.count + 1) / Self.lettersOfPhone
      let near = marks.filter { (from...until).contains($0.share) }.map(\.y)
      let counts = lines.map { line in
        near.count { $0 > line - Self.ascent - CueMarks.reach && $0 < line + Self.descent + CueMarks.reach }
      }
      let place = counts.min().flatMap(counts.firstIndex(of:)) ?? 0
      svg.element(
        .text,
        [
          .class: label.isAlwaysShown ? "strong" : "strong wide", .x: plot.times.x(label.start), .dx: "6",
          .y: Length.number(lines.isEmpty ? top + 15 : lines[place]),
        ],
        label.words)
    }
  }

  private func zones(to svg: inout Markup) {
    for zone in report.detail.outcome.zones.zones {
      let top = zone.upperBPM.map { plot.values.y(Double($0) + 0.5) } ?? 0
      let bottom = zone.lowerBPM.map { plot.values.y(Double($0) - 0.5) } ?? plot.values.height
      guard bottom - top >= 14 else { continue }
      svg.empty(
        .rect,
        [
          .x: "100%", .y: Length.number(top), .width: "4", .height: Length.number(bottom - top),
          .fill: BandPattern.fill(.zone(zone.number)),
        ])
      svg.element(
        .text, [.x: "100%", .dx: "8", .y: Length.number((top + bottom) / 2), .dy: "4"], zone.shortLabel)
    }
  }

  /// The names of the steps of a plan, at the top, where there is room for them.
  private func steps(to svg: inout Markup) {
    let marks = report.courses.steps
    for (index, mark) in marks.enumerated() {
      let until = index + 1 < marks.count ? marks[index + 1].time : plot.times.end
      let x = plot.times.x(mark.time)
      if mark.time > .zero {
        svg.empty(.line, [.class: "axis", .x1: x, .x2: x, .y1: "-6", .y2: "6"])
      }
      let share = plot.times.share(until) - plot.times.share(mark.time)
      guard share > 0.12 else { continue }
      let name = mark.step?.title(number: mark.number) ?? "plan finished"
      svg.element(
        .text, [.class: "wide", .x: x, .dx: "3", .y: "-4"],
        Length.brief(name, longest: Int(share * Self.lettersAcross)))
    }
  }

  // MARK: - Words

  private func legend(to figure: inout Markup) {
    figure.element(.ul, [.class: "legend"]) { list in
      moments.writeLegend(to: &list)
      if !report.detail.outcome.targets.targets.isEmpty {
        Self.swatch("target", class: "target", fill: nil, to: &list)
      }
      if let beside { list.besideKey(beside) }
      if !report.courses.withoutHeartRate.isEmpty {
        Self.swatch("no usable heart rate", class: "outline", fill: Symbols.noData, to: &list)
      }
      if !report.courses.pauses.isEmpty {
        Self.swatch("paused", class: "outline", fill: Symbols.pause, to: &list)
      }
    }
  }

  private static func swatch(_ words: String, class name: String, fill: String?, to list: inout Markup) {
    list.element(.li) { item in
      item.element(.svg, [.width: "18", .height: "12", .ariaHidden: "true"]) { svg in
        if let fill { svg.empty(.rect, [.width: "18", .height: "12", .fill: fill]) }
        svg.empty(.rect, [.class: name, .width: "18", .height: "12"])
      }
      item.text(words)
    }
  }

  private func caption(isCrowded: Bool) -> String {
    let place = isCrowded ? " Cues stand in rows under the curve, each as a stroke at its time." : ""
    return "Heart rate in beats per minute over the time of the session in \(plot.times.unit). The line ends where no "
      + "reading came for 15 s." + place
  }
}

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

  private let report: SessionReport
  private let plot: SessionPlot
  private let moments: CueMarks

  /// The figure; `nil` without any heart rate.
  init?(_ report: SessionReport) {
    self.report = report
    let limits = report.detail.outcome.targets.targets.flatMap { [$0.lowerBPM, $0.upperBPM] }.compactMap(\.self)
    guard let measured = report.courses.heartRate.range else { return nil }
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
        targets(to: &svg)
        plot.spans(report.courses.pauses, fill: Symbols.pause, title: "Paused", to: &svg)
        plot.spans(report.courses.withoutHeartRate, fill: Symbols.noData, title: "No usable heart rate", to: &svg)
        plot.axes(to: &svg) { QuantityText.number($0, decimals: 0) }
        zones(to: &svg)
        plot.line(report.courses.heartRate, to: &svg)
        steps(to: &svg)
        if isCrowded {
          moments.writeRows(from: Self.height + 40, every: Self.rowHeight, in: plot, to: &svg)
        } else {
          moments.write(in: plot, to: &svg)
        }
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
      "\(cues.givenTotal) cues, \(cues.withheldTotal) moments without one; all of them stand in a table.")
    return parts.joined(separator: " ")
  }

  // MARK: - Behind the curve

  private func targets(to svg: inout Markup) {
    let spans = report.detail.outcome.targets.spans
    for (index, span) in spans.enumerated() {
      let until = index + 1 < spans.count ? spans[index + 1].start : plot.times.end
      guard let target = span.target?.ofHeartRate, until > span.start else { continue }
      let top = plot.target(target.lowerBPM, target.upperBPM, from: span.start, until: until, to: &svg)
      let width = plot.times.share(until) - plot.times.share(span.start)
      guard width > 0.14 else { continue }
      let words = spans.count > 1 ? target.rangeText : "target \(target.rangeText)"
      svg.element(
        .text,
        [
          .class: width > 0.3 ? "strong" : "strong wide", .x: plot.times.x(span.start), .dx: "6",
          .y: Length.number(top), .dy: "15",
        ],
        words)
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
      let name = mark.step == nil ? "plan finished" : mark.step?.name.map { "\(mark.number) \($0)" } ?? "\(mark.number)"
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

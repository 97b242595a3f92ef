internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// The charts of the page of some days, each with its table.
struct PeriodCharts {
  let report: PeriodReport
  let bands: [Band]

  /// Whether sessions with a target can be held beside each other.
  var hasCompliance: Bool { report.sessions.count { $0.entry.compliance != nil } > 1 }
  /// Whether there are two days, weeks or months, and a training load in any of them.
  var hasLoad: Bool { report.bins.count > 1 && report.bins.contains { $0.edwards != nil } }
  /// Whether there are two days, weeks or months to compare.
  var hasTrends: Bool { report.bins.count { $0.totals.metersPerBeat != nil || $0.totals.meanHeartRate != nil } > 1 }
  /// The trends of which two days, weeks or months know something.
  var trends: [Trend] { Trend.allCases.filter { trend in report.bins.count { trend.value(of: $0.totals) != nil } > 1 } }

  // MARK: - Zones

  /// Minutes in each zone of each day, week or month.
  func writeZones(to page: inout Markup) {
    page.element(.figure) { figure in
      BinFigure(
        id: "zones-plot", title: "Minutes in each zone by \(report.unit.word)",
        summary: "The numbers stand in the table under it.",
        bins: report.bins.map { bin in
          BinFigure.Bin(
            label: label(bin.first),
            parts: bands.map { (BandPattern.fill($0), minutes(bin.totals, $0)) }
              + [(Symbols.noData, bin.totals.noData.seconds / 60)],
            total: bin.totals.active > .zero ? QuantityText.minutes(bin.totals.active) : nil)
        },
        pointLabel: { Length.number($0) }
      ).write(to: &figure)
      figure.element(.ul, [.class: "legend"]) { list in
        for band in bands { Self.swatch(band.periodLabel, BandPattern.fill(band), to: &list) }
        Self.swatch("no usable heart rate", Symbols.noData, to: &list)
      }
      figure.element(.figcaption, "Active minutes by \(report.unit.word), cut by zone.")
    }
    page.scrollingArea("Time in zones by \(report.unit.word)", isTall: true) { box in
      box.element(.table, [.class: "numbers"]) { table in
        let titles =
          [report.unit.title, "Sessions", "Active", "Distance"] + bands.map(\.periodLabel) + ["No heart rate"]
        SessionTables.head(titles, to: &table)
        table.element(.tbody) { body in
          for bin in report.bins where bin.totals.sessions > 0 {
            row(label(bin.first, isLong: true), bin.totals, to: &body)
          }
        }
        table.element(.tfoot) { row("All", report.total, to: &$0) }
      }
    }
    page.note("Times in minutes.")
  }

  private func row(_ name: String, _ totals: PeriodTotals, to body: inout Markup) {
    body.element(.tr) { row in
      row.element(.th, [.scope: "row"], name)
      row.element(.td, "\(totals.sessions)")
      row.element(.td, QuantityText.number(totals.active.seconds / 60, decimals: 0))
      row.element(.td, totals.distanceMeters.map { report.units.distance(meters: $0) } ?? "–")
      for band in bands { row.element(.td, QuantityText.number(minutes(totals, band), decimals: 0)) }
      row.element(.td, QuantityText.number(totals.noData.seconds / 60, decimals: 0))
    }
  }

  private func minutes(_ totals: PeriodTotals, _ band: Band) -> Double { totals.time(in: band).seconds / 60 }

  private static func swatch(_ words: String, _ fill: String, to list: inout Markup) {
    list.element(.li) { item in
      item.element(.svg, [.width: "18", .height: "12", .ariaHidden: "true"]) { svg in
        svg.empty(.rect, [.width: "18", .height: "12", .fill: fill])
        svg.empty(.rect, [.class: "outline", .width: "18", .height: "12"])
      }
      item.text(words)
    }
  }

  // MARK: - Points and bars

  /// The share of time in target of each session, in order.
  func writeCompliance(to page: inout Markup) {
    let sessions = report.sessions.filter { $0.entry.compliance != nil }
    page.element(.figure) { figure in
      BinFigure(
        id: "compliance-plot", title: "Time in target of each session", summary: "From 0 to 100 %.",
        bins: sessions.map { session in
          BinFigure.Bin(
            label: String(session.entry.startText.dropFirst(5).prefix(5)),
            point: session.entry.compliance.map { $0 * 100 })
        },
        pointLabel: { QuantityText.number($0, decimals: 0) + " %" }, pointRange: 0...100
      ).write(to: &figure)
      figure.element(
        .figcaption,
        "Share of the time with a heart rate that was in target, session by session. Sessions may have different targets."
      )
    }
  }

  /// The training load of each day, week or month.
  func writeLoad(to page: inout Markup) {
    page.element(.figure) { figure in
      BinFigure(
        id: "load-plot", title: "Training load by \(report.unit.word)", summary: "By Edwards, in arbitrary units.",
        bins: report.bins.map { bin in
          BinFigure.Bin(
            label: label(bin.first), parts: bin.edwards.map { [("var(--gray)", $0)] } ?? [],
            total: bin.edwards.map { QuantityText.number($0, decimals: 0) })
        },
        pointLabel: { Length.number($0) }
      ).write(to: &figure)
      figure.element(.figcaption, "Training load by Edwards (1993), arbitrary units.")
    }
  }

  /// Mean heart rate and metres for a heartbeat of each day, week or month.
  func writeTrends(to page: inout Markup) {
    for trend in trends {
      page.element(.h3, trend.title)
      write(trend, to: &page)
    }
    page.note(Trend.note)
  }

  /// One of them.
  func write(_ trend: Trend, to page: inout Markup) {
    page.element(.figure) { figure in
      BinFigure(
        id: trend.id, title: "\(trend.title) by \(report.unit.word)", summary: "A circle where it is known.",
        bins: report.bins.map { BinFigure.Bin(label: label($0.first), point: trend.value(of: $0.totals)) },
        pointLabel: { QuantityText.number($0, decimals: trend.decimals) }, leastPointStep: trend.leastStep
      ).write(to: &figure)
    }
  }

  /// What is followed from day to day, week to week or month to month.
  enum Trend: CaseIterable {
    case meanHeartRate, metersPerBeat

    static let note =
      "Metres for a heartbeat: distance ÷ (mean heart rate × active minutes) of the sessions that have both. Heat, hills "
      + "and the kind of exercise change it as much as fitness does."

    var title: String {
      switch self {
      case .meanHeartRate: "Mean heart rate in bpm"
      case .metersPerBeat: "Metres for a heartbeat"
      }
    }

    fileprivate var id: String {
      switch self {
      case .meanHeartRate: "mean-plot"
      case .metersPerBeat: "efficiency-plot"
      }
    }

    fileprivate var decimals: Int {
      switch self {
      case .meanHeartRate: 0
      case .metersPerBeat: 2
      }
    }

    fileprivate var leastStep: Double {
      switch self {
      case .meanHeartRate: 5
      case .metersPerBeat: 0.05
      }
    }

    fileprivate func value(of totals: PeriodTotals) -> Double? {
      switch self {
      case .meanHeartRate: totals.meanHeartRate
      case .metersPerBeat: totals.metersPerBeat
      }
    }
  }

  /// The name of a day, a week or a month.
  private func label(_ first: CivilDate, isLong: Bool = false) -> String {
    switch report.unit {
    case .day: isLong ? CalendarText.day(first) : CalendarText.shortDay(first)
    case .week: isLong ? CalendarText.week(first) : String(CalendarText.week(first).suffix(3))
    case .month: String(first.description.prefix(7))
    }
  }
}

extension PeriodReport.Unit {
  /// The unit in a sentence.
  fileprivate var word: String {
    switch self {
    case .day: "day"
    case .week: "week"
    case .month: "month"
    }
  }

  /// The unit at the head of a column.
  fileprivate var title: String {
    switch self {
    case .day: "Day"
    case .week: "Week"
    case .month: "Month"
    }
  }
}

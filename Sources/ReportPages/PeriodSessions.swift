internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// The sessions of the page of some days: a table, then a piece about each.
struct PeriodSessions {
  private static let curveColumns = 160
  private static let curveHeight = 70.0

  let report: PeriodReport

  /// Writes table and pieces, the newest first.
  func write(to page: inout Markup) {
    page.scrollingArea("All sessions", isTall: true) { box in
      box.element(.table, [.class: "numbers named"]) { table in
        SessionTables.head(
          ["Start", "Activity", "Active", "Distance", "bpm", "In target", "Steps", "Load", "State"]
            + (report.peopleCount > 1 ? ["Person"] : []), to: &table)
        table.element(.tbody) { body in for session in report.sessions.reversed() { row(session, to: &body) } }
      }
    }
    page.note("Of each session the time in zones as a bar, then the heart rate in bpm from its start to its end.")
    for session in report.sessions.reversed() {
      guard let detail = session.detail else { continue }
      piece(session.entry, detail, to: &page)
    }
    let rest = report.sessions.count { $0.detail == nil }
    if rest > 0 { page.note("Of the \(rest) sessions before these there is a line in the table only.") }
  }

  private func row(_ session: PeriodReport.Session, to body: inout Markup) {
    let entry = session.entry
    body.element(.tr) { row in
      row.element(.th, [.scope: "row"]) { cell in
        if session.detail == nil {
          cell.text(entry.startText)
        } else {
          cell.element(.a, [.href: "#" + entry.sessionID], entry.startText)
        }
      }
      row.element(.td) { $0.name(entry.activity) }
      row.element(.td, QuantityText.clockRounded(entry.active))
      row.element(.td, entry.distanceMeters.map { report.units.distance(meters: $0) } ?? "–")
      row.element(.td, entry.heartRateText ?? "–")
      row.element(.td, entry.compliance.map(QuantityText.percent) ?? "–")
      row.element(.td, entry.steps.map { "\($0)" } ?? "–")
      row.element(.td, session.edwards.map { QuantityText.number($0, decimals: 0) } ?? "–")
      row.element(.td, entry.state.rawValue)
      if report.peopleCount > 1 { row.element(.td) { $0.name(entry.line.personLabel ?? "–") } }
    }
  }

  private func piece(_ entry: SessionEntry, _ detail: SessionDetail, to page: inout Markup) {
    page.newline()
    page.element(.h3, [.id: entry.sessionID]) { heading in
      heading.name(entry.activity)
      heading.text(", \(entry.startText) (\(CalendarText.offset(entry.utcOffsetSeconds)))")
    }
    page.element(.p, [.class: "meta"]) { meta in
      if let person = entry.person {
        meta.name(person)
        meta.text(" · ")
      }
      let target = entry.target.map { "target \($0)" } ?? (detail.manifest.request.plan == nil ? "no target" : "a plan")
      meta.name(target)
    }
    strip(detail, to: &page)
    curve(entry, detail, to: &page)
    let cues = detail.outcome.summary.cues
    page.element(.p, [.class: "meta"]) { meta in
      meta.text("\(cues.givenTotal) cues, \(cues.withheldTotal) withheld · strategy ")
      meta.element(.code, entry.strategy)
      meta.text(" · ")
      meta.element(.code, entry.sessionID)
    }
  }

  /// The zones one after another in one bar.
  private func strip(_ detail: SessionDetail, to page: inout Markup) {
    let summary = detail.outcome.summary
    guard summary.active > .zero else { return }
    let parts =
      summary.inBand.filter { $0.duration > .zero }.map {
        (BandPattern.fill($0.band), $0.band.periodLabel, $0.duration)
      }
      + (summary.noData > .zero ? [(Symbols.noData, "no usable heart rate", summary.noData)] : [])
    page.element(.svg, [.width: "100%", .height: "16", .ariaHidden: "true"]) { svg in
      var from = 0.0
      for (fill, _, duration) in parts {
        let share = duration.seconds / summary.active.seconds
        let place: Markup.Attributes = [
          .x: Length.percent(from), .width: Length.percent(share), .height: "16", .fill: fill,
        ]
        svg.empty(.rect, place)
        from += share
      }
      svg.empty(.rect, [.class: "outline", .width: "100%", .height: "16"])
    }
    page.note(parts.map { "\($0.1) \(QuantityText.clockRounded($0.2))" }.joined(separator: " · "))
  }

  /// The course of the heart rate as the index keeps it.
  private func curve(_ entry: SessionEntry, _ detail: SessionDetail, to page: inout Markup) {
    let means = detail.outcome.curve.means(columns: Self.curveColumns, until: entry.elapsed)
    let known = means.compactMap(\.self)
    guard let lowest = known.min(), let highest = known.max() else { return }
    let axis = ValueAxis(lowest...highest, height: Self.curveHeight, marks: 2, leastStep: 10)
    var path = ""
    var isDown = false
    for (column, mean) in means.enumerated() {
      guard let mean else {
        isDown = false
        continue
      }
      path +=
        (isDown ? "L" : "M") + "\(column) " + QuantityText.number(axis.y(mean), decimals: 0) + (isDown ? "" : "h.1")
      isDown = true
    }
    page.element(.svg, [.class: "plot small", .height: Length.number(Self.curveHeight), .ariaHidden: "true"]) { svg in
      for value in axis.marks {
        let y = Length.number(axis.y(value))
        svg.empty(.line, [.class: "grid", .x1: "0", .x2: "100%", .y1: y, .y2: y])
        svg.element(.text, [.class: "y", .dx: "-7", .y: y, .dy: "4"], Length.number(value))
      }
      svg.element(
        .svg,
        [
          .width: "100%", .height: Length.number(Self.curveHeight),
          .viewBox: "0 0 \(Self.curveColumns - 1) \(Length.number(Self.curveHeight))", .preserveAspectRatio: "none",
          .overflow: "visible",
        ]
      ) { $0.empty(.path, [.class: "curve", .d: path, .vectorEffect: "non-scaling-stroke"]) }
    }
  }
}

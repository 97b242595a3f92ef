import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession

/// The latest workout and the last days.
struct DashboardView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The view of a dashboard that leaves out so many sessions in which no person was measured; `hasOthers` says whether there are some
  /// that no list has.
  init(
    _ dashboard: Dashboard, simulatedLeftOut: Int = 0, hasOthers: Bool = false, units: UnitSystem, width: Int
  ) {
    guard let latest = dashboard.latest else {
      lines = SessionListView.empty(
        isFiltered: dashboard.person != nil, simulatedLeftOut: simulatedLeftOut, hasOthers: hasOthers, width: width)
      return
    }
    lines =
      [
        Self.workout(latest, units, width: width),
        Self.days(dashboard, units, width: width),
        PeriodBands(dashboard.total).lines(width: width),
        Self.compliance(dashboard.total, width: width),
      ].joinedBlocks
  }

  /// The latest workout in a few lines.
  private static func workout(_ entry: SessionEntry, _ units: UnitSystem, width: Int) -> [StyledText] {
    let what = .spaces(2) + StyledText("\(entry.activity), \(entry.startText)")
    let titles = ["Latest workout", "Latest"].map { StyledText($0, .bold) + what }
    var facts = [(name: "active", text: QuantityText.clockRounded(entry.active))]
    if let mean = entry.heartRateText, let lowest = entry.minimumHeartRate, let highest = entry.maximumHeartRate {
      let range = "\(QuantityText.number(lowest, decimals: 0))–\(QuantityText.number(highest, decimals: 0))"
      facts.append(("heart rate", "\(mean) bpm (\(range))"))
    }
    if let compliance = entry.compliance { facts.append(("in target", QuantityText.percent(compliance))) }
    if let meters = entry.distanceMeters { facts.append(("distance", units.distance(meters: meters))) }
    if let steps = entry.steps { facts.append(("steps", "\(steps)")) }
    if let energy = entry.energyKilocalories {
      facts.append(("energy", "\(QuantityText.number(energy, decimals: 0)) kcal"))
    }
    if entry.state == .recovered { facts.append(("state", "recovered")) }
    if entry.origin == .simulated { facts.append(("origin", "simulated")) }
    if let person = entry.person { facts.append(("person", person)) }
    return [titles.fitting(width)] + FactGrid(facts).lines(width: width)
  }

  private static func days(_ dashboard: Dashboard, _ units: UnitSystem, width: Int) -> [StyledText] {
    guard let first = dashboard.days.first?.day, let last = dashboard.days.last?.day else { return [] }
    let title = [
      StyledText("Last 7 days", .bold)
        + StyledText("  \(CalendarText.day(first)) to \(CalendarText.day(last))", .dim),
      StyledText("Last 7 days", .bold),
    ].fitting(width)
    guard dashboard.total.sessions > 0 else {
      return [title] + SummaryView.paragraph("No session in these days.", width: width)
    }
    let table = TextTable(
      of: dashboard.days.map { (CalendarText.shortDay($0.day), $0.totals) }, title: "day",
      total: dashboard.total, units: units)
    let origins = OriginText.sentence(dashboard.total.origins, of: dashboard.total.sessions)
    return [title] + (origins.map { SummaryView.paragraph($0, width: width) } ?? []) + table.lines(width: width)
  }

  private static func compliance(_ total: PeriodTotals, width: Int) -> [StyledText] {
    guard let compliance = total.compliance else { return [] }
    return SummaryView.paragraph(
      "In the target for \(QuantityText.percent(compliance)) of the time with a target and a heart rate.", width: width)
  }
}

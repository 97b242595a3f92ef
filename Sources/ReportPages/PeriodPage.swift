internal import TextFormats
package import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// The page of the sessions of some days.
package struct PeriodPage {
  private let report: PeriodReport

  /// The page of a report.
  package init(_ report: PeriodReport) { self.report = report }

  /// The page in UTF-8: HTML that is well-formed XML too, the same bytes for the same report.
  package var bytes: [UInt8] {
    Page.bytes(title: "Workouts, \(days)", header: header, patterns: BandPattern.patterns(of: bands)) { main in
      for part in parts { main.section(part.id, part.heading, part.write) }
    }
  }

  private var days: String {
    let (first, last) = (report.days.lowerBound, report.days.upperBound)
    return first == last ? CalendarText.day(first) : "\(CalendarText.day(first)) – \(CalendarText.day(last))"
  }

  /// The bands with any time in them, those of all sessions with a section of their own too.
  private var bands: [Band] {
    var bands = Set(report.total.inBand.filter { $0.duration > .zero }.map(\.band))
    for session in report.sessions {
      for (band, duration) in session.detail?.outcome.summary.inBand ?? [] where duration > .zero { bands.insert(band) }
    }
    return bands.sorted()
  }

  private typealias Part = (id: String, heading: String, write: (inout Markup) -> Void)

  private var parts: [Part] {
    let charts = PeriodCharts(report: report, bands: bands)
    var parts: [Part] = [("summary", "Summary", writeSummary), ("zones", "Time in zones", charts.writeZones)]
    let calendar = CalendarPart(report: report, bands: bands)
    if calendar.isWorthwhile { parts.append(("calendar", "Calendar", calendar.write)) }
    if charts.hasCompliance { parts.append(("compliance", "In target", charts.writeCompliance)) }
    if charts.hasLoad { parts.append(("load", "Training load", charts.writeLoad)) }
    if charts.hasTrends { parts.append(("trends", "Trends", charts.writeTrends)) }
    if !report.hoursOfDay.isEmpty { parts.append(("hours", "Hours of the day", writeHours)) }
    parts.append(("sessions", "Sessions", PeriodSessions(report: report).write))
    parts.append(("method", "How it was computed", writeMethod))
    return parts
  }

  private func header(to page: inout Markup) {
    page.element(.h1, report.total.sessions == 1 ? "1 workout" : "\(report.total.sessions) workouts")
    page.element(.p, [.class: "when"], days)
    page.element(.p, [.class: "meta"]) { meta in
      if let person = report.person {
        meta.name(person)
      } else {
        meta.text("everybody in the history")
        if report.peopleCount > 1 { meta.text(" · the sessions of \(report.peopleCount) people are added up") }
      }
      if let simulated = report.total.origins[.simulated] {
        meta.text(" · \(simulated) of them simulated: no person was measured in \(simulated == 1 ? "it" : "those")")
      }
      let count = report.simulatedLeftOut
      if count > 0 { meta.text(" · \(count) simulated \(count == 1 ? "session" : "sessions") left out") }
    }
    page.contents(parts.map { ($0.id, $0.heading) })
  }

  private func writeSummary(to page: inout Markup) {
    let total = report.total
    var facts: [(name: String, text: String, more: String?)] = [
      ("Sessions", "\(total.sessions)", nil), ("Active time", QuantityText.clockRounded(total.active), nil),
    ]
    if let meters = total.distanceMeters { facts.append(("Distance", report.units.distance(meters: meters), nil)) }
    if let bpm = total.meanHeartRate {
      facts.append(("Heart rate", QuantityText.number(bpm, decimals: 0) + " bpm", "mean over the time with one"))
    }
    if let compliance = total.compliance {
      facts.append(("In target", QuantityText.percent(compliance), "of the time with a heart rate and a target"))
    }
    if let steps = total.steps { facts.append(("Steps", "\(steps)", nil)) }
    let load = report.sessions.compactMap(\.edwards).reduce(nil) { ($0 ?? 0) + $1 }
    if let load { facts.append(("Training load", QuantityText.number(load, decimals: 0), "by Edwards")) }
    page.facts(facts)
  }

  private func writeHours(to page: inout Markup) {
    var hours = (0..<24).map { HoursPart.Hour(label: ($0 < 10 ? "0" : "") + "\($0)") }
    for hour in report.hoursOfDay {
      hours[hour.hour].steps = hour.steps
      hours[hour.hour].meanHeartRate = hour.meanHeartRate
    }
    HoursPart(hours: hours).write(to: &page)
    let people = report.peopleCount > 1 ? " of \(report.peopleCount) people" : ""
    let heartRate = "heart rate is the mean of all accepted readings of that hour"
    let hasSteps = hours.contains { $0.steps != nil }
    page.note(hasSteps ? "Steps of all days\(people) are added up; the \(heartRate)." : "The \(heartRate)\(people).")
  }

  private func writeMethod(to page: inout Markup) {
    var rows: [(name: String, text: String)] = [("Reported by", "coach \(Program.version)")]
    if !report.total.zoneModels.isEmpty {
      let models = report.total.zoneModels.joined(separator: ", ")
      let sum = report.total.zoneModels.count > 1 ? "; zones of several models are added up by their numbers" : ""
      rows.append(("Zones", "Each session by the zones of its day (\(models))\(sum)."))
    }
    rows += Method.definitions
    rows.append(
      (
        "Comparisons",
        "Sessions have different targets and strategies, so no share of time in target shows which strategy is better."
      ))
    rows.append(
      ("Days", "A session belongs to the day on which it began, on the clock of the machine that made this page."))
    page.list(rows)
  }
}

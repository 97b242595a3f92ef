internal import SessionStore
internal import StrategyStudy
internal import TextFormats
package import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// The page of a session.
package struct SessionPage {
  private let report: SessionReport
  private let beside: SessionReport?
  private let hasTrack: Bool
  private let hosting: PageHosting?
  private let isRead: Bool

  /// The page of a report, with another session on the same axes where there is one to compare with; the outline of the way is left out unless `hasTrack`. Without a `hosting` it is one file that
  /// needs nothing else. Where no script may run, `isRead` is false, and there is none.
  package init(
    _ report: SessionReport, beside other: SessionReport? = nil, hasTrack: Bool, hosting: PageHosting? = nil,
    isRead: Bool = true
  ) {
    beside = other
    self.hosting = hosting
    self.isRead = isRead
    self.report = report
    self.hasTrack = hasTrack
  }

  /// The page in UTF-8: HTML that is well-formed XML too, the same bytes for the same report.
  package var bytes: [UInt8] {
    Page.bytes(
      title: "\(entry.activity), \(entry.startText)", header: header, patterns: BandPattern.patterns(of: outcome.zones),
      hosting: hosting, script: isRead ? .reading(seconds: outcome.summary.elapsed.seconds) : nil
    ) { main in
      for part in parts { main.section(part.id, part.heading, part.write) }
    }
  }

  private var detail: SessionDetail { report.detail }
  private var entry: SessionEntry { detail.entry }
  private var outcome: SessionOutcome { detail.outcome }
  private var tables: SessionTables { SessionTables(report: report) }

  /// A part of the page.
  private typealias Part = (id: String, heading: String, write: (inout Markup) -> Void)

  /// The parts that the session has something for: first what every runner knows, then what was found in it, then how the
  /// coach came to its cues and the numbers about.
  private var parts: [Part] {
    var parts: [Part] = [("summary", "Summary", writeSummary)]
    if let beside { parts.append(("beside", "Beside another run", { writeBeside(beside, to: &$0) })) }
    parts.append(("heart-rate", "Heart rate and cues", writeHeartRate))
    if !report.courses.steps.isEmpty { parts.append(("plan", "Plan", writePlan)) }
    if !report.courses.lapResults.isEmpty { parts.append(("laps", "Laps", { tables.writeLaps(to: &$0) })) }
    parts.append(("zones", "Time in zones", writeZones))
    if !detail.splits(in: report.units).isEmpty {
      parts.append(
        ("splits", report.units.splitsTitle, { tables.writeSplits(to: &$0) }))
    }
    let courses = [
      CourseFigure(speedOf: report, beside: beside), CourseFigure(cadenceOf: report, beside: beside),
      CourseFigure(altitudeOf: report, beside: beside), CourseFigure(gradeOf: report, beside: beside),
    ].compactMap(\.self)
    if !courses.isEmpty { parts.append(("movement", "Movement", { page in courses.forEach { $0.write(to: &page) } })) }
    if hasTrack, let track = report.courses.track {
      parts.append(("track", "Track", { TrackFigure(track, of: report).write(to: &$0) }))
    }
    if detail.decoupling != nil || detail.heartRateRecovery != nil {
      parts.append(("physiology", "Drift and recovery", writePhysiology))
    }
    if detail.beats != nil { parts.append(("beats", "Beat by beat", writeBeats)) }
    // Of a single hour the summary reports more.
    if report.hours.count > 1 { parts.append(("hours", "Hour by hour", writeHours)) }
    parts.append(("signal", "Signal quality", writeSignal))
    parts.append(("decisions", "Decisions", writeDecisions))
    parts.append(("method", "How it was computed", { Method.write(of: report, to: &$0) }))
    return parts
  }

  // MARK: - Head

  private func header(to page: inout Markup) {
    page.element(.h1) { $0.name(entry.activity) }
    let day = entry.start.civilDate(utcOffsetSeconds: entry.utcOffsetSeconds).map(CalendarText.day) ?? ""
    let time = CalendarText.timeOfDay(entry.start, utcOffsetSeconds: entry.utcOffsetSeconds)
    let length = QuantityText.clockRounded(outcome.summary.elapsed)
    page.element(
      .p, [.class: "when"], "\(day), \(time) (\(CalendarText.offset(entry.utcOffsetSeconds))), \(length)")
    page.element(.p, [.class: "meta"]) { meta in
      if let person = entry.person {
        meta.name(person)
        meta.text(" · ")
      }
      if let plan = detail.manifest.request.plan {
        meta.text("plan of \(plan.steps.count) steps")
      } else if let target = entry.target {
        meta.text("target ")
        meta.name(target)
      } else {
        meta.text("no target")
      }
      meta.text(entry.state == .recovered ? " · recovered: its recording was cut off" : " · complete")
      // Where other samples came from is reported with the method; that nobody was measured changes all that is read.
      if detail.manifest.origin == .simulated, let words = detail.manifest.originWords {
        meta.text(" · ")
        meta.name(words)
      }
    }
    page.contents(parts.map { ($0.id, $0.heading) })
  }

  // MARK: - Parts

  private func writeSummary(to page: inout Markup) { page.facts(KeyFigures(detail, report.units).facts) }

  private func writeHeartRate(to page: inout Markup) {
    guard let figure = HeartRateFigure(report, beside: beside) else {
      page.element(.p, "No heart rate was accepted in this session.")
      return
    }
    figure.write(to: &page)
  }

  /// The figures that both sessions have, beside each other.
  private func writeBeside(_ other: SessionReport, to page: inout Markup) {
    let theirs = KeyFigures(other.detail, report.units).facts
    page.element(.table, [.class: "steps"]) { table in
      SessionTables.head(["", "This one", other.detail.entry.startText], to: &table)
      table.element(.tbody) { body in
        for fact in KeyFigures(detail, report.units).facts {
          // What is said of a figure belongs to its name: training loads differ by it.
          func isSame(_ other: (name: String, text: String, more: String?)) -> Bool {
            other.name == fact.name && (fact.name != "Training load" || other.more == fact.more)
          }
          guard let other = theirs.first(where: isSame) else { continue }
          body.element(.tr) { row in
            row.element(.th, [.scope: "row"], fact.name == "Training load" ? "Load \(fact.more ?? "")" : fact.name)
            row.element(.td, fact.text)
            row.element(.td, other.text)
          }
        }
      }
    }
    page.note(
      "The broken line in each drawing is the other session from its own start, as far as this one lasted. Shares of time "
        + "in target are of each session's own target.")
  }

  private func writePlan(to page: inout Markup) {
    guard let verdict = detail.verdict else {
      page.element(.table, [.class: "steps"]) { writeSteps(nil, to: &$0) }
      return
    }
    page.element(.p) { $0.element(.strong, VerdictWords.sentence(verdict, of: detail.manifest.request.plan)) }
    page.scrollingArea("The steps of the plan") { area in
      area.element(.table, [.class: "steps"]) { writeSteps(verdict, to: &$0) }
    }
  }

  private func writeSteps(_ verdict: PlanVerdict?, to table: inout Markup) {
    let titles = ["Began at", "Step", "Name", "Lasts", "Target"]
    SessionTables.head(titles + (verdict == nil ? [] : ["How it went"]), to: &table)
    table.element(.tbody) { body in
      for mark in report.courses.steps {
        body.element(.tr) { row in
          row.element(.th, [.scope: "row"], QuantityText.clock(mark.time))
          row.element(.td, mark.step == nil ? "plan finished" : "\(mark.number)")
          row.element(.td) { $0.name(mark.step?.title(number: mark.number) ?? "") }
          row.element(.td, mark.step.map { report.units.length($0.length) } ?? "")
          row.element(.td, mark.target.map { $0.range(in: report.units) } ?? "none")
          guard let verdict else { return }
          let step = mark.step == nil ? nil : verdict.steps.first { $0.number == mark.number }
          row.element(
            .td,
            step.map { "\(VerdictWords.result($0)); \($0.inTargetSeconds) of \($0.activeSeconds) s in target" } ?? "")
        }
      }
    }
  }

  private func writeZones(to page: inout Markup) {
    tables.writeZones(to: &page)
    page.note(Method.zones(outcome.zones))
  }

  private func writePhysiology(to page: inout Markup) {
    if let words = detail.decouplingWords {
      page.element(.p, "Aerobic decoupling \(words) It says little of a session that is not steady.")
    }
    if let fall = detail.heartRateRecovery {
      page.element(
        .p,
        "Heart-rate recovery \(Length.whole(fall)) bpm: the largest fall in the first minute of a pause."
      )
    }
  }

  private func writeBeats(to page: inout Markup) {
    for sentence in detail.beats?.sentences ?? [] { page.element(.p, sentence) }
    CourseFigure(alpha1Of: report, beside: beside)?.write(to: &page)
  }

  private func writeHours(to page: inout Markup) {
    var hours: [HoursPart.Hour] = []
    var next = report.hours.first?.from
    for hour in report.hours {
      // An hour that the session slept through has its place.
      while let time = next, time < hour.from {
        hours.append(HoursPart.Hour(label: label(time)))
        next = time.adding(nanoseconds: Self.hourNanoseconds)
      }
      hours.append(
        HoursPart.Hour(label: label(hour.from), steps: hour.steps, meanHeartRate: hour.meanHeartRate))
      next = hour.from.adding(nanoseconds: Self.hourNanoseconds)
    }
    HoursPart(hours: hours).write(to: &page)
    page.note("Hours begin where the clock of the place shows them, and count what was measured in pauses too.")
  }

  private static let hourNanoseconds: Int64 = 3_600_000_000_000

  private func label(_ hour: WallClockTime) -> String {
    CalendarText.timeOfDay(hour, utcOffsetSeconds: entry.utcOffsetSeconds)
  }

  private func writeSignal(to page: inout Markup) {
    tables.writeQuality(to: &page)
    for mark in report.courses.suspicions {
      let words =
        switch mark.suspicion {
        case .stuck: "the same reading again and again"
        case .cadenceLock: "readings that equal the cadence"
        }
      page.element(
        .p,
        "Is it the heart? From \(QuantityText.clock(mark.since)) on: \(words) (noticed at \(QuantityText.clock(mark.noticed)))."
      )
    }
    page.note(
      "A gap is longer than 15 s, of motion 1 s; a pause is a gap too. \(KeyFigures(detail, report.units).samples)")
  }

  private func writeDecisions(to page: inout Markup) {
    guard !report.courses.decisions.isEmpty else {
      page.element(.p, "Nothing was judged: the strategy is \(entry.strategy).")
      return
    }
    let cues = outcome.summary.cues
    page.element(
      .p,
      "\(StudyText.counted(cues.givenTotal, "cue")) given, \(cues.withheldTotal) withheld by the strategy \(entry.strategy)."
    )
    page.element(.ul, [.class: "legend"]) { CueMarks(report.courses.decisions, report.units).writeReasons(to: &$0) }
    page.element(.details, [.open: "open"]) { details in
      details.element(.summary, "All \(report.courses.decisions.count) evaluated moments")
      tables.writeDecisions(to: &details)
    }
  }
}

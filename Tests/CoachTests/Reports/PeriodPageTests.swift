@testable import ReportPages
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

@Suite("The page of some days")
struct PeriodPageTests {
  @Test("It has the sums of its days, a bar for each, and every session with a link to its piece")
  func week() async throws {
    let fixture = try await HistoryFixture.week()
    let (bytes, page) = try await fixture.page(from: "2026-11-16", to: "2026-11-20")
    checkPage(bytes, page)
    #expect(page.elements("h1").first?.text == "3 workouts")
    #expect(page.elements("header").first?.text.contains("Mon 16 November 2026 – Fri 20 November 2026") == true)
    let ids = page.elements("section").compactMap { $0.attributes["id"] }
    #expect(ids == ["summary", "zones", "calendar", "compliance", "load", "trends", "hours", "sessions", "method"])
    let days = try #require(page.element(id: "zones")).rows
    #expect(days.map { $0[0] } == ["Mon 16 November 2026", "Wed 18 November 2026", "Fri 20 November 2026"])
    let (first, last) = (CivilDate(iso8601: "2026-11-16"), CivilDate(iso8601: "2026-11-20"))
    let span = try #require(first.flatMap { first in last.flatMap { fixture.clock.instants(of: first...$0) } })
    let total = try await fixture.history.totals(in: span, person: nil)
    let foot = try #require(page.element(id: "zones")?.elements("tfoot").first).text
    #expect(foot.hasPrefix("All3"))
    #expect(foot.contains(QuantityText.number(total.active.seconds / 60, decimals: 0)))
    #expect(page.element(id: "summary")?.text.contains(QuantityText.clockRounded(total.active)) == true)
    #expect(
      page.element(id: "summary")?.text.contains(QuantityText.percent(try #require(total.compliance))) == true)
    let sessions = try #require(page.element(id: "sessions"))
    #expect(sessions.rows.count == 3)
    #expect(sessions.elements("h3").count == 3)
    #expect(sessions.rows.map { $0[8] } == ["complete", "complete", "recovered"])
    for link in sessions.elements("a") {
      #expect(page.element(id: String(try #require(link.attributes["href"]).dropFirst()))?.name == "h3")
    }
    #expect(page.element(id: "hours")?.rows.map { $0[0] } == ["07", "08", "17", "18"])
    #expect(try await fixture.page(from: "2026-11-16", to: "2026-11-20").bytes == bytes)
  }

  @Test("The calendar has a row a week, and in each day a bar of its minutes in zones that leads to its first session")
  func calendar() async throws {
    let fixture = try await HistoryFixture.week()
    let (bytes, page) = try await fixture.page(from: "2026-11-16", to: "2026-11-20")
    let rows = try #require(page.element(id: "calendar")?.elements("tbody").first).elements("tr")
    #expect(rows.map { $0.elements("th").first?.text } == ["16 November 2026"])
    let cells = try #require(rows.first).elements("td")
    #expect(cells.count == 7)
    #expect(cells.map { $0.elements("svg").count } == [1, 0, 1, 0, 1, 0, 0])
    // The widths of a day are its share of the longest day, which is as wide as its cell.
    let widths = cells.map { cell in
      cell.elements("rect").compactMap { $0.attributes["width"]?.dropLast() }.compactMap { Double($0) }.reduce(0, +)
    }
    #expect(abs((widths.max() ?? 0) - 100) < 0.1)
    for cell in cells {
      for link in cell.elements("a") {
        #expect(page.element(id: String(try #require(link.attributes["href"]).dropFirst()))?.name == "h3")
      }
    }
    // Days are cut out of weeks and months too, and weeks without a session stand between others.
    let (_, year) = try await fixture.page(from: "2025-12-01", to: "2026-11-20")
    let all = try #require(year.element(id: "calendar")).elements("td").map(\.text)
    #expect(Array(all.prefix(7)) == cells.map(\.text))
    #expect(all.count == 21)
    checkPage(bytes, page)
  }

  @Test("A day of the calendar leads to the session that it counts, whatever the day was at the place of that")
  func calendarElsewhere() async throws {
    let fixture = try await HistoryFixture.week()
    let sessionID = try await fixture.record(
      "2026-11-19T18:00:00Z", TerminalFixture.request(), seconds: 600, utcOffsetSeconds: 50_400)
    let (_, page) = try await fixture.page(from: "2026-11-16", to: "2026-11-20")
    let cells = try #require(page.element(id: "calendar")).elements("td")
    #expect(cells[3].elements("a").map { $0.attributes["href"] } == ["#" + sessionID])
    #expect(cells[4].elements("a").first?.attributes["href"] != "#" + sessionID)
  }

  @Test("The charts of weeks are a part of another page: a section each, none where there is nothing to compare")
  func charts() async throws {
    let fixture = try await HistoryFixture.week()
    let report = try #require(try await fixture.history.weeksReport(12, of: History.Filter(), fixture.clock))
    let part = try PageTree.read(Array("<main>".utf8) + PeriodTrends(report).bytes + Array("</main>".utf8))
    let headings = part.elements("section").compactMap { $0.elements("h3").first?.text }
    #expect(headings.first == "In target")
    for section in part.elements("section") {
      let plot = try #require(section.elements("svg", class: "plot").first)
      #expect(plot.attributes["role"] == "img")
      #expect(plot.elements("title").first?.text.isEmpty == false)
    }
    // What draws with the style of a host may have none of its own.
    #expect(!String(decoding: PeriodTrends(report).bytes, as: UTF8.self).contains("style="))
    let alone = try HistoryFixture()
    try await alone.record("2026-11-20T06:10:00Z", TerminalFixture.request(), person: "anna", seconds: 900)
    let one = try #require(try await alone.history.weeksReport(12, of: History.Filter(), alone.clock))
    #expect(PeriodTrends(one).bytes.isEmpty)
  }

  @Test("The hours name no steps where nobody measured any")
  func hoursWithoutSteps() async throws {
    let fixture = try HistoryFixture()
    try await fixture.record(
      "2026-11-20T06:40:00Z", TerminalFixture.request(), person: "anna", seconds: 1_800, hasMovement: false)
    let (bytes, page) = try await fixture.page(from: "2026-11-20", to: "2026-11-20")
    checkPage(bytes, page)
    let hours = try #require(page.element(id: "hours"))
    #expect(hours.rows.map(\.count) == [2, 2])
    #expect(!hours.text.lowercased().contains("steps"), "\(hours.text)")
    #expect(hours.text.contains("Heart rate by the hour"), "\(hours.text)")
    #expect(hours.text.contains("Circles: mean heart rate in bpm. 2 hours with readings."), "\(hours.text)")
  }

  @Test("A day with a run within one hour has no chart of one bar or circle, and its numbers nevertheless")
  func oneRun() async throws {
    let fixture = try HistoryFixture()
    var request = TerminalFixture.request()
    request.target = "z2"
    try await fixture.record("2026-11-20T06:10:00Z", request, person: "anna", seconds: 900)
    let (bytes, page) = try await fixture.page(from: "2026-11-20", to: "2026-11-20")
    checkPage(bytes, page)
    let ids = page.elements("section").compactMap { $0.attributes["id"] }
    #expect(ids == ["summary", "zones", "hours", "sessions", "method"])
    #expect(page.element(id: "hours")?.elements("svg").isEmpty == true)
    #expect(page.element(id: "hours")?.rows.count == 1)
    for bar in page.element(id: "zones")?.elements("svg", class: "plot").first?.elements("rect") ?? [] {
      #expect(bar.attributes["width"] == "9%")
    }
    #expect(page.element(id: "summary")?.text.contains("Training load") == true)
    #expect(page.element(id: "summary")?.text.contains("In target") == true)
  }

  @Test("What a runner knows stands first, of all sessions and of each")
  func order() async throws {
    let fixture = try await HistoryFixture.week()
    let (_, page) = try await fixture.page(from: "2026-11-16", to: "2026-11-20")
    for part in page.elements("header") + page.elements("section").prefix(while: { $0.attributes["id"] != "sessions" })
    {
      for word in ["strategy", "withheld", "evidence", "coverage", "provenance"] {
        #expect(!part.text.lowercased().contains(word), "\(word)")
      }
    }
    let facts = try #require(page.element(id: "summary")).elements("dt").map(\.text)
    #expect(facts.prefix(4) == ["Sessions", "Active time", "Distance", "Heart rate"])
    let heads = try #require(page.element(id: "sessions")).elements("th").map(\.text)
    #expect(heads.prefix(5) == ["Start", "Activity", "Active", "Distance", "bpm"])
    let pieces = try #require(page.element(id: "sessions")).elements("p", class: "meta").map(\.text)
    #expect(pieces.count == 6)
    for (index, piece) in pieces.enumerated() { #expect(piece.contains("strategy") == !index.isMultiple(of: 2)) }
  }

  @Test("One person, longer periods in weeks and months, and a period without a session")
  func others() async throws {
    let fixture = try await HistoryFixture.week()
    let anna = try await fixture.page(from: "2026-11-01", to: "2026-11-20", person: "anna")
    checkPage(anna.bytes, anna.tree)
    #expect(anna.tree.elements("h1").first?.text == "2 workouts")
    for (first, name) in [("2026-10-01", "2026-W45"), ("2024-01-01", "2026-11")] {
      let (bytes, page) = try await fixture.page(from: first, to: "2026-11-20")
      checkPage(bytes, page)
      #expect(page.element(id: "zones")?.rows.first?[0] == name)
    }
    var filter = History.Filter()
    filter.until = fixture.clock.start(of: try #require(CivilDate(iso8601: "2020-01-01")))
    #expect(try await fixture.history.report(of: filter, fixture.clock) == nil)
  }

  @Test("Of several people it says how many are added up, and whose each session is")
  func people() async throws {
    let fixture = try await HistoryFixture.week()
    let (bytes, page) = try await fixture.page(from: "2026-11-01", to: "2026-11-20")
    checkPage(bytes, page)
    let header = try #require(page.elements("header").first?.text)
    #expect(header.contains("everybody in the history"))
    let words = try #require(header.firstMatch(of: /the sessions of (\d) people are added up/))
    let sessions = try #require(page.element(id: "sessions"))
    let people = Set(sessions.rows.compactMap(\.last))
    #expect(people.isSuperset(of: ["anna", "ben"]), "\(people)")
    #expect(words.1 == "\(people.count)")
    #expect(page.element(id: "hours")?.text.contains("of \(words.1) people are added up") == true)
    let anna = try await fixture.page(from: "2026-11-01", to: "2026-11-20", person: "anna")
    #expect(anna.tree.elements("header").first?.text.contains("added up") == false)
    #expect(anna.tree.element(id: "sessions")?.rows.allSatisfy { $0.count == 9 } == true)
  }

  @Test(
    "The totals of days, weeks and months add up to those of the period",
    arguments: ["2026-11-02", "2026-09-30", "2023-02-11"])
  func sums(first: String) async throws {
    let fixture = try await HistoryFixture.week()
    var filter = History.Filter()
    filter.from = fixture.clock.start(of: try #require(CivilDate(iso8601: first)))
    let report = try #require(try await fixture.history.report(of: filter, fixture.clock))
    #expect(report.total.sessions == 4)
    #expect(report.sessions.count == 4)
    #expect(report.bins.reduce(0) { $0 + $1.totals.sessions } == 4)
    #expect(report.bins.reduce(.zero) { $0 + $1.totals.active } == report.total.active)
    #expect(report.bins.first?.first == CivilDate(iso8601: first))
    #expect(zip(report.bins, report.bins.dropFirst()).allSatisfy { $0.first < $1.first })
    let loads = report.sessions.compactMap(\.edwards).reduce(0, +)
    #expect(abs(report.bins.compactMap(\.edwards).reduce(0, +) - loads) < 1e-9)
    #expect(loads > 0)
    #expect(report.hoursOfDay.compactMap(\.steps).reduce(0, +) == report.total.steps)
  }
}

import Foundation
@testable import ReportPages
import Testing
@testable import WorkoutHistory
import WorkoutSession
import ZoneEngine

@Suite("The page of a session")
struct SessionPageTests {
  private static func plan() throws -> CoachingRequest {
    var request = TerminalFixture.request()
    request.plan = PlanRequest(steps: [
      .init(name: "easy", duration: .seconds(300), target: "z1"),
      .init(name: "<b>&</b>", duration: .seconds(400), target: "125-150"),
      .init(name: nil, duration: nil, target: nil),
    ])
    request.strategy = try FeedbackStrategy(specification: "moment:every=30")
    request.activity = try #require(Activity("running"))
    return request
  }

  @Test("It has every part with the numbers of the summary")
  func numbers() async throws {
    let fixture = try await HistoryFixture.week()
    let (bytes, page, report) = try await fixture.page(of: "20261120")
    checkPage(bytes, page)
    let summary = report.detail.outcome.summary
    let ids = page.elements("section").compactMap { $0.attributes["id"] }
    #expect(
      ids == [
        "summary", "heart-rate", "zones", "splits", "movement", "track", "physiology", "hours", "signal", "decisions",
        "method",
      ])
    #expect(page.elements("nav").first?.elements("a").compactMap { $0.attributes["href"] } == ids.map { "#" + $0 })
    #expect(page.elements("header").first?.text.contains("Fri 20 November 2026, 07:40 (UTC+1), 0:29:59") == true)
    #expect(page.elements("header").first?.text.contains("anna · target z2 · complete") == true)
    let facts = try #require(page.element(id: "summary")).text
    for text in [
      QuantityText.clockRounded(summary.active),
      UnitSystem.metric.distance(meters: try #require(summary.distanceMeters)),
      QuantityText.percent(try #require(summary.compliance)) + "of the time with a heart rate",
      QuantityText.percent(try #require(summary.complianceOfActive)) + " of the active time", "\(summary.steps ?? 0)",
      QuantityText.number(try #require(summary.timeWeightedMeanHeartRate), decimals: 0) + " bpm",
      "Edwards", "Banister", "kcal",
    ] { #expect(facts.contains(text), "\(text)") }
    let zones = try #require(page.element(id: "zones")).rows
    #expect(zones.count == summary.inBand.count + 1)
    for (row, band) in zip(zones, summary.inBand) {
      #expect(row[0].contains(report.detail.outcome.zones.title(of: band.band)))
      #expect(row[3] == QuantityText.clockRounded(band.duration))
      #expect(row[4] == QuantityText.percent(band.duration.seconds / summary.active.seconds))
    }
    #expect(zones.last?[3] == QuantityText.clockRounded(summary.noData))
    #expect(zones.count { $0[0].contains("(target)") } == 1)
    #expect(try #require(page.element(id: "splits")).rows.count == report.detail.splits.count)
    #expect(try #require(page.element(id: "physiology")).text.contains("Aerobic decoupling"))
    #expect(try #require(page.element(id: "hours")).rows.count == 2)
    #expect(try #require(page.element(id: "signal")).rows.map { $0[0] } == ["Heart rate", "Steps", "Location"])
    #expect(try #require(page.element(id: "method")).text.contains("estimated by the formula fox"))
  }

  @Test("The energy that the file states is the one that is shown, with the estimate behind it")
  func statedEnergy() async throws {
    let fixture = try HistoryFixture()
    var request = TerminalFixture.request()
    request.activity = try #require(Activity("running"))
    let id = try await fixture.record(
      "2026-11-20T06:40:00Z", request,
      source: .init(file: "run.fit", format: "fit", device: nil, energyKilocalories: 312), seconds: 600)
    let (_, page, report) = try await fixture.page(of: id)
    let facts = try #require(page.element(id: "summary")).text
    let estimate = QuantityText.number(try #require(report.detail.outcome.summary.energyKilocalories), decimals: 0)
    #expect(facts.contains("312 kcal"))
    #expect(facts.contains("as the file states; \(estimate) kcal by heart rate (Keytel 2005)"))
  }

  @Test("Every evaluated moment is a row of the table and a mark on the curve, by its shape and by its words")
  func decisions() async throws {
    let fixture = try await HistoryFixture.week()
    let (_, page, report) = try await fixture.page(of: "20261120")
    let decisions = report.courses.decisions
    let cues = report.detail.outcome.summary.cues
    let table = try #require(page.element(id: "decisions"))
    #expect(table.rows.count == decisions.count)
    #expect(table.text.contains("All \(decisions.count) evaluated moments"))
    #expect(table.elements("details").first?.attributes["open"] != nil, "it is printed as it stands")
    #expect(cues.givenTotal > 20)
    #expect(cues.withheldTotal > 0)
    for (row, decision) in zip(table.rows, decisions) {
      #expect(row[0] == QuantityText.clock(decision.time))
      switch decision.outcome {
      case .cue(let action): #expect(row[1] == "\(action.symbol) \(action.words.lowercased())")
      case .withheld:
        #expect(row[1] == "○ withheld")
        #expect(!row[5].isEmpty)
      }
    }
    #expect(table.rows[0][5] == "below the target; held <Z1 6 s, Z1 54 s; 60 s of 60 s with a heart rate")
    let figure = try #require(page.element(id: "heart-rate"))
    let uses = try #require(figure.elements("svg", class: "plot").first).elements("use")
    for action in CueAction.allCases {
      #expect(uses.count { $0.attributes["href"] == "#cue-\(action.rawValue)" } == cues.given[action] ?? 0, "\(action)")
    }
    #expect(uses.count { $0.attributes["href"] == "#withheld" } == cues.withheldTotal)
    #expect(figure.elements("text", class: "letter").contains { $0.text == "L" })
    #expect(figure.elements("rect", class: "target").count >= 1)
    #expect(figure.elements("text").contains { $0.text == "target 119–137" })
    // The gap of four minutes is shaded where there was no heart rate, 15 s after the last one.
    let gap = figure.elements("rect").first { $0.text == "No usable heart rate, 0:15:14 to 0:19:00" }
    #expect(gap?.attributes["fill"] == "url(#no-data)")
  }

  @Test("The label of the target is written over the marks, where the fewest of them are")
  func targetLabel() async throws {
    let fixture = try await HistoryFixture.week()
    let (_, page, _) = try await fixture.page(of: "20261120")
    let plot = try #require(page.element(id: "heart-rate")?.elements("svg", class: "plot").first)
    let nodes = plot.all
    let place = try #require(nodes.firstIndex { $0.name == "text" && $0.text == "target 119–137" })
    let lastMark = try #require(nodes.lastIndex { $0.name == "use" })
    #expect(place > lastMark)
    func number(_ node: PageNode, _ name: String) throws -> Double {
      try #require(node.attributes[name].flatMap { Double($0.replacing("%", with: "")) })
    }
    // As far as it reaches on a phone, which has room for 38 letters.
    let near = try nodes.filter { try $0.name == "use" && number($0, "x") <= 100 * 15 / 38 }
    let marks = try near.map { try number($0, "y") }
    func covered(_ line: Double) -> Int { marks.count { $0 > line - 20 && $0 < line + 12 } }
    let band = try #require(plot.elements("rect", class: "target").first)
    let (top, height) = (try number(band, "y"), try number(band, "height"))
    let label = covered(try number(nodes[place], "y"))
    for line in [top + 15, top + height - 6, top - 6, top + height + 15] where (12...296).contains(line) {
      #expect(label <= covered(line), "\(line)")
    }
  }

  @Test("Shapes and textures differ, so that colours are not needed")
  func shapes() async throws {
    let fixture = try await HistoryFixture.week()
    let (_, page, _) = try await fixture.page(of: "20261120")
    let shapes = CueAction.allCases.compactMap { page.element(id: "cue-\($0.rawValue)")?.attributes["d"] }
    #expect(Set(shapes).count == 3)
    let textures = page.elements("pattern").map { pattern in
      pattern.children.map { "\($0.name) \($0.attributes["d"] ?? "")" }
    }
    #expect(textures.count == 9, "five zones, two beyond, no heart rate, pause")
    #expect(Set(textures).count == 9, "five zones, two beyond, no heart rate, pause")
  }

  @Test("A plan moves the band; pauses and steps have their places; a hostile name stays a text")
  func plan() async throws {
    let fixture = try HistoryFixture()
    let name = try await fixture.record(
      "2026-11-20T06:40:00Z", Self.plan(), source: .init(file: "<i>.fit", format: "fit", device: "\"]]>'"),
      seconds: 1_700,
      pause: 1_200..<1_300)
    let (bytes, page, report) = try await fixture.page(of: name)
    checkPage(bytes, page)
    let figure = try #require(page.element(id: "heart-rate"))
    #expect(figure.elements("svg", class: "plot").first?.elements("rect", class: "target").count == 2)
    #expect(figure.elements("rect").contains { $0.text == "Paused, 0:20:00 to 0:21:40" })
    #expect(report.courses.pauses.map { [$0.from, $0.until] } == [[.seconds(1_200), .seconds(1_300)]])
    // Steps are called on the curve as in the tables.
    let names = figure.elements("text").filter { $0.attributes["class"] == "wide" }
    #expect(names.map(\.text) == ["easy", "<b>&</b>", "step 3"])
    let steps = try #require(page.element(id: "plan")).rows
    #expect(steps.map { $0[0] } == ["0:00:00", "0:05:00", "0:11:40"])
    #expect(steps.map { $0[2] } == ["easy", "<b>&</b>", "step 3"])
    #expect(steps.map { $0[4] } == ["98–118", "125–150", "none"])
    let verdict = try #require(report.detail.verdict)
    let sentence = VerdictWords.sentence(verdict, of: report.detail.manifest.request.plan)
    #expect(page.element(id: "plan")?.elements("strong").map(\.text) == [sentence])
    #expect(
      steps.map { $0[5] }
        == verdict.steps.map {
          "\(VerdictWords.result($0)); \($0.inTargetSeconds) of \($0.activeSeconds) s in target"
        } + [""])
    let laps = try #require(page.element(id: "laps")).rows
    #expect(laps.map { $0[1] } == ["easy", "<b>&</b>", "step 3"])
    #expect(laps.map { $0[2] } == ["0:00:00", "0:05:00", "0:11:40"])
    let active = report.courses.lapResults.map(\.active).reduce(.zero, +)
    #expect(active == report.detail.outcome.summary.active)
    #expect(page.elements("b").isEmpty)
    #expect(page.elements("i").isEmpty)
    #expect(page.element(id: "method")?.text.contains("from <i>.fit (fit), \"]]>'") == true)
  }

  @Test("What a runner knows stands before how the coach came to its cues")
  func order() async throws {
    let fixture = try await HistoryFixture.week()
    let (_, page, report) = try await fixture.page(of: "20261120")
    #expect(report.detail.outcome.summary.cues.withheldTotal > 0)
    let sections = page.elements("section")
    let known = sections.prefix { $0.attributes["id"] != "signal" }
    #expect(known.count == 8)
    for part in page.elements("header") + known {
      for word in ["strategy", "withheld", "evidence", "coverage", "provenance", "evaluated"] {
        #expect(!part.text.lowercased().contains(word), "\(word) in \(part.attributes["id"] ?? "the head")")
      }
    }
    let below = sections.dropFirst(known.count).map(\.text).joined()
    for word in ["strategy", "withheld", "evaluated"] { #expect(below.contains(word), "\(word)") }
    // The letters of hollow marks are explained beside their table.
    let reasons = try #require(page.element(id: "decisions")?.elements("ul", class: "legend").first)
    #expect(reasons.text.contains("withheld: "))
    let facts = try #require(page.element(id: "summary")).elements("dt").map(\.text)
    #expect(facts.prefix(4) == ["Active time", "Distance", "Pace", "Heart rate"])
  }

  @Test("All kilometres are in sight, with names of columns that leave room on a phone")
  func kilometers() async throws {
    let fixture = try await HistoryFixture.week()
    let (_, page, report) = try await fixture.page(of: "20261120")
    let section = try #require(page.element(id: "splits"))
    #expect(section.elements("div").isEmpty, "nothing scrolls")
    #expect(
      section.elements("th").filter { $0.attributes["scope"] == "col" }.map(\.text) == [
        "km", "Time", "Pace", "bpm", "slower →",
      ])
    #expect(section.rows.count == report.detail.splits.count)
    #expect(section.rows.allSatisfy { $0[2].hasSuffix(" /km") })
  }

  @Test("A ride has kilometres an hour where a run has a pace")
  func ride() async throws {
    let fixture = try HistoryFixture()
    var request = TerminalFixture.request()
    request.activity = try #require(Activity("cycling"))
    let name = try await fixture.record("2026-11-20T06:10:00Z", request, seconds: 1_000)
    let section = try #require(try await fixture.page(of: name).tree.element(id: "splits"))
    #expect(section.elements("th").map(\.text).contains("Speed"))
    #expect(section.rows.first?[2] == "9.8 km/h")
  }

  @Test("A run within one hour has no chart of hours; bars of two are bars and no walls")
  func hours() async throws {
    let fixture = try HistoryFixture()
    let name = try await fixture.record("2026-11-20T06:10:00Z", TerminalFixture.request(), seconds: 900)
    let (bytes, page, report) = try await fixture.page(of: name)
    checkPage(bytes, page)
    #expect(report.hours.count == 1)
    #expect(page.element(id: "hours") == nil)
    let week = try await HistoryFixture.week()
    let two = try #require(try await week.page(of: "20261120").tree.element(id: "hours"))
    let bars = two.elements("rect", class: "outline")
    #expect(bars.count == 2)
    for bar in bars { #expect(bar.attributes["width"] == "9%") }
  }

  @Test("The name of a step over the curve ends where the next step begins")
  func longNames() async throws {
    let fixture = try HistoryFixture()
    var request = try Self.plan()
    let name = "a name that is longer than its step"
    request.plan = PlanRequest(
      steps: (0..<6).map { _ in PlanRequest.Step(name: name, duration: .seconds(200), target: "z1") })
    let session = try await fixture.record("2026-11-20T06:40:00Z", request, seconds: 1_200)
    let (_, page, _) = try await fixture.page(of: session)
    let texts = try #require(page.element(id: "heart-rate")).elements("text").filter { $0.attributes["y"] == "-4" }
    #expect(texts.count == 6)
    // A sixth of the 500 pixels that a plot has at least, at seven for a letter.
    for text in texts { #expect(text.text.count <= 11, "\(text.text)") }
    #expect(page.element(id: "plan")?.rows.first?[2] == name)
  }

  @Test("The curve has the colours of the zones, each between its limits, and the way those of what was measured there")
  func colors() async throws {
    let fixture = try await HistoryFixture.week()
    let (_, page, report) = try await fixture.page(of: "20261120")
    let stops = page.elements("stop").map { ($0.attributes["stop-color"] ?? "", $0.attributes["offset"] ?? "") }
    // From the top: each colour from where the one above ends.
    for index in stride(from: 1, to: stops.count - 1, by: 2) {
      #expect(stops[index].1 == stops[index + 1].1)
      #expect(stops[index].0 != stops[index + 1].0)
    }
    #expect(stops.count >= 4)
    #expect(page.elements("path", class: "curve").contains { $0.attributes["stroke"] == "url(#zone-strokes)" })
    let track = try #require(report.courses.track)
    let way = try #require(page.element(id: "track")?.elements("path", class: "way").first)
    let seconds = (way.attributes["data-seconds"] ?? "").split(separator: " ").compactMap { Double($0) }
    #expect(seconds.count == track.lines.joined().count)
    let last = try #require(track.lines.last?.last)
    #expect(abs(seconds.reduce(0, +) - last.time.seconds) < 0.06)
    // Each stretch has one colour of each kind.
    let groups = try #require(page.element(id: "track")).elements("g").filter {
      $0.attributes["class"]?.hasPrefix("by-") == true
    }
    #expect(groups.map { $0.attributes["class"] } == ["by-heart-rate", "by-pace"])
    for group in groups {
      let stretches = group.elements("path").map { $0.attributes["d"]?.count { $0 == "L" } ?? 0 }.reduce(0, +)
      #expect(stretches <= seconds.count - track.lines.count)
      #expect(stretches > seconds.count / 2)
    }
    #expect(page.element(id: "track")?.elements("input").map { $0.attributes["type"] } == ["radio", "radio"])
  }

  @Test("Another session stands on the same axes, as far as this one lasted, and its figures beside these")
  func beside() async throws {
    let fixture = try await HistoryFixture.week()
    let names = try await fixture.history.sessions(History.Filter()).map(\.sessionID)
    let (own, others) = (names[0], names[1])
    let (bytes, page, report) = try await fixture.page(of: own, beside: others)
    checkPage(bytes, page)
    let alone = try await fixture.page(of: own)
    #expect(alone.tree.element(id: "beside") == nil)
    #expect(alone.tree.elements("path", class: "beside").isEmpty)
    let other = try await fixture.page(of: others).report
    let rows = try #require(page.element(id: "beside")).rows
    #expect(rows.first?.prefix(1) == ["Active time"])
    #expect(
      Array(try #require(rows.first).suffix(2))
        == [report, other].map {
          QuantityText.clockRounded($0.detail.outcome.summary.active)
        })
    let line = try #require(page.element(id: "heart-rate")?.elements("path", class: "beside").first)
    #expect((line.attributes["d"] ?? "").count { $0 == "L" } > 20)
    // Nothing of it is drawn beyond the end.
    let end = report.detail.outcome.summary.elapsed
    #expect(other.courses.heartRate.until(end).lines.joined().allSatisfy { $0.time <= end })
    #expect(
      other.courses.heartRate.until(.seconds(60)).lines.joined().count < other.courses.heartRate.lines.joined().count)
  }

  @Test("What was climbed counts from three metres, whole, and nothing in a pause")
  func climbs() {
    var gain = AltitudeGain()
    for meters in [100.0, 101, 99, 102, 100, 104, 106, 110, 108.5, 107, .nan, 103] { gain.admit(meters) }
    // From 99 to 110 and from there to 103.
    #expect(gain.up == 11)
    #expect(gain.down == 7)
    gain.interrupt()
    gain.admit(500)
    #expect(gain.up == 11)
  }

  @Test("Hills count from foot to top, and what a receiver makes up does not", arguments: [1, 7, 29])
  func hills(step centimeters: Int) {
    var gain = AltitudeGain()
    for _ in 0..<30 {
      let rise = Array(stride(from: 0, to: 580, by: centimeters)) + [580]
      for height in rise + rise.reversed() { gain.admit(40 + Double(height) / 100) }
    }
    #expect(abs(gain.up - 174) < 1e-6)
    #expect(abs(gain.down - 174) < 1e-6)
    var level = AltitudeGain()
    for index in 0..<1_000 { level.admit(40 + 1.45 * (index % 2 == 0 ? 1 : -1)) }
    #expect(level.up == 0)
    #expect(level.down == 0)
  }

  @Test("Where no script may run there is none, and the page has everything else")
  func withoutScript() async throws {
    let fixture = try await HistoryFixture.week()
    let (_, read, report) = try await fixture.page(of: "20261120")
    let bytes = SessionPage(report, hasTrack: true, isRead: false).bytes
    let tree = try PageTree.read(bytes)
    checkPage(bytes, tree)
    #expect(tree.elements("script").isEmpty)
    #expect(read.elements("script").count == 1)
    #expect(tree.elements("section").map(\.text) == read.elements("section").map(\.text))
  }

  @Test("The same session gives the same bytes, and there is no trace of the place in them")
  func determinism() async throws {
    let fixture = try await HistoryFixture.week()
    let (bytes, page, _) = try await fixture.page(of: "20261120")
    #expect(try await fixture.page(of: "20261120").bytes == bytes)
    #expect(page.element(id: "track")?.text.contains("shows where you were") == true)
    let hidden = try await fixture.page(of: "20261120", privacyRadius: 200)
    checkPage(hidden.bytes, hidden.tree)
    #expect(hidden.tree.element(id: "track")?.text.contains("within 200 m of both ends is left out") == true)
    let whole = try #require(try await fixture.page(of: "20261120").report.courses.track)
    #expect(abs(try #require(hidden.report.courses.track).heightMeters - whole.heightMeters + 400) < 40)
    #expect(try await fixture.page(of: "20261120", privacyRadius: 1_000_000).tree.element(id: "track") == nil)
    let (without, tree, _) = try await fixture.page(of: "20261120", hasTrack: false)
    checkPage(without, tree)
    #expect(tree.element(id: "track") == nil)
    #expect(tree.element(id: "splits") != nil)
  }

  @Test("A session without heart rate, place or target has a page that says so")
  func empty() async throws {
    let fixture = try HistoryFixture()
    let name = try await fixture.record(
      "2026-11-20T06:40:00Z", TerminalFixture.request(), seconds: 1, hasMovement: false)
    let (bytes, page, _) = try await fixture.page(of: name)
    checkPage(bytes, page)
    let ids = page.elements("section").compactMap { $0.attributes["id"] }
    #expect(ids == ["summary", "heart-rate", "zones", "signal", "decisions", "method"])
    #expect(page.element(id: "decisions")?.text.contains("Nothing was judged") == true)
    // Its one reading is seen, though it lies on the axis.
    let curve = try #require(page.element(id: "heart-rate")?.elements("svg", class: "plot").first)
    let dot = try #require(curve.elements("circle", class: "ink").first)
    #expect(Double(dot.attributes["r"] ?? "") ?? 0 >= 3)
    #expect(curve.elements("circle", class: "ink").count == 1)
    let silent = try await fixture.record(
      "2026-11-19T06:40:00Z", TerminalFixture.request(), seconds: 60, pause: 0..<60, hasMovement: false)
    let quiet = try await fixture.page(of: silent)
    checkPage(quiet.bytes, quiet.tree)
    #expect(quiet.tree.element(id: "heart-rate")?.text.contains("No heart rate was accepted") == true)
  }

  @Test("Ten hours with a reading each second give a page below 1.5 MB, with every decision")
  func long() async throws {
    let fixture = try HistoryFixture()
    var request = TerminalFixture.request()
    request.target = "z2"
    request.strategy = try FeedbackStrategy(specification: "period:every=30,window=60")
    let name = try await fixture.record("2026-11-20T06:40:00Z", request, seconds: 36_000)
    let (bytes, page, report) = try await fixture.page(of: name)
    checkPage(bytes, page)
    #expect(bytes.count < 1_500_000, "\(bytes.count)")
    #expect(report.courses.decisions.count == 1_199)
    #expect(page.element(id: "decisions")?.rows.count == 1_199)
    // Too many for the curve: a stroke for each in the rows under it.
    let figure = try #require(page.element(id: "heart-rate"))
    let strokes = figure.elements("path", class: "strokes").map { $0.attributes["d"]?.split(separator: "M").count ?? 0 }
    #expect(strokes.reduce(0, +) == 1_199)
    let curve = try #require(figure.elements("path", class: "curve").first?.attributes["d"])
    let range = try #require(report.courses.heartRate.range)
    #expect(range.lowerBound == report.detail.outcome.summary.readings.minimum)
    #expect(range.upperBound == report.detail.outcome.summary.readings.maximum)
    #expect(curve.count < 60_000)
  }
}

import Foundation
import Testing
@testable import WorkoutHistory
import ZoneEngine

import TextFormats
@testable import ReportPages
@testable import WorkoutSession
@testable import coach

@Suite("Speed of a ride")
struct SpeedMeasureTests {
  @Test(
    "Kilometres an hour are shown on wheels, skis and water, on foot a pace",
    arguments: [
      ("cycling", "28.8 km/h"), ("Gravel ride", "28.8 km/h"), ("mountain_biking", "28.8 km/h"), ("skiing", "28.8 km/h"),
      ("running", "2:05 /km"), ("hiking", "2:05 /km"), ("swimming", "2:05 /km"), ("elliptical", "2:05 /km"),
      ("other", "2:05 /km"),
    ])
  func measure(label: String, text: String) throws {
    let measure = try #require(Activity(label)?.speedMeasure)
    #expect(measure.text(metersPerSecond: 8, .metric) == text)
    #expect(measure.text(secondsPerKilometer: 125, .metric) == text)
    #expect(measure.text(metersPerSecond: 0.05, .metric) == nil)
  }

  @Test("Neither the view, nor the summary, nor the page of a ride has a pace")
  func ride() async throws {
    let fixture = try HistoryFixture()
    var request = TerminalFixture.request()
    request.activity = try #require(Activity("cycling"))
    try await fixture.record("2026-11-18T06:40:00Z", request, seconds: 900)
    let name = try await fixture.record("2026-11-19T06:40:00Z", request, seconds: 1_000)
    let detail = try await fixture.detail(of: name)
    let view = SessionView(detail, units: .metric, width: 80, glyphs: .unicode).lines.map(\.plain).joined(
      separator: "\n")
    let page = String(decoding: try await fixture.page(of: name).bytes, as: UTF8.self)
    for (what, text) in [("view", view), ("page", page)] {
      #expect(text.contains("9.8 km/h"), "\(what)")
      #expect(text.contains("faster →"), "\(what)")
      #expect(!text.contains("/km"), "\(what)")
      #expect(!text.lowercased().contains("pace "), "\(what)")
    }
    let standing = try #require(try await fixture.history.standing(of: name))
    let beside = StandingView(standing, units: .metric, width: 80).lines.map(\.plain).joined(separator: "\n")
    #expect(beside.contains("speed 9.8 km/h: as before"), "\(beside)")
  }

  @Test("Who reads miles finds no kilometre in view, list, standing and page, and the record stays metric")
  func miles() async throws {
    let fixture = try HistoryFixture()
    var request = TerminalFixture.request()
    request.activity = .running
    try await fixture.record("2026-11-18T06:40:00Z", request, seconds: 900)
    let name = try await fixture.record("2026-11-19T06:40:00Z", request, seconds: 1_000)
    let detail = try await fixture.detail(of: name)
    var report = try await fixture.page(of: name).report
    report.units = .imperial
    let standing = try #require(try await fixture.history.standing(of: name))
    func text(_ lines: [StyledText]) -> String { lines.map(\.plain).joined(separator: "\n") }
    let texts = [
      text(SessionView(detail, units: .imperial, width: 80, glyphs: .unicode).lines),
      text(StandingView(standing, units: .imperial, width: 80).lines),
      String(decoding: SessionPage(report, hasTrack: true).bytes, as: UTF8.self),
    ]
    let summary = detail.outcome.summary
    let meters = try #require(summary.distanceMeters)
    #expect(Int(meters) == 2_720)
    let pace = Pace.text(secondsPerKilometer: summary.active.seconds / meters * 1_609.344) + " /mi"
    // 2,720 m are 1.69 miles.
    for (index, text) in texts.enumerated() {
      #expect(text.contains("1.69 mi"), "\(text)")
      // A list has no paces, and nothing is compared with one session.
      #expect(text.contains(pace) || index == 1, "\(pace) in \(text)")
      for unit in [" km", "/km", "km/h"] { #expect(!text.contains(unit), "\(unit) in \(text)") }
    }
    // A mile of 1,609.344 m, and the 1,111 m that are left of 2,720.9.
    let rows = try PageTree.read(SessionPage(report, hasTrack: true).bytes).element(id: "splits")?.rows
    #expect(rows?.map { $0[0] } == ["1", "0.69 mi"])
    #expect(texts[0].contains("Miles"))
    #expect(texts[0].contains("0.69 mi"))
    var writer = JSONWriter()
    try detail.write(to: &writer)
    #expect(try JSONValue.parse(writer.bytes.span)["splits"]?.array?.count == 3, "kilometres")
    #expect(String(decoding: writer.bytes, as: UTF8.self).contains(#""distanceMeters":2720.9"#))
  }

  @Test("A ride that was faster is said to be faster, by how much of the speed")
  func faster() {
    let figure = SessionStanding.Figure(quantity: .pace, value: 100, earlier: [120, 125, 150])
    #expect(
      StandingView.words(for: figure, .speed, .metric)
        == "speed 36.0 km/h: faster by 25 % than 28.8 km/h, before 24.0 km/h to 30.0 km/h.")
    #expect(
      StandingView.words(for: figure, .pace, .metric)
        == "pace 1:40 /km: faster by 20 % than 2:05 /km, before 2:00 /km to 2:30 /km.")
  }
}

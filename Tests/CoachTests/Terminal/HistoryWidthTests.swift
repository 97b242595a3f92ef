@testable import SessionStore
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("The views of the history at every width")
struct HistoryWidthTests {
  @Test("No line is wider than the terminal, and in ASCII nothing else is written")
  func widths() async throws {
    let fixture = try await HistoryFixture.week()
    let entries = try await fixture.history.sessions(History.Filter())
    let dashboard = try await fixture.history.dashboard(fixture.clock, person: nil)
    let weeks = try await fixture.history.weeks(12, fixture.clock, person: nil)
    let (day, hours) = try await fixture.hours()
    let quality = try fixture.quality(rateHz: nil)
    let run = try await fixture.detail()
    let ride = try await fixture.detail(of: "20261118")
    for width in Array(10...130) + [200, 1_000] {
      let views = [
        SessionListView.lines(entries, width: width),
        SessionListView.lines([], width: width),
        DashboardView(dashboard, units: .metric, width: width).lines,
        TrendsView(weeks, units: .metric, width: width).lines,
        TrendsView([], units: .metric, width: width).lines,
        HourlyView(hours, day: day, clock: fixture.clock, width: width).lines,
        HourlyView([], day: day, clock: fixture.clock, width: width).lines, QualityView(quality, width: width).lines,
        SessionView(run, units: .metric, width: width, glyphs: .ascii).lines,
        SessionView(ride, units: .metric, width: width, glyphs: .ascii).lines,
      ]
      for (index, view) in views.enumerated() {
        for line in view {
          #expect(line.width <= width, "view \(index), \(width) columns: \(line.plain)")
          let text = line.rendered(usingColor: false, in: .ascii)
          #expect(text.utf8.allSatisfy { $0 < 0x80 }, "view \(index): \(text)")
          #expect(!text.contains("?"), "view \(index): \(text)")
        }
      }
    }
  }

  @Test("What the index shows of a session is what its replay shows, for every strategy and plan", arguments: 0..<3)
  func likeReplay(number: Int) async throws {
    let fixture = try HistoryFixture()
    var request = TerminalFixture.request()
    request.target = number == 0 ? "z2" : nil
    if number == 2 {
      request.plan = PlanRequest(steps: [
        .init(name: "easy", duration: .seconds(300), target: "z1"),
        .init(name: nil, duration: .seconds(200), target: nil),
        .init(name: "hard", duration: .seconds(300), target: "125-150"),
      ])
    }
    request.strategy = try FeedbackStrategy(specification: "moment:every=30")
    let name = try await fixture.record("2026-11-20T06:40:00Z", request, seconds: 1_700, pause: 1_200..<1_300)
    let detail = try await fixture.detail(of: name)
    let recording = try SessionFolderRecording(
      path: SessionFolder.path(of: name, in: StoredPath(dataFolder: fixture.data)))
    let settings = try recording.manifest.settings()
    var targets = TargetTimeline(settings: settings)
    let (pipeline, _) = try Replay.run(recording, settings: settings, pace: .events) { _, events in
      for event in events { targets.note(event) }
    }
    #expect(detail.outcome.targets == targets)
    for width in [40, 80, 200] {
      let outcome = SessionOutcome(pipeline, targets: targets, activity: recording.manifest.request.activity)
      let replayed = SummaryView(outcome, units: .metric, width: width, glyphs: .unicode)
      #expect(
        SummaryView(detail.outcome, units: .metric, width: width, glyphs: .unicode).lines == replayed.lines,
        "\(width) columns")
    }
  }
}

@testable import Recordings
import Testing
@testable import TextFormats
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Beats of an Apple Health export")
struct HealthBeatListTests {
  private typealias Fixture = HealthFixture
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(
    "A time of day is read in the words of any language, to a thousandth of a second of its quarter of an hour",
    arguments: [
      ("7:03:20.45 AM", 200_450), ("16:17:18,57", 138_570), ("4:17:18.57 pm", 138_570), ("07:00:00", 0),
      ("12:59:59.999", 899_999), ("0:15:00.5\u{202F}PM", 500), ("4:17:18.57 nachm.", 138_570),
    ])
  func timesOfDay(_ text: String, _ milliseconds: Int) {
    #expect(HealthBeatList.millisecondsOfQuarter(Array(text.utf8).span) == milliseconds)
  }

  @Test(
    "What is no time of day is none",
    arguments: ["", "7", "7:3", "7:60:00", "7:03:61", "7:03:20.", "a:03:20", "2026-03-01 07:00:20 +0100", "25:00:00"])
  func noTimesOfDay(_ text: String) {
    #expect(HealthBeatList.millisecondsOfQuarter(Array(text.utf8).span) == nil)
  }

  /// A list from a second of 2026-03-01 on.
  private static func list(_ start: Int, _ end: Int) throws -> HealthBeatList {
    func time(_ second: Int) throws -> AppleHealthTime {
      let text = try #require(WallClockTimeText(iso8601: Fixture.time(second)))
      return try #require(AppleHealthTime(text))
    }
    return HealthBeatList(start: try time(start), end: try time(end), utcOffsetSeconds: 3_600, source: 0)
  }

  @Test(
    "The time between two beats is that of their times, or of their beats per minute where a beat is missing between them"
  )
  func lengths() throws {
    var list = try Self.list(600, 660)
    for (beatsPerMinute, time) in [(60.0, 601_000), (61, 601_980), (60, 602_990), (60, 604_990), (120, 605_490)] {
      list.admit(beatsPerMinute: beatsPerMinute, time: time)
    }
    #expect(list.intervals.map(\.atMilliseconds) == [1_000, 1_980, 2_990, 4_990, 5_490])
    #expect(list.intervals.map(\.milliseconds) == [1_000, 980, 1_010, 1_000, 500])
    #expect(!list.hasUnreadable)
  }

  @Test("A list goes on over the end of a quarter of an hour, and a beat outside of the record is left out")
  func quarters() throws {
    var list = try Self.list(890, 950)
    for time in [889_500, 895_000, 5_000, 52_500] { list.admit(beatsPerMinute: 60, time: time) }
    #expect(list.intervals.map(\.atMilliseconds) == [-500, 5_000, 15_000])
    #expect(list.hasUnreadable)
    var long = try Self.list(0, 891)
    long.admit(beatsPerMinute: 60, time: 1_000)
    #expect(long.intervals.isEmpty)
    #expect(long.hasUnreadable)
  }

  @Test(
    "Beats that nobody has, and texts that are none, are left out",
    arguments: [0, 19, 301, .infinity, nil] as [Double?])
  func unbelievable(_ beatsPerMinute: Double?) throws {
    var list = try Self.list(0, 60)
    list.admit(beatsPerMinute: beatsPerMinute, time: 1_000)
    #expect(list.intervals.isEmpty)
    #expect(list.hasUnreadable)
  }

  @Test("A workout and a day have the times between beats that were measured in them, with their sources")
  func activities() throws {
    // Clocks are an hour ahead of UTC: 01:16:40 is second 1,000 of the day.
    let inside = Fixture.variability(
      1_010, 1_070, [("60", "1:16:52.00 AM"), ("60", "1:16:53.00 AM"), ("59", "1:16:54.02 AM")])
    let outside = Fixture.variability(200_000, 200_060, [("50", "8:33:21,00"), ("50", "8:33:22,20")])
    let text = Fixture.export(
      inside + outside + Fixture.beat(1_000) + Fixture.beat(1_100) + Fixture.beat(200_000, "60")
        + Fixture.workout("Running", 1_000, 1_100))
    for isPacked in [false, true] {
      let recording = try folder.health(text, isPacked: isPacked)
      #expect(
        try emitted { try recording.forEachInput(activity: 1, $0) } == [
          "0.0 beat 120.0 Watch", "12.0 rr 1000.0 Watch", "13.0 rr 1000.0 Watch", "14.02 rr 1020.0 Watch",
          "100.0 beat 120.0 Watch",
        ])
      #expect(
        try emitted { try recording.forEachInput(activity: 2, $0) } == [
          "0.0 beat 60.0 Watch", "1.0 rr 1200.0 Watch", "2.2 rr 1200.0 Watch",
        ])
      #expect(recording.facts.warnings.isEmpty)
    }
  }

  @Test("An export is as long, and has as many samples, as without its beats")
  func facts() throws {
    let beats = Fixture.variability(2_000, 2_060, [("60", "1:33:21.00 AM")])
    let text = Fixture.everything
    let with = text.replacing("</HealthData>", with: beats + "</HealthData>")
    #expect(with != text)
    let (one, other) = (try folder.health(text).facts, try folder.health(with).facts)
    #expect(other.elapsed == one.elapsed)
    #expect(other.start == one.start)
    #expect(other.sampleCount == one.sampleCount)
    #expect(other.activityCount == one.activityCount)
    #expect(other.device == one.device)
  }

  @Test("A list with something that cannot be read is a warning, however many beats it is")
  func warnings() throws {
    let list = Fixture.variability(1_000, 1_060, [("x", "1:16:52.00 AM"), ("60", "noon"), ("60", "1:16:53.00 AM")])
    let recording = try folder.health(
      Fixture.export(list + Fixture.beat(1_000) + Fixture.workout("Running", 1_000, 1_100)))
    #expect(
      recording.facts.warnings.map { "\($0.kind) \($0.count) \($0.detail ?? "")" } == [
        "unreadableValue 1 a beat of HeartRateVariabilitySDNN"
      ])
    #expect(
      try emitted { try recording.forEachInput(activity: 1, $0) } == ["0.0 beat 120.0 Watch", "13.0 rr 1000.0 Watch"])
  }

  @Test("Beats count against the records that are held at once")
  func budget() throws {
    let list = Fixture.variability(1_000, 1_060, (0..<5).map { ("60", "1:16:5\($0).00 AM") })
    let text = Fixture.export(list + Fixture.beat(1_000) + Fixture.workout("Running", 1_000, 1_100))
    let recording = try folder.health(text, budget: ReadingBudget.standard.with(\.healthRecordsAtOnce, 5))
    #expect(throws: (any Error).self) { try recording.forEachInput(activity: 1) { _ in } }
    let enough = try folder.health(text, budget: ReadingBudget.standard.with(\.healthRecordsAtOnce, 6))
    #expect(throws: Never.self) { try enough.forEachInput(activity: 1) { _ in } }
  }
}

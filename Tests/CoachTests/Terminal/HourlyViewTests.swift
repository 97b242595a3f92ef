import TestSupport
import Testing
import TextFormats
@testable import WorkoutHistory
import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("The view of a day")
struct HourlyViewTests {
  @Test("The hours")
  func hourly() async throws {
    let fixture = try await HistoryFixture.week()
    let (day, hours) = try await fixture.hours()
    for (width, expected) in Self.hourly {
      #expect(
        HourlyView(hours, day: day, clock: fixture.clock, width: width).lines.plain == expected, "\(width) columns")
    }
  }

  @Test("What was done stands beside the hours in which it was recognised, and in the total")
  func activities() async throws {
    let fixture = try await HistoryFixture.week()
    let (day, hours) = try await fixture.hours()
    let minutes = try #require(ActivityMinutes(nanoseconds: [0, 90_000_000_000, 1_800_000_000_000, 360_000_000_000]))
    let first = HistoryHour(from: hours[0].from, steps: nil, heartRateSum: 0, heartRateCount: 0, activities: minutes)
    let lines = HourlyView([first, hours[1]], day: day, clock: fixture.clock, width: 120).lines.plain
    #expect(lines.contains("1680 steps, mean heart rate 132 bpm, stood 1.5 min, walked 30.0 min, run 6.0 min."))
    let rows = lines.split(separator: "\n").suffix(3).map { $0.split(separator: " ", omittingEmptySubsequences: true) }
    #expect(rows[0].suffix(8) == ["min", "sat", "min", "stood", "min", "walked", "min", "run"])
    #expect(rows[1].suffix(4) == ["0.0", "1.5", "30.0", "6.0"])
  }

  @Test("The picture names steps and heart rate where they were measured alone, and is left out where neither was")
  func measuredAlone() async throws {
    let fixture = try await HistoryFixture.week()
    let (day, hours) = try await fixture.hours()
    func lines(steps: Int?, beats: Int, _ minutes: ActivityMinutes? = nil) -> [String] {
      let hour = HistoryHour(
        from: hours[0].from, steps: steps, heartRateSum: 130 * Double(beats), heartRateCount: beats,
        activities: minutes)
      return HourlyView([hour], day: day, clock: fixture.clock, width: 80).lines.plain
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    let beats = lines(steps: nil, beats: 60)
    #expect(beats.contains("♥ heart rate in bpm"), "\(beats)")
    #expect(!beats.contains { $0.contains("steps") || $0.contains("█") }, "\(beats)")
    let steps = lines(steps: 1_680, beats: 0)
    #expect(steps.contains("█ steps"), "\(steps)")
    #expect(!steps.contains { $0.contains("bpm") || $0.contains("♥") }, "\(steps)")
    #expect(lines(steps: 0, beats: 60).contains("█ steps  ♥ heart rate in bpm"), "nobody walked, which was measured")
    let neither = lines(steps: nil, beats: 0, ActivityMinutes())
    #expect(!neither.contains { $0.contains("│") || $0 == "." }, "\(neither)")
  }

  @Test("That labels say what was done is shown, and in how many hours")
  func labels() async throws {
    let fixture = try await HistoryFixture.week()
    let (day, hours) = try await fixture.hours()
    let labelled = HistoryHour(
      from: hours[0].from, steps: nil, heartRateSum: 0, heartRateCount: 0, activities: ActivityMinutes(),
      isLabelled: true)
    func text(_ hours: [HistoryHour]) -> String {
      HourlyView(hours, day: day, clock: fixture.clock, width: 120).lines.plain
    }
    #expect(text([labelled]).contains("What was done is said by labels.\n"))
    #expect(text([labelled, hours[1]]).contains("What was done is said by labels in 1 of 2 hours.\n"))
    #expect(!text(hours).contains("labels"))
  }

  private static let hourly = [
    40: """
    Fri 20 November 2026
    5040 steps, mean heart rate 129 bpm.

    █ steps  ♥ heart rate in bpm
     3360┤       █                │
         │       █                ├138
         │       █                │
         │       █                ├134
         │       █♥               │
         │       ██               ├130
         │       ♥█               │
        0┤       ██               ├126
          00    06    12    18

      hour from steps bpm
      07:00      3360 128
      08:00      1680 132

    """,
    80: """
    Fri 20 November 2026
    5040 steps, mean heart rate 129 bpm.

    █ steps  ♥ heart rate in bpm
     3360┤              █                                 │
         │              █                                 ├138
         │              █                                 │
         │              █                                 ├134
         │              █ ♥                               │
         │              █ █                               ├130
         │              ♥ █                               │
        0┤              █ █                               ├126
          00    03    06    09    12    15    18    21

      hour from  steps  bpm
      07:00       3360  128
      08:00       1680  132

    """,
    200: """
    Fri 20 November 2026
    5040 steps, mean heart rate 129 bpm.

    █ steps  ♥ heart rate in bpm
     3360┤                                          █████                                                                                                 │
         │                                          █████                                                                                                 ├138
         │                                          █████                                                                                                 │
         │                                          █████                                                                                                 ├134
         │                                          █████ ♥████                                                                                           │
         │                                          █████ █████                                                                                           ├130
         │                                          ♥████ █████                                                                                           │
        0┤                                          █████ █████                                                                                           ├126
          00          02          04          06          08          10          12          14          16          18          20          22

      hour from  steps  bpm
      07:00       3360  128
      08:00       1680  132

    """,
  ]

  @Test("The hours in ASCII")
  func ascii() async throws {
    let fixture = try await HistoryFixture.week()
    let (day, hours) = try await fixture.hours()
    let view = HourlyView(hours, day: day, clock: fixture.clock, width: 80)
    #expect(
      view.lines.map { $0.rendered(usingColor: false, in: .ascii) + "\n" }.joined() == """
        Fri 20 November 2026
        5040 steps, mean heart rate 129 bpm.

        # steps  * heart rate in bpm
         3360+              #                                 |
             |              #                                 +138
             |              #                                 |
             |              #                                 +134
             |              # *                               |
             |              # #                               +130
             |              * #                               |
            0+              # #                               +126
              00    03    06    09    12    15    18    21

          hour from  steps  bpm
          07:00       3360  128
          08:00       1680  132

        """)
  }

  @Test("The axis of the heart rate has every value on it, and round numbers beside it", arguments: UInt64(0)..<50)
  func axis(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let values = (0...random.int(0...23)).map { _ in Double(random.int(300...2_300)) / 10 }
    let axis = try #require(HeartRateAxis(values, rows: 8))
    let labels = (0..<8).compactMap { Int(axis.label(ofRow: $0)) }
    #expect(labels.count == 4, "seed \(seed)")
    #expect(labels == labels.sorted(by: >), "seed \(seed)")
    for value in values {
      let row = axis.row(value)
      let label = Double(labels[row / 2]) + (row.isMultiple(of: 2) ? Double(labels[0] - labels[1]) / 2 : 0)
      #expect(abs(label - value) <= Double(labels[0] - labels[1]) / 4 + 0.001, "seed \(seed): \(value) at \(label)")
    }
  }
}

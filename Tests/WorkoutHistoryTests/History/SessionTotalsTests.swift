import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
@testable import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Totals of a session in the history")
struct SessionTotalsTests {
  @Test("A kilometre ends between two distances in proportion, and a rest of 20 m and more is reported")
  func splits() {
    var splits = DistanceSplits(.metric)
    splits.admit(heartRate: 120, active: .seconds(100))
    splits.admit(meters: 900, active: .seconds(300))
    // The kilometre ends at 330 s: of those on the way to the next distance one belongs to the next.
    splits.admit(heartRate: 140, active: .seconds(330))
    splits.admit(heartRate: 160, active: .seconds(331))
    splits.admit(meters: 1_100, active: .seconds(360))
    splits.admit(heartRate: 150, active: .seconds(400))
    splits.admit(meters: 2_015, active: .seconds(660))
    let expected = [
      DistanceSplits.Split(meters: 1_000, active: .seconds(330), meanHeartRate: 130),
      DistanceSplits.Split(
        meters: 1_000, active: SessionTime(nanoseconds: 325_081_967_213), meanHeartRate: 155),
    ]
    #expect(splits.splits == expected, "15 m are no split")
    splits.admit(meters: 2_020, active: .seconds(670))
    #expect(splits.splits.count == 3)
    #expect(splits.splits.last?.meters == 20)
    #expect(splits.splits.reduce(.zero) { $0 + $1.active } == .seconds(670), "they add up to the active time")
  }

  @Test("A mile ends after 1,609.344 m, in proportion")
  func miles() {
    var splits = DistanceSplits(.imperial)
    splits.admit(heartRate: 120, active: .seconds(400))
    splits.admit(meters: 1_600, active: .seconds(500))
    splits.admit(heartRate: 140, active: .seconds(504))
    splits.admit(heartRate: 170, active: .seconds(505))
    // 9.344 of these 20 m belong to the first mile: 4.672 of 10 s.
    splits.admit(meters: 1_620, active: .seconds(510))
    splits.admit(meters: 3_300, active: .seconds(1_010))
    #expect(splits.splits.map(\.meters).prefix(2) == [1_609.344, 1_609.344])
    #expect(splits.splits.first?.active == SessionTime(nanoseconds: 504_672_000_000))
    #expect(splits.splits.first?.meanHeartRate == 130)
    #expect(abs((splits.splits.last?.meters ?? 0) - 81.312) < 1e-9)
    #expect(splits.splits.map { $0.name(number: 2, .imperial) } == ["2", "2", "267 ft"])
  }

  @Test("A jump of several kilometres shares its time among them")
  func jump() {
    var splits = DistanceSplits(.metric)
    splits.admit(meters: 500, active: .seconds(100))
    splits.admit(meters: 3_500, active: .seconds(700))
    #expect(splits.splits.map(\.active) == [200, 200, 200, 100].map { .seconds($0) })
    #expect(DistanceSplits(.metric).splits.isEmpty)
  }

  @Test("Heart rates of a rest without another distance, and of a long way without one, count where they came")
  func heartRatesOfSplits() {
    var splits = DistanceSplits(.metric)
    // Far more than wait, until the first distance.
    for second in 1...2_000 { splits.admit(heartRate: second <= 1_000 ? 120 : 140, active: .seconds(second)) }
    splits.admit(meters: 1_000, active: .seconds(2_000))
    splits.admit(meters: 1_500, active: .seconds(2_200))
    splits.admit(heartRate: 150, active: .seconds(2_201))
    splits.admit(heartRate: 152, active: .seconds(2_202))
    #expect(splits.splits.map(\.meanHeartRate) == [130, 151])
    // Between two places a minute apart each kilometre has its own.
    var jump = DistanceSplits(.metric)
    for second in 1...60 { jump.admit(heartRate: Double(100 + second), active: .seconds(second)) }
    jump.admit(meters: 3_000, active: .seconds(60))
    #expect(jump.splits.map(\.meanHeartRate) == [110.5, 130.5, 150.5])
  }

  @Test("Hours begin where the clock of the place shows them, half hours of offset included")
  func hours() throws {
    // 10:59:30 in Mumbai.
    let start = try #require(WallClockTimeText(iso8601: "2026-11-20T05:29:30Z".utf8.span)?.time)
    var totals = HourTotals(start: start, utcOffsetSeconds: 19_800)
    totals.admit(heartRate: 100, at: .zero)
    totals.admit(steps: 10, at: .seconds(20))
    totals.admit(heartRate: 130, at: .seconds(40))
    totals.admit(heartRate: 140, at: .seconds(50))
    totals.admit(steps: 7, at: .seconds(10))
    let ten = Int64(start.wholeSeconds - 3_570)
    #expect(totals.hours.map(\.from) == [ten, ten + 3_600])
    #expect(totals.hours.map(\.steps) == [17, 0])
    #expect(totals.hours.map(\.hasSteps) == [true, false])
    #expect(totals.hours.map(\.heartRateSum) == [100, 270])
    #expect(totals.hours.map(\.heartRateCount) == [1, 2])
  }

  @Test("An index whose decouplings were of minutes asks the folders for them once", arguments: [false, true])
  func olderDecouplings(hasSession: Bool) throws {
    let folder = try ScratchFolder()
    let database = try Database(path: folder.path + "/coach.sqlite")
    defer { database.close() }
    let known = try #require(HistorySchema.migrations.firstIndex { $0.name.hasPrefix("the decoupling") })
    try HistorySchema.migrate(database, Array(HistorySchema.migrations.prefix(known)))
    if hasSession {
      try database.execute(
        """
        INSERT INTO session (id, start_ns, utc_offset_s, activity, state, strategy, zone_model, elapsed_ns, active_ns,
          no_data_ns, in_target_ns, covered_with_target_ns, active_with_target_ns)
        VALUES ('one', 0, 0, 'running', 'complete', 'none', 'percentOfMaximum', 600000000000, 600000000000, 0, 0, 0, 0)
        """)
    }
    try HistorySchema.migrate(database)
    #expect(try database.query("SELECT is_whole FROM upkeep") { $0.int(0) } == [hasSession ? 0 : 1])
  }

  @Test("Heart-rate recovery is the fall in the first minute of a pause, the largest of several")
  func recovery() {
    var recovery = HeartRateRecovery()
    for second in 0...100 { recovery.admit(heartRate: 160, at: .seconds(second)) }
    recovery.pause(at: .seconds(100))
    for second in 101...170 { recovery.admit(heartRate: 160 - Double(second - 100) / 2, at: .seconds(second)) }
    #expect(recovery.largestFall == 30)
    recovery.resume()
    recovery.pause(at: .seconds(171))
    recovery.admit(heartRate: 110, at: .seconds(229))
    recovery.resume()
    recovery.admit(heartRate: 90, at: .seconds(232))
    #expect(recovery.largestFall == 30, "the second pause was too short")
    recovery.pause(at: .seconds(300))
    recovery.admit(heartRate: 60, at: .seconds(361))
    #expect(recovery.largestFall == 30, "nothing was measured when the third one began")
  }

  @Test("A curve comes back from its bytes and draws the same picture at every width", arguments: [0, 1, 700, 40_000])
  func curve(seconds: Int) throws {
    var random = SplitMix64(seed: UInt64(seconds))
    var curve = HeartRateCurve()
    for second in stride(from: 0, to: seconds, by: 1) where !random.int(0...9).isMultiple(of: 4) {
      curve.admit(Double(random.int(600...1_900)) / 10, at: .seconds(second))
    }
    let again = try #require(HeartRateCurve(bytes: curve.bytes))
    for columns in [1, 68, 148, 400] {
      #expect(
        again.means(columns: columns, until: .seconds(seconds))
          == curve.means(columns: columns, until: .seconds(seconds)))
    }
    #expect(again.bytes == curve.bytes)
    #expect(curve.bytes.count <= 8 + 12 * HeartRateCurve.slotCount)
    for count in 0..<min(curve.bytes.count, 30) where count % 12 != 8 {
      #expect(HeartRateCurve(bytes: Array(curve.bytes[..<count])) == nil, "\(count) bytes")
    }
    #expect(HeartRateCurve(bytes: Array(repeating: 0, count: 8)) == nil, "a slot of no time")
  }
}

import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Periods of the history")
struct HistoryPeriodsTests {
  /// Random sessions on some days, and what each of them came to by its folder alone.
  private func recorded(seed: UInt64) async throws -> (RecordedHistory, [SessionDigest]) {
    let recorded = try RecordedHistory()
    var random = SplitMix64(seed: seed)
    var digests: [SessionDigest] = []
    for number in 0..<UInt64(10) {
      let day = random.int(0...9)
      let person: String? = random.int(0...2) == 0 ? nil : random.int(0...1) == 0 ? "anna" : "ben"
      let session = try RandomSession(seed: seed &* 100 &+ number)
      let shift = day * 86_400 + random.int(0...80_000)
      let name = try await recorded.record(
        session.lines.map { Self.shifted($0, by: shift) }, session.request, digits: UInt32(number), person: person)
      digests.append(try SessionDigest(folder: recorded.path(name)))
    }
    return (recorded, digests)
  }

  /// A line of a stream that begins some seconds later.
  private static func shifted(_ line: String, by seconds: Int) -> String {
    guard let value = try? JSONValue.parse(line.utf8.span), let members = value.members else { return line }
    var writer = JSONWriter()
    writer.object { writer in
      for member in members {
        if member.key == "time" || member.key == "issuedAt", let text = member.value.string,
          let time = WallClockTimeText(iso8601: text)?.time.adding(nanoseconds: Int64(seconds) * 1_000_000_000)
        {
          writer.member(JSONKey(member.key), time)
        } else {
          writer.member(JSONKey(member.key), member.value)
        }
      }
    }
    return writer.text
  }

  @Test("Totals of a span are those of its sessions, added up one by one", arguments: UInt64(1)...6)
  func totals(seed: UInt64) async throws {
    let (recorded, digests) = try await recorded(seed: seed)
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      let bounds = [random.int(-86_400...900_000), random.int(-86_400...900_000)].sorted()
      let span = WallClockTime.morning(Double(bounds[0]))..<WallClockTime.morning(Double(bounds[1]))
      let person: String? = [nil, "anna", "ben", "nobody"][random.int(0...3)]
      let totals = try await recorded.history.totals(in: span, person: person)
      let chosen = digests.filter {
        span.contains($0.manifest.start) && (person == nil || $0.manifest.person == person)
      }
      let summaries = chosen.map(\.summary)
      func sum(_ value: (SessionSummary) -> SessionTime) -> SessionTime { summaries.reduce(.zero) { $0 + value($1) } }
      #expect(totals.sessions == chosen.count, "seed \(seed)")
      #expect(totals.active == sum(\.active), "seed \(seed)")
      #expect(totals.noData == sum(\.noData), "seed \(seed)")
      for band in [Band.below, .zone(1), .zone(2), .zone(3), .zone(4), .zone(5), .aboveMaximum] {
        let expected = sum { summary in summary.inBand.first { $0.band == band }?.duration ?? .zero }
        #expect((totals.inBand.first { $0.band == band }?.duration ?? .zero) == expected, "seed \(seed), \(band)")
      }
      let steps = summaries.compactMap(\.steps)
      #expect(totals.steps == (steps.isEmpty ? nil : steps.reduce(0, +)), "seed \(seed)")
      near(totals.distanceMeters, summaries.compactMap(\.distanceMeters), seed) { $0.reduce(0, +) }
      let covered = sum(\.coveredWithTarget).seconds
      near(totals.compliance, covered > 0 ? [sum(\.inTarget).seconds / covered] : [], seed) { $0[0] }
      let beats = summaries.compactMap { summary in
        summary.timeWeightedMeanHeartRate.map { ($0, (summary.active - summary.noData).seconds) }
      }.filter { $0.1 > 0 }
      near(totals.meanHeartRate, beats.map { $0.0 * $0.1 }, seed) { $0.reduce(0, +) / beats.reduce(0) { $0 + $1.1 } }
      let efficient = summaries.filter { ($0.distanceMeters ?? 0) > 0 && $0.timeWeightedMeanHeartRate != nil }
      near(totals.metersPerBeat, efficient.compactMap(\.distanceMeters), seed) { meters in
        meters.reduce(0, +)
          / efficient.reduce(0) { $0 + ($1.timeWeightedMeanHeartRate ?? 0) * $1.active.seconds / 60 }
      }
    }
    await recorded.history.close()
  }

  private func near(_ value: Double?, _ parts: [Double], _ seed: UInt64, _ expected: ([Double]) -> Double) {
    guard !parts.isEmpty else {
      #expect(value == nil, "seed \(seed)")
      return
    }
    #expect(abs((value ?? .nan) - expected(parts)) <= 1e-9 * max(1, abs(expected(parts))), "seed \(seed)")
  }

  @Test("Hours are those of all sessions, added up; the newest one decides the newest day", arguments: UInt64(1)...6)
  func hours(seed: UInt64) async throws {
    let (recorded, digests) = try await recorded(seed: seed)
    for person in [nil, "anna"] {
      let chosen = digests.filter { person == nil || $0.manifest.person == person }
      let all = chosen.flatMap(\.hours)
      let span = WallClockTime.morning(100_000)..<WallClockTime.morning(500_000)
      let hours = try await recorded.history.hours(in: span, person: person)
      let expected = Set(all.map(\.from)).sorted().filter { from in
        WallClockTime(secondsSinceEpoch: from).map(span.contains) == true
      }
      #expect(hours.map { Int64($0.from.wholeSeconds) } == expected, "seed \(seed)")
      for hour in hours {
        let parts = all.filter { $0.from == Int64(hour.from.wholeSeconds) }
        #expect(hour.heartRateCount == parts.reduce(0) { $0 + $1.heartRateCount }, "seed \(seed)")
        let sum = parts.reduce(0) { $0 + $1.heartRateSum }
        #expect(hour.meanHeartRate.map { abs($0 * Double(hour.heartRateCount) - sum) < 1e-6 } ?? (sum == 0))
        let steps = parts.contains(where: \.hasSteps) ? parts.reduce(0) { $0 + $1.steps } : nil
        #expect(hour.steps == steps, "seed \(seed)")
      }
      let newest = try await recorded.history.newestHour(person: person)
      #expect(newest.map { Int64($0.wholeSeconds) } == all.map(\.from).max(), "seed \(seed)")
    }
    await recorded.history.close()
  }

  @Test("The dashboard has 7 days up to today, the weeks begin with the first that has a session")
  func calendar() async throws {
    let recorded = try RecordedHistory()
    // The sessions begin at 7 in the morning of a Friday; the clock is 6 hours behind.
    for (digits, day) in [0, 3, 16].enumerated() {
      let lines = [0, 60].map { second in
        "{\"type\":\"heartRate\",\"time\":\"\(WallClockTime.morning(Double(day * 86_400 + second)))\","
          + "\"beatsPerMinute\":120}"
      }
      try await recorded.record(lines, .runner(), digits: UInt32(digits))
    }
    let start = WallClockTime.morning()
    let friday = try #require(start.civilDate(utcOffsetSeconds: 0))
    func clock(_ seconds: Double) -> LocalClock { LocalClock(now: .morning(seconds)) { _ in -21_600 } }
    let dashboard = try await recorded.history.dashboard(clock(16 * 86_400), person: nil)
    #expect(dashboard.days.count == 7)
    #expect(dashboard.days.last?.day == friday.adding(days: 16))
    #expect(dashboard.days.map(\.totals.sessions) == [0, 0, 0, 0, 0, 0, 1])
    #expect(dashboard.total.sessions == 1)
    #expect(dashboard.latest?.start == .morning(16 * 86_400))
    let early = try await recorded.history.dashboard(clock(3 * 86_400), person: nil)
    #expect(early.days.map(\.totals.sessions) == [0, 0, 0, 1, 0, 0, 1], "what lies ahead of the clock is no day yet")
    #expect(early.latest?.start == .morning(3 * 86_400), "nor the latest workout")
    #expect(try await recorded.history.latest(History.Filter(), of: clock(3 * 86_400))?.start == early.latest?.start)
    let before = try await recorded.history.dashboard(clock(-5 * 86_400), person: nil)
    #expect(before.latest?.start == .morning(16 * 86_400), "by a clock that is slow all of them lie ahead")
    let weeks = try await recorded.history.weeks(10, clock(16 * 86_400), person: nil)
    #expect(weeks.allSatisfy { $0.monday.weekday == 0 })
    #expect(weeks.reduce(0) { $0 + $1.totals.sessions } == 3)
    #expect(weeks.first?.totals.sessions == 1)
    #expect(try await recorded.history.weeks(1, clock(26 * 86_400), person: nil).isEmpty)
    // The same weeks as a report, of which charts are made.
    var measured = History.Filter()
    measured.includesSimulated = false
    for day in [16.0, 3] {
      let weeks = try await recorded.history.weeks(10, clock(day * 86_400), person: nil)
      let report = try #require(try await recorded.history.weeksReport(10, of: measured, clock(day * 86_400)))
      #expect(report.unit == .week)
      #expect(report.bins.map(\.first) == weeks.map(\.monday), "day \(day)")
      #expect(report.bins.map(\.totals) == weeks.map(\.totals), "day \(day)")
      #expect(report.sessions.count == report.total.sessions, "day \(day)")
      #expect(report.sessions.map(\.entry.start) == report.sessions.map(\.entry.start).sorted(), "day \(day)")
      #expect(report.sessions.allSatisfy { $0.detail == nil }, "day \(day)")
    }
    #expect(try await recorded.history.weeksReport(1, of: measured, clock(26 * 86_400)) == nil)
    let nobody = try await recorded.history.dashboard(clock(0), person: "nobody")
    #expect(nobody.latest == nil)
    #expect(nobody.days.isEmpty)
    #expect(nobody.total.sessions == 0)
    await recorded.history.close()
  }

  @Test("Asking a folder without sessions makes nothing")
  func empty() async throws {
    let folder = try ScratchFolder()
    let history = History(dataFolder: folder.path + "/data")
    let clock = LocalClock(now: .morning()) { _ in 0 }
    #expect(try await history.sessions(History.Filter()).isEmpty)
    #expect(try await history.session("2026") == nil)
    #expect(try await history.dashboard(clock, person: nil).latest == nil)
    #expect(try await history.weeks(3, clock, person: nil).isEmpty)
    #expect(try await history.weeksReport(3, of: History.Filter(), clock) == nil)
    #expect(try await history.newestHour(person: nil) == nil)
    #expect(!FileSystem.exists(folder.path + "/data"))
  }

  @Test("Names of bands are read as they are written, and nothing else")
  func bands() {
    for band in [Band.below, .zone(1), .zone(7), .aboveMaximum] { #expect(Band(name: band.description) == band) }
    for name in ["", "zone", "zone0", "zone-1", "zoneX", "noData", "Below"] {
      #expect(Band(name: name) == nil, "\(name)")
    }
  }
}

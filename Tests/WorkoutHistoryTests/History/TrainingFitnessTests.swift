import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Fitness, form and weeks")
struct TrainingFitnessTests {
  private static func day(_ number: Int) throws -> CivilDate {
    try #require(CivilDate(year: 2026, month: 1, day: 5)?.adding(days: number))
  }

  /// What is recorded of sixty days: rest on two days of seven, two sessions on one.
  private static func loads() throws -> [(day: CivilDate, load: Double)] {
    var loads: [(day: CivilDate, load: Double)] = []
    for number in 0..<60 where ![2, 6].contains(number % 7) {
      loads.append((try day(number), Double(40 + number * 37 % 90)))
      if number % 7 == 5 { loads.append((try day(number), 25.5)) }
    }
    return loads
  }

  @Test("Fitness, fatigue and form of sixty days are the weighted sums of their loads, by hand")
  func sixtyDays() throws {
    let loads = try Self.loads()
    let days = TrainingDay.days(of: loads.shuffled(), until: try Self.day(59))
    #expect(days.count == 60)
    for (number, day) in days.enumerated() {
      #expect(day.day == (try Self.day(number)))
      // Not step by step: a load of k days ago weighs 1/n · (1 − 1/n)^k.
      func sum(_ constant: Double) -> Double {
        var sum = 0.0
        for back in 0...number {
          let of = number - back
          guard ![2, 6].contains(of % 7) else { continue }
          var weight = 1 / constant
          for _ in 0..<back { weight *= 1 - 1 / constant }
          sum += weight * (Double(40 + of * 37 % 90) + (of % 7 == 5 ? 25.5 : 0))
        }
        return sum
      }
      #expect(abs(day.fitness - sum(42)) < 1e-9)
      #expect(abs(day.fatigue - sum(7)) < 1e-9)
      #expect(day.form == day.fitness - day.fatigue)
    }
    // The first two days, with a pocket calculator: 40 and 77 of load.
    #expect(abs(days[0].fitness - 0.952380952) < 1e-8)
    #expect(abs(days[1].fitness - 2.763038549) < 1e-8)
    #expect(abs(days[0].fatigue - 5.714285714) < 1e-8)
    #expect(abs(days[1].fatigue - 15.897959184) < 1e-8)
    #expect(days[2].load == 0)
    #expect(days[5].sessions == 2)
  }

  @Test("Days without a session count as nothing until today, and without any session there are none")
  func rest() throws {
    let days = TrainingDay.days(of: [(try Self.day(0), 42)], until: try Self.day(7))
    #expect(days.count == 8)
    #expect(days[0].fitness == 1)
    #expect(days[7].load == 0)
    #expect(days[7].fatigue < days[6].fatigue)
    #expect(TrainingDay.days(of: [], until: try Self.day(7)).isEmpty)
    // A session that lies ahead of the clock is shown too.
    #expect(TrainingDay.days(of: [(try Self.day(9), 42)], until: try Self.day(7)).count == 1)
  }

  @Test(
    "The polarisation index is that of Treff (2019)",
    arguments: [
      ([80.0, 5, 15], 2.380), ([68, 16, 16], 1.833), ([100, 0, 0], 0), ([90, 0, 10], 2.908), ([0, 0, 0], nil),
      ([20, 0, 80], nil), ([99.5, 0, 0.5], 0),
    ] as [([Double], Double?)])
  func polarization(seconds: [Double], expected: Double?) throws {
    var week = WeekIntensity(monday: try Self.day(0))
    week.seconds = seconds
    #expect(week.polarization == expected)
  }

  @Test("What a band comes to follows from its zone model, and of limits of one's own nobody knows it")
  func intensities() {
    let bands: [Band] = [.below, .zone(1), .zone(2), .zone(3), .zone(4), .zone(5), .aboveMaximum]
    #expect(
      bands.map { Intensity($0, ofModelNamed: "percentOfMaximum") }
        == [.low, .low, .low, .low, .moderate, .high, .high])
    #expect(
      bands.map { Intensity($0, ofModelNamed: "heartRateReserve") }
        == [.low, .low, .low, .moderate, .moderate, .high, .high])
    #expect(
      bands.prefix(4).map { Intensity($0, ofModelNamed: "threeZone") } == [.low, .low, .moderate, .high])
    #expect(Intensity(.zone(7), ofModelNamed: "percentOfThreshold") == .high)
    #expect(Intensity(.zone(1), ofModelNamed: "custom") == nil)
  }

  private static func weeks(_ minutes: [Int]) throws -> [WeekIntensity] {
    try minutes.enumerated().map { index, minutes in
      var week = WeekIntensity(monday: try day(7 * index))
      week.active = .seconds(minutes * 60)
      week.sessions = minutes > 0 ? 1 : 0
      return week
    }
  }

  @Test("A streak counts the weeks in a row that came to the goal; one that is under way breaks none")
  func streak() throws {
    let weeks = try Self.weeks([150, 160, 170, 20, 150, 200, 90])
    let streak = try #require(WeekStreak(weeks, goal: .minutes(150)))
    #expect(streak.weeks == 2)
    #expect(streak.longest == 3)
    #expect(streak.thisWeek == 90)
    #expect(WeekStreak(try Self.weeks([150, 150]), goal: .minutes(150))?.weeks == 2)
    #expect(WeekStreak(try Self.weeks([150, 0, 10, 10]), goal: nil)?.weeks == 2)
    #expect(WeekStreak(try Self.weeks([150, 10, 0]), goal: nil)?.weeks == 2)
    #expect(WeekStreak([], goal: nil) == nil)
  }

  private static func window(_ seconds: Int, _ beats: Double, _ day: Int) -> HeartRateSuggestion.Window {
    HeartRateSuggestion.Window(
      effort: BestEffort(.heartRate(seconds: seconds), value: beats, atSeconds: 60), sessionID: "session-\(day)",
      start: .morning(Double(day) * 86_400))
  }

  @Test("A suggestion names its session and says how many others come near; easy days suggest no threshold")
  func suggestions() {
    let peaks = [(15, 188.4, 1), (15, 190.2, 2), (15, 187.2, 3), (15, 170, 4)].map { Self.window($0.0, $0.1, $0.2) }
    let easy = HeartRateSuggestion.all(peaks + [Self.window(1_200, 140, 2)])
    #expect(easy.map(\.quantity) == [.maximumHeartRate])
    #expect(easy.first?.beatsPerMinute == 190)
    #expect(easy.first?.sessionID == "session-2")
    #expect(easy.first?.others == 2)
    #expect(easy.first?.support == .fair)
    let hard = HeartRateSuggestion.all(peaks + [Self.window(1_200, 171.6, 4), Self.window(1_200, 160, 1)])
    #expect(hard.map(\.beatsPerMinute) == [190, 172])
    #expect(hard.last?.support == .weak)
    #expect(HeartRateSuggestion.all([]).isEmpty)
  }

  @Test("A session without a heart rate has neither a load nor an energy, and is counted among those without a load")
  func withoutHeartRates() async throws {
    let recorded = try RecordedHistory()
    var request = try CoachingRequest.runner("z2", "none")
    request.profile.sex = .female
    request.profile.weightKilograms = 60
    request.profile.restingHeartRate = 60
    let lines = (0...300).map { #"{"type":"steps","time":"\#(WallClockTime.morning(Double($0)))","count":3}"# }
    let beats = (0...300).map {
      #"{"type":"heartRate","time":"\#(WallClockTime.morning(Double($0 + 3_600)))","beatsPerMinute":0}"#
    }
    for (number, lines) in [lines, beats].enumerated() {
      let name = try await recorded.record(lines, request, digits: UInt32(number + 1), person: "anna")
      let entry = try #require(try await recorded.history.session(name))
      #expect(entry.energyKilocalories == nil)
      let detail = try #require(try await recorded.history.detail(of: entry))
      for load in [detail.outcome.summary.edwards, detail.outcome.summary.banister] { #expect(load == nil) }
      var writer = JSONWriter()
      try detail.write(to: &writer)
      let record = try JSONValue.parse(writer.text)
      #expect(record["energyKilocalories"] == nil)
      #expect(record["trainingLoad"] == nil)
    }
    var filter = History.Filter()
    filter.person = "anna"
    let clock = LocalClock(now: .morning(86_400)) { _ in 0 }
    for method in [LoadMethod.edwards, .banister] {
      #expect(try await recorded.history.fitness(filter, method, clock).withoutLoad == 2)
    }
    await recorded.history.close()
  }

  @Test("The report adds up the days and weeks of the sessions of a person, and leaves simulated ones out")
  func report() async throws {
    let recorded = try RecordedHistory()
    func record(_ day: Int, person: String?, origin: SessionOrigin? = nil) async throws {
      let lines = (0...600).map { second in
        let minute = (second / 60 < 10 ? "0" : "") + "\(second / 60)"
        let rest = (second % 60 < 10 ? "0" : "") + "\(second % 60)"
        return #"{"type":"heartRate","time":"2026-11-0\#(day)T07:\#(minute):\#(rest)Z","beatsPerMinute":165}"#
      }
      try await recorded.record(
        lines, .runner("z4", "none"), digits: UInt32(day), person: person, origin: origin)
    }
    try await record(2, person: "anna")
    try await record(4, person: "anna")
    try await record(5, person: "ben")
    try await record(6, person: "anna", origin: .simulated)
    let now = try #require(WallClockTimeText(iso8601: "2026-11-10T12:00:00Z")).time
    let clock = LocalClock(now: now) { _ in 0 }
    var filter = History.Filter()
    filter.person = "anna"
    filter.includesSimulated = false
    let report = try await recorded.history.fitness(filter, .edwards, clock)
    // Ten minutes at 84 % of 197, four each.
    #expect(report.days.map { ($0.load).rounded() } == [40, 0, 40, 0, 0, 0, 0, 0, 0])
    #expect(report.weeks.map(\.sessions) == [2, 0])
    #expect(report.weeks.first?.share(.moderate) == 1)
    #expect(report.withoutLoad == 0)
    #expect(report.streak?.weeks == 1)
    #expect(report.suggestions.map(\.beatsPerMinute) == [165])
    #expect(try await recorded.history.fitness(filter, .banister, clock).withoutLoad == 2)
    filter.includesSimulated = true
    #expect(try await recorded.history.fitness(filter, .edwards, clock).weeks.map(\.sessions) == [3, 0])
    #expect(try await recorded.history.sessionsAhead(filter, of: clock) == 0)
    // On the evening of the third the others lie ahead, as sessions of a device whose date was wrong do.
    let then = LocalClock(now: try #require(WallClockTimeText(iso8601: "2026-11-03T22:00:00Z")).time) { _ in 0 }
    let early = try await recorded.history.fitness(filter, .edwards, then)
    #expect(early.days.map { ($0.load).rounded() } == [40, 0])
    #expect(early.weeks.map(\.sessions) == [1])
    #expect(early.streak?.weeks == 1)
    #expect(try await recorded.history.sessionsAhead(filter, of: then) == 2)
    filter.includesSimulated = false
    #expect(try await recorded.history.sessionsAhead(filter, of: then) == 1)
    filter.person = nil
    #expect(try await recorded.history.sessionsAhead(filter, of: then) == 2)
    // Whose maximum would it be?
    #expect(try await recorded.history.fitness(filter, .edwards, clock).suggestions.isEmpty)
    await recorded.history.close()
  }
}

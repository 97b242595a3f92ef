import LiveCoaching
import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("What is said of a running session")
struct LiveAnnouncerTests {
  /// What is said in each second of a session at 2.75 m/s, but for what is left out.
  private static func said(
    plan: String? = nil, seconds: Int, durationLimit: SessionTime? = nil, units: UnitSystem = .metric,
    bests: [BestEffort] = [], speed: (Int) -> Double = { _ in 2.75 }, every step: Int = 1
  ) throws -> [(second: Int, phrase: SpokenPhrase)] {
    var request = TerminalFixture.request()
    if let plan { request.plan = try PlanRequest(text: plan) } else { request.target = "z2" }
    request.strategy = .none
    var played = try TerminalFixture.Played(request, durationLimit: durationLimit)
    var announcer = LiveAnnouncer(units: units, bests: bests, fastestMetersPerSecond: 7)
    var said: [(second: Int, phrase: SpokenPhrase)] = []
    var meters = 0.0
    for second in 0...seconds {
      if second > 0 { meters += speed(second) }
      played.take(.heartRate(Double(124 + second % 3)), at: .seconds(second))
      played.take(.distance(meters), at: .seconds(second))
      guard second % step == 0 else { continue }
      said += announcer.note(played.events, played.pipeline).map { (second, $0.phrase) }
      played.events = []
    }
    return said
  }

  @Test("Three, two, one before the end of a step, what is left before, and what comes next")
  func countdown() throws {
    let said = try Self.said(plan: "2min warm-up z1, 1min effort z4, 1min rest z1", seconds: 245)
    let counted = said.compactMap { second, phrase -> String? in
      switch phrase {
      case .countdown(let count): "\(second) \(count)"
      case .timeLeft(let left, let next): "\(second) \(left.seconds) \(next?.name ?? "-")"
      default: nil
      }
    }
    #expect(
      counted == [
        "60 60.0 -", "90 30.0 -", "110 10.0 effort", "117 3", "118 2", "119 1",
        "150 30.0 -", "170 10.0 rest", "177 3", "178 2", "179 1",
        "210 30.0 -", "230 10.0 -", "237 3", "238 2", "239 1",
      ])
  }

  @Test("Readings that are seconds apart leave out no mark: each is said when the clock of the run passes it")
  func marksBetweenReadings() throws {
    var request = TerminalFixture.request()
    request.plan = try PlanRequest(text: "1min warm-up z1, 1min effort z4, 1min rest z1")
    request.strategy = .none
    // Readings every 5 s, and every 7 s, so that a step ends between two of them.
    for step in [5, 7] {
      var played = try TerminalFixture.Played(request)
      var announcer = LiveAnnouncer(units: .metric, bests: [], fastestMetersPerSecond: 7)
      var counted: [String] = []
      for second in 0...181 {
        if second % step == 0 { played.take(.heartRate(124), at: .seconds(second)) }
        played.pipeline.pass(to: .seconds(second))
        for said in announcer.note(played.events, played.pipeline) {
          switch said.phrase {
          case .countdown(let count): counted.append("\(second) \(count)")
          case .timeLeft(let left, _): counted.append("\(second) \(Int(left.seconds))")
          default: break
          }
        }
        played.events = []
      }
      // A step of a minute is too short for the minute that is left of it.
      let marks = [60, 120, 180].flatMap { end in [30, 10, 3, 2, 1].map { "\(end - $0) \($0)" } }
      #expect(counted == marks, "readings every \(step) s")
    }
  }

  @Test("A mark is said once though the clock of the run stands still, and none in a pause or of a step that is over")
  func marksInAPause() throws {
    var request = TerminalFixture.request()
    request.plan = try PlanRequest(text: "1min warm-up z1, 1min effort z4")
    request.strategy = .none
    var played = try TerminalFixture.Played(request)
    var announcer = LiveAnnouncer(units: .metric, bests: [], fastestMetersPerSecond: 7)
    func perform(_ command: SessionCommand, at second: Int) {
      var events: [SessionEvent] = []
      played.pipeline.perform(command, at: .seconds(second), into: &events)
      played.events += events
    }
    func counts(at second: Int) -> [SpokenPhrase] {
      played.pipeline.pass(to: .seconds(second))
      defer { played.events = [] }
      return announcer.note(played.events, played.pipeline).map(\.phrase).filter { phrase in
        if case .countdown = phrase { true } else { false }
      }
    }
    for second in stride(from: 0, through: 55, by: 5) {
      played.take(.heartRate(124), at: .seconds(second))
      _ = counts(at: second)
    }
    #expect(counts(at: 57) == [.countdown(3)])
    #expect(counts(at: 57).isEmpty)
    perform(.pause, at: 57)
    #expect(counts(at: 58).isEmpty)
    perform(.resume, at: 90)
    #expect(counts(at: 90).isEmpty)
    // Three seconds are left since the pause; the mark of two is passed, and what comes after the end has nothing left.
    #expect(counts(at: 92) == [.countdown(1)])
    #expect(counts(at: 95).isEmpty)
  }

  @Test("A step of some metres is counted down by the speed of now")
  func distance() throws {
    let said = try Self.said(plan: "1min warm-up z1, 400m effort z4, 1min rest z1", seconds: 240)
    let counts = said.compactMap { second, phrase -> Int? in
      if case .countdown = phrase, second > 60 { second } else { nil }
    }
    // 400 m at 2.75 m/s take 145.5 s from the 60th second on.
    #expect(Array(counts.prefix(3)) == [203, 204, 205])
  }

  @Test("A step of some metres is counted down between its distances, however often heart rates come")
  func rareDistancesOfSteps() throws {
    var request = TerminalFixture.request()
    request.plan = try PlanRequest(text: "70 meters z1, 35 meters z2")
    request.strategy = .none
    var played = try TerminalFixture.Played(request)
    var announcer = LiveAnnouncer(units: .metric, bests: [], fastestMetersPerSecond: 7)
    var counted: [String] = []
    for second in 0...33 {
      played.take(.heartRate(124), at: .seconds(second))
      if second % 3 == 0 { played.take(.distance(3.5 * Double(second)), at: .seconds(second)) }
      played.pipeline.pass(to: .seconds(second))
      for said in announcer.note(played.events, played.pipeline) {
        if case .countdown(let count) = said.phrase { counted.append("\(second) \(count)") }
      }
      played.events = []
    }
    #expect(counted == ["17 3", "18 2", "19 1", "27 3", "28 2", "29 1"])
  }

  @Test("The clock of a run does not go beyond its end, however long the next reading takes")
  func clockAtTheEnd() throws {
    var request = TerminalFixture.request()
    request.target = "z2"
    request.strategy = .none
    var played = try TerminalFixture.Played(request, durationLimit: .seconds(10))
    for second in [0, 4, 8] { played.take(.heartRate(124), at: .seconds(second)) }
    let shown = (8...14).map { second in
      played.pipeline.pass(to: .seconds(second))
      return played.pipeline.engine.active + played.pipeline.runAhead
    }
    #expect(shown == [8, 9, 10, 10, 10, 10, 10].map { .seconds($0) })
  }

  @Test("Kilometres and miles are said with their times", arguments: UnitSystem.allCases)
  func splits(units: UnitSystem) throws {
    let said = try Self.said(seconds: 1_300, units: units).map(\.phrase)
    let seconds = Int((units.splitMeters / 2.75).rounded())
    let splits = said.compactMap { phrase -> String? in
      guard case .split(let number, _, let time) = phrase else { return nil }
      return "\(number) \(QuantityText.wholeSeconds(time))"
    }
    #expect(splits == (1...1_300 / seconds).map { "\($0) \(seconds)" })
  }

  @Test("Half of a session is said once, and at the end how the halves compare")
  func halves() throws {
    let said = try Self.said(seconds: 605, durationLimit: .seconds(600), speed: { $0 <= 300 ? 2.5 : 3 })
    let halves = said.filter { if case .split = $0.phrase { false } else { true } }.map(\.phrase)
    #expect(halves.count == 2)
    #expect(halves.first == .halfTime(left: .seconds(300)))
    #expect(halves.last == .halvesOfTime(secondIs: .more, by: SpokenDistance(meters: 150, in: .metric)))
  }

  @Test("Distances that come less often than heart rates make no kilometre and no half longer or shorter")
  func rareDistances() throws {
    var request = TerminalFixture.request()
    request.target = "z2"
    request.strategy = .none
    var played = try TerminalFixture.Played(request, durationLimit: .seconds(1_200))
    var announcer = LiveAnnouncer(units: .metric, bests: [], fastestMetersPerSecond: 7)
    var meters = 0.0
    var splits: [Int64] = []
    var halves: [HalfComparison] = []
    for second in 0...1_270 {
      if second == 200 { played.pipeline.perform(.pause, at: .seconds(second), into: &played.events) }
      if second == 260 { played.pipeline.perform(.resume, at: .seconds(second), into: &played.events) }
      played.take(.heartRate(124), at: .seconds(second))
      if second == 0 || second % 10 == 3 { played.take(.distance(meters), at: .seconds(second)) }
      if !(200..<260).contains(second) { meters += 3.7 }
      for said in announcer.note(played.events, played.pipeline) {
        switch said.phrase {
        case .split(_, _, let time): splits.append(Int64(QuantityText.wholeSeconds(time)))
        case .halvesOfTime(let comparison, _): halves.append(comparison)
        default: break
        }
      }
      played.events = []
    }
    // 1,000 m at 3.7 m/s are 270.3 s.
    #expect(splits == [270, 270, 270, 270])
    #expect(halves == [.same])
  }

  @Test("A cue and what comes with it are one message, so that neither takes the place of the other")
  func together() throws {
    let cues = try TerminalFixture.halfHour().events.compactMap { event -> Announcement? in
      guard case .engine(.decision(let decision)) = event, case .cue(let action) = decision.outcome else { return nil }
      return Announcement(
        phrase: SpokenPhrase(action, decision, in: .metric), cue: (action: action, decision: decision))
    }
    let (first, second) = (try #require(cues.first), try #require(cues.last))
    let other = Announcement(phrase: .countdown(3), cue: nil)
    func texts(_ announcements: [Announcement]) -> [String] {
      CueAnnouncers.sentences(announcements, in: .english).map(\.text)
    }
    let (one, two) = (SpokenLanguage.english.text(first.phrase), SpokenLanguage.english.text(second.phrase))
    #expect(texts([first, other]) == ["\(one) 3"])
    #expect(texts([other, first, other]) == ["3 \(one) 3"])
    #expect(texts([first, other, second]) == [one, "3 \(two)"])
    #expect(texts([other, other]) == ["3 3"])
    #expect(texts([]).isEmpty)
    for all in [[first, other], [other, first, other], [first, other, second], [other, other], []] {
      let breaths = CueAnnouncers.breaths(all).map { texts($0) }
      #expect(breaths.allSatisfy { $0.count == 1 })
      #expect(breaths.flatMap(\.self) == texts(all))
    }
    #expect(CueAnnouncers.sentences([other], in: .english).first?.title == "coach")
    #expect(CueAnnouncers.sentences([other, first], in: .english).first?.title != "coach")
  }

  @Test("Half of a way is not said where a lap has ended a step before its metres")
  func lapInAWay() throws {
    var request = TerminalFixture.request()
    request.plan = try PlanRequest(text: "2x(500m z2)")
    request.strategy = .none
    for hasLap in [false, true] {
      var played = try TerminalFixture.Played(request)
      var announcer = LiveAnnouncer(units: .metric, bests: [], fastestMetersPerSecond: 7)
      var halves = 0
      for second in 0...400 {
        played.take(.heartRate(125), at: .seconds(second))
        played.take(.distance(Double(second) * 2.5), at: .seconds(second))
        if hasLap, second == 100 { played.pipeline.perform(.lap, at: .seconds(second), into: &played.events) }
        for said in announcer.note(played.events, played.pipeline) {
          if case .halfDistance = said.phrase { halves += 1 }
        }
        played.events = []
      }
      #expect(halves == (hasLap ? 0 : 1))
    }
  }

  @Test("A best effort is announced once, and only one that beats an earlier one")
  func bests() throws {
    let bests = [
      BestEffort(.distance(meters: 400), value: 120, atSeconds: 0),
      BestEffort(.distance(meters: 1_000), value: 300, atSeconds: 0),
      BestEffort(.duration(seconds: 60), value: 10, atSeconds: 0),
    ]
    // 81 s at 4 m/s and 38 s at 2 m/s before them are 400 m; never 1 km in five minutes.
    let said = try Self.said(seconds: 500, bests: bests, speed: { (201...330).contains($0) ? 4 : 2 })
    let announced = said.filter { if case .bestEffort = $0.phrase { true } else { false } }
    #expect(announced.map(\.phrase) == [.bestEffort(.meters(400), .seconds(119))])
  }

  @Test("Who does something else than the step asks for hears it, and a step of a plan says what is to be done")
  func activities() throws {
    var request = TerminalFixture.request()
    request.plan = try PlanRequest(text: "1min walk z1, 1min run z2")
    request.strategy = .none
    var played = try TerminalFixture.Played(request)
    var announcer = LiveAnnouncer(units: .metric, bests: [], fastestMetersPerSecond: 7)
    played.run(0..<72) { _ in 105 }
    let walking = RecognizedActivity(name: "walking", since: .zero, perMille: 990)
    played.pipeline.perform(.recognized(.activity(walking)), at: .seconds(72), into: &played.events)
    played.pipeline.perform(.recognized(.differs(.running)), at: .seconds(72), into: &played.events)
    let said = announcer.note(played.events, played.pipeline).map { SpokenLanguage.english.text($0.phrase) }
    #expect(said.contains("Running, 60 seconds, target 119 to 137."), "\(said)")
    #expect(said.contains("This step is for running."), "\(said)")
  }

  @Test("What lies long ago when somebody begins to listen is not said")
  func late() throws {
    let said = try Self.said(seconds: 1_300, every: 1_300)
    #expect(said.isEmpty)
  }

  @Test("The last seconds of a step ring once each, and do not cut off the bell of a cue")
  func bell() {
    var rings = 0
    let bell = CueBell { rings += 1 }
    let countdown = Announcement(phrase: .countdown(3), cue: nil)
    bell.ring(for: [countdown], now: 0)
    #expect(rings == 1)
    #expect(bell.turn == nil)
    bell.ring(for: .slowDown, now: 0)
    bell.ring(for: [countdown], now: 1)
    #expect(rings == 2)
    #expect(bell.turn == CueBell.spacing)
  }
}

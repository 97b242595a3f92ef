import Testing
import ZoneEngine

@testable import StrategyStudy

@Suite("Heart rates at whole seconds")
struct HeldSecondsTests {
  private func track(
    _ readings: [(Double, Double)], turns: [HeartRateTrack.TimedTurn] = [], end: SessionTime = .seconds(60)
  ) -> HeartRateTrack {
    HeartRateTrack(
      times: readings.compactMap { SessionTime(seconds: $0.0) }, beatsPerMinute: readings.map(\.1), turns: turns,
      end: end)
  }

  private func held(_ readings: [UInt8], end: Int) throws -> HeldSeconds {
    HeldSeconds(try #require(SecondTrack(readings, endSeconds: end)))
  }

  @Test(
    "A track qualifies when every reading has a whole second of its own and a whole heart rate, and nothing pauses it")
  func qualifies() {
    #expect(SecondTrack(track([(0, 120), (3, 121), (60, 122)]))?.readings[3] == 121)
    #expect(SecondTrack(track([])) != nil)
    #expect(SecondTrack(track([(0, 120), (1.5, 121)])) == nil)
    #expect(SecondTrack(track([(0, 120.5)])) == nil)
    #expect(SecondTrack(track([(2, 120), (2, 121)])) == nil)
    #expect(SecondTrack(track([(2, 0), (2, 121)])) == nil)
    #expect(SecondTrack(track([(61, 120)])) == nil)
    #expect(SecondTrack(track([(-1, 120)])) == nil)
    #expect(SecondTrack(track([(0, 120)], end: SessionTime(nanoseconds: 1))) == nil)
    #expect(SecondTrack(track([(0, 120)], end: .seconds(SecondTrack.longestSeconds + 1))) == nil)
    for turn in [HeartRateTrack.Turn.pause, .resume, .advance] {
      #expect(SecondTrack(track([(0, 120)], turns: [.init(turn: turn, time: .seconds(1), index: 1)])) == nil)
    }
  }

  @Test("A lap changes nothing, unless it comes before a reading that is older")
  func laps() {
    func lapped(_ time: Int) -> SecondTrack? {
      SecondTrack(track([(0, 120), (5, 121)], turns: [.init(turn: .lap, time: .seconds(time), index: 1)]))
    }
    #expect(lapped(5) == SecondTrack(track([(0, 120), (5, 121)])))
    #expect(lapped(6) == nil)
  }

  @Test("What the filter never believes counts all the same: it ends a series of jumps")
  func unbelievable() throws {
    for value in [0, -3, 29.9, 230.5, 255, 256, 1e9, .nan, .infinity] {
      let seconds = try #require(SecondTrack(track([(0, 120), (1, 180), (2, value), (3, 180), (4, 181), (5, 182)])))
      #expect(seconds.readings[2] == SecondTrack.unbelievable)
      #expect(HeldSeconds(seconds).displayedBPM[...6] == [120, 120, 120, 120, 120, 182, 182], "\(value)")
    }
  }

  @Test("Bytes beyond the end, or an end beyond what is taken, are refused")
  func bytes() {
    #expect(SecondTrack([120, 121], endSeconds: 0) == nil)
    #expect(SecondTrack([120], endSeconds: -1) == nil)
    #expect(SecondTrack([], endSeconds: SecondTrack.longestSeconds + 1) == nil)
    #expect(SecondTrack([120], endSeconds: 2)?.readings == [120, 0, 0])
  }

  @Test("A heart rate is held for 15 s and is the newest for one second more")
  func hold() throws {
    let held = try held([0, 0, 120], end: 40)
    #expect(held.displayedBPM[...1] == [0, 0])
    #expect(held.displayedBPM[2...16].allSatisfy { $0 == 120 })
    #expect(held.displayedBPM[17...].allSatisfy { $0 == 0 })
    #expect(held.newestBPM(at: 17) == 120)
    #expect(held.newestBPM(at: 18) == 0)
    #expect(held.withoutSignal == [0..<2, 18..<41])
    #expect(try self.held([], end: 5).withoutSignal == [0..<6])
  }

  @Test("A step of 10 within a second is believed in any place of a stretch, one of 11 in none", arguments: 1..<40)
  func steps(place: Int) throws {
    for step in [10, -10, 11, -11] {
      let readings = (0..<60).map { UInt8($0 < place ? 120 : 120 + step) }
      let displayed = try held(readings, end: 59).displayedBPM
      let isBelieved = abs(step) == 10
      // Two seconds after the last one that was believed, a step of 11 is.
      let from = isBelieved ? place : place + 1
      #expect(displayed == (0..<60).map { UInt8($0 < from ? 120 : 120 + step) }, "\(step)")
    }
  }

  @Test("A strategy that needs the single heart rates or other times than whole seconds is left to an engine")
  func strategies() throws {
    func isSwept(_ specification: String) throws -> Bool {
      SweptStrategy(try FeedbackStrategy(specification: specification), guardrails: .off) != nil
    }
    for specification in ["moment:every=1", "moment:every=120,hold=0", "period:every=60,window=65535,hold=0"] {
      #expect(try isSwept(specification), "\(specification)")
    }
    for specification in [
      "none", "zone-change", "trend", "moment:every=1.5", "moment:every=60,median=5", "moment:every=60,jitter=5",
      "period:every=60,window=65536", "period:every=60,window=1.5", "period:every=60.25,window=60",
    ] {
      #expect(try !isSwept(specification), "\(specification)")
    }
  }

  @Test("Only one target for the whole session has a scale")
  func targets() throws {
    let settings = try CoachingSettings.compared("120-140", "none")
    #expect(try BandScale(settings) != nil)
    #expect(try BandScale(.open, in: settings.zones) == nil)
    let steps = [
      try TrainingPlan.Step(name: nil, duration: .seconds(60), target: .zone(1)),
      try TrainingPlan.Step(name: nil, duration: nil, target: .zone(2)),
    ]
    // A lap ends the open step of a plan, and no lap has a place in a sweep.
    for plan in try [steps, [steps[0]], [steps[1]]].map({ try TrainingPlan(steps: $0) }) {
      let planned = try CoachingSettings(
        zones: settings.zones, athlete: .unknown, plan: plan, strategy: .none, guardrails: .off,
        fastestMetersPerSecond: 10)
      #expect(try BandScale(planned) == nil)
    }
  }
}

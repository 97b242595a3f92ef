import Testing
@testable import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("Steps that wait for a distance that nothing measures")
struct DistanceWaitTests {
  private static let advice = "a lap ends it (key l, or the command lap)"

  private func rig(
    _ plan: String, clock: SessionClock = .samples, isWatched: Bool = true
  ) throws -> LiveRig {
    var rig = try LiveRig(.runner(nil, "none", plan: PlanRequest(text: plan)), clock: clock)
    var configuration = rig.session.configuration
    configuration.watchesStreams = isWatched
    rig.session = LiveSession(configuration)
    return rig
  }

  private func distance(_ rig: inout LiveRig, _ second: Int, latitude: Double) throws {
    try rig.take(#"{"type":"location","atSeconds":\#(second),"latitude":\#(latitude),"longitude":13}"#)
  }

  @Test("It is said once, after 30 s of the step, and a lap ends the step")
  func once() throws {
    var rig = try rig("20s z1, 400m z4, 1min z1")
    var notices: [(second: Int, text: String)] = []
    for second in 0...200 {
      try rig.heartRate(120, Double(second))
      if second == 150 { try rig.command("lap", id: "a") }
      notices += rig.session.takeNotices().map { (second, $0) }
    }
    #expect(notices.map(\.text) == ["step 2 waits for 400 m and no distance arrives: \(Self.advice)"])
    // The step begins when time moves beyond 20 s.
    let second = try #require(notices.first?.second)
    #expect((50...51).contains(second), "\(second)")
    #expect(rig.session.pipeline.engine.stepNumber == 3)
  }

  @Test("A pause is no time of the step")
  func paused() throws {
    var rig = try rig("400m z4, 1min z1")
    var seconds: [Int] = []
    for second in 0...80 {
      try rig.heartRate(120, Double(second))
      if second == 10 { try rig.command("pause", id: "a") }
      if second == 50 { try rig.command("resume", id: "b") }
      if !rig.session.takeNotices().isEmpty { seconds.append(second) }
    }
    #expect(seconds == [70])
  }

  @Test("Nothing is said while positions come, and again when they have come back and are gone")
  func measured() throws {
    var rig = try rig("5km z4, 1min z1")
    var seconds: [Int] = []
    for second in 0...250 {
      try rig.heartRate(120, Double(second))
      if second < 60 || (120..<150).contains(second) {
        try distance(&rig, second, latitude: 52 + Double(second) / 50_000)
      }
      if rig.session.takeNotices().contains(where: { $0.hasPrefix("step 1 waits for 5 km") }) { seconds.append(second) }
    }
    try #require(seconds.count == 2, "\(seconds)")
    #expect((89...90).contains(seconds[0]), "\(seconds)")
    #expect((179...180).contains(seconds[1]), "\(seconds)")
  }

  @Test("The distance of a device is one")
  func counted() throws {
    var rig = try rig("400m z4, 1min z1")
    try rig.heartRate(120, 0)
    var wait = try #require(DistanceWait(rig.session.configuration.settings.plan))
    for second in 1...100 {
      try rig.heartRate(120, Double(second))
      #expect(wait.note(.distance(Double(second)), in: rig.session.pipeline) == nil, "\(second)")
    }
  }

  @Test("The machine's clock alone shows it")
  func ticks() throws {
    var rig = try rig("400m z4, 1min z1", clock: .wall)
    try rig.take(#"{"type":"heartRate","time":"2026-11-20T07:00:00Z","beatsPerMinute":120}"#)
    for second in 0...40 { rig.tick(Double(second)) }
    #expect(rig.session.takeNotices() == ["step 1 waits for 400 m and no distance arrives: \(Self.advice)"])
  }

  @Test("Who begins to look within a step waits for as long, and hears of nothing that is reported to nobody")
  func lateWatcher() throws {
    var rig = try rig("400m z4, 1min z1", isWatched: false)
    var seconds: [Int] = []
    for second in 0...150 {
      try rig.heartRate(120, Double(second))
      if second == 60 { rig.session.beginWatching() }
      if second == 100 { rig.session.endWatching() }
      if !rig.session.takeNotices().isEmpty { seconds.append(second) }
    }
    #expect(seconds == [90])
  }

  @Test(
    "Steps of some time, a plan that is over and a session that nobody watches are silent", arguments: [true, false])
  func nothing(isWatched: Bool) throws {
    var rig = try rig(isWatched ? "2min z4, open z1" : "400m z4", isWatched: isWatched)
    for second in 0...300 { try rig.heartRate(120, Double(second)) }
    #expect(rig.session.takeNotices() == [])
    var over = try self.rig("400m z4, 10s z1")
    try over.heartRate(120, 0)
    try over.command("lap", id: "a")
    for second in 1...100 { try over.heartRate(120, Double(second)) }
    #expect(over.session.takeNotices() == [])
    #expect(DistanceWait.line(ofReplayed: over.session.pipeline) == nil)
  }

  @Test("Of a whole session it is said where no distance came at all")
  func replayed() throws {
    var rig = try rig("400m z4, 1min z1")
    for second in 0...100 { try rig.heartRate(120, Double(second)) }
    #expect(
      DistanceWait.line(ofReplayed: rig.session.pipeline) == "step 1 waits for 400 m and no distance arrives")
    try distance(&rig, 100, latitude: 52)
    #expect(DistanceWait.line(ofReplayed: rig.session.pipeline) == nil)
  }
}

import Testing
@testable import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("Streams of a live session that fall silent")
struct StreamWatchTests {
  private func rig(
    clock: SessionClock = .samples, streams: [SampleStream] = SampleStream.recordable
  ) throws -> LiveRig {
    var rig = try LiveRig(.runner("z2", "moment:every=60"), clock: clock, streams: streams)
    var configuration = rig.session.configuration
    configuration.watchesStreams = true
    rig.session = LiveSession(configuration)
    return rig
  }

  private func motion(_ rig: inout LiveRig, _ seconds: Double) throws {
    try rig.take(#"{"type":"motion","atSeconds":\#(seconds),"acceleration":[0,0,1]}"#)
  }

  @Test("A sensor that is silent while others are heard is reported once, and once more when it is back")
  func silent() throws {
    var rig = try self.rig()
    var notices: [String] = []
    for second in 0...40 {
      try rig.heartRate(120, Double(second))
      if second < 10 || second > 30 { try motion(&rig, Double(second)) }
      notices += rig.session.takeNotices()
    }
    #expect(notices == ["motion is silent since 0:00:09", "motion is back, after 22 s"])
  }

  @Test("Who begins to look later hears of what falls silent from then on, and of nothing after the end of that")
  func lateWatcher() throws {
    var rig = try LiveRig(.runner("z2", "moment:every=60"))
    var notices: [String] = []
    for second in 0...80 {
      try rig.heartRate(120, Double(second))
      if second < 10 || (30..<40).contains(second) { try motion(&rig, Double(second)) }
      if second == 20 {
        #expect(rig.session.streams == nil)
        rig.session.beginWatching()
      }
      if second == 60 { rig.session.endWatching() }
      if second == 70 { try motion(&rig, Double(second)) }
      notices += rig.session.takeNotices()
    }
    #expect(notices == ["motion is silent since 0:00:39"])
    #expect(rig.session.streams == nil)
  }

  @Test("A session that is always watched stays so")
  func always() throws {
    var rig = try self.rig()
    rig.session.beginWatching()
    rig.session.endWatching()
    #expect(rig.session.streams != nil)
  }

  @Test("After a time in which nothing came at all no sensor is reported")
  func away() throws {
    var rig = try self.rig()
    for second in [0, 1, 2, 62, 63, 64] {
      try rig.heartRate(120, Double(second))
      try motion(&rig, Double(second))
      try rig.take(#"{"type":"location","atSeconds":\#(second),"latitude":52,"longitude":13}"#)
    }
    #expect(rig.session.takeNotices() == [])
  }

  @Test("The machine's clock alone shows that everything is silent")
  func ticks() throws {
    var rig = try self.rig(clock: .wall)
    try rig.take(#"{"type":"motion","time":"2026-11-20T07:00:00Z","acceleration":[0,0,1]}"#)
    for quarter in 0...60 { rig.tick(Double(quarter) / 4) }
    #expect(rig.session.takeNotices() == ["motion is silent since 0:00:00"])
  }

  @Test("Of each stream it is known whether it is recorded, and what came of it last and how often")
  func states() throws {
    var rig = try self.rig(streams: [.heartRate, .motion, .steps])
    try rig.heartRate(120, 0)
    for index in 0...50 { try motion(&rig, Double(index) / 20) }
    try rig.heartRate(121, 2.5)
    let streams = try #require(rig.session.streams)
    guard case .heard(let heart) = streams[.heartRate], case .heard(let motion) = streams[.motion] else {
      Issue.record("not heard")
      return
    }
    #expect(heart.reading == .heartRate(121))
    #expect(motion.time == at(2.5))
    #expect(motion.perSecond == 20)
    #expect(!motion.isSilent)
    guard case .absent = streams[.steps] else {
      Issue.record("steps are there")
      return
    }
    guard case .absent = streams[.rrInterval] else {
      Issue.record("intervals are there")
      return
    }
    guard case .notRecorded = streams[.location] else {
      Issue.record("positions are recorded")
      return
    }
  }
}

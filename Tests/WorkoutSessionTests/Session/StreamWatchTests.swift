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

  @Test(
    "A gyroscope or a magnetometer that was heard regularly is reported while the rest of motion comes, and once more when it is back"
  )
  func partsOfMotion() throws {
    var rig = try self.rig()
    var notices: [String] = []
    for tenth in 0...600 {
      let second = Double(tenth) / 10
      let turn = (191..<400).contains(tenth) ? "" : #","rotationRate":[0,0,1]"#
      // A magnetometer once in three seconds is not regular enough to be missed after five.
      let field = tenth < 400 && tenth.isMultiple(of: 30) ? #","magneticField":[20,0,40]"# : ""
      try rig.take(#"{"type":"motion","atSeconds":\#(second),"acceleration":[0,0,1]\#(turn)\#(field)}"#)
      notices += rig.session.takeNotices()
    }
    #expect(notices == ["gyroscope is silent since 0:00:19", "gyroscope is back, after 21 s"])
  }

  @Test("All of motion that is silent is reported once")
  func allOfMotion() throws {
    var rig = try self.rig()
    var notices: [String] = []
    for second in 0...80 {
      try rig.heartRate(120, Double(second))
      if second < 20 || second > 50 {
        try rig.take(
          #"{"type":"motion","atSeconds":\#(second),"acceleration":[0,0,1],"rotationRate":[0,0,1],"magneticField":[1,2,3]}"#
        )
      }
      notices += rig.session.takeNotices()
    }
    #expect(notices == ["motion is silent since 0:00:19", "motion is back, after 32 s"])
  }

  @Test(
    "Steps are missed of a device that sends them while nobody walks too, and of no other", arguments: [true, false])
  func steps(sendsZero: Bool) throws {
    var rig = try self.rig()
    var notices: [String] = []
    for second in 0...200 {
      try rig.heartRate(120, Double(second))
      let count = second < 40 ? second < 20 && sendsZero ? 0 : 3 : nil
      if let count, second.isMultiple(of: 2) {
        try rig.take(#"{"type":"steps","atSeconds":\#(second),"count":\#(count)}"#)
      }
      notices += rig.session.takeNotices()
    }
    #expect(notices == (sendsZero ? ["step counter is silent since 0:00:38"] : []))
  }

  @Test("A session with a model to which no motion comes says so once")
  func noMotion() throws {
    for hasMotion in [true, false] {
      var rig = try LiveRig(.runner("z2", "moment:every=60"))
      var configuration = rig.session.configuration
      configuration.recognition = RecognitionSettings(ThresholdModel.shared, pausesWhenStill: true)
      rig.session = LiveSession(configuration)
      var notices: [String] = []
      for second in 0...60 {
        try rig.heartRate(120, Double(second))
        if hasMotion {
          let samples = Array(repeating: "[0,0,1]", count: 50).joined(separator: ",")
          try rig.take(#"{"type":"motion","atSeconds":\#(second),"rateHz":50,"acceleration":[\#(samples)]}"#)
        }
        notices += rig.session.takeNotices()
      }
      #expect(notices == (hasMotion ? [] : ["no motion comes: nothing is recognised"]))
    }
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

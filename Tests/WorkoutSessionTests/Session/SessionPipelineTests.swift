import Testing
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

private func fix(_ latitude: Double) throws -> Reading {
  .location(LocationFix(coordinate: try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: 23.5))))
}

@Suite("Session pipeline")
struct SessionPipelineTests {
  @Test("A stream that runs less than two seconds ahead does not make a judgement miss its heart rate")
  func skew() throws {
    var rig = try PipelineRig(.runner("z2", "moment:every=10"))
    rig.heartRates(100, 0...9)
    try rig.take(fix(46.77), 12)
    #expect(rig.decisions.isEmpty)
    rig.take(.heartRate(103), 10)
    rig.take(.heartRate(104), 11)
    #expect(rig.decisions.map(\.evidence.heartRateBPM) == [103])
    #expect(rig.pipeline.latest == at(12))
  }

  @Test("A stream that runs further ahead moves the session on")
  func furtherAhead() throws {
    var rig = try PipelineRig(.runner("z2", "moment:every=10"))
    rig.heartRates(100, 0...9)
    try rig.take(fix(46.77), 12.001)
    #expect(rig.decisions.map(\.evidence.heartRateBPM) == [100])
    #expect(rig.decisions.map(\.time) == [at(10)])
    #expect(rig.take(.heartRate(103), 10) == .admitted)
    #expect(rig.decisions.count == 1)
    rig.finish(13)
    #expect(rig.summary.noData + rig.summary.inBand.reduce(into: .zero) { $0 += $1.duration } == rig.summary.active)
  }

  @Test("Silence of the heart rate is reported while other streams go on")
  func silence() throws {
    var rig = try PipelineRig(.runner("z2", "moment:every=60"))
    rig.heartRates(120, 0...10)
    for second in 11...40 { try rig.take(fix(46.77), Double(second)) }
    rig.take(.heartRate(121), 41)
    let emitted = records(rig.events).dropFirst()
    #expect(
      Array(emitted) == [
        #"{"version":1,"type":"signalLost","atSeconds":25}"#,
        #"{"version":1,"type":"signalRestored","atSeconds":41,"heartRateBPM":121}"#,
      ])
  }

  @Test("What lies beyond the end of a session counts nowhere, in whatever order it comes")
  func beyondTheEnd() throws {
    func summary(_ readings: [(Reading, Double)]) throws -> [String] {
      var rig = try PipelineRig(.runner("z2", "none"), durationLimit: .seconds(10))
      rig.heartRates(120, 0...9)
      for (reading, second) in readings { rig.take(reading, second) }
      rig.finish(20)
      #expect(rig.pipeline.isOver)
      #expect(rig.pipeline.latest == at(10))
      return [rig.pipeline.intake.duplicates, rig.pipeline.intake.late].map { "\($0)" } + records(rig.events)
    }
    let ahead: [(Reading, Double)] = [(.steps(10), 11.5), (.steps(10), 11.5), (.heartRate(121), 11)]
    #expect(try summary(ahead) == summary(ahead.sorted { $0.1 < $1.1 }))
  }

  @Test("Time that passes without a sample is enough to notice silence")
  func passingTime() throws {
    var rig = try PipelineRig(.runner("z2", "moment:every=20"))
    rig.heartRates(120, 0...3)
    rig.pipeline.advance(to: at(18), into: &rig.events)
    #expect(rig.events.count == 1)
    rig.pipeline.advance(to: at(20.001), into: &rig.events)
    #expect(records(rig.events)[1] == #"{"version":1,"type":"signalLost","atSeconds":18}"#)
    #expect(rig.decisions.map(\.outcome) == [.withheld(.signalLost)])
    #expect(rig.pipeline.latest == at(20.001))
    rig.pipeline.advance(to: at(5), into: &rig.events)
    #expect(rig.pipeline.latest == at(20.001))
  }

  @Test("The duration limit is counted down in active time and ends the session at its instant")
  func durationLimit() throws {
    var rig = try PipelineRig(.runner(nil, "none"), durationLimit: .seconds(90))
    rig.heartRates(120, 0...40)
    #expect(rig.pipeline.remaining == .seconds(50))
    rig.pipeline.pause(at: at(40), into: &rig.events)
    rig.pipeline.resume(at: at(100), into: &rig.events)
    rig.heartRates(120, 101...170)
    #expect(rig.pipeline.isOver)
    let marks = rig.events.compactMap { event -> [Double]? in
      if case .countdown(let time, let remaining) = event { return [time.seconds, remaining.seconds] }
      return nil
    }
    #expect(marks == [[30, 60], [120, 30], [140, 10], [145, 5], [146, 4], [147, 3], [148, 2], [149, 1]])
    #expect(rig.events.last == .ended(at: at(150), reason: .durationLimit))
    #expect(rig.summary.active == .seconds(90))
    #expect(rig.summary.elapsed == .seconds(150))
    #expect(rig.pipeline.remaining == .zero)
    #expect(rig.take(.heartRate(120), 171) == .ignored)
  }

  @Test("Marks that are not shorter than the limit are not announced", arguments: [1, 5, 30, 60])
  func shortLimit(seconds: Int) throws {
    var rig = try PipelineRig(.runner(nil, "none"), durationLimit: .seconds(seconds))
    rig.heartRates(120, 0...seconds + 3)
    let remaining = rig.events.compactMap { event -> Int? in
      if case .countdown(_, let remaining) = event { return Int(remaining.seconds) }
      return nil
    }
    #expect(remaining == [60, 30, 10, 5, 4, 3, 2, 1].filter { $0 < seconds })
    #expect(rig.events.last == .ended(at: .seconds(seconds), reason: .durationLimit))
  }

  @Test("A judgement and a heart rate at the very end of the limit still count")
  func judgementAtLimit() throws {
    var rig = try PipelineRig(.runner("z2", "moment:every=30"), durationLimit: .seconds(30))
    rig.heartRates(125, 0...30)
    #expect(!rig.pipeline.isOver)
    #expect(rig.decisions.isEmpty)
    rig.take(.heartRate(190), 31)
    #expect(rig.decisions.map(\.outcome) == [.cue(.hold)])
    #expect(rig.pipeline.isOver)
    #expect(rig.summary.acceptedHeartRates == 31)
  }

  @Test("Steps beyond the limit do not count, though they come before the heart rate that ends the session")
  func stepsBeyondLimit() throws {
    var rig = try PipelineRig(.runner("z2", "none"), durationLimit: .seconds(10))
    rig.heartRates(125, 0...10)
    #expect(rig.take(.steps(3), 10) == .admitted)
    #expect(rig.take(.steps(5), 10.5) == .ignored)
    rig.take(.heartRate(125), 11)
    #expect(rig.pipeline.isOver)
    #expect(rig.summary.steps == 3)
  }

  @Test("A finish after the limit ends at the limit")
  func finishAfterLimit() throws {
    var rig = try PipelineRig(.runner(nil, "none"), durationLimit: .seconds(10))
    rig.heartRates(125, 0...5)
    rig.finish(400)
    #expect(rig.events.last == .ended(at: at(10), reason: .durationLimit))
    let count = rig.events.count
    rig.finish(500)
    rig.pipeline.pause(at: at(500), into: &rig.events)
    rig.pipeline.markLap(at: at(500), into: &rig.events)
    rig.pipeline.advance(to: at(500), into: &rig.events)
    #expect(rig.events.count == count)
    #expect(rig.pipeline.lap == 1)
  }

  @Test("Laps are numbered from one and begin the next step of an open plan")
  func laps() throws {
    let plan = PlanRequest(steps: [
      .init(name: "easy", duration: nil, target: "z1"), .init(name: "work", duration: .seconds(20), target: "z3"),
      .init(name: "free", duration: nil, target: nil),
    ])
    var rig = try PipelineRig(.runner(nil, "none", plan: plan))
    rig.heartRates(110, 0...10)
    rig.pipeline.markLap(at: at(10.5), into: &rig.events)
    rig.pipeline.markLap(at: at(12), into: &rig.events)
    rig.heartRates(110, 13...40)
    let emitted = records(rig.events).map { $0.replacing(#"{"version":1,"type":"#, with: "") }
    #expect(
      emitted == [
        #""started","atSeconds":0}"#,
        #""stepChanged","atSeconds":0,"step":1,"name":"easy","targetLowerBPM":98,"targetUpperBPM":118}"#,
        #""lap","atSeconds":10.5,"lap":2}"#,
        #""stepChanged","atSeconds":10.5,"step":2,"name":"work","durationSeconds":20,"targetLowerBPM":138,"#
          + #""targetUpperBPM":157}"#,
        #""lap","atSeconds":12,"lap":3}"#,
        #""stepChanged","atSeconds":30.5,"step":3,"name":"free"}"#,
      ])
    #expect(rig.pipeline.lap == 3)
  }

  @Test("Heart rates, steps and positions of a pause do not count, and nothing is held across it")
  func pauses() throws {
    var rig = try PipelineRig(.runner("z2", "none"))
    rig.heartRates(120, 0...10)
    for second in 0...10 {
      rig.take(.steps(2), Double(second))
      try rig.take(fix(46.77 + Double(second) * 2e-5), Double(second))
    }
    let before = rig.summary
    rig.pipeline.pause(at: at(10), into: &rig.events)
    rig.pipeline.pause(at: at(12), into: &rig.events)
    for second in 11...99 {
      rig.take(.heartRate(180), Double(second))
      rig.take(.steps(3), Double(second))
      try rig.take(fix(46.78), Double(second))
    }
    rig.pipeline.resume(at: at(100), into: &rig.events)
    rig.pipeline.resume(at: at(101), into: &rig.events)
    try rig.take(fix(46.79), 103)
    rig.finish(110)
    #expect(rig.summary.active == .seconds(20))
    #expect(rig.summary.noData == .seconds(10))
    #expect(rig.summary.steps == before.steps)
    #expect(rig.summary.distanceMeters == before.distanceMeters)
    #expect(rig.summary.readings.maximum == 120)
    #expect(rig.events.filter { $0.isPauseOrResume }.count == 2)
  }

  @Test("A sample before the start is ignored, and one that is late is counted and not used")
  func strayTimes() throws {
    var rig = try PipelineRig(.runner("z2", "none"))
    #expect(rig.take(.heartRate(120), -1) == .ignored)
    rig.heartRates(120, 0...10)
    #expect(rig.take(.heartRate(200), 5) == .late)
    #expect(rig.take(.heartRate(120), 10) == .duplicate)
    rig.finish(10)
    #expect(rig.summary.readings.maximum == 120)
    #expect(summaryRecord(rig.pipeline).contains(#""late":1,"duplicate":1"#))
  }

  @Test("Another source that takes over is reported with both names")
  func sources() throws {
    var rig = try PipelineRig(.runner("z2", "none"))
    rig.take(.heartRate(120), 0, source: "strap")
    for second in 1...15 { rig.take(.heartRate(110), Double(second), source: "watch") }
    let changes = records(rig.events).filter { $0.contains("sourceChanged") }
    #expect(
      changes == [
        #"{"version":1,"type":"sourceChanged","atSeconds":15,"stream":"heartRate","from":"strap","to":"watch","#
          + #""reason":"silent"}"#
      ])
    #expect(rig.pipeline.intake.standby == 14)
    #expect(summaryRecord(rig.pipeline).contains(#""standby":14"#))
  }

  @Test("Events come in order of time, whatever the mixture", arguments: 1...40 as ClosedRange<UInt64>)
  func orderOfEvents(seed: UInt64) throws {
    let random = try RandomSession(seed: seed)
    var rig = try LiveRig(random.request, durationLimit: seed % 3 == 0 ? .seconds(70) : nil)
    for line in random.lines { try rig.take(line) }
    rig.end(.endOfInput)
    let times = rig.events.compactMap(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "seed \(seed)")
    let summary = rig.session.pipeline.engine.summary
    let covered = summary.inBand.reduce(into: SessionTime.zero) { $0 += $1.duration }
    #expect(covered + summary.noData == summary.active, "seed \(seed)")
    #expect(summary.active <= summary.elapsed, "seed \(seed)")
  }
}

extension SessionEvent {
  fileprivate var isPauseOrResume: Bool {
    switch self {
    case .engine(.paused), .engine(.resumed): true
    default: false
    }
  }
}

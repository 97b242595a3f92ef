import TestSupport
import Testing
import ZoneEngine

@Suite("The memory of an engine")
struct EngineMemoryTests {
  @Test("is the same after a day as after an hour", arguments: [1, 10])
  func day(readingsPerSecond: Int) throws {
    let settings = try CoachingSettings.testing(
      strategy: FeedbackStrategy(specification: "period:every=60,window=60"))
    var engine = CoachingEngine(settings: settings)
    var events: [EngineEvent] = []
    let size = MemoryLayout.size(ofValue: engine)
    var afterAnHour = 0
    var state: UInt64 = 1
    for index in 0..<(86_400 * readingsPerSecond) {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let time = SessionTime(nanoseconds: Int64(index) * 1_000_000_000 / Int64(readingsPerSecond))
      engine.heartRate(120 + Double(state >> 62), at: time, into: &events)
      if index == 3_600 * readingsPerSecond { afterAnHour = engine.windowCapacity }
    }
    engine.finish(at: .seconds(86_400), into: &events)
    #expect(engine.windowCapacity == afterAnHour)
    #expect(afterAnHour <= 1_024)
    #expect(MemoryLayout.size(ofValue: engine) == size)
    let decisions = events.count { if case .decision = $0 { true } else { false } }
    #expect(decisions == 1_440)
    #expect(events.count == decisions)
    #expect(engine.summary.active == .seconds(86_400))
    #expect(engine.summary.noData == .zero)
  }

  @Test("is a fixed size of which nobody need be afraid")
  func size() throws {
    #expect(MemoryLayout<CoachingEngine>.size < 4_096)
    let engine = CoachingEngine(settings: try .testing())
    #expect(engine.windowCapacity == 0)
  }
}

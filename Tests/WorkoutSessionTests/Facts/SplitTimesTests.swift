import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Times of kilometres and miles, and the recovery of the heart rate")
struct SplitTimesTests {
  /// What is observed of a run of 4 m/s for 506 s with heart rates at some seconds.
  private static func observation(heartRates: (Int) -> Bool, pause: ClosedRange<Int>? = nil) throws
    -> SessionObservation
  {
    var pipeline = SessionPipeline(settings: try CoachingRequest.runner().settings(on: nil), durationLimit: nil)
    pipeline.observe(from: .morning(), utcOffsetSeconds: 0, within: .live)
    var events: [SessionEvent] = []
    pipeline.begin(into: &events)
    var meters = 0.0
    for second in 0...506 {
      if second == pause?.lowerBound { pipeline.perform(.pause, at: .seconds(second), into: &events) }
      if second == pause?.upperBound { pipeline.perform(.resume, at: .seconds(second), into: &events) }
      if heartRates(second) { _ = pipeline.take(Sample(.heartRate(140), at: .seconds(second)), into: &events) }
      _ = pipeline.take(Sample(.distance(meters), at: .seconds(second)), into: &events)
      if pause.map({ second < $0.lowerBound || second >= $0.upperBound }) ?? true { meters += 4 }
    }
    pipeline.finish(at: .seconds(506), reason: .stop, into: &events)
    let observation = try #require(pipeline.observation)
    #expect(observation.isExact)
    // What is said in the run is what the history has of it.
    let whole = observation.splits.filter { $0.meters == 1_000 }
    #expect(pipeline.way.kilometers.number == whole.count)
    #expect(pipeline.way.kilometers.span == whole.last?.active)
    return observation
  }

  @Test(
    "are those of the distances, whenever a heart rate comes",
    arguments: [
      { _ in true }, { _ in false }, { $0 % 7 == 0 }, { $0 < 200 }, { $0 > 300 }, { $0 % 2 == 1 },
    ] as [@Sendable (Int) -> Bool])
  func splits(heartRates: @Sendable (Int) -> Bool) throws {
    let found = try Self.observation(heartRates: heartRates)
    #expect(found.splits.map(\.active) == [.seconds(250), .seconds(250), .seconds(6)])
    #expect(found.splits.map(\.meters) == [1_000, 1_000, 24])
    #expect(found.mileSplits.first.map { ($0.active - .seconds(402)).nanoseconds.magnitude < 400_000_000 } == true)
  }

  @Test("A way that leaps ends all the kilometres in it, and counts the last of them by its share")
  func leap() {
    var count = SplitCount(.metric)
    let start = WayPoint(time: .seconds(10), active: .seconds(10), meters: 500)
    count.pass(from: start, to: WayPoint(time: .seconds(60), active: .seconds(60), meters: 5_500))
    #expect(count.number == 5)
    #expect(count.span == .seconds(10))
    #expect(count.begunAt == .seconds(55))
    count.pass(from: start, to: WayPoint(time: .seconds(70), active: .seconds(70), meters: .infinity))
    #expect(count.number == 5)
  }

  @Test("leave a pause out", arguments: [true, false])
  func pause(hasHeartRates: Bool) throws {
    let found = try Self.observation(heartRates: { _ in hasHeartRates }, pause: 100...150)
    #expect(found.splits.first?.active == .seconds(250))
  }

  /// The recovery of a heart rate in a pause that begins at second 100.
  private static func recovery(_ readings: (second: Int, beatsPerMinute: Double)...) -> Double? {
    var recovery = HeartRateRecovery()
    recovery.admit(heartRate: 160, at: .seconds(99))
    recovery.pause(at: .seconds(100))
    for reading in readings { recovery.admit(heartRate: reading.beatsPerMinute, at: .seconds(reading.second)) }
    recovery.resume()
    return recovery.largestFall
  }

  @Test("A heart rate that rises in a pause is no recovery; the reading of the minute may be 5 s late")
  func recovery() {
    #expect(Self.recovery((161, 170)) == nil)
    #expect(Self.recovery((161, 130)) == 30)
    #expect(Self.recovery((161, 159)) == 1)
    #expect(Self.recovery((161, 160)) == nil)
    #expect(Self.recovery((166, 132)) == nil)
  }
}

import TestSupport
import Testing
import WorkoutSession
import ZoneEngine

@testable import Recordings

@Suite("Points that are counted at once")
struct SteadyPointsTests {
  /// A run in which little is odd, as a device records it each second or seldom.
  private static func points(_ random: inout SplitMix64) -> [RecordedPoint] {
    var time: Int64 = 1_770_000_000
    let step = random.pick([1, 1, 1, 4, 300] as [Int64])
    let (hasCadence, hasMeters, hasPlace) = (random.chance(0.7), random.chance(0.7), random.chance(0.7))
    let oddity = random.pick([0, 0, 0.003, 0.03])
    var (heartRate, cadence, meters, latitude) = (120.0, 170.0, 0.0, 47.0)
    return (0..<random.int(1...900)).map { _ in
      func isOdd() -> Bool { random.chance(oddity) }
      time += isOdd() ? Int64(random.int(0...30_000)) : step
      var point = RecordedPoint(time: time * 1_000_000_000)
      heartRate = min(max(heartRate + Double(random.int(-1...1)), 40), 220)
      if isOdd() { heartRate += 40 }
      cadence = isOdd() ? heartRate : min(max(cadence + Double(random.int(-2...2)), 60), 200)
      meters += Double(random.int(0...5))
      if isOdd() { meters = random.pick([0, meters / 3, meters + 900]) }
      latitude += Double(random.int(0...5)) * 1e-5
      if isOdd() { latitude += random.pick([0.005, 0.02, -1]) }
      point.heartRate = isOdd() ? random.pick([.nan, 0, 20, 240]) : heartRate
      if hasCadence != isOdd() { point.cadence = isOdd() ? .infinity : cadence }
      if hasMeters != isOdd() { point.distance = meters }
      if hasPlace != isOdd() { (point.latitude, point.longitude) = (latitude, 179.99 + latitude / 1e6) }
      if random.chance(0.8) { point.altitude = 100 }
      if random.chance(0.5) { point.speed = 3 }
      if random.chance(0.1) { point.horizontalAccuracy = isOdd() ? random.pick([-1, 50]) : 5 }
      if isOdd() { point.steps = meters }
      return point
    }
  }

  private static func words(_ facts: RecordingFacts) -> [String] {
    [
      "\(facts.sampleCount) samples, \(facts.elapsed.nanoseconds) ns, \(facts.steps) steps in \(facts.stepSampleCount)",
      "\(facts.heartRate?.statistics as Any), \(facts.heartRate?.first as Any) to \(facts.heartRate?.last as Any)",
      "\(facts.heartRate?.largestGap.nanoseconds as Any)",
      "\(facts.locationCount) places, \(facts.locationMeters as Any) m, \(facts.recordedMeters as Any) m",
      "\(facts.altitudeCount) altitudes",
      "\(facts.pauses.map { [$0.from.nanoseconds, $0.until.nanoseconds] })",
      "\(facts.warnings.map { "\($0.kind) \($0.position) \($0.count) \($0.detail ?? "")" })",
    ]
  }

  @Test("come to the same as one by one, to the last bit", arguments: 1...200 as ClosedRange<UInt64>)
  func sameAsSingle(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var recording = DecodedRecording()
    let sport = random.pick(["running", "cycling", nil])
    recording.admit(.clock(.wall))
    recording.admit(.activity(sport: sport))
    let points = Self.points(&random)
    for (index, point) in points.enumerated() {
      if random.chance(0.003) { recording.admit(.timerStopped(at: point.time)) }
      if random.chance(0.003) { recording.admit(.timerStarted(at: point.time)) }
      if index > 0, random.chance(0.002) { recording.admit(.interval(milliseconds: 500, at: point.time)) }
      if random.chance(0.001) { recording.admit(.activity(sport: sport)) }
      recording.admit(.point(point))
    }
    if random.chance(0.1) { recording.admit(.statedSteps(500)) }
    recording.finish()
    let origin = try #require(recording.activities.first?.points.first?.time)
    var single = RecordingFacts(sport: recording.sport)
    recording.forEachInput(origin: origin) { single.admit($0) }
    single.describe(recording, origin: origin)
    #expect(Self.words(recording.facts(format: "fit", origin: origin)) == Self.words(single), "seed \(seed)")
  }
}

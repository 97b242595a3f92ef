import TestSupport
import Testing
import ZoneEngine

@testable import WorkoutSession

@Suite("The last samples of a stream")
struct RecentSamplesTests {
  /// A reading of a stream out of few, so that equal ones are common; with absent parts, both zeros and none at all.
  private func reading(of stream: SampleStream, _ random: inout SplitMix64) -> Reading {
    let values = [0, -0.0, 1, 2.5, -1, .nan, .infinity]
    func value() -> Double { values[Int.random(in: 0..<values.count, using: &random)] }
    func maybe() -> Double? { Bool.random(using: &random) ? value() : nil }
    func axes() -> Axes? {
      Bool.random(using: &random) ? Axes(x: value(), y: Double(Int.random(in: 0...1, using: &random)), z: 0) : nil
    }
    switch stream {
    case .heartRate: return .heartRate(value())
    case .steps: return .steps(Int.random(in: -1...2, using: &random))
    case .cadence: return .cadence(value())
    case .distance: return .distance(value())
    case .speed: return .speed(value())
    case .rrInterval: return .rrInterval(value())
    case .altitude: return .altitude(value())
    case .direction:
      let values = [maybe(), maybe(), maybe(), nil, maybe(), nil]
      return DirectionReading(values).map { .direction($0) } ?? .speed(0)
    case .motion:
      return .motion(MotionReading(acceleration: axes(), rotationRate: axes(), magneticField: axes()))
    case .location:
      guard let place = Coordinate(latitudeDegrees: Double(Int.random(in: 0...1, using: &random)), longitudeDegrees: 0)
      else { return .speed(0) }
      return .location(
        LocationFix(
          coordinate: place, altitudeMeters: maybe(), horizontalAccuracyMeters: maybe(), speedMetersPerSecond: maybe()))
    }
  }

  @Test("are known by the same samples as if they were kept whole", arguments: SampleStream.allCases)
  func equivalence(stream: SampleStream) {
    for seed in 0..<40 {
      var random = SplitMix64(seed: UInt64(seed))
      var recent = RecentSamples()
      var reference = ReferenceRecentSamples()
      var time: Int64 = 0
      // Many names, so that those that nobody needs are forgotten.
      let sources = seed % 4 == 0 ? 600 : 3
      for step in 0..<(seed % 4 == 0 ? 1_500 : 300) {
        let at = SessionTime(nanoseconds: max(0, time - Int64.random(in: 0...80, using: &random)))
        let name = Int.random(in: 0..<sources, using: &random)
        let asked = Sample(reading(of: stream, &random), at: at, source: name == 0 ? nil : "\(name)")
        let place = "seed \(seed), step \(step): \(asked)"
        #expect(recent.contains(asked) == reference.contains(asked), "\(place)")
        #expect(
          recent.contains(asked, whoeverSentIt: true) == reference.contains(asked, whoeverSentIt: true), "\(place)")
        #expect(recent.isNewest(asked.reading) == reference.isNewest(asked.reading), "\(place)")
        #expect(recent.newest == reference.newest)
        guard Bool.random(using: &random) else { continue }
        time += Int64.random(in: 0...2, using: &random)
        let taken = Sample(asked.reading, at: SessionTime(nanoseconds: time), source: asked.source)
        recent.append(taken)
        reference.append(taken)
      }
    }
  }

  @Test("A heartbeat takes little room, and a reading of motion is kept elsewhere")
  func size() {
    #expect(MemoryLayout<Reading>.size <= 41)
    #expect(MemoryLayout<Sample>.stride <= 72)
    #expect(MemoryLayout<LocationFix>.size == 40)
  }
}

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

  @Test(
    "are known by the same samples as if they were kept whole, whatever their times have room in",
    arguments: SampleStream.allCases)
  func equivalence(stream: SampleStream) {
    for seed in 0..<40 {
      // Nanoseconds, milliseconds, milliseconds at first, and such as begin near the end of what is short.
      let unit: Int64 = seed % 5 == 0 ? 1 : 1_000_000
      var random = SplitMix64(seed: UInt64(seed))
      var recent = RecentSamples()
      var reference = ReferenceRecentSamples()
      var time: Int64 = seed % 5 == 3 ? Int64(UInt32.max) - 40 : 0
      // Many names, so that those that nobody needs are forgotten.
      let sources = seed % 4 == 0 ? 600 : 3
      for step in 0..<(seed % 4 == 0 ? 1_500 : 300) {
        let odd: Int64 = seed % 5 == 2 && step > 150 ? 1 : 0
        let back = max(0, time - Int64.random(in: 0...80, using: &random))
        let at = SessionTime(nanoseconds: back * unit + odd)
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
        let taken = Sample(asked.reading, at: SessionTime(nanoseconds: time * unit + odd), source: asked.source)
        recent.append(taken)
        reference.append(taken)
      }
    }
  }

  @Test("Those that are sent each second take as little room as is said")
  func memory() throws {
    let place = try #require(Coordinate(latitudeDegrees: 52.512_345, longitudeDegrees: 13.4))
    let fix = LocationFix(
      coordinate: place, altitudeMeters: 34.5, horizontalAccuracyMeters: 4, speedMetersPerSecond: 2.9)
    let motion = MotionReading(acceleration: Axes(x: 0.1, y: 0.2, z: 0.9), rotationRate: nil, magneticField: nil)
    let cases: [(Reading, Int)] = [
      (.heartRate(142), 9), (.steps(3), 8), (.location(fix), 12), (.motion(motion), 12),
    ]
    for (reading, bytes) in cases {
      var recent = RecentSamples()
      #expect(recent.byteCount == 0)
      for second in 0..<200 { recent.append(Sample(reading, at: .seconds(second), source: nil)) }
      // The allocator gives a little more than it is asked for.
      #expect(recent.byteCount <= RecentSamples.capacity * bytes + 64, "\(reading)")
    }
  }

  @Test("Readings that differ in one number or in what is there have different marks")
  func marks() {
    let zero = Axes(x: 0, y: 0, z: 0)
    let motions = [
      MotionReading(acceleration: zero, rotationRate: nil, magneticField: nil),
      MotionReading(acceleration: nil, rotationRate: zero, magneticField: nil),
      MotionReading(acceleration: zero, rotationRate: zero, magneticField: nil),
      MotionReading(acceleration: Axes(x: 0, y: 0.1, z: 0), rotationRate: nil, magneticField: nil),
      MotionReading(acceleration: Axes(x: 0.1, y: 0, z: 0), rotationRate: nil, magneticField: nil),
    ]
    #expect(Set(motions.map { ReadingMark(.motion($0)) }).count == motions.count)
    #expect(ReadingMark(.steps(3))?.short == 3)
    #expect(ReadingMark(.steps(-1))?.short == nil)
    #expect(ReadingMark(.heartRate(142.5))?.short != nil)
    #expect(ReadingMark(.heartRate(142.1))?.short == nil)
    #expect(ReadingMark(.heartRate(.nan)) == nil)
    #expect(ReadingMark(.speed(-0.0)) == ReadingMark(.speed(0)))
  }

  @Test("Numbers of few binary digits, and positions a step of a recording apart, have marks of their own")
  func marksOfGrids() throws {
    var motions: Set<ReadingMark?> = []
    var positions: Set<ReadingMark?> = []
    let side = 40
    for x in 0..<side {
      for y in 0..<side {
        for z in 0..<side {
          let axes = Axes(x: Double(x - 20) / 16, y: Double(y - 20) / 16, z: Double(z - 20) / 16)
          motions.insert(ReadingMark(.motion(MotionReading(acceleration: axes, rotationRate: nil, magneticField: nil))))
          let place = try #require(
            Coordinate(latitudeDegrees: 52 + Double(x) * 1e-7, longitudeDegrees: 13 + Double(y) * 1e-7))
          positions.insert(ReadingMark(.location(LocationFix(coordinate: place, altitudeMeters: Double(z)))))
        }
      }
    }
    #expect(motions.count == side * side * side)
    #expect(positions.count == side * side * side)
    #expect(!motions.contains(nil))
    #expect(!positions.contains(nil))
  }

  @Test("A heartbeat takes little room, and a reading of motion is kept elsewhere")
  func size() {
    #expect(MemoryLayout<Reading>.size <= 41)
    #expect(MemoryLayout<Sample>.stride <= 72)
    #expect(MemoryLayout<LocationFix>.size == 40)
  }
}

import TestSupport
import Testing
@testable import WorkoutSession
import ZoneEngine

/// A course of seconds, as a naive reader of a finished session has it.
private struct Course {
  /// How far it had come at a second.
  private(set) var meters: [Double] = [0]
  /// When there were heart rates, and which.
  private(set) var heartRates: [(second: Int, beatsPerMinute: Double)] = []
  /// When there were distances.
  private(set) var distances: [Int] = []
  /// From when until when it was paused.
  private(set) var pauses: [Range<Int>] = []

  var end: Int { meters.count - 1 }

  /// A course of a speed and a heart rate by the second, whose devices read every so many seconds.
  init(
    seconds: Int, every interval: Int = 1, pauses: [Range<Int>] = [], speed: (Int) -> Double = { _ in 3 },
    heartRate: (Int) -> Double = { _ in 150 }
  ) {
    self.pauses = pauses
    for second in 0..<seconds { meters.append(meters[second] + (isPaused(second) ? 0 : speed(second))) }
    for second in stride(from: 0, through: seconds, by: interval) where !isPaused(second) {
      heartRates.append((second, heartRate(second)))
      distances.append(second)
    }
  }

  /// Devices that fall silent, differently.
  mutating func thin(_ random: inout SplitMix64) {
    heartRates = heartRates.filter { _ in !random.chance(0.4) }
    distances = distances.filter { $0 == 0 || !random.chance(0.6) }
    for _ in 0..<3 {
      let (from, length) = (random.int(0...end), random.int(10...200))
      heartRates.removeAll { (from..<from + length).contains($0.second) }
      let other = random.int(1...end)
      distances.removeAll { (other..<other + length).contains($0) }
    }
  }

  private func isPaused(_ second: Int) -> Bool { pauses.contains { $0.contains(second) } }

  /// Seconds of active time before a second.
  private func active(_ second: Int) -> Double {
    Double(second - pauses.reduce(0) { $0 + min(max(second - $1.lowerBound, 0), $1.count) })
  }

  func found(of stream: SampleStream = .distance) -> Double? {
    var decoupling = AerobicDecoupling()
    var (beats, places) = (heartRates[...], distances[...])
    for second in 0...end {
      if pauses.contains(where: { $0.lowerBound == second }) { decoupling.run(false, at: .seconds(second)) }
      if pauses.contains(where: { $0.upperBound == second }) { decoupling.run(true, at: .seconds(second)) }
      if beats.first?.second == second, let reading = beats.popFirst() {
        decoupling.admit(heartRate: reading.beatsPerMinute, at: .seconds(second))
      }
      guard places.first == second, places.popFirst() != nil else { continue }
      let isFirstPlace = stream == .location && second == distances.first
      decoupling.admit(meters: isFirstPlace ? nil : meters[second], of: stream, at: .seconds(second))
    }
    decoupling.finish(at: .seconds(end))
    return decoupling.value
  }

  /// The same from all quarters of a second of active time, one after another.
  var expected: Double? {
    let length = Int(active(end) * 4)
    guard length >= 4_800 else { return nil }
    var way = (first: 0.0, second: 0.0)
    var beats = way
    var covered = way
    func add(_ value: Double, _ quarter: Int, to sum: inout (first: Double, second: Double)) {
      // A quarter that the middle lies in belongs to both.
      let isMiddle = 2 * quarter + 1 == length
      if isMiddle || 2 * quarter < length { sum.first += isMiddle ? value / 2 : value }
      if isMiddle || 2 * quarter >= length { sum.second += isMiddle ? value / 2 : value }
    }
    var known = way
    for (from, until) in zip(distances, distances.dropFirst()) {
      let quarters = Int(active(from) * 4)..<Int(active(until) * 4)
      for quarter in quarters {
        add((meters[until] - meters[from]) / Double(quarters.count), quarter, to: &way)
        add(1, quarter, to: &known)
      }
    }
    for (index, reading) in heartRates.enumerated() {
      let next = index + 1 < heartRates.count ? heartRates[index + 1].second : end
      let pause = pauses.first { $0.lowerBound >= reading.second }?.lowerBound ?? end
      for quarter in Int(active(reading.second) * 4)..<Int(active(min(next, pause, reading.second + 15)) * 4) {
        add(reading.beatsPerMinute, quarter, to: &beats)
        add(1, quarter, to: &covered)
      }
    }
    let first = way.first / known.first / (beats.first / covered.first)
    let second = way.second / known.second / (beats.second / covered.second)
    return (first - second) / first
  }
}

@Suite("Aerobic decoupling")
struct AerobicDecouplingTests {
  @Test(
    "A steady session has none, from 20 full minutes on, however long it is and however often a device reads",
    arguments: [1_200, 1_201, 1_259, 1_260, 1_999, 2_400, 2_401, 3_600, 20_000], [1, 5, 7])
  func steady(seconds: Int, interval: Int) throws {
    let course = Course(seconds: seconds, every: interval)
    for stream in [SampleStream.distance, .location] {
      let value = try #require(course.found(of: stream))
      #expect(value == 0)
      #expect(value.sign == .plus)
    }
  }

  @Test("A session of 19:59 has no decoupling, nor one without heart rates, without distance or without anything")
  func none() {
    #expect(Course(seconds: 1_199).found() == nil)
    #expect(AerobicDecoupling().value == nil)
    var decoupling = AerobicDecoupling()
    for second in 0...1_300 { decoupling.admit(meters: Double(second), of: .distance, at: .seconds(second)) }
    decoupling.finish(at: .seconds(1_300))
    #expect(decoupling.value == nil)
    // A strap that is worn in the first half alone.
    for second in 0..<600 { decoupling.admit(heartRate: 140, at: .seconds(second)) }
    decoupling.finish(at: .seconds(1_300))
    #expect(decoupling.value == nil)
    var still = AerobicDecoupling()
    for second in 0...1_300 { still.admit(heartRate: 140, at: .seconds(second)) }
    still.finish(at: .seconds(1_300))
    #expect(still.value == nil)
  }

  @Test("A heart rate that rises and a speed that falls at the half are seen to the millionth")
  func drift() throws {
    for seconds in [1_200, 2_400, 2_464, 4_800] {
      let half = seconds / 2
      // 150 against 160 beats per minute at one speed: 1 - 150/160.
      let drifting = try #require(Course(seconds: seconds, heartRate: { $0 < half ? 150 : 160 }).found())
      #expect(abs(drifting - 0.0625) < 2e-6, "\(seconds)")
      let slowing = try #require(Course(seconds: seconds, speed: { $0 < half ? 3 : 2.4 }).found())
      #expect(abs(slowing - 0.2) < 2e-6, "\(seconds)")
      let faster = try #require(Course(seconds: seconds, speed: { $0 < half ? 3 : 3.3 }).found())
      #expect(abs(faster + 0.1) < 2e-6, "\(seconds)")
    }
  }

  @Test("Pauses take no time: halves are those of the active time, and what is under 20 minutes without them has none")
  func pauses() throws {
    #expect(Course(seconds: 1_499, pauses: [300..<600]).found() == nil)
    #expect(try #require(Course(seconds: 1_500, pauses: [300..<600]).found()) == 0)
    // 20 minutes at 150, a pause of ten, 20 minutes at 160; no heart rate is held in it or after it.
    let drifting = Course(seconds: 3_000, pauses: [1_200..<1_800], heartRate: { $0 < 1_500 ? 150 : 160 })
    #expect(abs(try #require(drifting.found()) - 0.0625) < 2e-6)
  }

  @Test("A receiver that finds its first place late makes no first half slow, nor one that falls silent a second one")
  func lateAndSilent() throws {
    var decoupling = AerobicDecoupling()
    for second in 0...2_400 {
      decoupling.admit(heartRate: 150, at: .seconds(second))
      guard (180...2_200).contains(second) else { continue }
      let meters = second == 180 ? nil : 3 * Double(second - 180)
      decoupling.admit(meters: meters, of: .location, at: .seconds(second))
    }
    decoupling.finish(at: .seconds(2_400))
    #expect(decoupling.value == 0)
  }

  @Test("Places beside the distance of a device do not count, nor the step from theirs to its")
  func twoDistances() throws {
    var decoupling = AerobicDecoupling()
    for second in 0...2_400 {
      decoupling.admit(heartRate: 150, at: .seconds(second))
      if second < 60 {
        decoupling.admit(meters: second == 0 ? nil : 3 * Double(second), of: .location, at: .seconds(second))
      } else if second.isMultiple(of: 10) {
        decoupling.admit(meters: 3 * Double(second) + 500, of: .distance, at: .seconds(second))
      } else {
        decoupling.admit(meters: 3 * Double(second / 10 * 10) + 500, of: .location, at: .seconds(second))
      }
    }
    decoupling.finish(at: .seconds(2_400))
    // The 3 m between the last place and the first count are missing.
    #expect(abs(try #require(decoupling.value)) < 0.001)
  }

  @Test("What a device counts begins with the session, whether its first reading is 0 or next to it, however late")
  func lateCount() throws {
    func value(first: Double) throws -> Double {
      var decoupling = AerobicDecoupling()
      for second in 0...2_400 {
        decoupling.admit(heartRate: 150, at: .seconds(second))
        guard second >= 300 else { continue }
        decoupling.admit(meters: first + 3 * Double(second - 300), of: .distance, at: .seconds(second))
      }
      decoupling.finish(at: .seconds(2_400))
      return try #require(decoupling.value)
    }
    // 2,700 m in the first 1,200 s and 3,600 m in the second: 1 − 3,600 ÷ 2,700.
    let none = try value(first: 0)
    #expect(abs(none + 1 / 3.0) < 2e-6)
    #expect(abs(try value(first: 0.1) - none) < 1e-4)
  }

  @Test("Ten days are no trouble")
  func tenDays() throws {
    #expect(try #require(Course(seconds: 864_000, every: 60).found()) == 0)
  }

  @Test("Random sessions have that of all their seconds", arguments: 0..<4)
  func seeds(block: Int) throws {
    for seed in UInt64(block * 20)..<UInt64(block * 20 + 20) {
      var random = SplitMix64(seed: seed)
      let seconds = random.int(1_100...5_000)
      let speeds = (0...100).map { _ in 2 + 2 * random.unit() }
      let beats = (0...5_000).map { _ in Double(random.int(0...6)) }
      var pauses: [Range<Int>] = []
      if random.chance(0.6) {
        let from = random.int(100...600)
        pauses.append(from..<from + random.int(10...300))
      }
      if random.chance(0.3) { pauses.append(950..<950 + random.int(10...100)) }
      let drift = 30 * random.unit()
      var course = Course(
        seconds: seconds, every: random.pick([1, 1, 2, 7]), pauses: pauses, speed: { speeds[$0 / 60] },
        heartRate: { 130 + drift * Double($0) / Double(seconds) + beats[$0] })
      if random.chance(0.7) { course.thin(&random) }
      let (found, expected) = (course.found(), course.expected)
      #expect((found == nil) == (expected == nil), "seed \(seed)")
      guard let found, let expected else { continue }
      // The slot in the middle is shared in proportion: a 256th of the session, in which speeds differ by a half at most.
      #expect(abs(found - expected) < 0.001, "seed \(seed): \(found), not \(expected)")
    }
  }
}

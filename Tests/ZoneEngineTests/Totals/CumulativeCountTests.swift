import TestSupport
import Testing
import ZoneEngine

@Suite("A cumulative count")
struct CumulativeCountTests {
  /// What is counted of readings, one every `interval` seconds, of a runner.
  private static func total(_ readings: [Double], from start: Double = 0, every interval: Int = 1) -> Double {
    var count = CumulativeCount(from: start, fastestPerSecond: 7)
    for (index, reading) in readings.enumerated() { count.admit(reading, at: .seconds(index * interval)) }
    return count.total
  }

  @Test("that falls slightly adds nothing until it is passed again")
  func noise() {
    #expect(Self.total([0, 5_000, 4_999.9, 5_015]) == 5_015)
    #expect(Self.total([0, 5_000, 4_999.9, 4_999.95, 5_000]) == 5_000)
    #expect(Self.total([0, 5_000, 2_500.1, 5_015]) == 5_015)
  }

  @Test("that falls again and again is not longer than its last reading")
  func manyFalls() {
    let readings = (0..<15_000).map { Double($0) - ($0 % 80 == 0 ? 0.5 : 0) }
    #expect(Self.total(readings) == 14_999)
  }

  @Test("that falls to under a tenth has begun again")
  func restart() {
    #expect(Self.total([0, 5_000, 0, 300]) == 5_300)
    #expect(Self.total([0, 5_000, 499.9, 600]) == 5_600)
    #expect(Self.total([100, 250, 20, 60, 60]) == 310)
  }

  @Test("that falls for a reading or two and is back where it was had a glitch, unless it can have come that far again")
  func glitch() {
    #expect(Self.total([0, 5_000, 0, 5_015]) == 5_015)
    #expect(Self.total([0, 5_000, 0, 0, 5_015]) == 5_015)
    #expect(Self.total([0, 5_000, 0, 4_999, 5_015]) == 5_015)
    // What the glitch showed is no more than its own reading, and gone when the count has passed it.
    #expect(Self.total([0, 5_000, 20, 5_010, 5_015]) == 5_020)
    #expect(Self.total([0, 5_000, 20, 5_010, 5_015, 5_030]) == 5_030)
    // Two laps, of which only the ends are known.
    #expect(Self.total([0, 5_000, 0, 5_015], every: 1_200) == 10_015)
    // The third reading in a row makes the new beginning certain.
    #expect(Self.total([0, 5_000, 0, 3, 6, 5_015]) == 10_015)
    // It comes nowhere near the old count.
    #expect(Self.total([0, 5_000, 0, 2_000]) == 7_000)
  }

  @Test(
    "that has grown evenly and leaps for a reading or two counts neither the leap nor the rest again",
    arguments: [(300, 90_000.0), (300, 5_000), (10, 65_535), (998, 1e9)])
  func leap(place: Int, reading: Double) {
    let even = (0..<1_000).map { Double($0) * 3 }
    for length in 1...2 {
      var readings = even
      for index in place..<min(1_000, place + length) { readings[index] = reading + Double(index - place) * 3 }
      let expected = readings.last == even.last ? 2_997.0 : even[place - 1]
      #expect(Self.total(readings) == expected, "\(length) from \(place)")
    }
  }

  @Test("that leaps and stays there is believed from the third reading on, with those before")
  func believedLeap() {
    #expect(Self.total((0..<1_000).map { Double($0) * 3 + ($0 < 300 ? 0 : 50) }) == 3_047)
    #expect(Self.total((0..<1_000).map { Double($0) * 3 + ($0 < 997 ? 0 : 50) }) == 3_047)
    // After a reset too, where the leap before it was a glitch.
    let even = (0..<300).map { Double($0) * 3 }
    #expect(Self.total(even + [90_000] + (0..<300).map { Double($0) * 3 }) == 897 + 897)
    // A long time is no leap.
    #expect(Self.total((0..<12).map { Double($0) * 3 } + [5_000], every: 900) == 5_000)
  }

  /// The readings that were believed late, each with what was counted at its own time, of one reading a second.
  private static func late(_ readings: [Double]) -> [CumulativeCount.Count] {
    var count = CumulativeCount(from: 0, fastestPerSecond: 7)
    var late: [CumulativeCount.Count] = []
    for (second, reading) in readings.enumerated() {
      count.admit(reading, at: .seconds(second))
      late += count.late
    }
    return late
  }

  @Test("says of what is believed later how much it was at its own time")
  func lateCounts() {
    let even = (0...20).map { Double($0) * 3 }
    let sprint = Self.late(even + [68, 76, 84, 92])
    #expect(sprint.map(\.total) == [68, 76])
    #expect(sprint.map(\.time) == [.seconds(21), .seconds(22)])
    // One reading was late, and the next but one is as far as it ever would have been.
    let single = Self.late(even + [60, 67.5, 69, 72])
    #expect(single.map(\.total) == [67.5])
    #expect(single.map(\.time) == [.seconds(22)])
    // What lies above what follows was a glitch.
    #expect(Self.late(even + [90_000, 66, 69]).isEmpty)
    #expect(Self.late(even + [90_000, 68.5, 69]).map(\.total) == [])
    #expect(Self.late(even + [90_000, 74.5, 76, 78]).map(\.total) == [74.5])
    #expect(Self.late(even + [68, 0, 3, 6, 9]).isEmpty)
  }

  @Test("waits with a leap until the next reading but one, with the total of before")
  func waits() {
    var count = CumulativeCount(from: 0, fastestPerSecond: 7)
    for second in 0...20 { count.admit(Double(second) * 3, at: .seconds(second)) }
    #expect(!count.isWaiting)
    for (second, reading) in [(21, 68.0), (22, 76)] {
      count.admit(reading, at: .seconds(second))
      #expect(count.isWaiting)
      #expect(count.total == 60)
    }
    count.admit(84, at: .seconds(23))
    #expect(!count.isWaiting)
    #expect(count.total == 84)
  }

  @Test("is what its true readings show, wherever single ones leap, fall or are nothing", arguments: 1...100)
  func glitches(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var count = CumulativeCount(from: 0, fastestPerSecond: 7)
    var (shown, calm) = (0.0, 0)
    for second in 0..<600 {
      shown += random.unit() * 6
      calm += 1
      // What is wrong is known by the readings around it, as many as there have to be.
      if calm > 20, second < 590, random.unit() < 0.1 {
        let wrong = [shown + 100, shown * 3 + 1_000, 65_535, 1e9, shown * 0.7, 0, shown * 0.3]
        count.admit(wrong[Int(random.unit() * 7) % 7], at: .seconds(second))
        calm = 0
      } else {
        count.admit(shown, at: .seconds(second))
      }
    }
    #expect(abs(count.total - shown) < 1e-6, "seed \(seed)")
  }

  @Test("that falls to between a tenth and a half takes the third reading in a row for a new level")
  func undecided() {
    #expect(Self.total([1_000, 300]) == 1_000)
    #expect(Self.total([1_000, 300, 310, 1_020]) == 1_020)
    #expect(Self.total([1_000, 300, 310, 320]) == 1_020)
    #expect(Self.total([1_000, 300, 310, 305, 400]) == 1_100)
    // Exactly a half and exactly a tenth are between.
    #expect(Self.total([1_000, 500, 500, 500, 600]) == 1_100)
    #expect(Self.total([1_000, 100, 100, 100, 200]) == 1_100)
    // Noise among them begins the row anew.
    #expect(Self.total([1_000, 300, 310, 990, 320, 330]) == 1_000)
  }

  @Test("counts from the reading that it begins at")
  func baseline() {
    #expect(Self.total([], from: 8_000) == 0)
    #expect(Self.total([8_017, 8_016, 8_030], from: 8_000) == 30)
    #expect(Self.total([8_017, 5], from: 8_000) == 22)
  }

  @Test("never falls, and never grows by more than its readings show", arguments: 1...50)
  func bounds(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var count = CumulativeCount(from: 0, fastestPerSecond: 7)
    var (last, shown) = (0.0, 0.0)
    for second in 0..<400 {
      let reading = random.unit() < 0.8 ? last + random.unit() * 10 : last * random.unit()
      let before = count.total
      count.admit(reading, at: .seconds(second))
      shown += reading >= last ? reading - last : reading
      last = reading
      #expect(count.total >= before - 1e-6, "seed \(seed)")
      #expect(count.total <= shown + 1e-6, "seed \(seed)")
    }
  }
}

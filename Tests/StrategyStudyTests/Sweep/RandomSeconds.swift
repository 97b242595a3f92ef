import TestSupport
import ZoneEngine

@testable import StrategyStudy

/// A session a byte a second, with everything that a sweep may meet, from a generator.
struct RandomSeconds {
  private(set) var readings: [UInt8]
  let endSeconds: Int

  /// Makes a session of up to `longest` seconds whose heart rates stay around `limits`, so that bands change and tie.
  init(around limits: [Int], longest: Int, using generator: inout SplitMix64) {
    let end = generator.chance(0.1) ? generator.int(0...20) : generator.int(20...longest)
    endSeconds = end + (generator.chance(0.3) ? generator.int(1...40) : 0)
    switch generator.int(0...3) {
    case 0: readings = Self.walk(end, faults: 0, using: &generator)
    case 1: readings = Self.walk(end, faults: 0.05, using: &generator)
    case 2: readings = Self.blocks(end, around: limits, using: &generator)
    default: readings = Self.alternation(end, around: limits, using: &generator)
    }
    if generator.chance(0.5) { drop(using: &generator) }
    if generator.chance(0.3) {
      for second in 0..<min(readings.count, generator.int(1...80)) { readings[second] = 0 }
    }
  }

  /// The same session as an engine takes it.
  var track: HeartRateTrack {
    let measured = readings.indices.filter { readings[$0] != 0 }
    return HeartRateTrack(
      times: measured.map { .seconds($0) }, beatsPerMinute: measured.map { Double(readings[$0]) }, turns: [],
      end: .seconds(endSeconds))
  }

  private static func walk(_ end: Int, faults: Double, using generator: inout SplitMix64) -> [UInt8] {
    var level = generator.int(60...200)
    let pace = generator.pick([1, 3, 10, 12])
    return (0...end).map { _ in
      level = min(229, max(31, level + generator.int(-pace...pace)))
      if generator.chance(faults / 4) { level = generator.int(40...220) }
      return generator.chance(faults) ? UInt8(generator.int(1...255)) : UInt8(level)
    }
  }

  /// Equally long times on both sides of a limit.
  private static func blocks(_ end: Int, around limits: [Int], using generator: inout SplitMix64) -> [UInt8] {
    let length = generator.pick([1, 5, 10, 15, 20, 30])
    let levels = (0..<generator.int(2...4)).map { _ in generator.pick(limits) + generator.int(-3...3) }
    return (0...end).map { UInt8(levels[$0 / length % levels.count]) }
  }

  /// A side of a limit a second.
  private static func alternation(_ end: Int, around limits: [Int], using generator: inout SplitMix64) -> [UInt8] {
    let limit = generator.pick(limits)
    return (0...end).map { _ in UInt8(limit + generator.int(-2...2)) }
  }

  /// Takes readings away: most of them, or those of some times.
  private mutating func drop(using generator: inout SplitMix64) {
    if generator.chance(0.3) {
      let interval = generator.int(2...20)
      for second in readings.indices where second % interval != 0 { readings[second] = 0 }
      return
    }
    for _ in 0..<generator.int(1...6) {
      let start = generator.int(0...readings.count - 1)
      // Lengths around those at which a heart rate is held no longer and the signal is lost.
      let length = generator.pick([1, 9, 10, 11, 13, 14, 15, 16, 17, 30, 90])
      for second in start..<min(readings.count, start + length) { readings[second] = 0 }
    }
  }
}

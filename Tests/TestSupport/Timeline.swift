/// A recorded session as a test writes it: heart rates, pauses and an end, in seconds since the start.
public struct Timeline: Sendable {
  /// Heart rates in time order.
  public var samples: [(seconds: Double, bpm: Double)] = []
  /// Pauses in order; each begins before it ends and after the one before has ended.
  public var pauses: [(Double, Double)] = []
  /// The end of the session.
  public var end: Double

  /// Creates a session without heart rates.
  public init(end: Double) { self.end = end }

  /// Adds heart rates every `interval` seconds from `start` on, up to but not including `until`.
  public mutating func add(every interval: Double = 1, from start: Double, until: Double, _ bpm: (Double) -> Double) {
    var count = 0
    while start + Double(count) * interval < until {
      let seconds = start + Double(count) * interval
      samples.append((seconds, bpm(seconds)))
      count += 1
    }
  }

  /// The same session, begun earlier: everything happens `seconds` later.
  public func shifted(by seconds: Double) -> Timeline {
    var result = Timeline(end: end + seconds)
    result.samples = samples.map { ($0.seconds + seconds, $0.bpm) }
    result.pauses = pauses.map { ($0.0 + seconds, $0.1 + seconds) }
    return result
  }

  /// A session with everything that a sensor and a runner do: steady and irregular rates, bursts at one instant, zeros,
  /// spikes, new levels, gaps, ramps, decimals and pauses. Times are whole milliseconds.
  ///
  /// - Parameter limits: heart rates that divide bands; some sessions alternate around one of them, so that bands tie.
  /// - Precondition: there is at least one limit.
  public static func random(around limits: [Int], using generator: inout SplitMix64) -> Timeline {
    let length = generator.int(90...1_200)
    var timeline = Timeline(end: Double(length))
    timeline.pauses = randomPauses(until: length, using: &generator)
    let rhythm = generator.int(0...3)
    let alternation = generator.chance(0.3) ? Double(generator.int(3...5)) : 0
    var triple: [Double] = []
    let decimals = generator.chance(0.4)
    let faults = generator.pick([0.0, 0.02, 0.15])
    var milliseconds = generator.chance(0.5) ? 0 : generator.int(0...20_000)
    var level = Double(alternation > 0 ? generator.pick(limits) - 2 : generator.int(80...200))
    var slope = 0.0
    while milliseconds <= length * 1_000 {
      if alternation == 0, generator.chance(0.05) { slope = Double(generator.int(-15...15)) / 10 }
      if alternation == 0, generator.chance(0.01) { level = Double(generator.int(60...210)) }
      level = min(225, max(45, level + slope))
      var bpm = decimals ? (level * 10).rounded() / 10 : level.rounded()
      if alternation > 0 { bpm = level.rounded() + (generator.chance(0.5) ? alternation : 0) }
      if triple.isEmpty, generator.chance(faults / 4) { triple = newLevel(level, using: &generator) }
      if let next = triple.popLast() {
        bpm = next
      } else if generator.chance(faults) {
        bpm = faulty(level, using: &generator)
      }
      timeline.samples.append((Double(milliseconds) / 1_000, bpm))
      if generator.chance(0.015) {
        milliseconds += generator.pick([15_000, 15_001, 10_000, generator.int(5_000...60_000)])
      } else if !generator.chance(rhythm == 3 ? 0.3 : 0.02) {
        milliseconds += interval(rhythm, using: &generator)
      }
    }
    return timeline
  }

  private static func interval(_ rhythm: Int, using generator: inout SplitMix64) -> Int {
    switch rhythm {
    case 0: return 1_000
    case 1: return 5_000
    case 2: return generator.int(1...9_000)
    default: return generator.int(1...8) * 500
    }
  }

  /// Readings far from the level that agree with each other, or only just not.
  private static func newLevel(_ level: Double, using generator: inout SplitMix64) -> [Double] {
    let base = (level > 130 ? level - 60 : level + 60).rounded()
    return (0..<generator.int(2...5)).map { _ in base + Double(generator.pick([0, 1, 5, 6])) }
  }

  private static func faulty(_ level: Double, using generator: inout SplitMix64) -> Double {
    switch generator.int(0...6) {
    case 0: return 0
    case 1: return -1
    case 2: return .nan
    case 3: return Double(generator.pick([29, 30, 230, 231, 255]))
    case 4: return level + Double(generator.pick([-10, -5, 5, 10]))
    case 5: return level + Double(generator.int(-60...60))
    default: return level + 40
    }
  }

  private static func randomPauses(until length: Int, using generator: inout SplitMix64) -> [(Double, Double)] {
    guard generator.chance(0.6) else { return [] }
    var pauses: [(Double, Double)] = []
    var from = generator.pick([30, 60, generator.int(1...200)])
    while from <= length, pauses.count < 5 {
      let until = from + generator.pick([1, 3, 14, 15, 16, generator.int(1...120)])
      pauses.append((Double(from), Double(until)))
      // Often exactly to the next full minute of active time, where checks fall due.
      from = until + generator.pick([1, 30, 60, generator.int(2...300)])
    }
    return pauses
  }
}

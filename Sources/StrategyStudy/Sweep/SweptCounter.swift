internal import ZoneEngine

/// What a moment shows, before the guardrails.
enum SweptVerdict: Hashable, Sendable {
  /// The newest heart rate is too old.
  case signalLost
  /// Too little of the window is known.
  case lowCoverage
  /// A band, as a lane.
  case band(UInt8)
}

/// Neighbouring moments that show the same.
struct SweptStretch: Hashable, Sendable {
  /// The first of them, in seconds.
  let first: Int
  /// How many there are.
  var count: Int
  /// What they show.
  let verdict: SweptVerdict
}

/// Counts what becomes of moments after the guardrails, a stretch at a time.
struct SweptCounter {
  private(set) var counts = SweptCounts()
  private let strategy: SweptStrategy
  private let actions: [CueAction]
  /// Every so many moments there may be a cue.
  private let step: Int
  private var lastCue: Int?

  /// Creates a counter for the moments of a strategy.
  ///
  /// - Parameter actions: what is said of each lane.
  init(_ strategy: SweptStrategy, actions: [CueAction]) {
    self.strategy = strategy
    self.actions = actions
    let every = strategy.everySeconds
    step = max(1, quotient(strategy.minimumIntervalSeconds + every - 1, every))
  }

  /// Takes the next stretch of moments.
  @inline(__always)
  mutating func take(_ stretch: SweptStretch) {
    let lane: UInt8
    switch stretch.verdict {
    case .signalLost:
      counts.signalLost += stretch.count
      return
    case .lowCoverage:
      counts.lowCoverage += stretch.count
      return
    case .band(let judged): lane = judged
    }
    let every = strategy.everySeconds
    // The moments that are left, and the first of them.
    var (left, second) = (stretch.count, stretch.first)
    func skip(until end: Int) -> Int {
      guard second < end else { return 0 }
      let skipped = min(left, quotient(end - second + every - 1, every))
      left -= skipped
      second += skipped * every
      return skipped
    }
    counts.warmUp += skip(until: strategy.warmUpSeconds)
    if let lastCue { counts.minimumInterval += skip(until: lastCue + strategy.minimumIntervalSeconds) }
    guard left > 0 else { return }
    let action = actions[Int(lane)]
    guard action != .hold || strategy.saysHold else {
      counts.inTarget += left
      return
    }
    let cues = left <= step ? 1 : quotient(left + step - 1, step)
    counts.add(cues, of: action)
    counts.minimumInterval += left - cues
    lastCue = second + (cues - 1) * step * every
  }
}

/// A quotient of numbers that are not negative and, as seconds of a session and of a strategy are, below 2³².
@inline(__always)
func quotient(_ dividend: Int, _ divisor: Int) -> Int {
  divisor == 1 ? dividend : Int(UInt32(truncatingIfNeeded: dividend) / UInt32(truncatingIfNeeded: divisor))
}

internal import ZoneEngine

/// What a moment shows, before the guardrails.
enum SweptVerdict: Hashable, Sendable {
  /// The newest heart rate is too old.
  case signalLost
  /// Too little of the window is known.
  case lowCoverage
  /// A band, as a lane.
  case band(UInt8)
  /// A band that nobody needs to know, because guardrails withhold what would be said of any.
  case anyBand
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
  /// Up to which second, not included, the guardrails withhold what would be said of any band.
  private(set) var quietUntil: Int
  private let strategy: SweptStrategy
  private let actions: [CueAction]
  /// Every so many moments there may be a cue.
  private let step: WholeDivisor
  private var lastCue: Int?

  /// Creates a counter for the moments of a strategy.
  ///
  /// - Parameter actions: what is said of each lane.
  init(_ strategy: SweptStrategy, actions: [CueAction]) {
    self.strategy = strategy
    self.actions = actions
    quietUntil = strategy.warmUpSeconds
    step = WholeDivisor(max(1, strategy.every.quotientRoundedUp(strategy.minimumIntervalSeconds)))
  }

  /// Takes the next stretch of moments; all of it is quiet where its band is any.
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
    case .anyBand: lane = 0
    }
    let every = strategy.every
    // The moments that are left, and the first of them.
    var (left, second) = (stretch.count, stretch.first)
    func skip(until end: Int) -> Int {
      guard second < end else { return 0 }
      let skipped = min(left, every.quotientRoundedUp(end - second))
      left -= skipped
      second += skipped * every.value
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
    let cues = left <= step.value ? 1 : step.quotientRoundedUp(left)
    counts.add(cues, of: action)
    counts.minimumInterval += left - cues
    let last = second + (cues - 1) * step.value * every.value
    lastCue = last
    quietUntil = last + strategy.minimumIntervalSeconds
  }
}

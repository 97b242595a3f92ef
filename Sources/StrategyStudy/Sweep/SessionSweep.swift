import ZoneEngine

/// A session and a target, ready to be asked what each of many strategies would have said.
///
/// Every answer is that of a ``CoachingEngine``, decision for decision. What is common to all strategies is made once; a
/// further strategy costs its moments alone, and of these only where the judgement may change: a band that leads by n
/// seconds leads for n/2 seconds more, because a window gains and loses one second a second.
package struct SessionSweep: Sendable {
  /// What is held in the session.
  package private(set) var held: HeldSeconds
  /// The target and its bands.
  package private(set) var scale: BandScale
  private var counts = BandCounts()

  /// Prepares a session.
  package init(_ held: HeldSeconds, by scale: BandScale) {
    self.held = held
    self.scale = scale
    counts.count(held, by: scale)
  }

  /// Goes on to another session, in the storage of this one.
  package mutating func move(to held: HeldSeconds, by scale: BandScale) {
    self.held = held
    self.scale = scale
    counts.count(held, by: scale)
  }

  /// Asks for another target; zones need no further count where they stay the same.
  package mutating func retarget(_ scale: BandScale) {
    let isCounted = scale.lanes == self.scale.lanes && scale.laneCount == self.scale.laneCount
    self.scale = scale
    if !isCounted { counts.count(held, by: scale) }
  }

  /// Gives every decision of a strategy to `body`, in order of time.
  package func forEachDecision(of strategy: SweptStrategy, _ body: (SweptDecision) -> Void) {
    var lastCue: Int?
    forEachStretch(strategy) { stretch in
      for number in 0..<stretch.count {
        let second = stretch.first + number * strategy.everySeconds
        let outcome = outcome(of: stretch.verdict, at: second, lastCue: lastCue, strategy)
        if case .cue = outcome { lastCue = second }
        var lane: UInt8 = 0
        if case .band(let judged) = stretch.verdict { lane = judged }
        body(SweptDecision(second: second, outcome: outcome, lane: lane))
      }
    }
  }

  /// How many cues a strategy gives and withholds.
  package func counts(of strategy: SweptStrategy) -> SweptCounts {
    var result = SweptCounts()
    var lastCue: Int?
    let every = strategy.everySeconds
    let interval = strategy.minimumIntervalSeconds
    forEachStretch(strategy) { stretch in
      let lane: UInt8
      switch stretch.verdict {
      case .signalLost:
        result.signalLost += stretch.count
        return
      case .lowCoverage:
        result.lowCoverage += stretch.count
        return
      case .band(let judged): lane = judged
      }
      // The moments that are left, and the first of them.
      var (left, second) = (stretch.count, stretch.first)
      func skip(until end: Int) -> Int {
        guard second < end else { return 0 }
        let skipped = min(left, (end - second + every - 1) / every)
        left -= skipped
        second += skipped * every
        return skipped
      }
      result.warmUp += skip(until: strategy.warmUpSeconds)
      if let lastCue { result.minimumInterval += skip(until: lastCue + interval) }
      guard left > 0 else { return }
      let action = scale.actions[Int(lane)]
      guard action != .hold || strategy.saysHold else {
        result.inTarget += left
        return
      }
      // Every so many moments there is a cue.
      let step = interval <= every ? 1 : (interval + every - 1) / every
      let cues = step == 1 ? left : (left + step - 1) / step
      result.add(cues, of: action)
      result.minimumInterval += left - cues
      lastCue = second + (cues - 1) * step * every
    }
    return result
  }

  // MARK: - Judgements

  /// What a moment shows, before the guardrails.
  private enum Verdict {
    case signalLost
    case lowCoverage
    case band(UInt8)
  }

  /// Neighbouring moments that show the same.
  private struct Stretch {
    let first: Int
    let count: Int
    let verdict: Verdict
  }

  private func outcome(
    of verdict: Verdict, at second: Int, lastCue: Int?, _ strategy: SweptStrategy
  ) -> Decision.Outcome {
    switch verdict {
    case .signalLost: return .withheld(.signalLost)
    case .lowCoverage: return .withheld(.lowCoverage)
    case .band(let lane):
      if second < strategy.warmUpSeconds { return .withheld(.warmUp) }
      if let lastCue, second - lastCue < strategy.minimumIntervalSeconds { return .withheld(.minimumInterval) }
      let action = scale.actions[Int(lane)]
      return action == .hold && !strategy.saysHold ? .withheld(.inTarget) : .cue(action)
    }
  }

  @inline(__always)
  private func forEachStretch(_ strategy: SweptStrategy, _ body: (Stretch) -> Void) {
    let every = strategy.everySeconds
    let end = held.endSeconds
    var second = every
    var silence = 0
    var leader: UInt8 = 1
    while second <= end {
      while silence < held.withoutSignal.count, held.withoutSignal[silence].upperBound <= second { silence += 1 }
      let isSilenceAhead = silence < held.withoutSignal.count
      let silent = isSilenceAhead ? held.withoutSignal[silence] : end + 1..<end + 1
      let verdict: Verdict
      // The last second at which a moment shows the same for certain.
      var last: Int
      if silent.lowerBound <= second {
        verdict = .signalLost
        last = silent.upperBound - 1
      } else {
        switch strategy.evidence {
        case .newest: (verdict, last) = (.band(scale.lanes[Int(held.newestBPM(at: second))]), second)
        case .window(let length): (verdict, last) = judge(length, at: second, &leader)
        }
        last = min(last, silent.lowerBound - 1)
      }
      last = min(last, end)
      let count = last - second < every ? 1 : (last - second) / every + 1
      body(Stretch(first: second, count: count, verdict: verdict))
      second += count * every
    }
  }

  /// The band held for most of a window, and how long it will be, unless the signal is lost.
  ///
  /// - Parameter leader: the band to look at first, and the one that was found.
  @inline(__always)
  private func judge(_ length: Int, at second: Int, _ leader: inout UInt8) -> (Verdict, last: Int) {
    let start = max(0, second - length)
    let window = counts.window(from: start, until: second)
    let covered = second - start - window[0]
    let reserve = covered - (length + 1) / 2
    guard reserve >= 0 else { return (.lowCoverage, second - reserve - 1) }
    var lead = 2 * window[Int(leader)] - covered
    // A small lead over all others together may be a large one over each.
    if lead < Self.clearLead { lead = elect(&leader, window, at: second) }
    return (.band(leader), second + min(reserve, max(0, lead - 1) / 2))
  }

  private static let clearLead = 16

  /// Finds the band with the most seconds and by how many it leads; at a tie it is the one seen last.
  private func elect(_ leader: inout UInt8, _ window: BandCounts.Window, at second: Int) -> Int {
    var (most, next) = (-1, -1)
    for lane in 1..<scale.laneCount {
      let seconds = window[lane]
      if seconds > most {
        (most, next) = (seconds, most)
        leader = UInt8(lane)
      } else {
        next = max(next, seconds)
      }
    }
    guard most == next else { return most - next }
    var seen = second
    while true {
      let lane = scale.lanes[Int(held.displayedBPM[seen])]
      if lane != 0, window[Int(lane)] == most {
        leader = lane
        return 0
      }
      seen -= 1
    }
  }
}

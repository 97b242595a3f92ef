internal import ZoneEngine

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
  private var counts: BandCounts

  /// Prepares a session for any strategy.
  package init(_ held: HeldSeconds, by scale: BandScale) {
    self.init(held, by: scale, BandCounts(rowSeconds: 1))
  }

  /// Prepares a session, and those that it moves on to, for the strategies of a grid alone, which takes less where they look
  /// seldom. Whoever asks another one breaks a promise, unless its moments and windows are multiples of ``SweptGrid/rowSeconds``
  /// and no window is longer than theirs.
  package init(_ held: HeldSeconds, by scale: BandScale, for grid: SweptGrid) {
    self.init(held, by: scale, BandCounts(rowSeconds: grid.rowSeconds, longestWindow: grid.longestWindow))
  }

  private init(_ held: HeldSeconds, by scale: BandScale, _ counts: BandCounts) {
    self.held = held
    self.scale = scale
    self.counts = counts
    self.counts.count(held, by: scale)
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
    forEachStretch(every: strategy.every, strategy.evidence) { stretch in
      for number in 0..<stretch.count {
        let second = stretch.first + number * strategy.every.value
        let outcome = outcome(of: stretch.verdict, at: second, lastCue: lastCue, strategy)
        if case .cue = outcome { lastCue = second }
        var lane: UInt8 = 0
        if case .band(let judged) = stretch.verdict { lane = judged }
        body(SweptDecision(second: second, outcome: outcome, lane: lane))
      }
      return 0
    }
  }

  /// How many cues a strategy gives and withholds.
  package func counts(of strategy: SweptStrategy) -> SweptCounts {
    var counter = SweptCounter(strategy, actions: scale.actions)
    forEachStretch(every: strategy.every, strategy.evidence, quietUntil: counter.quietUntil) {
      counter.take($0)
      return counter.quietUntil
    }
    return counter.counts
  }

  /// How many cues each of many strategies gives and withholds, in their order.
  package func counts(of grid: SweptGrid) -> [SweptCounts] {
    let courses = grid.shared.map { course(of: $0) }
    return grid.strategies.indices.map { index in
      let strategy = grid.strategies[index]
      guard let shared = grid.places[index] else { return counts(of: strategy) }
      var counter = SweptCounter(strategy, actions: scale.actions)
      let every = strategy.every
      var second = every.value
      for stretch in courses[shared] {
        let left = stretch.first + stretch.count - second
        guard left > 0 else { continue }
        let count = every.quotientRoundedUp(left)
        counter.take(SweptStretch(first: second, count: count, verdict: stretch.verdict))
        second += count * every.value
      }
      return counter.counts
    }
  }

  /// What is shown at every second, as stretches of which neighbours differ.
  private func course(of evidence: SweptStrategy.Evidence) -> [SweptStretch] {
    var course: [SweptStretch] = []
    forEachStretch(every: WholeDivisor(1), evidence) { stretch in
      if let last = course.last, last.verdict == stretch.verdict {
        course[course.count - 1].count += stretch.count
      } else {
        course.append(stretch)
      }
      return 0
    }
    return course
  }

  // MARK: - Judgements

  private func outcome(
    of verdict: SweptVerdict, at second: Int, lastCue: Int?, _ strategy: SweptStrategy
  ) -> Decision.Outcome {
    switch verdict {
    case .signalLost: return .withheld(.signalLost)
    case .lowCoverage: return .withheld(.lowCoverage)
    case .anyBand: return .withheld(second < strategy.warmUpSeconds ? .warmUp : .minimumInterval)
    case .band(let lane):
      if second < strategy.warmUpSeconds { return .withheld(.warmUp) }
      if let lastCue, second - lastCue < strategy.minimumIntervalSeconds { return .withheld(.minimumInterval) }
      let action = scale.actions[Int(lane)]
      return action == .hold && !strategy.saysHold ? .withheld(.inTarget) : .cue(action)
    }
  }

  /// Gives what moments show to `body`, in order of time.
  ///
  /// - Parameters:
  ///   - quietUntil: up to which second, not included, nobody needs to know the band.
  ///   - body: says so for what follows.
  @inline(__always)
  private func forEachStretch(
    every: WholeDivisor, _ evidence: SweptStrategy.Evidence, quietUntil: Int = 0, _ body: (SweptStretch) -> Int
  ) {
    var quietUntil = quietUntil
    let end = held.endSeconds
    let never = end + 1..<end + 1
    var second = every.value
    var silences = held.withoutSignal[...]
    var silent = silences.popFirst() ?? never
    while second <= end {
      while silent.upperBound <= second { silent = silences.popFirst() ?? never }
      let verdict: SweptVerdict
      // The last second at which a moment shows the same for certain.
      var last: Int
      if silent.lowerBound <= second {
        verdict = .signalLost
        last = silent.upperBound - 1
      } else {
        switch evidence {
        case .newest: (verdict, last) = (.band(scale.lanes[Int(held.newestBPM(at: second))]), second)
        case .window(let length): (verdict, last) = judge(length, at: second, quietUntil: quietUntil)
        }
        last = min(last, silent.lowerBound - 1)
      }
      last = min(last, end)
      let count = last - second < every.value ? 1 : every.quotient(last - second) + 1
      quietUntil = body(SweptStretch(first: second, count: count, verdict: verdict))
      second += count * every.value
    }
  }

  /// The band held for most of a window, and until when it is for certain, unless the signal is lost. Before `quietUntil` it is enough
  /// that there is one.
  @inline(__always)
  private func judge(_ length: Int, at second: Int, quietUntil: Int) -> (SweptVerdict, last: Int) {
    let start = max(0, second &- length)
    let covered = second &- start &- counts.withoutHeartRate(from: start, until: second)
    let reserve = covered &- (length &+ 1) >> 1
    guard reserve >= 0 else { return (.lowCoverage, second &- reserve &- 1) }
    if second < quietUntil { return (.anyBand, min(second &+ reserve, quietUntil &- 1)) }
    let leader = counts.leader(from: start, until: second)
    guard leader.lead > 0 else {
      let window = counts.window(from: start, until: second)
      return (.band(seenLast(window, seconds: leader.seconds, until: second)), second)
    }
    return (.band(leader.lane), second &+ min(reserve, (leader.lead &- 1) &>> 1))
  }

  /// The lane that was seen last among those with so many seconds of a window.
  ///
  /// - Precondition: one has so many, and that is more than none.
  private func seenLast(_ window: BandCounts.Window, seconds: Int, until second: Int) -> UInt8 {
    var seen = second
    while true {
      let lane = scale.lanes[Int(held.displayedBPM[seen])]
      if lane != 0, window[Int(lane)] == seconds { return lane }
      seen -= 1
    }
  }
}

/// What is learned of a runner in a session, and how an adaptive strategy judges by it.
extension CoachingEngine {
  /// Goes on with what is known of the runner, and begins it with the first reading that there is a target for.
  mutating func learn() {
    guard let newestReading, now - newestReading.time <= Self.holdLimit, isRunning else { return }
    let wanted = target.flatMap(Self.limits)
    if adaptive.isEmpty {
      guard let wanted else { return }
      guard case .adaptive(let strategy) = strategy else { return }
      adaptive = [AdaptiveCourse(wanted, strategy.prior)]
    }
    adaptive[0].observe(newestReading.displayedBPM, readAt: newestReading.time, now: now, target: wanted)
  }

  /// What a session by an ``AdaptiveStrategy`` has made of what was thought of the runner before; absent for another strategy, and where
  /// it was too short to learn from: less than ten minutes, or fewer than five cues. Source of both: none, an assumption.
  public var learnedPrior: RunnerPrior? {
    guard case .adaptive(let strategy) = strategy, let course = adaptive.first else { return nil }
    return course.learned(from: strategy.prior)
  }

  /// The limits of a target of heart rates; one that is open is taken to be 20 bpm wide, and there is none of another quantity.
  private static func limits(_ target: ResolvedTarget) -> ClosedRange<Double>? {
    guard target.quantity == nil else { return nil }
    let (lower, upper) = (target.lowerBPM, target.upperBPM)
    let lowest = Double(lower ?? (upper ?? 0) - 20)
    return lowest...max(lowest, Double(upper ?? (lower ?? 0) + 20))
  }

  /// What is expected, and whether a cue buys enough.
  func judgement(of strategy: AdaptiveStrategy, _ instant: Judgement.Instant) -> Judgement {
    guard instant.heartRate != nil, !adaptive.isEmpty else {
      return Judgement(
        refusal: .signalLost,
        evidence: Evidence(
          heartRateBPM: instant.newest?.displayedBPM, heartRateAge: instant.newest?.age, window: nil, covered: nil,
          held: []))
    }
    let forecast = adaptive[0].forecast()
    func displayed(_ bpm: Double) -> Int { HeartRateZones.displayed(min(max(bpm, 0), 255)) }
    let (soon, later) = (displayed(forecast.soon), displayed(forecast.later))
    var evidence = Evidence(
      heartRateBPM: instant.newest?.displayedBPM, heartRateAge: instant.newest?.age, window: nil, covered: nil,
      held: [], judgedBPM: soon)
    evidence.expectedBPM = later
    let slot = sorter.slot(ofDisplayedBPM: soon)
    var judgement = Judgement(band: sorter.band(ofSlot: slot), side: sorter.side(ofSlot: slot), evidence: evidence)
    if isTooSoon { judgement.unsaid = .minimumInterval }
    judgement.saysHold = false
    guard judgement.unsaid == nil, let side = judgement.side, side != .inside, keptBack(side) == nil else {
      return judgement
    }
    let limits = Double(targetLimits.lower) - 0.5...Double(targetLimits.upper) + 0.5
    let stays = side == .under ? later < targetLimits.lower : later > targetLimits.upper
    let silence = lastCue.map { now - $0 } ?? active
    let price = stays ? strategy.priceSeconds(silentFor: silence) : strategy.priceSeconds
    if !adaptive[0].buys(price, side == .under ? 1 : -1, in: limits) {
      judgement.isReturning = (targetLimits.lower...targetLimits.upper).contains(later)
      judgement.unsaid = .notWorthACue
    }
    if strategy.isGraded {
      judgement.evidence.grade = AdaptiveStrategy.grade(
        beyond: side == .under ? targetLimits.lower - later : later - targetLimits.upper)
    }
    return judgement
  }

  /// The judgement, unless the last cue was too short a time ago.
  func once(_ judgement: Judgement) -> Judgement {
    var judgement = judgement
    if isTooSoon { judgement.unsaid = .minimumInterval }
    return judgement
  }

  /// Whether the last cue was too short a time ago.
  private var isTooSoon: Bool {
    guard let lastCue else { return false }
    return now - lastCue < (quantity == nil ? AdaptiveStrategy.shortestSilence : .seconds(60))
  }
}

/// What a judgement of a quantity other than the heart rate was made on. Values are metres per second, steps a minute
/// or the inverse of α1.
public struct MeasuredEvidence: Hashable, Sendable {
  /// The newest value, averaged over the last seconds; absent when there is none.
  public let value: Double?
  /// How old its newest reading was.
  public let age: SessionTime?
  /// The value that was judged where it is not the newest: a median, or what is expected.
  public let judged: Double?
  /// How fast it moves, each second; absent where that does not count.
  public let slopePerSecond: Double?
  /// Metres up for each metre forward, where a grade-adjusted pace was judged.
  public let gradient: Double?
  /// The beats of the window that α1 is of, where that was judged.
  public let beats: BeatVariability?
}

/// The quantity that a target asks for, and what is known of it at an instant.
struct QuantityInstant {
  /// What one beat per minute of a strategy's margin is for another quantity: a share of its limit.
  ///
  /// A usual margin of 2 bpm is 1.3 % of 150 bpm, and 2 % of a pace is 6 s/km, which is what the mean of ten seconds is
  /// uncertain by.
  static let marginShare = 0.01
  /// What one beat per minute each second is for another quantity: a share of the middle of its target each second. A heart
  /// rate follows with a time constant of about a minute, a mean over ten seconds about six times as fast.
  static let slopeShare = 0.05

  let band: QuantityBand
  let held: HeldQuantity
  let time: SessionTime
  /// Why a value is missing, where that is known.
  let lack: WithholdingReason?
  let gradient: Double?
  let beats: BeatVariability?
  /// The newest heart rate, which is recorded beside every judgement.
  let heartRate: Judgement.Newest?

  /// What a strategy makes of the instant; `nil` when it never judges.
  func judgement(_ strategy: FeedbackStrategy, _ changes: ZoneChangeMonitor?, active: SessionTime) -> Judgement? {
    switch strategy {
    case .none: return nil
    case .moment(let strategy): return moment(strategy)
    case .period(let strategy): return period(strategy)
    case .trend(let strategy): return trend(strategy)
    case .zoneChange: return changes.map { zoneChange($0, active: active) }
    // Whoever is asked is asked about the newest value.
    case .asked: return judgement(of: nil, window: nil, saysHold: true)
    // Nothing is learned of a pace, which follows at once.
    case .adaptive: return judgement(of: nil, window: nil, saysHold: false)
    }
  }

  private func moment(_ strategy: MomentStrategy) -> Judgement {
    let hasMedian = strategy.median > .zero
    let median = hasMedian ? held.median(ofLast: strategy.median, until: time) : nil
    return judgement(of: median, window: hasMedian ? strategy.median : nil, saysHold: strategy.saysHold)
  }

  /// The side held for most of the window; a tie goes to the tied side seen last.
  private func period(_ strategy: PeriodStrategy) -> Judgement {
    var durations = [SessionTime](repeating: .zero, count: TargetSide.allCases.count)
    var ages = [Int](repeating: .max, count: TargetSide.allCases.count)
    var covered = SessionTime.zero
    var order = 0
    held.forEach(last: strategy.window, until: time) { value, span in
      let place = band.side(of: value).place
      durations[place] += span
      ages[place] = min(ages[place], order)
      covered += span
      order += 1
    }
    let seen = TargetSide.allCases.filter { ages[$0.place] < .max }
    let best = seen.max { left, right in
      let (a, b) = (durations[left.place], durations[right.place])
      return a == b ? ages[left.place] > ages[right.place] : a < b
    }
    let evidence = evidence(
      window: strategy.window, covered: covered,
      held: seen.filter { durations[$0.place] > .zero }.map {
        Evidence.Held(band: .side($0), duration: durations[$0.place])
      })
    if let refusal { return Judgement(refusal: refusal, evidence: evidence) }
    guard let best, covered + covered >= strategy.window else {
      return Judgement(refusal: .lowCoverage, evidence: evidence)
    }
    return Judgement(band: .side(best), side: best, evidence: evidence, saysHold: strategy.saysHold)
  }

  /// The value that is expected: a mean goes on for as long as it takes to forget, and not for a heart's minute.
  private func trend(_ strategy: TrendStrategy) -> Judgement {
    let line = held.line(through: RecentTrend.instants, length: strategy.window, until: time)
    let expected = line.map { line in
      let steepest = TrendStrategy.steepest * Self.slopeShare * band.middle
      let constant = min(strategy.timeConstant.seconds, RateSignal.window.seconds)
      let slope = min(max(line.slopePerSecond, -steepest), steepest)
      return max(0, line.level + slope * constant * (1 - LibraryMath.exp(-strategy.horizon.seconds / constant)))
    }
    var judgement = judgement(
      of: expected, window: strategy.window, saysHold: strategy.saysHold, slope: line?.slopePerSecond)
    if judgement.refusal == nil, expected == nil {
      judgement = Judgement(refusal: .lowCoverage, evidence: judgement.evidence)
    }
    return judgement
  }

  /// The side on which the value has been for some time.
  private func zoneChange(_ monitor: ZoneChangeMonitor, active: SessionTime) -> Judgement {
    let strategy = monitor.strategy
    let median = strategy.median > .zero ? held.median(ofLast: strategy.median, until: time) : nil
    let line =
      strategy.returningBPMPerSecond > 0
      ? held.line(through: RecentTrend.instants, length: ZoneChangeMonitor.returningWindow, until: time) : nil
    var judgement = judgement(
      of: median, window: nil, saysHold: true, slope: line?.slopePerSecond, sideHeld: active - monitor.since)
    guard judgement.refusal == nil else { return judgement }
    judgement.side = monitor.side
    if let line, monitor.isReminder {
      let inwards = monitor.side == .over ? -line.slopePerSecond : line.slopePerSecond
      judgement.isReturning = inwards >= strategy.returningBPMPerSecond * Self.slopeShare * band.middle
    }
    return judgement
  }

  /// Why there is nothing to judge.
  private var refusal: WithholdingReason? {
    if held.current(at: time) != nil { return nil }
    return lack ?? .signalLost
  }

  private func judgement(
    of judged: Double?, window: SessionTime?, saysHold: Bool, slope: Double? = nil, sideHeld: SessionTime? = nil
  ) -> Judgement {
    let evidence = evidence(window: window, judged: judged, slope: slope, sideHeld: sideHeld)
    if let refusal { return Judgement(refusal: refusal, evidence: evidence) }
    guard let value = judged ?? held.newest?.value else { return Judgement(refusal: .signalLost, evidence: evidence) }
    let side = band.side(of: value)
    return Judgement(band: .side(side), side: side, evidence: evidence, saysHold: saysHold)
  }

  private func evidence(
    window: SessionTime?, covered: SessionTime? = nil, held runs: [Evidence.Held] = [], judged: Double? = nil,
    slope: Double? = nil, sideHeld: SessionTime? = nil
  ) -> Evidence {
    Evidence(
      heartRateBPM: heartRate?.displayedBPM, heartRateAge: heartRate?.age, window: window, covered: covered, held: runs,
      sideHeld: sideHeld,
      measured: MeasuredEvidence(
        value: held.newest?.value, age: held.newest.map { time - $0.time }, judged: judged, slopePerSecond: slope,
        gradient: gradient, beats: beats))
  }
}

extension TargetSide {
  /// Its place among all, slowest first.
  var place: Int {
    switch self {
    case .under: return 0
    case .inside: return 1
    case .over: return 2
    }
  }
}

/// What a strategy makes of a moment, before the guardrails.
struct Judgement {
  /// The band that the moment shows; absent when there is nothing to judge.
  var band: JudgedBand?
  /// Where the band lies; absent when there is no target or nothing to judge.
  var side: TargetSide?
  /// Why there is nothing to judge.
  var refusal: WithholdingReason?
  /// What it was judged on.
  var evidence: Evidence
  /// Whether the heart rate is on its way into the target.
  var isReturning = false
  /// Whether the strategy says *hold* in the target.
  var saysHold = true
  /// Why whoever was asked gives no cue.
  var unsaid: WithholdingReason?
}

/// How a heart rate is sorted while a target is in force: by the bands of the zones when the target is a zone, none, or no
/// heart rate, by under, in and over when it is a range.
package struct BandSorter: Hashable, Sendable {
  /// The zones.
  package let zones: HeartRateZones
  /// The target in force; absent when nothing is asked for.
  package let target: ResolvedTarget?

  /// How many slots a count by band needs: nine zones, one under and one over.
  package static let slots = HeartRateZones.largestCount + 2

  /// Creates a sorter.
  package init(zones: HeartRateZones, target: ResolvedTarget?) {
    self.zones = zones
    self.target = target
  }

  /// The number of the band of a displayed heart rate, ascending with it.
  package func slot(ofDisplayedBPM bpm: Int) -> Int {
    if let target, case .range = target.target {
      switch target.side(ofDisplayedBPM: bpm) {
      case .under: return 0
      case .inside: return 1
      case .over: return 2
      }
    }
    switch zones.band(ofDisplayedBPM: bpm) {
    case .below: return 0
    case .zone(let number): return number
    case .aboveMaximum: return zones.zones.count + 1
    }
  }

  /// The band with a number.
  package func band(ofSlot slot: Int) -> JudgedBand {
    if let target, case .range = target.target { return .side(TargetSide.allCases[slot]) }
    if slot == 0 { return .band(.below) }
    return .band(slot > zones.zones.count ? .aboveMaximum : .zone(slot))
  }

  /// Where the band with a number lies; `nil` without a target.
  package func side(ofSlot slot: Int) -> TargetSide? {
    switch target?.target {
    case nil, .open, .quantity: return nil
    case .range: return TargetSide.allCases[slot]
    case .zone(let number): return slot < number ? .under : slot > number ? .over : .inside
    }
  }
}

extension Judgement {
  /// The newest accepted heart rate.
  struct Newest {
    let displayedBPM: Int
    let age: SessionTime
  }

  /// What is known of an instant.
  struct Instant {
    let time: SessionTime
    let newest: Newest?

    /// The newest heart rate, unless it is too old.
    var heartRate: Newest? { newest.flatMap { $0.age <= SessionTime.holdLimit ? $0 : nil } }
  }

  /// A heart rate of the instant in its band; `judged` is one that stands for the newest.
  init(_ bpm: Int, _ sorter: BandSorter, _ evidence: Evidence) {
    let slot = sorter.slot(ofDisplayedBPM: bpm)
    self.init(band: sorter.band(ofSlot: slot), side: sorter.side(ofSlot: slot), evidence: evidence)
  }

  /// The newest accepted heart rate.
  init(newest instant: Instant, _ sorter: BandSorter) {
    let evidence = Evidence(
      heartRateBPM: instant.newest?.displayedBPM, heartRateAge: instant.newest?.age, window: nil, covered: nil, held: []
    )
    guard let newest = instant.heartRate else {
      self.init(refusal: .signalLost, evidence: evidence)
      return
    }
    self.init(newest.displayedBPM, sorter, evidence)
  }

  /// The newest heart rate, or the median of the last seconds.
  static func moment(_ strategy: MomentStrategy, _ instant: Instant, _ sorter: BandSorter, held window: HeldWindow?)
    -> Judgement
  {
    let median = window.flatMap { $0.median(ofLast: strategy.median, until: instant.time) }
    let evidence = Evidence(
      heartRateBPM: instant.newest?.displayedBPM, heartRateAge: instant.newest?.age,
      window: window == nil ? nil : strategy.median, covered: nil, held: [], judgedBPM: median)
    guard let newest = instant.heartRate else { return Judgement(refusal: .signalLost, evidence: evidence) }
    var judgement = Judgement(median ?? newest.displayedBPM, sorter, evidence)
    judgement.saysHold = strategy.saysHold
    return judgement
  }

  /// The heart rate that is expected at the horizon.
  static func trend(_ strategy: TrendStrategy, _ instant: Instant, _ sorter: BandSorter, held window: HeldWindow)
    -> Judgement
  {
    let line = RecentTrend(window, length: strategy.window, until: instant.time)
    let expected = line.map { line in
      HeartRateZones.displayed(min(max(line.level + strategy.rise(ofSlope: line.slope), 0), 255))
    }
    let evidence = Evidence(
      heartRateBPM: instant.newest?.displayedBPM, heartRateAge: instant.newest?.age, window: strategy.window,
      covered: nil, held: [], slopeBPMPerSecond: line?.slope, judgedBPM: expected)
    guard instant.heartRate != nil else { return Judgement(refusal: .signalLost, evidence: evidence) }
    guard let expected else { return Judgement(refusal: .lowCoverage, evidence: evidence) }
    var judgement = Judgement(expected, sorter, evidence)
    judgement.saysHold = strategy.saysHold
    return judgement
  }

  /// The side on which the heart rate has been for some time.
  static func zoneChange(
    _ monitor: ZoneChangeMonitor, _ instant: Instant, _ sorter: BandSorter, held window: HeldWindow?,
    active: SessionTime
  ) -> Judgement {
    let strategy = monitor.strategy
    let median = strategy.median > .zero ? window?.median(ofLast: strategy.median, until: instant.time) : nil
    let line =
      strategy.returningBPMPerSecond > 0
      ? window.flatMap { RecentTrend($0, length: ZoneChangeMonitor.returningWindow, until: instant.time) } : nil
    let evidence = Evidence(
      heartRateBPM: instant.newest?.displayedBPM, heartRateAge: instant.newest?.age, window: nil, covered: nil,
      held: [],
      sideHeld: active - monitor.since, slopeBPMPerSecond: line?.slope, judgedBPM: median)
    guard let newest = instant.heartRate else { return Judgement(refusal: .signalLost, evidence: evidence) }
    var judgement = Judgement(median ?? newest.displayedBPM, sorter, evidence)
    judgement.side = monitor.side
    if let line, monitor.isReminder {
      let inwards = monitor.side == .over ? -line.slope : line.slope
      judgement.isReturning = inwards >= strategy.returningBPMPerSecond
    }
    return judgement
  }

  /// The band held for most of the window; a tie goes to the tied band seen last.
  static func period(_ strategy: PeriodStrategy, _ instant: Instant, _ sorter: BandSorter, held window: HeldWindow)
    -> Judgement
  {
    var durations = InlineArray<11, SessionTime>(repeating: .zero)
    // How many runs ago each band was seen last.
    var age = InlineArray<11, Int>(repeating: .max)
    var covered = SessionTime.zero
    var order = 0
    window.forEach(until: instant.time) { bpm, duration in
      let slot = sorter.slot(ofDisplayedBPM: bpm)
      durations[slot] += duration
      age[slot] = min(age[slot], order)
      covered += duration
      order += 1
    }
    var best: Int?
    var held: [Evidence.Held] = []
    held.reserveCapacity(BandSorter.slots)
    for slot in 0..<BandSorter.slots where age[slot] < .max {
      if durations[slot] > .zero { held.append(.init(band: sorter.band(ofSlot: slot), duration: durations[slot])) }
      guard let leader = best else {
        best = slot
        continue
      }
      let wins =
        durations[slot] == durations[leader]
        ? age[slot] < age[leader] : durations[slot] > durations[leader]
      if wins { best = slot }
    }
    let evidence = Evidence(
      heartRateBPM: instant.newest?.displayedBPM, heartRateAge: instant.newest?.age, window: strategy.window,
      covered: covered, held: held)
    guard instant.heartRate != nil else { return Judgement(refusal: .signalLost, evidence: evidence) }
    guard let best, covered + covered >= strategy.window else {
      return Judgement(refusal: .lowCoverage, evidence: evidence)
    }
    return Judgement(
      band: sorter.band(ofSlot: best), side: sorter.side(ofSlot: best), evidence: evidence,
      saysHold: strategy.saysHold)
  }
}

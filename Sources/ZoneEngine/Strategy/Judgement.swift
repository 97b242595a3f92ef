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
}

/// How a heart rate is sorted while a target is in force: by the bands of the zones when the target is a zone or there
/// is none, by under, in and over when it is a range.
struct BandSorter {
  let zones: HeartRateZones
  let target: ResolvedTarget?

  /// How many slots a count by band needs: nine zones, one under and one over.
  static let slots = HeartRateZones.largestCount + 2

  func slot(ofDisplayedBPM bpm: Int) -> Int {
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

  func band(ofSlot slot: Int) -> JudgedBand {
    if let target, case .range = target.target { return .side(TargetSide.allCases[slot]) }
    if slot == 0 { return .band(.below) }
    return .band(slot > zones.zones.count ? .aboveMaximum : .zone(slot))
  }

  func side(ofSlot slot: Int) -> TargetSide? {
    switch target?.target {
    case nil, .open: return nil
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

  /// The newest heart rate, unless it is too old.
  static func moment(newest: Newest?, sorter: BandSorter) -> Judgement {
    let evidence = Evidence(
      heartRateBPM: newest?.displayedBPM, heartRateAge: newest?.age, window: nil, covered: nil, held: [])
    guard let newest, newest.age <= CoachingEngine.holdLimit else {
      return Judgement(refusal: .signalLost, evidence: evidence)
    }
    let slot = sorter.slot(ofDisplayedBPM: newest.displayedBPM)
    return Judgement(band: sorter.band(ofSlot: slot), side: sorter.side(ofSlot: slot), evidence: evidence)
  }

  /// The band held for most of the window; a tie goes to the tied band seen last.
  static func period(
    newest: Newest?, held window: HeldWindow, length: SessionTime, at time: SessionTime, sorter: BandSorter
  ) -> Judgement {
    var durations = InlineArray<11, SessionTime>(repeating: .zero)
    var lastSeen = InlineArray<11, Int>(repeating: -1)
    var covered = SessionTime.zero
    var order = 0
    window.forEach(until: time) { bpm, duration in
      let slot = sorter.slot(ofDisplayedBPM: bpm)
      durations[slot] += duration
      lastSeen[slot] = order
      covered += duration
      order += 1
    }
    var best: Int?
    var held: [Evidence.Held] = []
    held.reserveCapacity(BandSorter.slots)
    for slot in 0..<BandSorter.slots where lastSeen[slot] >= 0 {
      if durations[slot] > .zero { held.append(.init(band: sorter.band(ofSlot: slot), duration: durations[slot])) }
      guard let leader = best else {
        best = slot
        continue
      }
      let wins =
        durations[slot] == durations[leader]
        ? lastSeen[slot] > lastSeen[leader] : durations[slot] > durations[leader]
      if wins { best = slot }
    }
    let evidence = Evidence(
      heartRateBPM: newest?.displayedBPM, heartRateAge: newest?.age, window: length, covered: covered, held: held)
    guard let newest, newest.age <= CoachingEngine.holdLimit else {
      return Judgement(refusal: .signalLost, evidence: evidence)
    }
    guard let best, covered + covered >= length else {
      return Judgement(refusal: .lowCoverage, evidence: evidence)
    }
    return Judgement(band: sorter.band(ofSlot: best), side: sorter.side(ofSlot: best), evidence: evidence)
  }
}

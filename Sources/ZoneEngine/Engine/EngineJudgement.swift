extension CoachingEngine {
  /// The event of the step of the plan that begins.
  func stepEvent(at time: SessionTime) -> EngineEvent {
    let steps = settings.plan.steps
    return .stepChanged(
      at: time, number: stepIndex + 1, step: stepIndex < steps.count ? steps[stepIndex] : nil, target: target)
  }

  /// Begins the next step of the plan, or what comes after it; `isLap` says whether somebody asks for it.
  mutating func beginNextStep(isLap: Bool, into events: inout [EngineEvent]) {
    stepIndex += 1
    let steps = settings.plan.steps
    let isOver = stepIndex >= steps.count
    stepEndActive = isOver ? nil : steps[stepIndex].duration.map { active + $0 }
    let half = stepDistance?.begin(goal: isOver ? nil : steps[stepIndex].distanceMeters, at: now, isLap: isLap)
    begin(target: isOver ? nil : settings.targets[stepIndex])
    if let half { endSilence(at: half) }
    events.append(stepEvent(at: now))
  }

  /// Begins the next step when the current one is over in this very instant.
  mutating func endStepThatIsOver(into events: inout [EngineEvent]) {
    guard isRunning else { return }
    if stepEndActive == active || stepDistance?.end.map({ $0 <= now }) == true {
      beginNextStep(isLap: false, into: &events)
    }
  }

  /// Another target is in force from now on.
  mutating func begin(target new: ResolvedTarget?) {
    sorter = BandSorter(zones: settings.zones, target: new)
    targetTotal.begin(new, active: active, covered: held.total)
    isHeldInTarget = heldBPM >= targetLimits.lower && heldBPM <= targetLimits.upper
    beginGrace()
    if !adaptive.isEmpty { adaptive[0].change() }
    nextCheck.restart(at: active, longestSilence: longestSilence)
    if nextCheck.isMovedByReadings, heldBPM >= 0 { observeForCheck(heldBPM) }
    if followsMotion || new?.quantity != nil { beginQuantity() }
  }

  /// Another strategy is in force from now on.
  mutating func begin(strategy new: FeedbackStrategy) {
    strategy = new
    adaptive = []
    window = new.lookback.map { HeldWindow(window: $0) }
    if heldBPM >= 0 { window?.hold(Int16(truncatingIfNeeded: heldBPM), from: now) }
    nextCheck = NextCheck(new, from: active, longestSilence: longestSilence)
    if nextCheck.isMovedByReadings, heldBPM >= 0 { observeForCheck(heldBPM) }
    if followsMotion {
      motion?.restart(at: now, lookback: new.lookback ?? .zero)
      if let quantity { beginHolding(quantity) }
    }
  }

  /// Gives no cue for some time from now on.
  mutating func beginGrace() {
    guard settings.guardrails.grace > .zero else { return }
    graceUntil = active + settings.guardrails.grace.atMost(longestSilence)
  }

  /// Ends the grace, at a time that may be in the past: half of a step of some metres is covered, of which nobody knew how long
  /// that takes.
  mutating func endSilence(at time: SessionTime) {
    guard isRunning else { return }
    let end = active + max(time - now, .zero)
    graceUntil = min(graceUntil, end)
    nextCheck.endSilence(at: max(end, settings.guardrails.warmUp))
    if let check = nextCheck.due { nextDue = min(nextDue, now + max(check - active, .zero)) }
  }

  /// The longest grace and reminder in the step of the plan that is under way; `nil` where its length is not known.
  var longestSilence: SessionTime? {
    let steps = settings.plan.steps
    return stepIndex < steps.count ? Guardrails.longestSilence(inStepOf: steps[stepIndex].duration) : nil
  }

  /// Says that the heart rate is above the ceiling.
  mutating func warn(into events: inout [EngineEvent]) {
    guard let newestReading, let limit = settings.ceiling, let above = ceiling?.sound(at: active) else { return }
    let evidence = Evidence(
      heartRateBPM: newestReading.displayedBPM, heartRateAge: now - newestReading.time, window: nil, covered: nil,
      held: [], ceiling: Evidence.Ceiling(beatsPerMinute: limit.beatsPerMinute, above: above))
    cueCounts.count(.slowDown)
    lastCue = now
    if !adaptive.isEmpty { adaptive[0].say(.slowDown) }
    let band = sorter.band(ofSlot: sorter.slot(ofDisplayedBPM: newestReading.displayedBPM))
    events.append(
      .decision(Decision(time: now, outcome: .cue(.slowDown), band: band, target: target, evidence: evidence)))
  }

  /// Judges this moment.
  @inline(never)
  mutating func judge(into events: inout [EngineEvent]) {
    if followsMotion { settleMotion(into: &events) }
    if case .adaptive = strategy { learn() }
    guard let judgement = judgement() else { return }
    let judged = outcome(of: judgement)
    let outcome = trial.isEmpty ? judged : draw(judged)
    switch outcome {
    case .cue(let action):
      cueCounts.count(action)
      lastCue = now
      if !adaptive.isEmpty { adaptive[0].say(action) }
    case .withheld(let reason):
      cueCounts.count(reason)
    }
    events.append(
      .decision(
        Decision(
          time: now, outcome: outcome, band: judgement.band, target: target, evidence: judgement.evidence)))
    let retry = settings.guardrails.retry(
      after: judged, at: active, graceUntil: graceUntil, sinceCue: lastCue.map { now - $0 })
    // A cue that was drawn away takes the place of one that was given.
    nextCheck.pass(judged, at: active, retry: retry)
  }

  /// What the strategy makes of this moment; `nil` when it never judges.
  @inline(__always)
  private func judgement() -> Judgement? {
    let instant = Judgement.Instant(
      time: now,
      newest: newestReading.map { Judgement.Newest(displayedBPM: $0.displayedBPM, age: now - $0.time) })
    if let quantity {
      if case .asked(let strategy) = strategy { return judgement(of: strategy, instant) }
      let judgement = judgement(of: quantity, heartRate: instant.newest)
      guard case .adaptive = strategy else { return judgement }
      return judgement.map(once)
    }
    switch strategy {
    case .none: return nil
    case .moment(let strategy): return .moment(strategy, instant, sorter, held: window)
    case .period(let strategy): return window.map { .period(strategy, instant, sorter, held: $0) }
    case .trend(let strategy): return window.map { .trend(strategy, instant, sorter, held: $0) }
    case .zoneChange: return nextCheck.changes.map { .zoneChange($0, instant, sorter, held: window, active: active) }
    case .asked(let strategy): return judgement(of: strategy, instant)
    case .adaptive(let strategy): return judgement(of: strategy, instant)
    }
  }

  @inline(__always)
  private func outcome(of judgement: Judgement) -> Decision.Outcome {
    if !isRunning { return .withheld(.paused) }
    if target == nil { return .withheld(.noTarget) }
    if let refusal = judgement.refusal { return .withheld(refusal) }
    guard let side = judgement.side else { return .withheld(.noTarget) }
    if let reason = keptBack(side) { return .withheld(reason) }
    if judgement.isReturning { return .withheld(.returning) }
    if side == .inside, !judgement.saysHold { return .withheld(.inTarget) }
    if let unsaid = judgement.unsaid { return .withheld(unsaid) }
    return .cue(CueAction(side: side))
  }

  /// Why no cue about a side can be given now, whatever the strategy makes of it.
  @inline(__always)
  func keptBack(_ side: TargetSide) -> WithholdingReason? {
    if side != .over, let ceiling {
      if ceiling.isSounding(at: active) { return .aboveCeiling }
      if side == .under, isAbove(ceiling.ceiling) { return .aboveCeiling }
    }
    if active < settings.guardrails.warmUp { return .warmUp }
    if active < graceUntil { return .grace }
    if let lastCue, now - lastCue < settings.guardrails.minimumInterval { return .minimumInterval }
    return nil
  }

  /// Whether the newest heart rate is above a ceiling, for however short: nobody is to run faster then. One that came before a
  /// pause or in it counts as long as it holds.
  private func isAbove(_ ceiling: SafetyCeiling) -> Bool {
    guard let newestReading, now - newestReading.time <= Self.holdLimit else { return false }
    return newestReading.displayedBPM > ceiling.beatsPerMinute
  }
}

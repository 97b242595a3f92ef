extension CoachingEngine {
  /// What an engine does when its time comes.
  enum Happening { case step, ceiling, motion, outcome, check, loss, quantityLoss }

  /// Finds what happens next if no reading comes; at one instant a step changes first, then the ceiling speaks, then readings
  /// of the movement take effect, then a moment is judged, and a signal is lost only after.
  ///
  /// It is mutating, so that nothing of an engine is copied to be looked at.
  mutating func lookAhead() {
    nextDue = .distantFuture
    guard isRunning else { return }
    if let stepEndActive {
      nextHappening = .step
      nextDue = now + (stepEndActive - active)
    } else if let end = stepDistance?.end {
      nextHappening = .step
      nextDue = max(end, now)
    }
    if let due = ceiling?.due {
      let time = now + max(due - active, .zero)
      if time < nextDue {
        nextHappening = .ceiling
        nextDue = time
      }
    }
    if followsMotion { lookAheadAtMotion() }
    if !trial.isEmpty { lookAheadAtOutcome() }
    if let check = nextCheck.due {
      let time = now + (check - active)
      if time < nextDue {
        nextHappening = .check
        nextDue = max(time, now)
      }
    }
    if let newestReading, !isSignalLost {
      let time = max(max(newestReading.time, resumedAt) + Self.holdLimit, now)
      if time < nextDue {
        nextHappening = .loss
        nextDue = time
      }
    }
    if followsMotion { lookAheadAtQuantityLoss() }
  }

  /// Moves time on; everything due before `time` happens.
  @inline(__always)
  mutating func move(to time: SessionTime, into events: inout [EngineEvent]) {
    guard time > now else { return }
    if time > nextDue { settle(before: time, into: &events) }
    account(until: time)
  }

  /// Lets everything happen that is due before `time`. Few readings come to it, so that it stays out of their way.
  @inline(never)
  private mutating func settle(before time: SessionTime, into events: inout [EngineEvent]) {
    lookAhead()
    while nextDue < time {
      account(until: nextDue)
      switch nextHappening {
      case .step: beginNextStep(isLap: false, into: &events)
      case .ceiling: warn(into: &events)
      case .motion: settleMotion(into: &events)
      case .outcome: takeOutcomes(into: &events)
      case .check: judge(into: &events)
      case .quantityLoss: loseQuantity(into: &events)
      case .loss:
        isSignalLost = true
        ceiling?.lose()
        if quantity == nil { nextCheck.lose() }
        events.append(.signalLost(at: now))
      }
      lookAhead()
    }
  }

  /// Gives the time since ``now`` to the bands.
  @inline(__always)
  private mutating func account(until time: SessionTime) {
    guard time > now else { return }
    if isRunning {
      // Both lie between the start and `time`, so that nothing overflows.
      active = SessionTime(nanoseconds: active.nanoseconds &+ (time.nanoseconds &- now.nanoseconds))
      if heldBPM >= 0 {
        let covered = SessionTime(nanoseconds: min(time, heldUntil).nanoseconds &- now.nanoseconds)
        if covered > .zero {
          held.add(covered, displayedBPM: heldBPM)
          if isHeldInTarget { inTarget = SessionTime(nanoseconds: inTarget.nanoseconds &+ covered.nanoseconds) }
        }
        if heldUntil < time { release(at: max(heldUntil, now)) }
      }
    }
    now = time
  }

  /// Nothing is held from an instant on.
  private mutating func release(at time: SessionTime) {
    heldBPM = Int(HeldWindow.nothing)
    window?.hold(HeldWindow.nothing, from: time)
  }

  /// A heart rate comes after a loss.
  mutating func restoreSignal(displayedBPM: Int, into events: inout [EngineEvent]) {
    isSignalLost = false
    events.append(.signalRestored(at: now, heartRateBPM: displayedBPM))
  }

  /// A heart rate is held from `start` on.
  @inline(__always)
  mutating func hold(_ displayed: Int, from start: SessionTime, reading time: SessionTime) {
    heldBPM = displayed
    heldUntil = time + Self.holdLimit
    isHeldInTarget = displayed >= targetLimits.lower && displayed <= targetLimits.upper
    window?.hold(Int16(truncatingIfNeeded: displayed), from: start)
    if let ceiling, displayed > ceiling.unmovedUpTo { observeForCeiling(displayed) }
    if !nextCheck.isUnmoved(by: displayed) { observeForCheck(displayed) }
  }

  @inline(never)
  private mutating func observeForCeiling(_ displayed: Int) {
    ceiling?.observe(displayed, at: active)
    if let due = ceiling?.due { nextDue = min(nextDue, now + max(due - active, .zero)) }
  }

  /// Notes for the next check that a heart rate is held from now on.
  @inline(never)
  mutating func observeForCheck(_ displayed: Int) {
    // Another quantity decides.
    guard quantity == nil else { return }
    nextCheck.observe(displayed, target: target, window: window, until: now, at: active)
    if let check = nextCheck.due { nextDue = min(nextDue, now + max(check - active, .zero)) }
  }
}

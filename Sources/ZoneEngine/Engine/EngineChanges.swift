extension CoachingEngine {
  /// Asks for another target, or for none, from this instant until the current step of the plan is over; without a plan
  /// until the end.
  ///
  /// It begins as the target of a step does: a moment that is due in this very instant is judged by it.
  public mutating func change(
    target new: ResolvedTarget?, at time: SessionTime, into events: inout [EngineEvent]
  ) {
    advance(to: time, into: &events)
    endStepThatIsOver(into: &events)
    let old = target
    begin(target: new)
    events.append(.targetChanged(at: now, from: old, to: new))
    lookAhead()
  }

  /// Judges by another strategy from this instant on.
  ///
  /// What is due in this very instant is judged by the old one first. The new one begins as at the start of a session: its
  /// moments are counted from here in active time, so the first is after one interval, and what was held before does not
  /// count. The guardrails stay what they are.
  public mutating func change(
    strategy new: FeedbackStrategy, at time: SessionTime, into events: inout [EngineEvent]
  ) {
    advance(to: time, into: &events)
    endStepThatIsOver(into: &events)
    if followsMotion { settleMotion(into: &events) }
    if !isPaused, let due = nextCheck.due, due <= active { judge(into: &events) }
    let old = strategy
    begin(strategy: new)
    events.append(.strategyChanged(at: now, from: old, to: new))
    lookAhead()
  }
}

/// The decision points of a trial in a session: what is drawn at them, and what they come to.
extension CoachingEngine {
  /// What a point of a trial comes to.
  @inline(never)
  mutating func draw(_ outcome: Decision.Outcome) -> Decision.Outcome {
    var beatsOff: Int?
    if let target, target.quantity == nil, let newest = newestReading, now - newest.time <= Self.holdLimit {
      let bpm = newest.displayedBPM
      beatsOff =
        switch target.side(ofDisplayedBPM: bpm) {
        case .under: target.lowerBPM.map { bpm - $0 }
        case .inside: 0
        case .over: target.upperBPM.map { bpm - $0 }
        }
    }
    let (totals, time, sinceCue) = (trialTotals, now, lastCue.map { now - $0 })
    return trial[0].draw(outcome, at: time, totals, sinceCue: sinceCue, beatsOff: beatsOff)
  }

  /// Looks when the next outcome is taken, unless something happens before that.
  @inline(never)
  mutating func lookAheadAtOutcome() {
    guard let due = trial[0].due else { return }
    let time = now + max(due - active, .zero)
    guard time < nextDue else { return }
    nextHappening = .outcome
    nextDue = time
  }

  /// Takes the outcomes of a trial that are due now.
  @inline(never)
  mutating func takeOutcomes(into events: inout [EngineEvent]) {
    let totals = trialTotals
    for point in trial[0].take(totals) { events.append(.trialPoint(at: now, point)) }
  }

  /// Ends the trial of a session that ends here, and reports the points whose outcomes will not come. Nothing is judged that is due at
  /// exactly the end.
  package mutating func endTrial(at time: SessionTime, into events: inout [EngineEvent]) {
    advance(to: time, into: &events)
    finishTrial(into: &events)
  }

  /// Reports the points whose outcomes will not come.
  mutating func finishTrial(into events: inout [EngineEvent]) {
    guard !trial.isEmpty else { return }
    takeOutcomes(into: &events)
    for point in trial[0].finish() { events.append(.trialPoint(at: now, point)) }
  }

  private var trialTotals: TrialCourse.Totals {
    TrialCourse.Totals(
      active: active, inTarget: inTarget + quantityTotal.inTarget(at: active),
      covered: targetTotal.covered(ofAll: held.total) + quantityTotal.covered(at: active))
  }
}

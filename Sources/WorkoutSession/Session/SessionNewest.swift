package import ZoneEngine

/// What is newest in a session of what whoever watches it is shown beside the numbers of the engine.
package struct SessionNewest: Sendable {
  /// The newest cue since the last pause, step, other target or loss of the signal; absent when there is none.
  package private(set) var cue: (action: CueAction, decision: Decision)?
  /// The newest place that counted, and when it was measured; absent before the first.
  package private(set) var place: (coordinate: Coordinate, time: SessionTime)?

  /// The active time and the metres when the current lap or step began; metres are absent where nobody knew them.
  package private(set) var lapStart: (active: SessionTime, meters: Double?) = (.zero, 0)

  /// Active time, that in the target, and that with a target and a value, when the step under way began.
  package private(set) var stepStart: (active: SessionTime, inTarget: SessionTime, covered: SessionTime) =
    (.zero, .zero, .zero)

  /// Nothing yet.
  init() {}

  /// A lap or a step began at a time that an engine has just passed.
  mutating func beginLap(at time: SessionTime, _ engine: CoachingEngine) {
    // At the start nothing is covered, though nobody has measured it yet.
    let meters = engine.distanceMeters ?? (time == .zero ? 0 : nil)
    lapStart = (max(.zero, engine.active - max(.zero, engine.now - time)), meters)
  }

  mutating func admit(_ fix: LocationFix, at time: SessionTime) { place = (fix.coordinate, time) }

  mutating func note(_ event: EngineEvent, _ engine: CoachingEngine) {
    if case .stepChanged(let time, _, _, _) = event {
      beginLap(at: time, engine)
      let summary = engine.summary
      stepStart = (lapStart.active, summary.inTarget, summary.coveredWithTarget)
    }
    switch event {
    case .decision(let decision):
      guard case .cue(let action) = decision.outcome else { return }
      cue = (action, decision)
    // Where a pace is asked for, no heart rate is needed to advise.
    case .signalLost: if engine.target?.quantity == nil { cue = nil }
    case .quantityLost, .stepChanged, .targetChanged, .strategyChanged, .paused, .resumed: cue = nil
    case .signalRestored, .signalSuspect, .quantityRestored, .trialPoint: break
    }
  }
}

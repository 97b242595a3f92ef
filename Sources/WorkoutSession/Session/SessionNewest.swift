package import ZoneEngine

/// What is newest in a session of what whoever watches it is shown beside the numbers of the engine.
package struct SessionNewest: Sendable {
  /// The newest cue since the last pause, step, other target or loss of the signal; absent when there is none.
  package private(set) var cue: (action: CueAction, decision: Decision)?
  /// The newest place that counted, and when it was measured; absent before the first.
  package private(set) var place: (coordinate: Coordinate, time: SessionTime)?

  /// Nothing yet.
  init() {}

  mutating func admit(_ fix: LocationFix, at time: SessionTime) { place = (fix.coordinate, time) }

  mutating func note(_ event: EngineEvent) {
    switch event {
    case .decision(let decision):
      guard case .cue(let action) = decision.outcome else { return }
      cue = (action, decision)
    case .signalLost, .quantityLost, .stepChanged, .targetChanged, .strategyChanged, .paused, .resumed: cue = nil
    case .signalRestored, .signalSuspect, .quantityRestored, .trialPoint: break
    }
  }
}

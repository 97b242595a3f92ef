internal import ZoneEngine

/// What a runner makes of cues: counts them, follows some of them, each after a while.
struct CueEar {
  private let compliance: Double
  private let latency: Int
  private let step: Double
  private let doublesStep: Bool
  private let obedience: CounterRandom
  private var counts = RunOutcome()
  private var lastAction: CueAction?

  init(_ runner: VirtualRunner, _ behaviour: Behaviour, _ day: Disturbances) {
    compliance = behaviour.compliance ?? runner.traits.compliance
    latency = behaviour.latencySeconds ?? runner.traits.latencySeconds
    step = behaviour.step ?? runner.traits.step
    doublesStep = behaviour.doublesStep
    obedience = day.obedience
  }

  /// Hears a decision of a second, at the same second or a little later; returns whether it is a cue to change the speed
  /// that is followed.
  mutating func hear(_ decision: Decision, at second: Int, now: Int, _ legs: inout Legs) -> Bool {
    guard case .cue(let action) = decision.outcome else { return false }
    counts.cues += 1
    guard action != .hold else { return false }
    counts.directionalCues += 1
    if let lastAction, lastAction != action { counts.directionChanges += 1 }
    lastAction = action
    guard obedience.unit(at: UInt64(second)) < compliance else { return false }
    counts.followedCues += 1
    let size = doublesStep && decision.isTwoZonesOff ? 2 * step : step
    legs.change(by: action == .speedUp ? size : -size, at: max(now + 1, second + latency))
    return true
  }

  /// Puts what was counted into an outcome.
  func report(_ outcome: inout RunOutcome) {
    outcome.cues = counts.cues
    outcome.directionalCues = counts.directionalCues
    outcome.followedCues = counts.followedCues
    outcome.directionChanges = counts.directionChanges
  }
}

extension Decision {
  /// Whether the band that was judged lies two zones or more from the zone that is the target. A target that is a range
  /// has no zones.
  fileprivate var isTwoZonesOff: Bool {
    guard case .zone(let wanted)? = target?.target, case .band(let band)? = band else { return false }
    switch band {
    case .below: return wanted >= 2
    case .zone(let number): return (number - wanted).magnitude >= 2
    case .aboveMaximum: return true
    }
  }
}

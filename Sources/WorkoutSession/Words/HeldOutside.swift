package import ZoneEngine

/// Where a value lies of a decision that says to hold. A strategy with a margin says so a little outside of the target too, and one
/// that judges a median, a window or what is expected says so wherever the newest value is.
extension Decision {
  /// The side on which the newest value is outside of the target although the decision says to hold, as it is read in these units;
  /// `nil` for every other decision, in the target, and without a value.
  package func sideOfHold(in units: UnitSystem) -> TargetSide? {
    guard case .cue(.hold) = outcome, evidence.ceiling == nil else { return nil }
    let side: TargetSide
    if let (band, measured) = measured {
      guard let value = measured.value else { return nil }
      side = band.read(in: units).side(of: value)
    } else {
      guard let target, target.quantity == nil, let bpm = evidence.heartRateBPM else { return nil }
      side = target.side(ofDisplayedBPM: bpm)
    }
    return side == .inside ? nil : side
  }

  /// Whether the newest value itself was judged, by a side that is left beyond a margin only.
  var isByMargin: Bool {
    evidence.sideHeld != nil && evidence.window == nil && evidence.judgedBPM == nil && evidence.measured?.judged == nil
  }

  /// Where the newest value lies, before the limits of the target: `below`, `in`, `a little above`, `now above`; of a pace
  /// `slower than`, `a little faster than`.
  package func place(_ action: CueAction, in units: UnitSystem) -> String {
    let side = sideOfHold(in: units)
    let shown = side.map { CueAction(side: $0) } ?? action
    let ofHeartRate =
      switch shown {
      case .speedUp: "below"
      case .hold: "in"
      case .slowDown: "above"
      }
    let place = measured?.band.place(shown) ?? ofHeartRate
    guard side != nil else { return place }
    return (isByMargin ? "a little " : "now ") + place
  }
}

internal import TextFormats
internal import ZoneEngine

/// What happened in a session beside its decisions, in words for people: the same on a terminal and on a page.
package enum EventWording {
  /// The words of an event, from the longest to the shortest, at least one.
  ///
  /// - Parameter units: those in which values and targets are read.
  /// - Returns: `nil` for a decision, and for what every screen shows in a place of its own: the beginning and the end, a pause, a step
  ///   that begins, that something else is done than a step asks for, the answer to a command, and a point of a trial.
  package static func texts(of event: SessionEvent, in units: UnitSystem) -> [String]? {
    switch event {
    case .engine(let event): texts(of: event, in: units)
    case .lap(_, let number): ["lap \(number)"]
    case .sourceChanged(_, let from, let to): sourceChanged(from: from, to: to)
    case .activity(_, let activity):
      ["\(activity.name) since \(QuantityText.clock(activity.since))", activity.name]
    case .countdown(_, let remaining): ["\(QuantityText.seconds(remaining)) to go"]
    case .rejected(_, let stream):
      ["\(stream.title.lowercased()) with times far off is left out", "times far off left out"]
    case .started, .activityDiffers, .acknowledgement, .ended: nil
    }
  }

  private static func texts(of event: EngineEvent, in units: UnitSystem) -> [String]? {
    switch event {
    case .signalLost: ["signal lost: no usable heart rate for 15 s", "signal lost"]
    case .signalRestored(_, let bpm): ["signal restored: \(bpm) bpm", "signal: \(bpm) bpm"]
    case .quantityLost(_, let band):
      ["signal lost: no usable \(band.name) for 15 s", "no \(band.name)", "signal lost"]
    case .quantityRestored(_, let band, let value):
      [
        "signal restored: \(band.read(in: units).text(value))", "signal: \(band.read(in: units).text(value))", "signal",
      ]
    case .signalSuspect(_, let suspicion, let since): texts(of: suspicion, since: since)
    case .targetChanged(_, _, let target):
      target.map { ["target now \($0.text(in: units))"] } ?? ["no target now: no cues", "no target"]
    case .strategyChanged(_, _, let strategy):
      ["strategy now \(strategy.specification)", "strategy now \(strategy.kind)"]
    case .stepChanged(_, _, let step, _): step == nil ? ["plan finished"] : nil
    case .decision, .trialPoint, .paused, .resumed: nil
    }
  }

  /// Another device is in charge of the heart rate.
  private static func sourceChanged(from: String?, to: String?) -> [String] {
    let name = to ?? "an unnamed source"
    let silent = from ?? "the first source"
    return ["heart rate now from \(name), \(silent) is silent", "heart rate now from \(name)", "now from \(name)"]
  }

  private static func texts(of suspicion: SignalSuspicion, since: SessionTime) -> [String] {
    let since = " since " + QuantityText.clock(since)
    switch suspicion {
    case .stuck: return ["is it the heart? the same reading\(since)", "same reading\(since)"]
    case .cadenceLock:
      return ["is it the heart? it equals the cadence\(since)", "equals the cadence\(since)", "equals the cadence"]
    }
  }
}

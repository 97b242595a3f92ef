public import ZoneEngine

/// An engine that a test drives by hand, in seconds, with everything it emits as one line of words each.
public struct CoachedRun: Sendable {
  /// The engine.
  public var engine: CoachingEngine
  /// What it emitted so far.
  public private(set) var events: [EngineEvent] = []

  /// Begins a session.
  public init(_ settings: CoachingSettings) {
    engine = CoachingEngine(settings: settings)
    engine.begin(into: &events)
  }

  /// What it emitted so far, such as `120 speedUp below` or `135 signalLost`.
  public var emitted: [String] { events.map(\.words) }

  /// Gives a heart rate.
  @discardableResult
  public mutating func heartRate(_ bpm: Double, at seconds: Double) -> SignalFilter.Verdict {
    engine.heartRate(bpm, at: .at(seconds), into: &events)
  }

  /// Gives one heart rate each second from `start` on, up to but not including `end`.
  public mutating func heartRate(_ bpm: Double, each interval: Double = 1, from start: Double, until end: Double) {
    var timeline = Timeline(end: end)
    timeline.add(every: interval, from: start, until: end) { _ in bpm }
    for sample in timeline.samples { heartRate(sample.bpm, at: sample.seconds) }
  }

  /// Lets time pass.
  public mutating func advance(to seconds: Double) { engine.advance(to: .at(seconds), into: &events) }

  /// Pauses.
  public mutating func pause(at seconds: Double) { engine.pause(at: .at(seconds), into: &events) }

  /// Goes on.
  public mutating func resume(at seconds: Double) { engine.resume(at: .at(seconds), into: &events) }

  /// Presses the lap key; returns whether that ended a step.
  public mutating func lap(at seconds: Double) -> Bool { engine.lap(at: .at(seconds), into: &events) }

  /// Asks for another target; `nil` asks for nothing.
  public mutating func change(target: ResolvedTarget?, at seconds: Double) {
    engine.change(target: target, at: .at(seconds), into: &events)
  }

  /// Chooses another strategy.
  public mutating func change(strategy: FeedbackStrategy, at seconds: Double) {
    engine.change(strategy: strategy, at: .at(seconds), into: &events)
  }

  /// Ends the session.
  public mutating func finish(at seconds: Double) { engine.finish(at: .at(seconds), into: &events) }
}

extension EngineEvent {
  /// The event in a few words.
  public var words: String {
    let seconds = "\(time.seconds)"
    let at = seconds.hasSuffix(".0") ? String(seconds.dropLast(2)) : seconds
    switch self {
    case .decision(let decision):
      return ([at, decision.outcome.word] + (decision.band.map { [$0.description] } ?? [])).joined(separator: " ")
    case .signalLost: return "\(at) signalLost"
    case .signalRestored(_, let bpm): return "\(at) signalRestored \(bpm)"
    case .signalSuspect(_, let suspicion, let since): return "\(at) \(suspicion.rawValue) since \(Int(since.seconds))"
    case .quantityLost(_, let band): return "\(at) \(band.quantity.rawValue) lost"
    case .quantityRestored(_, let band, let value):
      return "\(at) \(band.quantity.rawValue) restored \(QuantityBand.number(band.unit.shown(value), band.unit))"
    case .stepChanged(_, let number, let step, let target):
      guard let step else { return "\(at) step \(number): the plan is over" }
      let limits = target.map { $0.quantity.map { "\($0)" } ?? "\($0.lowerBPM ?? 0)-\($0.upperBPM ?? 999)" } ?? "open"
      return "\(at) step \(number): \(step.name ?? "unnamed") \(limits)"
    case .targetChanged(_, let old, let new):
      return "\(at) target \((old?.target ?? .open).description) to \((new?.target ?? .open).description)"
    case .strategyChanged(_, let old, let new): return "\(at) \(old.specification) to \(new.specification)"
    case .trialPoint(_, let point): return "\(at) point \(point.number)"
    case .paused: return "\(at) paused"
    case .resumed: return "\(at) resumed"
    }
  }
}

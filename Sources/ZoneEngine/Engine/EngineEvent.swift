/// What an engine emits while samples flow in, in time order.
public enum EngineEvent: Hashable, Sendable {
  /// An evaluated moment, with a cue or without.
  case decision(Decision)
  /// No accepted heart rate for 15 s of the active session.
  case signalLost(at: SessionTime)
  /// The first accepted heart rate after a loss.
  case signalRestored(at: SessionTime, heartRateBPM: Int)
  /// The signal is accepted and yet may not be the heart; emitted once for each occurrence.
  case signalSuspect(at: SessionTime, suspicion: SignalSuspicion, since: SessionTime)
  /// No value of the pace, speed or cadence that is asked for, for 15 s of the active session.
  case quantityLost(at: SessionTime, QuantityBand)
  /// The first value after such a loss, in metres per second or steps a minute.
  case quantityRestored(at: SessionTime, QuantityBand, value: Double)
  /// A step of the plan begins; `number` counts from 1. The plan is over when `step` is absent.
  case stepChanged(at: SessionTime, number: Int, step: TrainingPlan.Step?, target: ResolvedTarget?)
  /// Somebody asked for another target; either is absent when nothing is asked for.
  case targetChanged(at: SessionTime, from: ResolvedTarget?, to: ResolvedTarget?)
  /// Somebody chose another strategy.
  case strategyChanged(at: SessionTime, from: FeedbackStrategy, to: FeedbackStrategy)
  /// What came of a decision point of a trial.
  case trialPoint(at: SessionTime, TrialPoint)
  /// The session is paused.
  case paused(at: SessionTime)
  /// The session goes on.
  case resumed(at: SessionTime)

  /// When it happened.
  public var time: SessionTime {
    switch self {
    case .decision(let decision): return decision.time
    case .signalLost(let time), .signalRestored(let time, _), .signalSuspect(let time, _, _),
      .quantityLost(let time, _), .quantityRestored(let time, _, _), .trialPoint(let time, _),
      .stepChanged(let time, _, _, _), .targetChanged(let time, _, _), .strategyChanged(let time, _, _),
      .paused(let time), .resumed(let time):
      return time
    }
  }
}

/// When a session is judged, and on what evidence.
///
/// A closed set of values: the same specification stands on a command line, in a scenario file, in the manifest of a
/// session and in a record. What comes after every strategy, whichever it is, are the ``Guardrails``.
public enum FeedbackStrategy: Hashable, Sendable {
  /// Never judges: the session is only recorded.
  case none
  /// Judges the heart rate of the instant. Source: Wise (RoCHI 2023), "moment".
  case moment(MomentStrategy)
  /// Judges the zone that was held for most of the time before. Source: Wise (RoCHI 2023), "period of time".
  case period(PeriodStrategy)
}

/// Judges the newest accepted heart rate at every multiple of an interval of active time.
public struct MomentStrategy: Hashable, Sendable {
  /// The time between two moments.
  public let every: SessionTime

  /// Creates the strategy.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for an interval outside 1…86,400 s.
  public init(every: SessionTime) throws(ZoneError) {
    self.every = try StrategyParameter.every.checked(every, of: "moment")
  }
}

/// Judges, at every multiple of an interval of active time, the band that was held for most seconds of the window that
/// ends there. A tie goes to the tied band seen last; too little covered time withholds the cue.
public struct PeriodStrategy: Hashable, Sendable {
  /// The time between two moments.
  public let every: SessionTime
  /// The length of the window `(t − window, t]`, in time of the session.
  public let window: SessionTime

  /// Creates the strategy.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for an interval or a window outside 1…86,400 s.
  public init(every: SessionTime, window: SessionTime) throws(ZoneError) {
    self.every = try StrategyParameter.every.checked(every, of: "period")
    self.window = try StrategyParameter.window.checked(window, of: "period")
  }
}

extension FeedbackStrategy {
  /// The interval at which the strategy judges; `nil` when it never does.
  public var every: SessionTime? {
    switch self {
    case .none: return nil
    case .moment(let moment): return moment.every
    case .period(let period): return period.every
    }
  }

  /// The window that the strategy looks back on; `nil` when it looks at an instant.
  public var window: SessionTime? {
    switch self {
    case .none, .moment: return nil
    case .period(let period): return period.window
    }
  }
}

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
  /// Judges when the heart rate has left the target, or come back, for some time.
  case zoneChange(ZoneChangeStrategy)
  /// Judges the heart rate that is expected some time later.
  case trend(TrendStrategy)
  /// Learns how this runner's heart rate follows, and judges what is expected.
  case adaptive(AdaptiveStrategy)
  /// Asks somebody outside of the engine.
  case asked(AskedStrategy)
}

/// Judges the newest accepted heart rate, or the median of the last seconds, at every moment of a schedule.
public struct MomentStrategy: Hashable, Sendable {
  /// When it judges.
  public let schedule: CheckSchedule
  /// The time whose median is judged, each heart rate weighing as long as it was held; zero judges the newest alone.
  public let median: SessionTime
  /// Whether it says *hold* in the target; otherwise it is silent there.
  public let saysHold: Bool

  /// Creates the strategy of the Wise paper.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for an interval outside 1…86,400 s.
  public init(every: SessionTime) throws(ZoneError) { try self.init(schedule: CheckSchedule(every: every)) }

  /// Creates the strategy.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for a median over more than 600 s.
  public init(schedule: CheckSchedule, median: SessionTime = .zero, saysHold: Bool = true) throws(ZoneError) {
    _ = try StrategyParameter.median.checked(median.seconds, of: "moment")
    self.schedule = schedule
    self.median = median
    self.saysHold = saysHold
  }
}

extension MomentStrategy {
  /// The newest heart rate at the moments of a preset.
  init(presetSchedule schedule: CheckSchedule) {
    self.schedule = schedule
    median = .zero
    saysHold = true
  }
}

/// Judges, at every moment of a schedule, the band that was held for most seconds of the window that ends there. A tie
/// goes to the tied band seen last; too little covered time withholds the cue.
public struct PeriodStrategy: Hashable, Sendable {
  /// When it judges.
  public let schedule: CheckSchedule
  /// The length of the window `(t − window, t]`, in time of the session.
  public let window: SessionTime
  /// Whether it says *hold* in the target; otherwise it is silent there.
  public let saysHold: Bool

  /// Creates the strategy of the Wise paper.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for an interval or a window outside 1…86,400 s.
  public init(every: SessionTime, window: SessionTime) throws(ZoneError) {
    try self.init(schedule: CheckSchedule(every: every), window: window)
  }

  /// Creates the strategy.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for a window outside 1…86,400 s.
  public init(schedule: CheckSchedule, window: SessionTime, saysHold: Bool = true) throws(ZoneError) {
    _ = try StrategyParameter.window.checked(window.seconds, of: "period")
    self.schedule = schedule
    self.window = window
    self.saysHold = saysHold
  }
}

extension PeriodStrategy {
  /// The last minute at the moments of a preset.
  init(presetSchedule schedule: CheckSchedule) {
    self.schedule = schedule
    window = .seconds(60)
    saysHold = true
  }
}

/// Judges when the heart rate has been on another side of the target for a dwell time, and reminds on a slower cadence
/// of its own while nothing is done about it.
///
/// The edges have a margin: the target is left beyond the margin and entered again at the edge itself, so that a heart
/// rate on the edge does not make it speak again and again. Leaving it is cued, coming back is cued, and a reminder stays
/// silent while the heart rate is already returning.
public struct ZoneChangeStrategy: Hashable, Sendable {
  /// How long the heart rate has to be on a side before it is judged, in active time.
  public let dwell: SessionTime
  /// How far beyond the edge the target is left, in beats per minute.
  public let marginBPM: Int
  /// The time from a judgement out of the target to the next one; zero never reminds.
  public let reminder: SessionTime
  /// How fast a heart rate moves that is returning, in beats per minute each second; zero never calls it returning.
  public let returningBPMPerSecond: Double
  /// The time after a change of the target, and after a pause, in which nothing is judged.
  public let grace: SessionTime
  /// The time whose median decides the side, each heart rate weighted by how long it was held; zero takes the newest
  /// alone.
  public let median: SessionTime
  /// Whether coming back into the target is cued.
  public let saysHold: Bool

  /// Creates the strategy.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for a value outside the range of its parameter.
  public init(
    dwell: SessionTime = .seconds(10), marginBPM: Int = 2, reminder: SessionTime = .seconds(60),
    returningBPMPerSecond: Double = 0.1, grace: SessionTime = .zero, median: SessionTime = .zero, saysHold: Bool = true
  ) throws(ZoneError) {
    _ = try StrategyParameter.dwell.checked(dwell.seconds, of: "zone-change")
    _ = try StrategyParameter.margin.checked(Double(marginBPM), of: "zone-change")
    _ = try StrategyParameter.reminder.checked(reminder.seconds, of: "zone-change")
    _ = try StrategyParameter.returning.checked(returningBPMPerSecond, of: "zone-change")
    _ = try StrategyParameter.grace.checked(grace.seconds, of: "zone-change")
    _ = try StrategyParameter.median.checked(median.seconds, of: "zone-change")
    self.dwell = dwell
    self.marginBPM = marginBPM
    self.reminder = reminder
    self.returningBPMPerSecond = returningBPMPerSecond
    self.grace = grace
    self.median = median
    self.saysHold = saysHold
  }
}

extension ZoneChangeStrategy {
  /// That of a preset, with the numbers that hold when nothing is said.
  static let preset = ZoneChangeStrategy(presetDwell: .seconds(10))

  private init(presetDwell: SessionTime) {
    dwell = presetDwell
    marginBPM = 2
    reminder = .seconds(60)
    returningBPMPerSecond = 0.1
    grace = .zero
    median = .zero
    saysHold = true
  }
}

/// Judges, at every moment of a schedule, the heart rate that is expected at a horizon if nothing changes: a robust line
/// through the last seconds, continued as a first-order response.
///
/// At constant effort a heart rate that moves by `s` beats per minute each second moves `s·τ·(1 − exp(−h/τ))` further
/// within `h` seconds. Source of the response and of τ: Hunt, Fankhauser & Saengsuwan 2015, 10.1186/s12938-015-0112-7, 24 men:
/// 57.6 ± 23.6 s, which is 58 in whole seconds.
public struct TrendStrategy: Hashable, Sendable {
  /// When it judges.
  public let schedule: CheckSchedule
  /// The time that the line is drawn through.
  public let window: SessionTime
  /// How far ahead the heart rate is expected.
  public let horizon: SessionTime
  /// The time constant of the response.
  public let timeConstant: SessionTime
  /// Whether it says *hold* in the target; otherwise it is silent there.
  public let saysHold: Bool

  /// The steepest slope that is continued, in beats per minute each second: what is steeper is the beginning of an effort.
  static let steepest = 0.6

  /// Creates the strategy.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for a value outside the range of its parameter.
  public init(
    schedule: CheckSchedule, window: SessionTime = .seconds(30), horizon: SessionTime = .seconds(60),
    timeConstant: SessionTime = .seconds(58), saysHold: Bool = true
  ) throws(ZoneError) {
    _ = try StrategyParameter.trendWindow.checked(window.seconds, of: "trend")
    _ = try StrategyParameter.horizon.checked(horizon.seconds, of: "trend")
    _ = try StrategyParameter.timeConstant.checked(timeConstant.seconds, of: "trend")
    self.schedule = schedule
    self.window = window
    self.horizon = horizon
    self.timeConstant = timeConstant
    self.saysHold = saysHold
  }

  /// How many beats per minute the heart rate is expected to move on.
  func rise(ofSlope slope: Double) -> Double {
    let limited = min(max(slope, -Self.steepest), Self.steepest)
    return limited * timeConstant.seconds * (1 - LibraryMath.exp(-horizon.seconds / timeConstant.seconds))
  }
}

extension FeedbackStrategy {
  /// The moments at which the strategy judges; `nil` when it never does, or when the heart rate decides.
  public var schedule: CheckSchedule? {
    switch self {
    case .none, .zoneChange, .adaptive: return nil
    case .moment(let moment): return moment.schedule
    case .period(let period): return period.schedule
    case .trend(let trend): return trend.schedule
    case .asked(let asked): return asked.schedule
    }
  }

  /// The moments at which the engine looks whether there is something to say, also where nobody is judged then.
  var looks: CheckSchedule? {
    if case .adaptive(let adaptive) = self { return adaptive.schedule }
    return schedule
  }

  /// The time before a judgement that counts in it: what somebody who foresees the judgement would work for; zero when
  /// only the instant counts, `nil` when there is no schedule.
  public var judgedSpan: SessionTime? {
    switch self {
    case .none, .zoneChange, .adaptive: return nil
    case .moment(let moment): return moment.median
    case .period(let period): return period.window
    case .trend(let trend): return trend.window
    // What is asked about is the instant; what a program looks back on nobody knows.
    case .asked: return .zero
    }
  }

  /// How far back the strategy looks; `nil` when it looks at an instant.
  var lookback: SessionTime? {
    switch self {
    case .none, .adaptive: return nil
    case .moment(let moment): return moment.median > .zero ? moment.median : nil
    case .period(let period): return period.window
    case .trend(let trend): return trend.window
    case .asked(let asked): return asked.schedule.every
    case .zoneChange(let change):
      let returning = change.returningBPMPerSecond > 0 ? ZoneChangeMonitor.returningWindow : .zero
      let longest = max(change.median, returning)
      return longest > .zero ? longest : nil
    }
  }
}

/// A parameter of a strategy, as it stands in specifications and in the list of strategies.
public struct StrategyParameter: Hashable, Sendable {
  /// The key in a specification.
  public let key: String
  /// The unit of the value; empty for a count or a yes (1) or no (0).
  public let unit: String
  /// The value when nothing is said.
  public let defaultValue: Double
  /// The values that are possible.
  public let range: ClosedRange<Double>
  /// What the parameter does.
  public let meaning: String
  /// Whether a specification names it only where it is not at its default.
  public let isOptional: Bool
  /// Whether the value is a whole number.
  public let isWhole: Bool

  private init(
    _ key: String, unit: String, default defaultValue: Double, _ range: ClosedRange<Double>, _ meaning: String,
    isOptional: Bool = true, isWhole: Bool = false
  ) {
    self.key = key
    self.unit = unit
    self.defaultValue = defaultValue
    self.range = range
    self.meaning = meaning
    self.isOptional = isOptional
    self.isWhole = isWhole
  }

  static let every = StrategyParameter(
    "every", unit: "s", default: 120, 1...86_400, "active time between two judgements", isOptional: false)
  static let everyMinute = StrategyParameter(
    "every", unit: "s", default: 60, 1...86_400, every.meaning, isOptional: false)
  static let window = StrategyParameter(
    "window", unit: "s", default: 60, 1...86_400, "time before a judgement whose dominant band is judged",
    isOptional: false)
  static let median = StrategyParameter(
    "median", unit: "s", default: 0, 0...600, "time whose median heart rate is judged; 0 takes the newest alone")
  static let jitter = StrategyParameter(
    "jitter", unit: "s", default: 0, 0...43_200,
    "most that a judgement is moved at random, so that it cannot be foreseen; under half of every", isWhole: true)
  static let seed = StrategyParameter(
    "seed", unit: "", default: 0, 0...Double(UInt32.max), "chooses the random moves", isWhole: true)
  static let hold = StrategyParameter(
    "hold", unit: "", default: 1, 0...1, "1 says hold in the target, 0 is silent there", isWhole: true)

  static let dwell = StrategyParameter(
    "dwell", unit: "s", default: 10, 0...600, "time on another side of the target before a cue", isOptional: false)
  static let margin = StrategyParameter(
    "margin", unit: "bpm", default: 2, 0...30, "how far beyond its edge the target is left", isOptional: false,
    isWhole: true)
  static let reminder = StrategyParameter(
    "reminder", unit: "s", default: 60, 0...86_400, "time to a reminder out of the target; 0 never reminds",
    isOptional: false)
  static let returning = StrategyParameter(
    "returning", unit: "bpm/s", default: 0.1, 0...5,
    "a reminder is silent when the heart rate moves back this fast; 0 is never silent")
  static let grace = StrategyParameter(
    "grace", unit: "s", default: 0, 0...600, "silence after a change of the target and after a pause")
  static let onTarget = StrategyParameter(
    "hold", unit: "", default: 1, 0...1, "1 cues coming back into the target, 0 does not", isWhole: true)

  static let trendWindow = StrategyParameter(
    "window", unit: "s", default: 30, 10...600, "time that a robust line is drawn through", isOptional: false)
  static let horizon = StrategyParameter(
    "horizon", unit: "s", default: 60, 0...600, "how far ahead the heart rate is expected", isOptional: false)
  static let timeConstant = StrategyParameter(
    "tau", unit: "s", default: 58, 5...300, "time constant of the response of the heart rate")

  static let look = StrategyParameter(
    "every", unit: "s", default: 5, 1...60, "active time between two looks", isOptional: false)
  static let price = StrategyParameter(
    "price", unit: "s", default: 50, 0...240, "time in the target within the next 280 s that a cue has to buy")

  package static let slow = StrategyParameter(
    "slow", unit: "%", default: Double(RunnerPrior.anybody.slowPercent), RunnerPrior.shares,
    "how likely this heart rate follows slowly, with 80 s and not 40", isWhole: true)
  package static let loses = StrategyParameter(
    "loses", unit: "%", default: Double(RunnerPrior.anybody.losesPercent), RunnerPrior.shares,
    "how likely this runner loses again what a cue changed",
    isWhole: true)
  package static let steers = StrategyParameter(
    "steers", unit: "%", default: Double(RunnerPrior.anybody.steersPercent), RunnerPrior.shares,
    "how likely this runner steers by the heart rate on the wrist; with loses at most 98", isWhole: true)
  package static let follows = StrategyParameter(
    "follows", unit: "%", default: Double(RunnerPrior.anybody.followsPercent), RunnerPrior.shares,
    "how likely this runner follows most cues, and not three of ten", isWhole: true)
  package static let cueBPM = StrategyParameter(
    "cue", unit: "bpm", default: Double(RunnerPrior.anybody.cueBPM), 3...30,
    "what a cue that is followed changes of the heart rate", isWhole: true)

  static let graded = StrategyParameter(
    "graded", unit: "", default: 0, 0...1, "1 says how much: a little, or much; 0 does not", isWhole: true)

  /// The value of the parameter of a strategy.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for one that is not possible.
  package func checked(_ value: Double, of strategy: String) throws(ZoneError) -> Double {
    guard range.contains(value), !isWhole || value == value.rounded() else {
      throw ZoneError.strategy(
        text: "\(strategy):\(key)=\(Decimal.text(value))",
        expected: "\(key) from \(Decimal.text(range.lowerBound)) to \(Decimal.text(range.upperBound))"
          + (unit.isEmpty ? "" : " \(unit)") + (isWhole ? ", a whole number" : ""))
    }
    return value
  }
}

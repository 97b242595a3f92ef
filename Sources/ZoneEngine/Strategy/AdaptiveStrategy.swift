/// Learns in the session how the heart rate of this runner follows, what a cue does to it, and how many cues are followed; is silent
/// when the heart rate is expected to come back by itself, and while the answer to the last cue cannot show yet; speaks early when
/// the target will be left, and again where it is left for long.
public struct AdaptiveStrategy: Hashable, Sendable {
  /// When it looks.
  public let schedule: CheckSchedule
  /// How many seconds in the target a cue has to buy.
  public let priceSeconds: Double
  /// What is thought of the runner before the session.
  public private(set) var prior: RunnerPrior
  /// Whether cues say how much: a little, or much.
  public let isGraded: Bool

  /// Creates the strategy.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for a value outside the range of its parameter.
  public init(
    schedule: CheckSchedule, priceSeconds: Double = 50, prior: RunnerPrior = .anybody, isGraded: Bool = false
  ) throws(ZoneError) {
    _ = try StrategyParameter.price.checked(priceSeconds, of: "adaptive")
    self.schedule = schedule
    self.priceSeconds = priceSeconds
    self.prior = prior
    self.isGraded = isGraded
  }

  /// The same strategy for a runner of whom something is known.
  public func beginning(with prior: RunnerPrior) -> AdaptiveStrategy {
    var strategy = self
    strategy.prior = prior
    return strategy
  }

  /// How far beyond its target the heart rate is expected to be in 60 s, in bpm: at most where a little is enough, and at least where much
  /// is needed. Source: none, an assumption. 15 bpm are about what a tenth of the speed changes in walking, as the runners of a study
  /// follow a cue; a third of that is little.
  static let (mostOfLittle, leastOfMuch) = (5, 15)

  /// How much of a cue is needed where the heart rate is expected so far beyond the target, in bpm; below 0 inside of it.
  static func grade(beyond distance: Int) -> CueGrade? {
    distance <= mostOfLittle ? .little : distance >= leastOfMuch ? .much : nil
  }

  /// The shortest time between two cues. Source: none, an assumption: an answer cannot show before.
  static let shortestSilence = SessionTime.seconds(17)

  /// What a cue has to buy where the target stays left: all of the price for half a minute after the last cue, less and less then, and
  /// nothing after a minute and a half, so that somebody is not given up whom the strategy takes wrong.
  ///
  /// Source: none, tuned on virtual runners.
  func priceSeconds(silentFor silence: SessionTime) -> Double {
    priceSeconds * min(1, max(0, 1 - (silence.seconds - 30) / 60))
  }
}

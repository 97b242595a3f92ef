/// What is thought of a runner before a session: how an ``AdaptiveStrategy`` begins. Shares are in whole percent.
///
/// Small whole numbers, so that it stands in the specification of a strategy, and with it in every manifest: a replay needs no profile.
public struct RunnerPrior: Hashable, Sendable {
  /// How likely the heart rate follows with 80 s, and not with 40 s.
  public let slowPercent: UInt8
  /// How likely what a cue changed is lost again.
  public let losesPercent: UInt8
  /// How likely the runner steers by the heart rate on the wrist.
  public let steersPercent: UInt8
  /// How likely most cues are followed, and not three of ten.
  public let followsPercent: UInt8
  /// What a cue that is followed changes of the heart rate in the end, in bpm.
  public let cueBPM: UInt8

  /// Of whom nothing is known. Source: none, tuned on virtual runners.
  public static let anybody = RunnerPrior(slow: 50, loses: 15, steers: 30, follows: 70, cue: 11)

  /// The shares that can be thought of before a session: nothing is certain.
  static let shares = 1.0...97

  /// How many percent may lose or steer, together: some keep what a cue changed.
  package static let mostLosingOrSteering = 98

  /// Creates a prior of numbers that are in their ranges.
  private init(slow: UInt8, loses: UInt8, steers: UInt8, follows: UInt8, cue: UInt8) {
    (slowPercent, losesPercent, steersPercent, followsPercent, cueBPM) = (slow, loses, steers, follows, cue)
  }

  /// Creates a prior.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for a number out of its range, or when more than 98 % lose or steer.
  public init(
    slowPercent: Double, losesPercent: Double, steersPercent: Double, followsPercent: Double, cueBPM: Double
  ) throws(ZoneError) {
    func whole(_ value: Double, _ parameter: StrategyParameter) throws(ZoneError) -> UInt8 {
      UInt8(try parameter.checked(value, of: "adaptive"))
    }
    self.init(
      slow: try whole(slowPercent, .slow), loses: try whole(losesPercent, .loses),
      steers: try whole(steersPercent, .steers), follows: try whole(followsPercent, .follows),
      cue: try whole(cueBPM, .cueBPM))
    guard losesPercent + steersPercent <= Double(Self.mostLosingOrSteering) else {
      throw ZoneError.strategy(
        text: "adaptive:loses=\(Decimal.text(losesPercent)),steers=\(Decimal.text(steersPercent))",
        expected: "at most \(Self.mostLosingOrSteering) % together, since some keep what a cue changed")
    }
  }

  /// How likely a habit is.
  func share(of habit: AdaptiveHabit) -> Double {
    let kept = 100 - losesPercent - steersPercent
    let kind = Double(habit.steers ? steersPercent : habit.relapseSeconds == nil ? kept : losesPercent) / 100
    let followers = Double(habit.isFollower ? followsPercent : 100 - followsPercent) / 100
    let pace = Double(habit.isSlow ? slowPercent : 100 - slowPercent) / 100
    return kind * followers * pace
  }

  /// Half of this and half of what a session made of it, so that no single session decides; shares stay from 5 to 90 %.
  ///
  /// Source: none, an assumption.
  ///
  /// - Parameters:
  ///   - weights: how likely each habit is after the session, in sum 1.
  ///   - cue: what a cue that is followed changes, in bpm.
  func learned(_ weights: [(habit: AdaptiveHabit, weight: Double)], cue: Double) -> RunnerPrior {
    func share(_ before: UInt8, _ isMeant: (AdaptiveHabit) -> Bool) -> UInt8 {
      let after = weights.reduce(0) { $0 + (isMeant($1.habit) ? $1.weight : 0) }
      return UInt8(min(90, max(5, (Double(before) / 2 + 50 * after).rounded())))
    }
    let limits = StrategyParameter.cueBPM.range
    return RunnerPrior(
      slow: share(slowPercent, \.isSlow), loses: share(losesPercent) { $0.relapseSeconds != nil },
      steers: share(steersPercent, \.steers), follows: share(followsPercent, \.isFollower),
      cue: UInt8(min(limits.upperBound, max(limits.lowerBound, ((Double(cueBPM) + cue) / 2).rounded()))))
  }
}

/// A sequence of steps, each with a duration and a target, so that intervals can be coached.
public struct TrainingPlan: Hashable, Sendable {
  /// One step of a plan.
  public struct Step: Hashable, Sendable {
    /// What the runner is told, such as `warm-up`; may be absent.
    public let name: String?
    /// How long the step lasts, in active time. An open step (`nil`) lasts until a lap is pressed or the session ends.
    public let duration: SessionTime?
    /// Where the heart rate should be.
    public let target: HeartRateTarget

    /// Creates a step.
    ///
    /// - Throws: ``ZoneError/plan(_:)`` for a duration that is not positive or is over 24 h.
    public init(name: String?, duration: SessionTime?, target: HeartRateTarget) throws(ZoneError) {
      if let duration, duration <= .zero || duration > .seconds(86_400) {
        throw ZoneError.plan(
          "a step of \(Decimal.text(duration.seconds)) s: expected more than 0 and at most 86400 s")
      }
      self.name = name
      self.duration = duration
      self.target = target
    }
  }

  /// The most steps that a plan may have.
  public static let largestCount = 1_000

  /// The steps in order; never empty.
  public let steps: [Step]

  /// Creates a plan.
  ///
  /// - Throws: ``ZoneError/plan(_:)`` when there is no step or there are more than 1,000.
  public init(steps: [Step]) throws(ZoneError) {
    guard (1...Self.largestCount).contains(steps.count) else {
      throw ZoneError.plan("\(steps.count) steps: expected 1 to \(Self.largestCount)")
    }
    self.steps = steps
  }

  /// A plan of one open step: the same target for the whole session.
  public init(constant target: HeartRateTarget) {
    steps = [Step(unchecked: target)]
  }
}

extension TrainingPlan.Step {
  fileprivate init(unchecked target: HeartRateTarget) {
    name = nil
    duration = nil
    self.target = target
  }
}

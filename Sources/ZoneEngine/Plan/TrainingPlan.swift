/// How long a step of a plan lasts.
public enum StepLength: Hashable, Sendable {
  /// Until a lap is marked or the session ends; the lap ends the last step of a plan too.
  case untilLap
  /// Some active time.
  case time(SessionTime)
  /// Some metres; a lap ends it before, so that nobody waits for a position that is not there.
  case distance(meters: Double)

  /// Metres that a step may last.
  public static let plausibleMeters = 1.0...1_000_000

  /// The active time; absent for the others.
  public var duration: SessionTime? { if case .time(let duration) = self { duration } else { nil } }
  /// The metres; absent for the others.
  public var distanceMeters: Double? { if case .distance(let meters) = self { meters } else { nil } }
}

/// Which of several equal steps one is: effort 2 of 4. It decides nothing; a screen shows it.
public struct StepRepetition: Hashable, Sendable {
  /// The number of this one, from 1.
  public let number: Int
  /// How many there are.
  public let count: Int

  /// Creates a repetition; `nil` unless the number is one of the count.
  public init?(number: Int, count: Int) {
    guard count >= 1, (1...count).contains(number) else { return nil }
    (self.number, self.count) = (number, count)
  }
}

/// What a step of a plan asks to be done.
public enum StepActivity: String, CaseIterable, Hashable, Sendable {
  /// Walking.
  case walking
  /// Running.
  case running
}

/// A sequence of steps, each with a length and a target, so that intervals can be coached.
public struct TrainingPlan: Hashable, Sendable {
  /// One step of a plan.
  public struct Step: Hashable, Sendable {
    /// What the runner is shown, such as `warm-up`; may be absent.
    public let name: String?
    /// How long the step lasts.
    public let length: StepLength
    /// What is asked for.
    public let target: TrainingTarget
    /// Which of several equal ones it is; absent where it stands alone.
    public let repetition: StepRepetition?
    /// What is to be done; absent where that is left open. It decides nothing here: whoever recognises activities holds it
    /// against what is done.
    public let activity: StepActivity?
    /// Whether it is the target of a whole session, which no lap ends; see ``TrainingPlan/isConstant``.
    fileprivate var isWholeSession = false

    /// Creates a step.
    ///
    /// - Throws: ``ZoneError/plan(_:)`` for a duration that is not positive or is over 24 h.
    public init(name: String?, duration: SessionTime?, target: TrainingTarget) throws(ZoneError) {
      try self.init(name: name, length: duration.map { .time($0) } ?? .untilLap, target: target)
    }

    /// Creates a step.
    ///
    /// - Throws: ``ZoneError/plan(_:)`` for a time that is not positive or is over 24 h, and for a distance that is not from
    ///   1 m to 1,000 km.
    public init(
      name: String?, length: StepLength, target: TrainingTarget, activity: StepActivity? = nil,
      repetition: StepRepetition? = nil
    ) throws(ZoneError) {
      self.activity = activity
      self.repetition = repetition
      switch length {
      case .untilLap: break
      case .time(let duration):
        guard duration > .zero, duration <= .seconds(86_400) else {
          throw ZoneError.plan(
            "a step of \(Decimal.text(duration.seconds)) s: expected more than 0 and at most 86400 s")
        }
      case .distance(let meters):
        guard StepLength.plausibleMeters.contains(meters) else {
          throw ZoneError.plan("a step of \(Decimal.text(meters)) m: expected 1 to 1000000 m")
        }
      }
      self.name = name
      self.length = length
      self.target = target
    }

    /// How long the step lasts in active time; absent where it ends otherwise.
    public var duration: SessionTime? { length.duration }
    /// How many metres the step lasts; absent where it ends otherwise.
    public var distanceMeters: Double? { length.distanceMeters }
  }

  /// The most steps that a plan may have.
  public static let largestCount = 1_000

  /// The steps in order; never empty.
  public let steps: [Step]
  /// Whether it is one target, or none, for the whole session, which no lap ends.
  public var isConstant: Bool { steps.count == 1 && steps[0].isWholeSession }

  /// Creates a plan.
  ///
  /// - Throws: ``ZoneError/plan(_:)`` when there is no step or there are more than 1,000.
  public init(steps: [Step]) throws(ZoneError) {
    guard (1...Self.largestCount).contains(steps.count) else {
      throw ZoneError.plan("\(steps.count) steps: expected 1 to \(Self.largestCount)")
    }
    self.steps = steps
  }

  /// Whether a step lasts some metres, so that distances decide when it is over.
  public var hasDistances: Bool { steps.contains { $0.distanceMeters != nil } }

  /// The same target for the whole session: one open step that no lap ends.
  public init(constant target: TrainingTarget) {
    steps = [Step(unchecked: target)]
  }
}

extension TrainingPlan.Step {
  fileprivate init(unchecked target: TrainingTarget) {
    name = nil
    length = .untilLap
    self.target = target
    activity = nil
    repetition = nil
    isWholeSession = true
  }
}

/// Draws, at each decision point at which a cue is available, whether it is given: a micro-randomised trial within a session.
///
/// A decision point is a moment that the strategy judges. A cue is available there where strategy and guardrails would give
/// one; what they keep back is not available and never drawn, and what the ceiling says is no decision point at all. A cue that
/// is drawn away is withheld as ``WithholdingReason/drawn``, and the strategy goes on as if it had been given.
///
/// Source: Klasnja et al. 2015, *Microrandomized trials*, Health Psychol. 34S:1220–1228, 10.1037/hea0000305.
public struct MicroRandomization: Hashable, Sendable {
  /// How likely a cue is.
  public let probability: DrawProbability
  /// Where the random numbers begin: that of decision point n is the n-th of it.
  public let draws: CounterRandom
  /// How long after a point its outcome is taken, in active seconds, ascending.
  public let outcomeSeconds: [Int]

  /// How many outcomes a point may have.
  public static let outcomeCounts = 1...4
  /// How long after a point an outcome may be taken, in seconds.
  public static let outcomeSpans = 10...600

  /// Creates a trial.
  ///
  /// - Precondition: the spans are in ``outcomeSpans``, ascending, and as many as ``outcomeCounts`` allows.
  public init(probability: DrawProbability, draws: CounterRandom, outcomeSeconds: [Int]) {
    precondition(Self.outcomeCounts.contains(outcomeSeconds.count), "a point has an outcome")
    precondition(outcomeSeconds.allSatisfy(Self.outcomeSpans.contains), "an outcome is taken in time")
    precondition(zip(outcomeSeconds, outcomeSeconds.dropFirst()).allSatisfy { $0 < $1 }, "outcomes ascend")
    self.probability = probability
    self.draws = draws
    self.outcomeSeconds = outcomeSeconds
  }
}

/// How likely an available cue is given: a constant, or steps of something that is in the record of the point.
public struct DrawProbability: Hashable, Sendable {
  /// What steps are of.
  public enum Quantity: String, CaseIterable, Hashable, Sendable {
    /// The session's seconds since the last cue; since the start where there was none.
    case secondsSinceCue
    /// Active seconds since the last decision point, or the start, in which the heart rate was not in the target.
    case secondsOffTarget
  }

  /// A probability from a value on.
  public struct Step: Hashable, Sendable {
    /// The least value that it is for; 0 for the first.
    public let from: Double
    /// The probability, above 0 and below 1.
    public let probability: Double

    /// Creates a step.
    public init(from: Double, probability: Double) {
      self.from = from
      self.probability = probability
    }
  }

  /// What the steps are of; absent for a constant.
  public let quantity: Quantity?
  /// The steps, ascending; one for a constant.
  public let steps: [Step]

  /// Creates a rule; `nil` unless the first step begins at 0, they ascend, and every probability is above 0 and below 1.
  public init?(of quantity: Quantity?, steps: [Step]) {
    guard steps.first?.from == 0, quantity != nil || steps.count == 1,
      zip(steps, steps.dropFirst()).allSatisfy({ $0.from < $1.from }),
      steps.allSatisfy({ $0.probability > 0 && $0.probability < 1 })
    else { return nil }
    self.quantity = quantity
    self.steps = steps
  }

  /// The probability at a point.
  public func value(secondsSinceCue: Double, secondsOffTarget: Double) -> Double {
    let value =
      switch quantity {
      case .secondsSinceCue: secondsSinceCue
      case .secondsOffTarget: secondsOffTarget
      case nil: 0.0
      }
    return (steps.last { $0.from <= value } ?? steps[0]).probability
  }
}

/// A decision point of a trial, with what came after it.
public struct TrialPoint: Hashable, Sendable {
  /// Its number in the session, from 1.
  public let number: Int
  /// The moment.
  public let time: SessionTime
  /// The cue that was available; absent where none was.
  public let cue: CueAction?
  /// Why none was; absent where one was.
  public let reason: WithholdingReason?
  /// The probability with which it was given; 0 where none was available.
  public let probability: Double
  /// Whether it was given.
  public let isGiven: Bool
  /// Session time since the last cue before the point; absent where there was none.
  public let sinceCue: SessionTime?
  /// Active time since the point before, or the start, in which the heart rate was not in the target.
  public let offTarget: SessionTime
  /// How far the newest heart rate is under (negative) or over the target, in bpm; 0 in it, absent where either is not known.
  public let beatsOff: Int?
  /// What came of it, each span that is asked for, ascending; those after the end of the session are missing.
  public internal(set) var outcomes: [Outcome] = []

  /// What came after a point.
  public struct Outcome: Hashable, Sendable {
    /// How long after the point it is taken, in active seconds.
    public let seconds: Int
    /// Time in the target that was in force, of the active time that the outcome is taken over.
    public let inTarget: SessionTime
    /// Time with a heart rate, or a value of what is asked for, while there was a target.
    public let covered: SessionTime
  }
}

/// The points of a trial that wait for what comes after them.
struct TrialCourse: Sendable {
  let rule: MicroRandomization
  private(set) var waiting: [Waiting] = []
  private(set) var count = 0
  /// The totals at the point before.
  private var before = Totals()

  struct Totals: Sendable {
    var active = SessionTime.zero
    var inTarget = SessionTime.zero
    var covered = SessionTime.zero
  }

  struct Waiting: Sendable {
    var point: TrialPoint
    let totals: Totals
    var next = 0
  }

  init(_ rule: MicroRandomization) { self.rule = rule }

  /// When an outcome is to be taken next, in active time.
  var due: SessionTime? {
    waiting.lazy.map { $0.totals.active + .seconds(rule.outcomeSeconds[$0.next]) }.min()
  }

  /// Draws at a point.
  mutating func draw(
    _ outcome: Decision.Outcome, at time: SessionTime, _ totals: Totals, sinceCue: SessionTime?, beatsOff: Int?
  ) -> Decision.Outcome {
    count += 1
    let offTarget = (totals.active - before.active) - (totals.inTarget - before.inTarget)
    before = totals
    var (cue, reason): (CueAction?, WithholdingReason?)
    switch outcome {
    case .cue(let action): cue = action
    case .withheld(let why): reason = why
    }
    let probability =
      cue == nil
      ? 0 : rule.probability.value(secondsSinceCue: (sinceCue ?? time).seconds, secondsOffTarget: offTarget.seconds)
    let isGiven = cue != nil && rule.draws.unit(at: UInt64(count)) < probability
    waiting.append(
      Waiting(
        point: TrialPoint(
          number: count, time: time, cue: cue, reason: reason, probability: probability, isGiven: isGiven,
          sinceCue: sinceCue, offTarget: offTarget, beatsOff: beatsOff),
        totals: totals))
    return cue == nil || isGiven ? outcome : .withheld(.drawn)
  }

  /// Takes the outcomes that are due; the points that have all of theirs.
  mutating func take(_ totals: Totals) -> [TrialPoint] {
    for index in waiting.indices {
      while waiting[index].next < rule.outcomeSeconds.count,
        waiting[index].totals.active + .seconds(rule.outcomeSeconds[waiting[index].next]) <= totals.active
      {
        let from = waiting[index].totals
        waiting[index].point.outcomes.append(
          TrialPoint.Outcome(
            seconds: rule.outcomeSeconds[waiting[index].next], inTarget: totals.inTarget - from.inTarget,
            covered: totals.covered - from.covered))
        waiting[index].next += 1
      }
    }
    let whole = waiting.prefix { $0.next == rule.outcomeSeconds.count }.map(\.point)
    waiting.removeFirst(whole.count)
    return whole
  }

  /// The points that still wait when the session ends.
  mutating func finish() -> [TrialPoint] {
    defer { waiting.removeAll() }
    return waiting.map(\.point)
  }
}

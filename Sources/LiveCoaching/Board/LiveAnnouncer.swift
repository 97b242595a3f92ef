package import WorkoutSession
package import ZoneEngine

/// Something to be said to a runner.
package struct Announcement: Sendable {
  /// What is said.
  package let phrase: SpokenPhrase
  /// The cue that it is; absent for everything else.
  package let cue: (action: CueAction, decision: Decision)?

  /// Something to be said.
  package init(phrase: SpokenPhrase, cue: (action: CueAction, decision: Decision)?) {
    (self.phrase, self.cue) = (phrase, cue)
  }
}

/// Decides what is said of a running session, and when: cues, steps, what is left of a step, three, two, one, that something else
/// is done than a step asks for, splits, halves and best efforts. Whoever has a voice, a bell or a desktop says it.
package struct LiveAnnouncer: Sendable {
  /// What is left of a step when that is said, in seconds, and how long the step has to be at least.
  private static let marks: [(left: Int, least: Int)] = [(60, 120), (30, 60), (10, 20), (3, 8), (2, 8), (1, 8)]
  /// From here on the step after it is said too.
  private static let nextMark = 10
  /// Something that was some time ago is not said any more.
  private static let longestBatch = SessionTime.seconds(10)
  /// Halves that differ by less are said to be the same, in metres and seconds.
  private static let sameMeters = 10.0
  private static let sameSeconds = 2.0

  private let units: UnitSystem
  private var bests: RunningBests
  private var newest = BoardMark.start
  private var splitCount = 0
  private var splitStart = BoardMark.start
  private var stepNumber = 0
  private var lapNumber = 1
  /// Whether a lap ended a step before its metres, so that nobody knows how far all of it will be.
  private var isCutByLap = false
  /// The smallest mark of the current step that has passed.
  private var passedMark = Int.max
  private var half: BoardMark?
  private var isHalfPassed = false
  private var hasComparedHalves = false

  /// An announcer of a session that begins.
  ///
  /// - Parameter bests: the efforts over a distance that are announced when they are beaten.
  package init(units: UnitSystem, bests: [BestEffort], fastestMetersPerSecond: Double) {
    self.units = units
    self.bests = RunningBests(toBeat: bests, fastestMetersPerSecond: fastestMetersPerSecond)
  }

  /// Takes new events and the session as it is after them; what is to be said, in its order.
  package mutating func note(_ events: [SessionEvent], _ pipeline: SessionPipeline) -> [Announcement] {
    let engine = pipeline.engine
    var said: [Announcement] = []
    func say(_ phrase: SpokenPhrase) { said.append(Announcement(phrase: phrase, cue: nil)) }
    for event in events {
      switch event {
      case .engine(.decision(let decision)):
        guard case .cue(let action) = decision.outcome else { continue }
        said.append(
          Announcement(phrase: SpokenPhrase(action, decision, in: units), cue: (action: action, decision: decision)))
      case .engine(let event):
        if let phrase = SpokenPhrase(event, in: units) { say(phrase) }
      case .activityDiffers(_, let asked, _): say(.activityDiffers(asked: asked))
      case .started, .lap, .sourceChanged, .activity, .countdown, .rejected, .acknowledgement, .ended: break
      }
    }
    let mark = BoardMark(engine)
    defer { newest = mark }
    let isNear = mark.time - newest.time <= Self.longestBatch
    noteLaps(pipeline)
    if let phrase = countdown(pipeline), isNear { say(phrase) }
    for phrase in splits(until: mark) where isNear { say(phrase) }
    if let meters = mark.meters, !engine.isPaused, mark.time > newest.time {
      for effort in bests.admit(meters: meters, at: mark.time) {
        guard isNear, case .distance(let meters) = effort.span, let distance = BestDistance(meters: meters) else {
          continue
        }
        say(.bestEffort(distance, .seconds(Int(effort.value.rounded()))))
      }
    }
    for phrase in halves(pipeline, mark, events) where isNear { say(phrase) }
    return said
  }

  // MARK: - A step

  /// Takes note of a lap that ended a step.
  private mutating func noteLaps(_ pipeline: SessionPipeline) {
    // Before the first look the first step was under way.
    let isOtherStep = pipeline.engine.stepNumber != max(stepNumber, 1)
    if isOtherStep, pipeline.lap != lapNumber { isCutByLap = true }
    lapNumber = pipeline.lap
  }

  /// What is left of the step, where that is to be said now.
  ///
  /// What was decided is as far as the heart rate is; the instant is that of the clock of the run, which may be between two heart rates.
  private mutating func countdown(_ pipeline: SessionPipeline) -> SpokenPhrase? {
    let engine = pipeline.engine
    let position = engine.position
    if position.number != stepNumber { (stepNumber, passedMark) = (position.number, .max) }
    guard position.count > 1, let step = position.step else { return nil }
    let since = max(.zero, pipeline.runTime - engine.now)
    // A step that is over has nothing left, though the reading that ends it has not come.
    guard !engine.isPaused, let seconds = Self.secondsLeft(position, engine, since: since), seconds > 0 else {
      return nil
    }
    let whole = Int(seconds.rounded(.up))
    let length = step.duration?.seconds ?? .infinity
    let due = Self.marks.first { $0.left == whole && length >= Double($0.least) && $0.left < passedMark }
    guard let due else { return nil }
    // Of a way that is left nobody knows the seconds until it is short.
    guard step.duration != nil || due.left <= 3 else { return nil }
    passedMark = due.left
    if due.left <= 3 { return .countdown(due.left) }
    let next = due.left == Self.nextMark ? position.next.map { SpokenStep($0, position.nextTarget, in: units) } : nil
    return .timeLeft(.seconds(due.left), next: next)
  }

  /// Seconds until the step is over, some time after what was decided: of some metres those that they take at the speed of now.
  private static func secondsLeft(
    _ position: PlanPosition, _ engine: CoachingEngine, since: SessionTime
  ) -> Double? {
    if let remaining = position.remaining { return (remaining - since).seconds }
    guard let meters = position.remainingMeters, let speed = engine.currentSpeed, speed > 0.3 else { return nil }
    return meters / speed - since.seconds
  }

  // MARK: - Splits and halves

  /// The kilometres or miles that are over now.
  private mutating func splits(until mark: BoardMark) -> [SpokenPhrase] {
    guard let meters = mark.meters else { return [] }
    var phrases: [SpokenPhrase] = []
    while meters >= Double(splitCount + 1) * units.splitMeters {
      splitCount += 1
      let end = newest.crossing(meters: Double(splitCount) * units.splitMeters, to: mark)
      phrases.append(.split(number: splitCount, units, end.active - splitStart.active))
      splitStart = end
    }
    return phrases
  }

  /// Half of a session of which the end is known, and at its end how the halves compare.
  private mutating func halves(
    _ pipeline: SessionPipeline, _ mark: BoardMark, _ events: [SessionEvent]
  ) -> [SpokenPhrase] {
    guard let whole = Whole(pipeline) else { return [] }
    let units = units
    var phrases: [SpokenPhrase] = []
    switch whole {
    case .time(let total):
      let middle = SessionTime(nanoseconds: total.nanoseconds / 2)
      if !isHalfPassed, mark.active >= middle {
        isHalfPassed = true
        half = newest.reaching(active: middle, to: mark)
        phrases.append(.halfTime(left: total - middle))
      }
      guard mark.active >= total, let first = half?.meters, let all = mark.meters else { break }
      let difference = all - 2 * first
      compare(difference, Self.sameMeters, &phrases) { comparison, amount in
        .halvesOfTime(secondIs: comparison, by: SpokenDistance(meters: amount.rounded(), in: units))
      }
    case .distance(let total):
      guard let meters = mark.meters, !isCutByLap else { break }
      if !isHalfPassed, meters >= total / 2 {
        isHalfPassed = true
        half = newest.crossing(meters: total / 2, to: mark)
        phrases.append(.halfDistance(left: SpokenDistance(meters: total / 2, in: units)))
      }
      guard meters >= total, let first = half?.active else { break }
      let difference = mark.active.seconds - 2 * first.seconds
      compare(difference, Self.sameSeconds, &phrases) { comparison, amount in
        .halvesOfDistance(secondIs: comparison, by: .seconds(Int(amount.rounded())))
      }
    }
    return phrases
  }

  /// Says once how the second half compares with the first.
  private mutating func compare(
    _ difference: Double, _ same: Double, _ phrases: inout [SpokenPhrase],
    _ phrase: (HalfComparison, Double) -> SpokenPhrase
  ) {
    guard !hasComparedHalves else { return }
    hasComparedHalves = true
    phrases.append(phrase(difference.magnitude < same ? .same : difference > 0 ? .more : .less, difference.magnitude))
  }

  /// What a session comes to in the end, where that is known.
  private enum Whole {
    case time(SessionTime)
    case distance(meters: Double)

    init?(_ pipeline: SessionPipeline) {
      let engine = pipeline.engine
      if let remaining = pipeline.remaining {
        self = .time(engine.active + remaining)
        return
      }
      let steps = engine.settings.plan.steps
      let spans = steps.compactMap(\.duration)
      let ways = steps.compactMap(\.distanceMeters)
      if spans.count == steps.count {
        self = .time(spans.reduce(.zero, +))
      } else if ways.count == steps.count {
        self = .distance(meters: ways.reduce(0, +))
      } else {
        return nil
      }
    }
  }
}

extension BoardMark {
  /// The instant between this mark and a newer one at which so many metres were covered.
  fileprivate func crossing(meters goal: Double, to newer: BoardMark) -> BoardMark {
    guard let older = meters, let new = newer.meters, new > older else { return newer }
    return between(newer, share: (goal - older) / (new - older))
  }

  /// The instant between this mark and a newer one at which so much active time was over.
  fileprivate func reaching(active goal: SessionTime, to newer: BoardMark) -> BoardMark {
    guard newer.active > active else { return newer }
    return between(newer, share: (goal - active).seconds / (newer.active - active).seconds)
  }
}

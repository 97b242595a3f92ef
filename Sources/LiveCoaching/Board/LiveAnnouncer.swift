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
  /// How much later than the last reading of a distance a session may end for somebody to know how far it went.
  private static let longestRest = SessionTime.seconds(30)

  private let units: UnitSystem
  private var bests: RunningBests
  private var newestTime = SessionTime.zero
  /// The newest reading of a distance that was seen.
  private var seen = WayPoint.start
  private var splitCount = 0
  private var stepNumber = 0
  private var lapNumber = 1
  /// Whether a lap ended a step before its metres, so that nobody knows how far all of it will be.
  private var isCutByLap = false
  /// The smallest mark of the current step that has passed.
  private var passedMark = Int.max
  /// Where half of it was, by the readings of the distance; absent before, and where nobody knows.
  private var half: WayPoint?
  private var isHalfSaid = false
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
        if let phrase = SpokenPhrase(event, ofSteps: engine.settings.plan.steps.count, in: units) { say(phrase) }
      case .activityDiffers(_, let asked, _): say(.activityDiffers(asked: asked))
      case .started, .lap, .sourceChanged, .activity, .countdown, .rejected, .acknowledgement, .ended: break
      }
    }
    let way = pipeline.way
    defer { (newestTime, seen) = (engine.now, way.newest) }
    let isNear = engine.now - newestTime <= Self.longestBatch
    noteLaps(pipeline)
    if let phrase = countdown(pipeline), isNear { say(phrase) }
    if let phrase = split(way), isNear { say(phrase) }
    if !engine.isPaused, way.newest.time > seen.time {
      for effort in bests.admit(meters: way.newest.meters, at: way.newest.time) {
        guard isNear, case .distance(let meters) = effort.span, let distance = BestDistance(meters: meters) else {
          continue
        }
        say(.bestEffort(distance, .seconds(Int(effort.value.rounded()))))
      }
    }
    for phrase in halves(pipeline, isNear: isNear) where isNear { say(phrase) }
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
    // A step that is over has nothing left, though the reading that ends it has not come.
    guard !engine.isPaused, let seconds = Self.secondsLeft(position, pipeline), seconds > 0 else { return nil }
    let whole = Int(seconds.rounded(.up))
    let length = step.duration?.seconds ?? .infinity
    let due = Self.marks.first { $0.left == whole && length >= Double($0.least) && $0.left < passedMark }
    guard let due else { return nil }
    // Of a way that is left nobody knows the seconds until it is short.
    guard step.duration != nil || due.left <= 3 else { return nil }
    passedMark = due.left
    if due.left <= 3 { return .countdown(due.left) }
    let next = due.left == Self.nextMark ? position.next : nil
    return .timeLeft(
      .seconds(due.left),
      next: next.map {
        SpokenStep($0, number: position.number + 1, of: position.count, position.nextTarget, in: units)
      })
  }

  /// Seconds until the step is over, by the clock of the run: of some metres those that they take at the speed of now, since the newest
  /// distance, which heart rates come after.
  private static func secondsLeft(_ position: PlanPosition, _ pipeline: SessionPipeline) -> Double? {
    if let remaining = pipeline.runStepRemaining { return remaining.seconds }
    guard let meters = position.remainingMeters, let speed = pipeline.engine.currentSpeed, speed > 0.3 else {
      return nil
    }
    return meters / speed - max(.zero, pipeline.runTime - pipeline.way.newest.time).seconds
  }

  // MARK: - Splits and halves

  /// The kilometre or mile that is over now.
  private mutating func split(_ way: SessionWay) -> SpokenPhrase? {
    let splits = way.splits(units)
    guard splits.number > splitCount else { return nil }
    splitCount = splits.number
    return .split(number: splits.number, units, splits.span)
  }

  /// Half of a session of which the end is known, and at its end how the halves compare.
  private mutating func halves(_ pipeline: SessionPipeline, isNear: Bool) -> [SpokenPhrase] {
    guard let whole = Whole(pipeline) else { return [] }
    let units = units
    let (way, active) = (pipeline.way, pipeline.engine.active)
    var phrases: [SpokenPhrase] = []
    switch whole {
    case .time(let total):
      let middle = SessionTime(nanoseconds: total.nanoseconds / 2)
      if !isHalfSaid, active >= middle {
        isHalfSaid = true
        phrases.append(.halfTime(left: total - middle))
      }
      // How far it was then, the next reading shows.
      if !isHalfPassed, way.newest.active >= middle {
        isHalfPassed = true
        half = start(in: way, isNear: isNear) { $0.active <= middle }.map { start in
          WayPoint(
            time: middle, active: middle, meters: start.meters(whenActive: middle, to: way.newest))
        }
      }
      guard let first = half?.meters, let all = meters(at: total, pipeline, isNear: isNear) else { break }
      let difference = all - 2 * first
      compare(difference, Self.sameMeters, &phrases) { comparison, amount in
        .halvesOfTime(secondIs: comparison, by: SpokenDistance(meters: amount.rounded(), in: units))
      }
    case .distance(let total):
      guard !isCutByLap else { break }
      let meters = way.newest.meters
      if !isHalfPassed, meters >= total / 2 {
        isHalfPassed = true
        half = start(in: way, isNear: isNear) { $0.meters <= total / 2 }?.crossing(meters: total / 2, to: way.newest)
        phrases.append(.halfDistance(left: SpokenDistance(meters: total / 2, in: units)))
      }
      guard meters >= total, let first = half?.active else { break }
      let end = start(in: way, isNear: isNear) { $0.meters <= total }?.crossing(meters: total, to: way.newest)
      guard let end else { break }
      compare(end.active.seconds - 2 * first.seconds, Self.sameSeconds, &phrases) { comparison, amount in
        .halvesOfDistance(secondIs: comparison, by: .seconds(Int(amount.rounded())))
      }
    }
    return phrases
  }

  /// The last reading of a distance before an instant that the newest one lies beyond; `nil` where nobody knows of one that is near.
  private func start(in way: SessionWay, isNear: Bool, _ isBefore: (WayPoint) -> Bool) -> WayPoint? {
    isBefore(way.before) ? way.before : isNear && isBefore(seen) ? seen : nil
  }

  /// The metres at the end of a time, once a reading lies beyond it, or the session is over; `nil` before, and where nobody knows.
  private func meters(at total: SessionTime, _ pipeline: SessionPipeline, isNear: Bool) -> Double? {
    let way = pipeline.way
    if way.newest.active >= total {
      return start(in: way, isNear: isNear) { $0.active <= total }?.meters(whenActive: total, to: way.newest)
    }
    guard pipeline.isOver, pipeline.engine.active >= total, total - way.newest.active <= Self.longestRest else {
      return nil
    }
    return way.before.meters(whenActive: total, to: way.newest)
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

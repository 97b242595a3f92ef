package import ZoneEngine
internal import WorkoutSession

/// What a session had come to at an instant, so that a lap or a step is what lies between two of them.
struct BoardMark: Sendable {
  /// Events that come together lie at most this far apart where something between them is said of one of them.
  private static let longestBatch = SessionTime.seconds(10)

  /// When it was.
  let time: SessionTime
  /// Active time.
  let active: SessionTime
  /// Metres; absent where nobody knows them.
  let meters: Double?
  /// Active time in the target, and with a target and a value; absent where nobody knows them.
  let target: (inTarget: SessionTime, covered: SessionTime)?

  /// The start of a session.
  static let start = BoardMark(time: .zero, active: .zero, meters: 0, target: (.zero, .zero))

  private init(
    time: SessionTime, active: SessionTime, meters: Double?, target: (inTarget: SessionTime, covered: SessionTime)?
  ) {
    (self.time, self.active, self.meters, self.target) = (time, active, meters, target)
  }

  /// A session as it stands.
  init(_ engine: CoachingEngine) {
    let summary = engine.summary
    self.init(
      time: engine.now, active: engine.active, meters: engine.distanceMeters,
      target: (summary.inTarget, summary.coveredWithTarget))
  }

  /// An instant between this one and a newer one, by the share of the time; what lies too far apart is not known.
  func mark(at time: SessionTime, active: SessionTime, to newer: BoardMark) -> BoardMark {
    let span = newer.time - self.time
    guard span > .zero, span <= Self.longestBatch, time >= self.time, time <= newer.time else {
      let isNewer = span == .zero && time == newer.time
      return BoardMark(
        time: time, active: active, meters: isNewer ? newer.meters : nil, target: isNewer ? newer.target : nil)
    }
    let share = (time - self.time).seconds / span.seconds
    func between(_ older: SessionTime, _ newer: SessionTime) -> SessionTime {
      older + SessionTime(nanoseconds: Int64(Double((newer - older).nanoseconds) * share))
    }
    var target: (inTarget: SessionTime, covered: SessionTime)?
    if let older = self.target, let newer = newer.target {
      target = (between(older.inTarget, newer.inTarget), between(older.covered, newer.covered))
    }
    let meters = newer.meters.map { newer in (self.meters ?? 0) + (newer - (self.meters ?? 0)) * share }
    return BoardMark(time: time, active: active, meters: meters, target: target)
  }

  /// What lies between an older mark and this one.
  func since(_ older: BoardMark) -> (active: SessionTime, meters: Double?) {
    (active - older.active, meters.flatMap { meters in older.meters.map { meters - $0 } })
  }

  /// Time in the target, and with a target and a value, between an older mark and this one.
  func target(since older: BoardMark) -> (inTarget: SessionTime, covered: SessionTime)? {
    guard let target, let before = older.target else { return nil }
    return (target.inTarget - before.inTarget, target.covered - before.covered)
  }
}

/// How much of the session was paused until now, by its events.
struct PauseCount: Sendable {
  private var paused = SessionTime.zero
  private var since: SessionTime?

  /// Takes an event.
  mutating func note(_ event: SessionEvent) {
    switch event {
    case .engine(.paused(let time)): since = since ?? time
    case .engine(.resumed(let time)):
      if let since { paused = paused + (time - since) }
      since = nil
    case .started, .engine, .lap, .sourceChanged, .activity, .activityDiffers, .countdown, .rejected, .acknowledgement,
      .ended:
      break
    }
  }

  /// The active time until an instant that is not before the newest event.
  func active(at time: SessionTime) -> SessionTime { (since.map { min($0, time) } ?? time) - paused }
}

/// What a step had come to when it was in its target for the first time.
struct StepArrival: Hashable, Sendable {
  /// Active time until then.
  let active: SessionTime
  /// Time with a target and a value until then.
  let covered: SessionTime

  /// When that was; `nil` while a step was never in its target, and where nobody knows.
  ///
  /// - Parameters:
  ///   - mark: the session soon after it was there.
  ///   - start: the session when the step began.
  init?(_ mark: BoardMark, since start: BoardMark) {
    guard let target = mark.target(since: start), target.inTarget > .zero else { return nil }
    active = mark.since(start).active - target.inTarget
    covered = target.covered - target.inTarget
  }
}

/// What a step of a plan came to that is over.
package struct CompletedStep: Sendable {
  /// What it is called, such as `effort 1 of 4`.
  package let name: String
  /// How long it took, of the active time.
  package let active: SessionTime
  /// Metres; absent where nobody knows them.
  package let meters: Double?
  /// Time in the target, and with a target and a value; absent without a target, and where nobody knows.
  package let target: (inTarget: SessionTime, covered: SessionTime)?
  /// `✓` where it came into its target in time and stayed there for long enough, by the rule of `PlanVerdict`, and where it asked
  /// for nothing; `✕` where it did not, `·` where nobody knows.
  package let sign: String

  init(
    _ step: TrainingPlan.Step, _ number: Int, from: BoardMark, to: BoardMark, _ engine: CoachingEngine,
    _ arrival: StepArrival?
  ) {
    name = LiveStep.name(of: step, number: number, of: engine.settings.plan.steps.count)
    (active, meters) = to.since(from)
    target = to.target(since: from).flatMap { $0.covered > .zero ? $0 : nil }
    guard let target else {
      sign = step.target == .open ? "✓" : "·"
      return
    }
    var quantity: TargetQuantity?
    if case .quantity(let band) = step.target { quantity = band.quantity }
    // The verdict counts whole seconds.
    let kept = PlanVerdict.keeping(
      quantity, activeSeconds: Int(active.seconds.rounded()), secondsToTarget: arrival.map { Int($0.active.seconds) },
      inside: target.inTarget.seconds, ofCounted: target.covered.seconds - (arrival?.covered.seconds ?? 0))
    sign = arrival != nil && kept.lateSeconds == nil && kept.isLongEnough ? "✓" : "✕"
  }

  /// From the longest to the shortest wording: `effort 1 of 4 done: 2:40 of 3:00 in target`, `effort 1 of 4: 2:40 of 3:00`; without
  /// a target `rest 1 of 3 done: 2:00`.
  package var texts: [String] {
    guard let target else {
      let time = QuantityText.shortClock(active)
      return ["\(name) done: \(time)", "\(name): \(time)"]
    }
    func clock(_ span: SessionTime) -> String { QuantityText.shortClock(.seconds(Int(span.seconds.rounded()))) }
    let share = "\(clock(target.inTarget)) of \(clock(target.covered))"
    return ["\(name) done: \(share) in target", "\(name): \(share) in target", "\(name): \(share)", share]
  }
}

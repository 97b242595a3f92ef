/// The one engine that answers a live run, a replay and a simulation.
///
/// It is fed with readings and with the passing of time, and appends what it decides to an array of events. It knows
/// no clock: time is an argument, and silence is told by ``advance(to:into:)``. Moments due at a time are evaluated
/// when time moves beyond it, so that every reading at exactly that time counts.
///
/// Memory is constant whatever the length of the session, and ``summary`` takes the same time after a minute and after
/// a day.
public struct CoachingEngine: Sendable {
  /// The longest time that an accepted heart rate holds: three of the 5 s intervals at which a watch delivers.
  public static let holdLimit = SessionTime.seconds(15)

  /// What was asked for at the start.
  public let settings: CoachingSettings
  /// The strategy in force.
  public private(set) var strategy: FeedbackStrategy
  /// The time up to which the session has been decided.
  public private(set) var now = SessionTime.zero
  /// Whether the session is paused.
  public var isPaused: Bool { !isRunning }
  /// Time that was not paused.
  public private(set) var active = SessionTime.zero
  /// The target in force; absent when nothing is asked for.
  public private(set) var target: ResolvedTarget? {
    didSet { targetLimits = Self.limits(of: target) }
  }
  /// The newest accepted heart rate, as displayed, and when it came; absent before the first.
  public private(set) var newestReading: (displayedBPM: Int, time: SessionTime)?

  private var isRunning = true
  private var resumedAt = SessionTime.zero
  private var isSignalLost = false
  /// The newest heart rate that was accepted in the current pause.
  private var pausedBPM: Double?

  private var filter = SignalFilter()
  private var suspicions = SuspicionMonitor()

  private var heldBPM = Int(HeldWindow.nothing)
  private var heldUntil = SessionTime.zero
  private var isHeldInTarget = false
  private var held = HeldHeartRate()
  private var window: HeldWindow?

  /// The limits of the target, so that a reading is compared with two numbers; empty without a target.
  private var targetLimits: (lower: Int, upper: Int)
  private(set) var stepIndex = 0
  private(set) var stepEndActive: SessionTime?
  private(set) var nextCheck: NextCheck
  /// Follows how long the heart rate is above the ceiling; absent without one.
  private var ceiling: CeilingWatch?
  /// Who wants to hear of every heart rate.
  private var listeners: Listeners
  /// No cue is given before, in active time.
  private var graceUntil = SessionTime.zero
  /// What happens next if no reading comes, and when at the earliest.
  private var nextHappening = Happening.check
  private var nextDue = SessionTime.zero
  private var lastCue: SessionTime?

  private var inTarget = SessionTime.zero
  private var coveredWithTarget = SessionTime.zero
  private var activeWithTarget = SessionTime.zero
  private var readings = HeartRateStatistics()
  private var acceptedCount = 0
  private var rejectedCount = 0
  private var cueCounts = CueCounts()
  private var distance: DistanceTotal
  private var steps = StepTotal()

  /// Creates an engine at the start of a session.
  public init(settings: CoachingSettings) {
    self.settings = settings
    distance = DistanceTotal(fastestMetersPerSecond: settings.fastestMetersPerSecond)
    strategy = settings.strategy
    if let length = strategy.lookback { window = HeldWindow(window: length) }
    nextCheck = NextCheck(strategy)
    ceiling = settings.ceiling.map { CeilingWatch($0) }
    listeners = Listeners(nextCheck, hasCeiling: ceiling != nil)
    target = settings.targets[0]
    targetLimits = Self.limits(of: settings.targets[0])
    stepEndActive = settings.plan.steps[0].duration
  }

  /// Begins the session: tells the first step of a plan that has several.
  public mutating func begin(into events: inout [EngineEvent]) {
    guard settings.plan.steps.count > 1 else { return }
    events.append(stepEvent(at: now))
  }

  // MARK: - Time

  /// Moves time on; everything due before `time` happens, what is due at exactly `time` waits for the readings of that
  /// instant. A time that is not after ``now`` changes nothing.
  public mutating func advance(to time: SessionTime, into events: inout [EngineEvent]) {
    guard time > now else { return }
    if time > nextDue { settle(before: time, into: &events) }
    account(until: time)
  }

  /// Pauses the session. A moment that is due in this very instant is withheld as paused.
  public mutating func pause(at time: SessionTime, into events: inout [EngineEvent]) {
    advance(to: time, into: &events)
    guard isRunning else { return }
    isRunning = false
    heldBPM = Int(HeldWindow.nothing)
    window?.hold(HeldWindow.nothing, from: now)
    ceiling?.lose()
    distance.breakTrack()
    steps.breakCount()
    if nextCheck.due == active { judge(into: &events) }
    nextCheck.restart(at: active)
    events.append(.paused(at: now))
    nextDue = .distantFuture
  }

  /// Goes on after a pause. No heart rate is held across a pause, only one of this very instant.
  public mutating func resume(at time: SessionTime, into events: inout [EngineEvent]) {
    advance(to: time, into: &events)
    guard !isRunning else { return }
    isRunning = true
    resumedAt = now
    beginGrace()
    nextCheck.restart(at: active)
    events.append(.resumed(at: now))
    if let newestReading, newestReading.time == now {
      if let pausedBPM { readings.admit(pausedBPM) }
      hold(newestReading.displayedBPM, from: now, reading: now)
      restoreSignal(displayedBPM: newestReading.displayedBPM, into: &events)
    }
    pausedBPM = nil
    lookAhead()
  }

  /// Begins the next step of a plan when the current one is open, as a lap does; returns whether one began.
  public mutating func lap(at time: SessionTime, into events: inout [EngineEvent]) -> Bool {
    advance(to: time, into: &events)
    guard isRunning, stepEndActive == nil, stepIndex + 1 < settings.plan.steps.count else { return false }
    beginNextStep(into: &events)
    lookAhead()
    return true
  }

  /// Ends the session: a step that is over at exactly the end changes, and a moment due then is still evaluated.
  public mutating func finish(at time: SessionTime, into events: inout [EngineEvent]) {
    advance(to: time, into: &events)
    endStepThatIsOver(into: &events)
    if isRunning, let due = ceiling?.due, due <= active { warn(into: &events) }
    if isRunning, nextCheck.due == active { judge(into: &events) }
  }

  /// When the active time will reach a span, if nothing pauses the session; `nil` while it is paused or when the span
  /// has passed.
  public func time(whenActive span: SessionTime) -> SessionTime? {
    guard isRunning, span >= active else { return nil }
    return now + (span - active)
  }

  /// Active time to the next judgement; `nil` when there will be none, or when nobody is to foresee it.
  public var timeToNextCheck: SessionTime? {
    guard strategy.schedule?.isForeseeable == true else { return nil }
    return nextCheck.due.map { $0 - active }
  }

  // MARK: - Readings

  /// Takes a heart rate. One that is older than ``now`` is used from now on, never backwards.
  ///
  /// - Precondition: `time` is not before the newest accepted reading.
  /// - Complexity: O(1), without allocation unless there is something to tell.
  @discardableResult
  public mutating func heartRate(
    _ beatsPerMinute: Double, at time: SessionTime, into events: inout [EngineEvent]
  ) -> SignalFilter.Verdict {
    advance(to: time, into: &events)
    let verdict = filter.admit(beatsPerMinute, at: time)
    guard verdict == .accepted else {
      rejectedCount += 1
      return verdict
    }
    acceptedCount += 1
    let displayed = HeartRateZones.displayed(beatsPerMinute)
    newestReading = (displayed, time)
    guard isRunning else {
      pausedBPM = beatsPerMinute
      return verdict
    }
    readings.admit(beatsPerMinute)
    hold(displayed, from: now, reading: time)
    nextDue = min(nextDue, heldUntil)
    restoreSignal(displayedBPM: displayed, into: &events)
    suspicions.admit(beatsPerMinute, displayedBPM: displayed, at: time) { suspicion, since in
      events.append(.signalSuspect(at: now, suspicion: suspicion, since: since))
    }
    return verdict
  }

  /// Takes the steps since the last step sample; steps in a pause do not count.
  public mutating func steps(_ count: Int, at time: SessionTime) {
    guard isRunning else { return }
    if let cadence = steps.admit(steps: count, at: time) { suspicions.admit(cadence: cadence, at: time) }
  }

  /// Takes a cadence in steps per minute that a device told.
  public mutating func cadence(_ stepsPerMinute: Double, at time: SessionTime) {
    guard isRunning, stepsPerMinute.isFinite, stepsPerMinute >= 0 else { return }
    steps.admit(cadence: stepsPerMinute, at: time)
    suspicions.admit(cadence: stepsPerMinute, at: time)
  }

  /// Takes a position; returns whether it counted towards the distance. Positions in a pause do not.
  @discardableResult
  public mutating func location(_ fix: LocationFix, at time: SessionTime) -> Bool {
    guard isRunning else { return false }
    return distance.admit(fix, at: time)
  }

  /// Takes the metres since the start as a device counted them; they win over positions.
  public mutating func recordedDistance(_ meters: Double, at time: SessionTime) {
    distance.admit(recordedMeters: meters, at: time)
  }

  // MARK: - Answers

  /// Speed over the last 15 to 30 s in metres per second; `nil` when there is too little to tell.
  public var currentSpeed: Double? { distance.currentSpeed(at: now) }

  /// Metres so far; `nil` when nothing measured them.
  public var distanceMeters: Double? { distance.meters }

  /// Steps so far; `nil` when nothing counted them.
  public var stepCount: Int? { steps.steps }

  /// How many runs of equal heart rates the storage of the strategy's window can hold; it tells how much memory the
  /// engine takes beyond its fixed size.
  public var windowCapacity: Int { window?.capacity ?? 0 }

  /// The summary of everything so far.
  ///
  /// - Complexity: O(1) in the length of the session.
  public var summary: SessionSummary {
    SessionSummary(
      settings: settings, elapsed: now, active: active, held: held, inTarget: inTarget,
      coveredWithTarget: coveredWithTarget, activeWithTarget: activeWithTarget, readings: readings,
      accepted: acceptedCount, rejected: rejectedCount, cues: cueCounts, distance: distance, steps: steps)
  }

  // MARK: - What happens by itself

  private enum Happening { case step, ceiling, check, loss }

  /// Finds what happens next if no reading comes; at one instant a step changes first, then the ceiling speaks, then a
  /// moment is judged, and a signal is lost only after.
  ///
  /// It is mutating, so that nothing of an engine is copied to be looked at.
  mutating func lookAhead() {
    nextDue = .distantFuture
    guard isRunning else { return }
    if let stepEndActive {
      nextHappening = .step
      nextDue = now + (stepEndActive - active)
    }
    if listeners.contains(.ceiling), let due = ceiling?.due {
      let time = now + max(due - active, .zero)
      if time < nextDue {
        nextHappening = .ceiling
        nextDue = time
      }
    }
    if let check = nextCheck.due {
      let time = now + (check - active)
      if time < nextDue {
        nextHappening = .check
        nextDue = max(time, now)
      }
    }
    if let newestReading, !isSignalLost {
      let time = max(max(newestReading.time, resumedAt) + Self.holdLimit, now)
      if time < nextDue {
        nextHappening = .loss
        nextDue = time
      }
    }
  }

  private mutating func settle(before time: SessionTime, into events: inout [EngineEvent]) {
    lookAhead()
    while nextDue < time {
      account(until: nextDue)
      switch nextHappening {
      case .step: beginNextStep(into: &events)
      case .ceiling: warn(into: &events)
      case .check: judge(into: &events)
      case .loss:
        isSignalLost = true
        ceiling?.lose()
        nextCheck.lose()
        events.append(.signalLost(at: now))
      }
      lookAhead()
    }
  }

  /// Gives the time since ``now`` to the bands.
  @inline(__always)
  private mutating func account(until time: SessionTime) {
    guard time > now else { return }
    if isRunning {
      let span = time - now
      active += span
      if target != nil { activeWithTarget += span }
      if heldBPM >= 0 {
        let covered = min(time, heldUntil) - now
        if covered > .zero {
          held.add(covered, displayedBPM: heldBPM)
          if target != nil { coveredWithTarget += covered }
          if isHeldInTarget { inTarget += covered }
        }
        if heldUntil < time {
          heldBPM = Int(HeldWindow.nothing)
          window?.hold(HeldWindow.nothing, from: max(heldUntil, now))
        }
      }
    }
    now = time
  }

  private mutating func restoreSignal(displayedBPM: Int, into events: inout [EngineEvent]) {
    guard isSignalLost else { return }
    isSignalLost = false
    events.append(.signalRestored(at: now, heartRateBPM: displayedBPM))
  }

  @inline(__always)
  private mutating func hold(_ displayed: Int, from start: SessionTime, reading time: SessionTime) {
    heldBPM = displayed
    heldUntil = time + Self.holdLimit
    isHeldInTarget = displayed >= targetLimits.lower && displayed <= targetLimits.upper
    window?.hold(Int16(truncatingIfNeeded: displayed), from: start)
    if !listeners.isEmpty { observe(displayed) }
  }

  /// Tells the next check, and the ceiling, that a heart rate is held from now on.
  @inline(__always)
  private mutating func observe(_ displayed: Int) {
    if listeners.contains(.ceiling) { observeForCeiling(displayed) }
    if listeners.contains(.check) { observeForCheck(displayed) }
  }

  @inline(never)
  private mutating func observeForCeiling(_ displayed: Int) {
    ceiling?.observe(displayed, at: active)
    if let due = ceiling?.due { nextDue = min(nextDue, now + max(due - active, .zero)) }
  }

  private mutating func observeForCheck(_ displayed: Int) {
    nextCheck.observe(displayed, target: target, window: window, until: now, at: active)
    if let check = nextCheck.due { nextDue = min(nextDue, now + max(check - active, .zero)) }
  }

  private static func limits(of target: ResolvedTarget?) -> (lower: Int, upper: Int) {
    guard let target else { return (lower: .max, upper: .min) }
    return (lower: target.lowerBPM ?? 0, upper: target.upperBPM ?? .max)
  }

  // MARK: - Steps and judgements

  private func stepEvent(at time: SessionTime) -> EngineEvent {
    let steps = settings.plan.steps
    return .stepChanged(
      at: time, number: stepIndex + 1, step: stepIndex < steps.count ? steps[stepIndex] : nil, target: target)
  }

  private mutating func beginNextStep(into events: inout [EngineEvent]) {
    stepIndex += 1
    let steps = settings.plan.steps
    let isOver = stepIndex >= steps.count
    stepEndActive = isOver ? nil : steps[stepIndex].duration.map { active + $0 }
    begin(target: isOver ? nil : settings.targets[stepIndex])
    events.append(stepEvent(at: now))
  }

  /// Begins the next step when the current one is over in this very instant.
  mutating func endStepThatIsOver(into events: inout [EngineEvent]) {
    if isRunning, stepEndActive == active { beginNextStep(into: &events) }
  }

  /// Another target is in force from now on.
  mutating func begin(target new: ResolvedTarget?) {
    target = new
    isHeldInTarget = heldBPM >= targetLimits.lower && heldBPM <= targetLimits.upper
    beginGrace()
    nextCheck.restart(at: active)
    if nextCheck.isMovedByReadings, heldBPM >= 0 { observeForCheck(heldBPM) }
  }

  /// Another strategy is in force from now on.
  mutating func begin(strategy new: FeedbackStrategy) {
    strategy = new
    window = new.lookback.map { HeldWindow(window: $0) }
    if heldBPM >= 0 { window?.hold(Int16(truncatingIfNeeded: heldBPM), from: now) }
    nextCheck = NextCheck(new, from: active)
    listeners = Listeners(nextCheck, hasCeiling: ceiling != nil)
    if nextCheck.isMovedByReadings, heldBPM >= 0 { observeForCheck(heldBPM) }
  }

  private mutating func beginGrace() {
    if settings.guardrails.grace > .zero { graceUntil = active + settings.guardrails.grace }
  }

  /// Says that the heart rate is above the ceiling.
  private mutating func warn(into events: inout [EngineEvent]) {
    guard let newestReading, let limit = settings.ceiling, let above = ceiling?.sound(at: active) else { return }
    let sorter = BandSorter(zones: settings.zones, target: target)
    let evidence = Evidence(
      heartRateBPM: newestReading.displayedBPM, heartRateAge: now - newestReading.time, window: nil, covered: nil,
      held: [], ceiling: Evidence.Ceiling(beatsPerMinute: limit.beatsPerMinute, above: above))
    cueCounts.count(.slowDown)
    lastCue = now
    let band = sorter.band(ofSlot: sorter.slot(ofDisplayedBPM: newestReading.displayedBPM))
    events.append(
      .decision(Decision(time: now, outcome: .cue(.slowDown), band: band, target: target, evidence: evidence)))
  }

  mutating func judge(into events: inout [EngineEvent]) {
    guard let judgement = judgement() else { return }
    let outcome = self.outcome(of: judgement)
    switch outcome {
    case .cue(let action):
      cueCounts.count(action)
      lastCue = now
    case .withheld(let reason):
      cueCounts.count(reason)
    }
    events.append(
      .decision(
        Decision(
          time: now, outcome: outcome, band: judgement.band, target: target, evidence: judgement.evidence)))
    let retry = settings.guardrails.retry(
      after: outcome, at: active, graceUntil: graceUntil, sinceCue: lastCue.map { now - $0 })
    nextCheck.pass(outcome, at: active, retry: retry)
  }

  /// What the strategy makes of this moment; `nil` when it never judges.
  private func judgement() -> Judgement? {
    let instant = Judgement.Instant(
      time: now,
      newest: newestReading.map { Judgement.Newest(displayedBPM: $0.displayedBPM, age: now - $0.time) },
      sorter: BandSorter(zones: settings.zones, target: target))
    switch strategy {
    case .none: return nil
    case .moment(let strategy): return .moment(strategy, instant, held: window)
    case .period(let strategy): return window.map { .period(strategy, instant, held: $0) }
    case .trend(let strategy): return window.map { .trend(strategy, instant, held: $0) }
    case .zoneChange: return nextCheck.changes.map { .zoneChange($0, instant, held: window, active: active) }
    }
  }

  private func outcome(of judgement: Judgement) -> Decision.Outcome {
    if !isRunning { return .withheld(.paused) }
    if target == nil { return .withheld(.noTarget) }
    if let refusal = judgement.refusal { return .withheld(refusal) }
    guard let side = judgement.side else { return .withheld(.noTarget) }
    if side != .over, let ceiling, ceiling.isSounding(at: active) { return .withheld(.aboveCeiling) }
    if active < settings.guardrails.warmUp { return .withheld(.warmUp) }
    if active < graceUntil { return .withheld(.grace) }
    if let lastCue, now - lastCue < settings.guardrails.minimumInterval { return .withheld(.minimumInterval) }
    if judgement.isReturning { return .withheld(.returning) }
    if side == .inside, !judgement.saysHold { return .withheld(.inTarget) }
    return .cue(CueAction(side: side))
  }
}

/// Who wants to hear of every heart rate. Mostly nobody does, so that a reading asks one question.
private struct Listeners: OptionSet {
  let rawValue: UInt8

  static let check = Listeners(rawValue: 1)
  static let ceiling = Listeners(rawValue: 2)
}

extension Listeners {
  init(_ check: NextCheck, hasCeiling: Bool) {
    self = []
    if check.isMovedByReadings { insert(.check) }
    if hasCeiling { insert(.ceiling) }
  }
}

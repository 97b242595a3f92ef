/// The one engine that answers a live run, a replay and a simulation.
///
/// It is fed with readings and with the passing of time, and appends what it decides to an array of events. It knows
/// no clock: time is an argument, and silence is reported by ``advance(to:into:)``. Moments due at a time are evaluated
/// when time moves beyond it, so that every reading at exactly that time counts.
///
/// Memory is constant whatever the length of the session, and ``summary`` takes the same time after a minute and after
/// a day.
public struct CoachingEngine: Sendable {
  /// The longest time that an accepted heart rate holds: 15 s, three of the 5 s intervals at which a watch delivers.
  public static var holdLimit: SessionTime { .holdLimit }

  /// What was asked for at the start.
  public let settings: CoachingSettings
  /// The strategy in force.
  public internal(set) var strategy: FeedbackStrategy
  /// The time up to which the session has been decided.
  public internal(set) var now = SessionTime.zero
  /// Whether the session is paused.
  @inlinable public var isPaused: Bool { !isRunning }
  /// Time that was not paused.
  public internal(set) var active = SessionTime.zero
  /// The target in force; absent when nothing is asked for.
  public var target: ResolvedTarget? { sorter.target }
  /// The newest accepted heart rate, as displayed, and when it came; absent before the first.
  public private(set) var newestReading: (displayedBPM: Int, time: SessionTime)?

  @usableFromInline private(set) var isRunning = true
  private(set) var resumedAt = SessionTime.zero
  var isSignalLost = false
  /// The newest heart rate that was accepted in the current pause.
  private var pausedBPM: Double?

  private var filter = SignalFilter()
  private var suspicions = SuspicionMonitor()

  var heldBPM = Int(HeldWindow.nothing)
  var heldUntil = SessionTime.zero
  var isHeldInTarget = false
  var held = HeldHeartRate()
  var window: HeldWindow?

  /// Sorts heart rates by the target in force.
  var sorter: BandSorter {
    didSet { targetLimits = ResolvedTarget.limits(of: sorter.target) }
  }
  /// The limits of the target, so that a reading is compared with two numbers; empty without a target.
  private(set) var targetLimits: (lower: Int, upper: Int)
  var stepIndex = 0
  var stepEndActive: SessionTime?
  /// How far the runner has come in the step; absent in a plan without a step of some metres.
  var stepDistance: StepDistance?
  var nextCheck: NextCheck
  /// Follows how long the heart rate is above the ceiling; absent without one.
  var ceiling: CeilingWatch?
  /// No cue is given before, in active time.
  var graceUntil = SessionTime.zero
  /// What happens next if no reading comes, and when at the earliest.
  var nextHappening = Happening.check
  @usableFromInline var nextDue = SessionTime.zero
  var lastCue: SessionTime?

  var inTarget = SessionTime.zero
  var targetTotal: TargetTotal
  /// Pace and cadence; absent while only heart rates are asked for.
  var motion: MotionSignals?
  /// Whether there is ``motion``: the way of a heart rate asks this, since to look into ``motion`` copies it.
  var followsMotion = false
  /// The beats of the last two minutes; takes no room where nothing measures them.
  var beats = SessionBeats()
  var quantityTotal = QuantityTotal()
  /// What was held of the quantities that were asked for, until somebody takes it; absent where nobody does.
  var heldSides: [HeldSide]?
  var isQuantityLost = false
  /// Answers the questions of an ``AskedStrategy``; nobody does where it is absent.
  public var asks: (any AskedJudge)?
  /// What an ``AdaptiveStrategy`` knows of the runner: one, or none, which takes no room, where it has not begun.
  var adaptive: [AdaptiveCourse] = []
  /// The points of a trial: one, or none without a trial, which then takes no room and is seen without a copy.
  var trial: [TrialCourse] = []
  private var readings = HeartRateStatistics()
  private var acceptedCount = 0
  private var rejectedCount = 0
  var cueCounts = CueCounts()
  private var distance: DistanceTotal
  private var steps = StepTotal()

  /// Creates an engine at the start of a session.
  public init(settings: CoachingSettings) {
    self.settings = settings
    distance = DistanceTotal(fastestMetersPerSecond: settings.fastestMetersPerSecond)
    strategy = settings.strategy
    if let length = strategy.lookback { window = HeldWindow(window: length) }
    nextCheck = NextCheck(
      strategy, longestSilence: Guardrails.longestSilence(inStepOf: settings.plan.steps[0].duration))
    ceiling = settings.ceiling.map { CeilingWatch($0) }
    sorter = BandSorter(zones: settings.zones, target: settings.targets[0])
    targetTotal = TargetTotal(settings.targets[0])
    targetLimits = ResolvedTarget.limits(of: settings.targets[0])
    stepEndActive = settings.plan.steps[0].duration
    motion = Self.motion(for: settings, strategy)
    followsMotion = motion != nil
    if let rule = settings.trial { trial = [TrialCourse(rule)] }
    if settings.plan.hasDistances { stepDistance = StepDistance(goal: settings.plan.steps[0].distanceMeters) }
  }

  /// Begins the session: emits the first step of a plan that has several.
  public mutating func begin(into events: inout [EngineEvent]) {
    guard settings.plan.steps.count > 1 else { return }
    events.append(stepEvent(at: now))
  }

  // MARK: - Time

  /// Moves time on; everything due before `time` happens, what is due at exactly `time` waits for the readings of that
  /// instant. A time that is not after ``now`` changes nothing.
  public mutating func advance(to time: SessionTime, into events: inout [EngineEvent]) { move(to: time, into: &events) }

  /// Pauses the session. A moment that is due in this very instant is withheld as paused.
  public mutating func pause(at time: SessionTime, into events: inout [EngineEvent]) {
    advance(to: time, into: &events)
    guard isRunning else { return }
    if followsMotion { settleMotion(into: &events) }
    isRunning = false
    heldBPM = Int(HeldWindow.nothing)
    window?.hold(HeldWindow.nothing, from: now)
    ceiling?.lose()
    distance.breakTrack()
    steps.breakCount()
    if nextCheck.due == active { judge(into: &events) }
    pauseMotion()
    beats.interrupt()
    nextCheck.restart(at: active, longestSilence: longestSilence)
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
    nextCheck.restart(at: active, longestSilence: longestSilence)
    events.append(.resumed(at: now))
    if let newestReading, newestReading.time == now {
      if let pausedBPM { readings.admit(pausedBPM) }
      hold(newestReading.displayedBPM, from: now, reading: now)
      if isSignalLost { restoreSignal(displayedBPM: newestReading.displayedBPM, into: &events) }
    }
    pausedBPM = nil
    lookAhead()
  }

  /// Ends the step of a plan that has no end in time, as a lap does; returns whether it did. After the last one the plan is over.
  ///
  /// A target for the whole session is no step, and stays; so does every step in a pause, and all after the end of the plan.
  public mutating func lap(at time: SessionTime, into events: inout [EngineEvent]) -> Bool {
    advance(to: time, into: &events)
    guard isRunning, stepEndActive == nil, !settings.plan.isConstant, stepIndex < settings.plan.steps.count else {
      return false
    }
    beginNextStep(isLap: true, into: &events)
    lookAhead()
    return true
  }

  /// Ends the session: a step that is over at exactly the end changes, and a moment due then is still evaluated.
  public mutating func finish(at time: SessionTime, into events: inout [EngineEvent]) {
    advance(to: time, into: &events)
    endStepThatIsOver(into: &events)
    if followsMotion { settleMotion(into: &events) }
    if isRunning, let due = ceiling?.due, due <= active { warn(into: &events) }
    if isRunning, nextCheck.due == active { judge(into: &events) }
    finishTrial(into: &events)
  }

  /// When the active time will reach a span, if nothing pauses the session; `nil` while it is paused or when the span
  /// has passed.
  @inlinable
  public func time(whenActive span: SessionTime) -> SessionTime? {
    guard isRunning, span >= active else { return nil }
    return now + (span - active)
  }

  /// The earliest time after which ``advance(to:into:)`` may have something to report without a further reading; `nil` when
  /// only a reading or a command can change anything. It may be too early, and is never too late.
  @inlinable public var earliestDue: SessionTime? { nextDue < .distantFuture ? nextDue : nil }

  /// Active time to the next judgement; `nil` when there will be none, or when nobody is to foresee it.
  public var timeToNextCheck: SessionTime? {
    guard strategy.schedule?.isForeseeable == true else { return nil }
    return nextCheck.due.map { $0 - active }
  }

  // MARK: - Readings

  /// Takes a heart rate. One that is older than ``now`` is used from now on, never backwards.
  ///
  /// - Precondition: `time` is not before the newest accepted reading.
  /// - Complexity: O(1), without allocation unless there is something to emit.
  @discardableResult
  public mutating func heartRate(
    _ beatsPerMinute: Double, at time: SessionTime, into events: inout [EngineEvent]
  ) -> SignalFilter.Verdict {
    take(beatsPerMinute, at: time, into: &events)
  }

  /// Takes heart rates one after another, as ``heartRate(_:at:into:)`` does, until one of them gives an event.
  ///
  /// - Parameters:
  ///   - beatsPerMinute: the heart rates.
  ///   - times: when they were measured, as many, in order of time.
  ///   - indices: those that are taken.
  ///   - events: what follows from them is appended to it.
  /// - Returns: the index of the next one; the end of `indices` when all are taken.
  public mutating func heartRates(
    _ beatsPerMinute: Span<Double>, at times: Span<SessionTime>, _ indices: Range<Int>, into events: inout [EngineEvent]
  ) -> Int {
    for index in indices {
      _ = take(beatsPerMinute[index], at: times[index], into: &events)
      if !events.isEmpty { return index + 1 }
    }
    return indices.upperBound
  }

  @inline(__always)
  private mutating func take(
    _ beatsPerMinute: Double, at time: SessionTime, into events: inout [EngineEvent]
  ) -> SignalFilter.Verdict {
    move(to: time, into: &events)
    let verdict = filter.admit(beatsPerMinute, at: time)
    guard verdict == .accepted else {
      rejectedCount += 1
      if verdict == .outOfRange, isRunning, let since = suspicions.admit(outOfRange: beatsPerMinute, at: time) {
        events.append(.signalSuspect(at: now, suspicion: .stuck, since: since))
      }
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
    if isSignalLost { restoreSignal(displayedBPM: displayed, into: &events) }
    suspicions.admit(beatsPerMinute, displayedBPM: displayed, at: time) { suspicion, since in
      events.append(.signalSuspect(at: now, suspicion: suspicion, since: since))
    }
    return verdict
  }

  /// Counts a heart rate that decides nothing because nobody knows when it was.
  public mutating func rejectHeartRate() { rejectedCount += 1 }

  /// Takes the steps since the last step sample; steps in a pause do not count.
  public mutating func steps(_ count: Int, at time: SessionTime) {
    guard isRunning else { return }
    if followsMotion { follow(.steps(count), at: time) }
    if let cadence = steps.admit(steps: count, at: time) { suspicions.admit(cadence: cadence, at: time) }
  }

  /// Takes a cadence in steps per minute that a device reported.
  public mutating func cadence(_ stepsPerMinute: Double, at time: SessionTime) {
    guard isRunning, stepsPerMinute.isFinite, stepsPerMinute >= 0 else { return }
    steps.admit(cadence: stepsPerMinute, at: time)
    suspicions.admit(cadence: stepsPerMinute, at: time)
    if followsMotion { follow(.cadence(stepsPerMinute), at: time) }
  }

  /// Takes a position; returns whether it counted towards the distance. Positions in a pause do not.
  @discardableResult
  public mutating func location(_ fix: LocationFix, at time: SessionTime) -> Bool {
    guard isRunning else { return false }
    let counts = follow(at: time) { $0.admit(fix, at: time) }
    // A receiver measures speed by itself, so that it counts beside a place that is too far away.
    if followsMotion, DistanceTotal.isAccurate(fix), let speed = fix.speedMetersPerSecond, speed >= 0 {
      follow(.receiverSpeed(speed), at: time)
    }
    if counts, followsMotion {
      follow(.positionMeters(distance.measuredMeters), at: time)
      if let altitude = fix.altitudeMeters { follow(.altitude(altitude), at: time) }
    }
    return counts
  }

  /// Takes metres above the sea that stand beside no position, as those of a barometer; they go before those of positions.
  public mutating func altitude(_ meters: Double, at time: SessionTime) {
    // No log says whether one was there before a session went on: its time does, as for the time between beats.
    guard isRunning, time > resumedAt || resumedAt == .zero, followsMotion else { return }
    follow(.barometer(meters), at: time)
  }

  /// Takes the metres since the start as a device counted them; they win over positions.
  public mutating func recordedDistance(_ meters: Double, at time: SessionTime) {
    follow(at: time) { $0.admit(recordedMeters: meters, at: time) }
    // The metres of a reading that waits are those of an earlier one, and no speed.
    if isRunning, followsMotion, !distance.isWaiting, let meters = distance.recordedMeters {
      follow(.deviceMeters(meters), at: time)
    }
  }

  /// Metres that count for the steps of the plan; absent when no step lasts some metres.
  public var coveredMeters: Double? { stepDistance?.total }

  /// Whether the metres of the step of the plan are covered, so that it is over a moment later; `false` for one that ends otherwise.
  public var isStepCovered: Bool { stepDistance?.end != nil }

  /// Takes what ``coveredMeters`` was after a reading of ``location(_:at:)`` or ``recordedDistance(_:at:)``, from whoever
  /// keeps it instead of the reading; nothing when no step lasts some metres.
  public mutating func cover(upTo meters: Double, at time: SessionTime) {
    if let half = stepDistance?.cover(upTo: meters, at: time, now: now) { endSilence(at: half) }
    if let end = stepDistance?.end { nextDue = min(nextDue, max(end, now)) }
  }

  /// Changes the distance, and counts what it grows by for the step of the plan.
  @discardableResult
  private mutating func follow<Answer>(at time: SessionTime, _ change: (inout DistanceTotal) -> Answer) -> Answer {
    guard let covered = coveredMeters else { return change(&distance) }
    let (meters, isRecorded) = (distance.meters, distance.recordedMeters != nil)
    let answer = change(&distance)
    // The metres between places and those of a device do not begin at the same zero.
    if isRunning, meters == nil || isRecorded == (distance.recordedMeters != nil) {
      cover(upTo: covered + (distance.meters ?? 0) - (meters ?? 0), at: time)
    }
    return answer
  }

  // MARK: - Answers

  /// Speed over the last 15 to 30 s in metres per second; `nil` when there is too little data.
  public var currentSpeed: Double? { distance.currentSpeed(at: now) }

  /// Metres so far; `nil` when nothing measured them.
  public var distanceMeters: Double? { distance.meters }

  /// Whether ``distanceMeters`` are those of an earlier reading, because the newest distance of a device waits for what follows.
  public var isDistanceWaiting: Bool { distance.isWaiting }

  /// What ``distanceMeters`` were at distances of a device that waited, and that the newest one showed to be true.
  public var lateMeters: [CumulativeCount.Count] { distance.lateMeters }

  /// Steps so far; `nil` when nothing counted them.
  public var stepCount: Int? { steps.steps }

  /// Steps a minute, as a device reports them or counted over the last 10 s; `nil` in a pause, and when none came for 15 s.
  public var currentCadence: Double? {
    guard isRunning, let cadence = steps.cadence, now - cadence.time <= StepTotal.longestGap else { return nil }
    return cadence.stepsPerMinute
  }

  /// How many runs of equal heart rates the storage of the strategy's window can hold; it shows how much memory the
  /// engine takes beyond its fixed size.
  public var windowCapacity: Int { window?.capacity ?? 0 }

  /// The summary of everything so far.
  ///
  /// - Complexity: O(1) in the length of the session.
  public var summary: SessionSummary {
    SessionSummary(
      settings: settings, elapsed: now, active: active, held: held,
      inTarget: inTarget + quantityTotal.inTarget(at: active),
      coveredWithTarget: targetTotal.covered(ofAll: held.total) + quantityTotal.covered(at: active),
      activeWithTarget: targetTotal.active(at: active),
      readings: readings,
      accepted: acceptedCount, rejected: rejectedCount, cues: cueCounts, distance: distance, steps: steps)
  }
}

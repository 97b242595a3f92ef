package import TextFormats
package import ZoneEngine

/// The way of a sample through a session: intake, engine, totals. A live run and a replay both go through it.
///
/// Decisions follow the heart-rate stream: a reading of another stream moves the session on only when it is more than
/// ``skewAllowance`` ahead, so that a phone whose positions run a second ahead of the strap cannot make a judgement miss
/// the heart rate of its instant.
package struct SessionPipeline: Sendable {
  /// How far other streams may be ahead of the heart rate before they move the session on.
  package static var skewAllowance: SessionTime { SampleStream.skewAllowance }
  /// The remaining times of a duration limit that are announced.
  static let countdownMarks = [60, 30, 10, 5, 4, 3, 2, 1].map { SessionTime.seconds($0) }

  /// The engine that decides.
  package private(set) var engine: CoachingEngine
  /// What came in.
  package private(set) var intake = SampleIntake()
  /// The course of the heart rate.
  package private(set) var curve = HeartRateCurve()
  /// The time of the newest sample or tick.
  package private(set) var latest = SessionTime.zero
  /// How far the clock of the run is: the newest sample or tick, or later where the clock of the machine or a source that keeps its
  /// own time says so.
  package var runTime: SessionTime { max(latest, passedTo) }
  /// The newest cue, place and lap.
  package private(set) var newest = SessionNewest()
  /// How far the session has come, by the times of its distances.
  package private(set) var way = SessionWay()
  /// Why the session is over; absent while it is not.
  package private(set) var endReason: SessionEvent.EndReason?
  /// Whether the session is over.
  package var isOver: Bool { endReason != nil }
  /// The lap that is under way, from 1.
  package private(set) var lap = 1
  /// What the motion sensors say that somebody does; absent while nothing was recognised.
  package private(set) var activity: RecognizedActivity?
  /// What an index keeps of the session beside its totals; absent unless somebody observes it.
  package private(set) var observation: SessionObservation?
  /// Whether there is one: to look for that in the value itself costs as much as a sample.
  private var isObserved = false

  private let durationLimit: SessionTime?
  private var nextMark = 0
  private var passedTo = SessionTime.zero
  /// What is to be reported of stamps without a place.
  private var rejections = StampRejections()
  private var engineEvents: [EngineEvent] = []
  /// Where the clock of the machine moved the session last, unless that is in the log.
  private var tickedTo: SessionTime?
  /// How far the session was decided after the last command.
  private var commandedTo = SessionTime.zero
  /// Whether the session is paused because somebody stood still, and nobody has paused it by hand since.
  package private(set) var isPausedByMotion = false

  /// Creates a pipeline at the start of a session that ends by itself after `durationLimit` of active time.
  package init(settings: CoachingSettings, durationLimit: SessionTime?) {
    engine = CoachingEngine(settings: settings)
    self.durationLimit = durationLimit
    engine.asks = LoggedAnswers(settings.strategy)
  }

  /// Gathers from now on what an index keeps of a session.
  ///
  /// - Parameters:
  ///   - start: when the session began.
  ///   - utcOffsetSeconds: how far the clock of its place was ahead of UTC.
  ///   - bounds: how much is kept.
  /// - Precondition: the session has not begun.
  package mutating func observe(
    from start: WallClockTime, utcOffsetSeconds: Int, within bounds: SessionObservation.Bounds
  ) {
    precondition(engine.now == .zero && latest == .zero, "a session is observed from its start")
    observation = SessionObservation(
      settings: engine.settings, start: start, utcOffsetSeconds: utcOffsetSeconds, bounds: bounds)
    observation?.prepare(&engine)
    isObserved = true
  }

  /// Begins the session.
  package mutating func begin(into events: inout [SessionEvent]) {
    events.append(.started(at: .zero))
    engine.begin(into: &engineEvents)
    drain(into: &events)
  }

  /// Takes a sample.
  package mutating func take(_ sample: Sample, into events: inout [SessionEvent]) -> Admission {
    if isObserved { _ = decidedTime(before: sample) }
    guard !isOver, sample.time >= .zero else { return .ignored }
    guard sample.reading.stream.carrier == nil else {
      if case .rrInterval(let interval) = sample.reading { take(interval: interval, at: sample.time, into: &events) }
      return .admitted
    }
    let isHeartRate = sample.reading.stream == .heartRate
    if !isHeartRate { report(before: sample.time - Self.skewAllowance, into: &events) }
    if let durationLimit, !isHeartRate {
      // What runs ahead of the heart rate may lie beyond the end already; in the order of time it comes after the end.
      if isOver || engine.time(whenActive: durationLimit).map({ sample.time > $0 }) ?? false { return .ignored }
    }
    let verdict = intake.admit(sample)
    guard verdict.admission == .admitted else {
      if let takeover = verdict.takeover {
        events.append(.sourceChanged(at: engine.now, from: takeover.previous, to: takeover.current))
      }
      return verdict.admission
    }
    if isHeartRate {
      report(before: sample.time, into: &events)
      if isOver { return .ignored }
    }
    if let takeover = verdict.takeover {
      // What was due in the silence of the first source is reported before the second takes over.
      engine.advance(to: sample.time, into: &engineEvents)
      drain(into: &events)
      events.append(.sourceChanged(at: engine.now, from: takeover.previous, to: takeover.current))
    }
    latest = max(latest, sample.time)
    if isObserved, !isHeartRate { observation?.note(sample.time, decidedTo: engine.now) }
    switch sample.reading {
    case .heartRate(let beatsPerMinute):
      let isAccepted = engine.heartRate(beatsPerMinute, at: sample.time, into: &engineEvents) == .accepted
      if isAccepted, !engine.isPaused { curve.admit(beatsPerMinute, at: sample.time) }
      guard isObserved else { break }
      observation?.admit(
        heartRate: beatsPerMinute, at: sample.time, isAccepted: isAccepted, isPaused: engine.isPaused,
        active: engine.active)
    case .steps(let count):
      engine.steps(count, at: sample.time)
      if isObserved { observation?.admit(steps: count, at: sample.time) }
    case .cadence(let stepsPerMinute): engine.cadence(stepsPerMinute, at: sample.time)
    case .distance(let meters):
      engine.recordedDistance(meters, at: sample.time)
      noteMeters(after: sample, isCounted: true)
    case .location(let fix):
      let isCounted = engine.location(fix, at: sample.time)
      if isCounted {
        newest.admit(fix, at: sample.time)
        if isObserved { observation?.admit(place: fix.coordinate) }
      }
      noteMeters(after: sample, isCounted: isCounted)
    case .speed(let metersPerSecond): engine.speed(metersPerSecond, at: sample.time)
    case .altitude(let meters): engine.altitude(meters, at: sample.time)
    case .motion, .rrInterval, .direction: break
    }
    if !isHeartRate { engine.advance(to: sample.time - Self.skewAllowance, into: &engineEvents) }
    drain(into: &events)
    reportRejections(with: sample, into: &events)
    return .admitted
  }

  /// Takes the time between two beats. It moves the session on as other streams do, for where nothing else comes.
  private mutating func take(interval milliseconds: Double, at time: SessionTime, into events: inout [SessionEvent]) {
    report(before: time - Self.skewAllowance, into: &events)
    guard !isOver, durationLimit.flatMap({ engine.time(whenActive: $0) }).map({ time <= $0 }) ?? true else { return }
    latest = max(latest, time)
    if isObserved { observation?.note(time, decidedTo: engine.now) }
    engine.interval(milliseconds, at: time)
    engine.advance(to: time - Self.skewAllowance, into: &engineEvents)
    drain(into: &events)
  }

  /// Takes note of how far the session has come by a distance or a place.
  private mutating func noteMeters(after sample: Sample, isCounted: Bool) {
    let stream = sample.reading.stream
    let lateMeters = stream == .distance ? engine.lateMeters : []
    let isWaiting = engine.isDistanceWaiting
    for late in lateMeters { follow(late.total, at: late.time) }
    if !isWaiting, let meters = engine.distanceMeters { follow(meters, at: sample.time) }
    guard isObserved else { return }
    // A step of some metres ends where a replay lets it end, unless the reading is later than such a step waits.
    if sample.time + Self.skewAllowance <= engine.now, engine.coveredMeters != nil {
      observation?.giveUp()
    }
    for late in lateMeters { observation?.admit(lateMeters: late.total, of: late.time, at: sample.time) }
    observation?.admit(
      meters: isWaiting ? nil : engine.distanceMeters, of: stream, at: sample.time,
      isCounted: isCounted && !(isWaiting && stream == .distance), active: engine.active)
  }

  private mutating func follow(_ meters: Double, at time: SessionTime) {
    way.admit(meters: meters, at: time, isRunning: !engine.isPaused, now: engine.now, active: engine.active)
  }

  /// How far the session was decided, when a heart rate comes that lies before, and no log says why: the clock of the
  /// machine moved it on, or other streams that are far ahead. `nil` when a replay takes the heart rate at the same place by
  /// itself.
  ///
  /// A replay has no clock, and takes the streams in the order of their times, so that it would decide after such a heart
  /// rate: whoever logs the sample logs this time before it.
  package mutating func decidedTime(before sample: Sample) -> SessionTime? {
    guard sample.reading.stream == .heartRate else { return nil }
    let isBeforeTick = tickedTo.map { sample.time < $0 } ?? false
    // A command has a place in the log.
    let isBeforeStreams = sample.time < engine.now && engine.now > commandedTo && intake.isNew(sample)
    guard isBeforeTick || isBeforeStreams else { return nil }
    let time = max(tickedTo ?? .zero, engine.now)
    tickedTo = nil
    observation?.settle(at: time)
    return time
  }

  /// Takes note of a sample whose stamp has no place in the session; whether it is a heart rate of a source that is not in charge.
  package mutating func reject(_ stream: SampleStream, source: String?) -> Bool {
    // What is sent beside another reading has the stamp of that, which is what counts.
    guard !isOver, stream.carrier == nil else { return false }
    let isStandby = intake.reject(stream, source: source)
    guard !isStandby else { return true }
    if stream == .heartRate { engine.rejectHeartRate() }
    rejections.reject(stream)
    return false
  }

  /// Reports that samples of a stream were rejected with the next one that has a place, so that a replay reports it there
  /// too: a heart rate at once, another stream when the decisions have caught up with it.
  @inline(__always)
  private mutating func reportRejections(with sample: Sample, into events: inout [SessionEvent]) {
    let stream = sample.reading.stream
    guard rejections.isUnreported(stream) else { return }
    if stream == .heartRate {
      rejections.report(stream)
      events.append(.rejected(at: sample.time, stream))
    } else {
      rejections.report(stream, at: sample.time + Self.skewAllowance)
    }
  }

  /// Time has passed without a sample, by the clock of the machine. No log says so.
  package mutating func advance(to time: SessionTime, into events: inout [SessionEvent]) {
    if time > engine.now { tickedTo = time }
    guard !isOver else { return }
    report(before: time, into: &events)
    guard !isOver else { return }
    latest = max(latest, time)
    engine.advance(to: time, into: &engineEvents)
    drain(into: &events)
  }

  /// The clock of the machine, or a source that keeps its own time, has come so far, and nothing was measured. Nothing is decided by
  /// it, and no log says so.
  package mutating func pass(to time: SessionTime) { passedTo = max(passedTo, time) }

  /// Decides as far as a log says that the session was decided at this place; see ``decidedTime(before:)``.
  package mutating func catchUp(to time: SessionTime, into events: inout [SessionEvent]) {
    step(to: time, into: &events) { $0.advance(to: $1, into: &$2) }
  }

  /// Carries out a command; a session that exists has started already, so that `start` changes nothing.
  package mutating func perform(_ command: SessionCommand, at time: SessionTime, into events: inout [SessionEvent]) {
    switch command {
    case .start: break
    case .pause: pause(at: time, into: &events)
    case .resume: resume(at: time, into: &events)
    case .lap: markLap(at: time, into: &events)
    case .stop: finish(at: time, reason: .stop, into: &events)
    case .ended(let reason): finish(at: time, reason: reason, into: &events)
    case .target(let target): change(target: target, at: time, into: &events)
    case .strategy(let strategy):
      step(to: time, into: &events) { $0.change(strategy: strategy, at: $1, into: &$2) }
    case .recognized(let found): take(found, at: time, into: &events)
    case .answered(let answer, let asked): return foresee(answer, at: asked)
    }
    commandedTo = engine.now
    switch command {
    case .recognized(.pause): isPausedByMotion = true
    case .pause, .resume, .recognized(.resume): isPausedByMotion = false
    case .start, .lap, .stop, .ended, .target, .strategy, .recognized(.activity), .recognized(.differs),
      .recognized(.steps), .answered:
      break
    }
  }

  /// Takes what was recognised in the motion.
  private mutating func take(_ found: Recognition, at time: SessionTime, into events: inout [SessionEvent]) {
    switch found {
    case .activity(let activity):
      step(to: time, into: &events) { $0.advance(to: $1, into: &$2) }
      guard !isOver else { return }
      if let before = self.activity { observation?.admit(before, until: activity.since) }
      self.activity = activity
      events.append(.activity(at: engine.now, activity))
    case .pause: pause(at: time, into: &events)
    case .resume: resume(at: time, into: &events)
    case .differs(let asked):
      step(to: time, into: &events) { $0.advance(to: $1, into: &$2) }
      guard !isOver, let activity else { return }
      events.append(.activityDiffers(at: engine.now, asked: asked, activity))
    case .steps(let count):
      // What a device counts itself goes before.
      guard !isOver, !intake.hasSteps else { return }
      engine.steps(count, at: time)
      observation?.admit(steps: count, at: time)
    }
  }

  /// Asks for another target; one that is none in the zones of the session changes nothing.
  private mutating func change(target: TargetRequest, at time: SessionTime, into events: inout [SessionEvent]) {
    guard case .success(let target) = target.resolved(in: engine.settings.zones) else { return }
    step(to: time, into: &events) { $0.change(target: target, at: $1, into: &$2) }
  }

  /// Pauses the session; one that is paused stays so.
  package mutating func pause(at time: SessionTime, into events: inout [SessionEvent]) {
    let wasRunning = !engine.isPaused
    step(to: time, into: &events) { $0.pause(at: $1, into: &$2) }
    if wasRunning, !isOver { observation?.run(false, at: engine.now) }
  }

  /// Goes on after a pause; one that runs goes on.
  package mutating func resume(at time: SessionTime, into events: inout [SessionEvent]) {
    step(to: time, into: &events) { $0.resume(at: $1, into: &$2) }
    if !isOver { observation?.run(true, at: engine.now) }
  }

  /// Marks a lap.
  package mutating func markLap(at time: SessionTime, into events: inout [SessionEvent]) {
    step(to: time, into: &events) { $0.advance(to: $1, into: &$2) }
    guard !isOver else { return }
    lap += 1
    newest.beginLap(at: engine.now, engine)
    events.append(.lap(at: engine.now, number: lap))
    _ = engine.lap(at: engine.now, into: &engineEvents)
    drain(into: &events)
  }

  /// Ends the session at its newest sample, or later.
  package mutating func finish(
    at time: SessionTime, reason: SessionEvent.EndReason, into events: inout [SessionEvent]
  ) {
    guard !isOver else { return }
    report(before: time, into: &events)
    guard !isOver else { return }
    end(at: max(latest, time), reason: reason, into: &events)
  }

  /// The earliest time after which ``advance(to:into:)`` may have something to report without a further sample; `nil` when
  /// only a sample or a command can change anything. It may be too early, and is never too late.
  @inline(__always)
  package var earliestDue: SessionTime? {
    guard !isOver else { return nil }
    var due = min(engine.earliestDue ?? .distantFuture, rejections.next ?? .distantFuture)
    if let durationLimit {
      for mark in Self.countdownMarks[nextMark...] + [.zero] where durationLimit > mark {
        if let time = engine.time(whenActive: durationLimit - mark) { due = min(due, time) }
      }
    }
    return due < .distantFuture ? due : nil
  }

  /// Active time until the session ends by itself; `nil` when it does not.
  package var remaining: SessionTime? { durationLimit.map { max(.zero, $0 - engine.active) } }

  private mutating func step(
    to time: SessionTime, into events: inout [SessionEvent],
    _ body: (inout CoachingEngine, SessionTime, inout [EngineEvent]) -> Void
  ) {
    guard !isOver else { return }
    report(before: time, into: &events)
    guard !isOver else { return }
    latest = max(latest, time)
    body(&engine, time, &engineEvents)
    observation?.settle(at: engine.now)
    drain(into: &events)
  }

  /// Reports what lies before `time`: rejected samples and marks of the countdown, and the end when the duration is over.
  @inline(__always)
  private mutating func report(before time: SessionTime, into events: inout [SessionEvent]) {
    guard rejections.next != nil || durationLimit != nil else { return }
    let end = durationLimit.flatMap { engine.time(whenActive: $0) }
    while let due = rejections.next, due < time, end.map({ due < $0 }) ?? true {
      limit(before: due, into: &events)
      engine.advance(to: due, into: &engineEvents)
      drain(into: &events)
      for stream in rejections.takeDue(at: due) { events.append(.rejected(at: engine.now, stream)) }
    }
    limit(before: time, into: &events)
  }

  /// Reports the marks of the countdown that lie before `time`, and ends the session when its duration does.
  private mutating func limit(before time: SessionTime, into events: inout [SessionEvent]) {
    guard let durationLimit else { return }
    while nextMark < Self.countdownMarks.count {
      let mark = Self.countdownMarks[nextMark]
      guard durationLimit > mark else {
        nextMark += 1
        continue
      }
      guard let at = engine.time(whenActive: durationLimit - mark), at < time else { break }
      nextMark += 1
      engine.advance(to: at, into: &engineEvents)
      drain(into: &events)
      events.append(.countdown(at: at, remaining: mark))
    }
    guard let at = engine.time(whenActive: durationLimit), at < time else { return }
    end(at: at, reason: .durationLimit, into: &events)
  }

  private mutating func end(
    at time: SessionTime, reason: SessionEvent.EndReason, into events: inout [SessionEvent]
  ) {
    engine.finish(at: time, into: &engineEvents)
    drain(into: &events)
    latest = engine.now
    endReason = reason
    if let activity { observation?.admit(activity, until: engine.now) }
    observation?.finish(
      at: engine.now, active: engine.active, meters: engine.distanceMeters, isStepCovered: engine.isStepCovered)
    for stream in rejections.open { events.append(.rejected(at: engine.now, stream)) }
    events.append(.ended(at: engine.now, reason: reason))
  }

  private mutating func drain(into events: inout [SessionEvent]) {
    if isObserved { observation?.takeSides(of: &engine) }
    guard !engineEvents.isEmpty else { return }
    for event in engineEvents {
      if isObserved { observation?.note(event) }
      newest.note(event, engine)
      events.append(.engine(event))
    }
    // They are rare and large, so that no memory is kept for the next.
    engineEvents = []
  }
}

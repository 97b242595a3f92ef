package import TextFormats
package import ZoneEngine

/// The state machine of a live session: standby → recording ⇄ paused → ended.
///
/// It is pure: lines and the time of their arrival go in, events and rows for the raw log come out. The session begins
/// with a `start` command or with its first sample, as ``SessionAnchor`` finds it; ``TimeCourse`` says where later ones lie.
package struct LiveSession: Sendable {
  /// The states.
  package enum State: String, Hashable, Sendable {
    /// Nothing is recorded yet.
    case standby
    /// Samples are recorded and judged.
    case recording
    /// Samples are recorded; the clock of the session stands still.
    case paused
    /// Nothing more is taken.
    case ended
  }

  /// Why a line cannot be used.
  package struct BadLine: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what was expected.
    package let description: String

    /// Creates the value from its parts.
    package init(description: String) {
      self.description = description
    }
  }

  /// A command issued longer ago than this is refused.
  package static let stalenessLimit = SessionTime.seconds(30)

  /// What the session consists of.
  package let configuration: LiveConfiguration
  /// The state.
  package internal(set) var state = State.standby
  /// The time of day at which the session began; absent in standby.
  package var start: WallClockTime? { timebase.start }
  /// The way of the samples; it stands at its start in standby.
  package internal(set) var pipeline: SessionPipeline
  /// Whether the wall clock moves the session on.
  package var followsWallClock: Bool { timebase.followsWallClock }

  var timebase: SessionTimebase
  var anchor = SessionAnchor()
  var course = TimeCourse()
  /// What came before it was known where the session begins, or what the clock of its first samples has to do with that.
  var held = HeldLines()
  /// What a session that a command began does not know of its samples yet; absent in any other, and once it knows.
  var startedClock: StartedClock?
  /// Samples that came after it had begun, and whose stamps may be errors.
  private var doubts = StampDoubts()
  var notices: [String] = []
  private var strangers: Set<LiveFeed> = []
  private var isImplausibleReported = false
  private var answers = CommandAnswers()
  private var recognizer: SessionRecognizer?
  /// What each stream measured last; absent where nobody wants to know.
  package private(set) var streams: StreamWatch?
  /// Whether somebody does: to look for that in the value itself copies all of the session, for each line.
  private var isWatched: Bool
  /// Whether a step waits for a distance in vain; absent where nobody wants to know, and where no step lasts some metres.
  private var distanceWait: DistanceWait?
  private var recentIntervals = RecentIntervals()

  /// Creates a session in standby.
  package init(_ configuration: LiveConfiguration) {
    self.configuration = configuration
    pipeline = SessionPipeline(settings: configuration.settings, durationLimit: configuration.durationLimit)
    timebase = SessionTimebase(configuration.clock)
    streams = configuration.watchesStreams ? StreamWatch(configuration.streams) : nil
    isWatched = configuration.watchesStreams
    distanceWait = configuration.watchesStreams ? DistanceWait(configuration.settings.plan) : nil
    if let policy = configuration.policy { pipeline.answers?.ask(policy) }
    recognizer = configuration.recognition.map { SessionRecognizer($0, plan: configuration.settings.plan) }
  }

  /// Takes a line that arrived at a time of day.
  ///
  /// - Parameter feed: who sent it; `nil` for what keeps its own time, such as a recording, whose stamps are not judged.
  /// - Throws: ``BadLine`` when it is a command that cannot be understood, which is answered all the same, or a sample with a
  ///   number that the raw log does not hold, of which nothing is taken.
  package mutating func take(
    _ line: LiveLine, from feed: LiveFeed?, arrival: WallClockTime, log: inout [RawEntry],
    into events: inout [SessionEvent]
  ) throws(BadLine) {
    switch line {
    case .sample(let sample):
      guard state != .ended, isRecorded(sample.reading.stream, isSent: feed != nil) else { return }
      guard sample.fitsLog else { throw BadLine(description: sample.logProblem) }
      if state == .standby {
        if let feed {
          held.hold(.sample(HeldSample(sample: sample, feed: feed, arrival: arrival)))
          if let index = anchor.take(sample.stamp, arrival: arrival) { begin(atHeld: index, log: &log, into: &events) }
          return
        }
        begin(at: sample.stamp, arrival: arrival, into: &events)
      }
      place(sample, from: feed, arrival: arrival, log: &log, into: &events)
    case .command(_, let id, _) where feed.map { strangers.contains($0) } ?? false:
      // It is not remembered, so that nobody takes the identities of others.
      events.append(.acknowledgement(Acknowledgement(id: id, refusal: .notAllowed, isRepeated: false)))
    case .command(let command, let id, let stamp):
      if let problem = problem(of: command) {
        try refuse(id: id, .impossibleValue, problem, into: &events)
      }
      if state == .standby, !held.isEmpty, command != .start {
        held.hold(.command(HeldCommand(command: command, id: id, stamp: stamp, feed: feed, arrival: arrival)))
        let beginning = anchor.take(command: stamp, arrival: arrival, ends: command == .stop)
        if let beginning { begin(at: beginning, log: &log, into: &events) }
        return
      }
      perform(command, id: id, issuedAt: stamp, from: feed, arrival: arrival, log: &log, into: &events)
    case .refused(let id, let refusal, let problem): try refuse(id: id, refusal, problem, into: &events)
    }
  }

  /// Refuses all commands of a sender from now on.
  package mutating func refuseCommands(of feed: LiveFeed) { strangers.insert(feed) }

  /// Whether a stream is recorded; intervals between beats belong to the heart rate, altitudes to the position. What a device
  /// counts itself is recorded of a sender alone: a recording that is played has steps and positions for that.
  private func isRecorded(_ stream: SampleStream, isSent: Bool) -> Bool {
    configuration.streams.contains(isSent ? stream.sentWith : stream.chosenWith)
  }

  /// What people want to know about stamps since the last call.
  package mutating func takeNotices() -> [String] {
    defer { notices.removeAll() }
    if let found = recognizer?.takeNotices() { notices += found }
    return notices + (streams?.takeNotices() ?? [])
  }

  /// Begins to watch the streams, and whether a step waits for a distance: of what was before nothing is reported. Nothing where
  /// they are watched already.
  package mutating func beginWatching() {
    guard !isWatched else { return }
    isWatched = true
    streams = StreamWatch(configuration.streams)
    distanceWait = DistanceWait(configuration.settings.plan)
    distanceWait?.goOn(in: pipeline)
  }

  /// Ends what ``beginWatching()`` began, and reports nothing that was found; a session that is always watched stays so.
  package mutating func endWatching() {
    guard !configuration.watchesStreams else { return }
    isWatched = false
    (streams, distanceWait) = (nil, nil)
  }

  /// Takes note that the wall clock shows a time; without it silence would go unnoticed.
  package mutating func tick(_ now: WallClockTime, log: inout [RawEntry], into events: inout [SessionEvent]) {
    if !held.isEmpty, let verdict = startedClock?.verdict(at: now) { follow(verdict, log: &log, into: &events) }
    guard state == .recording || state == .paused, let wall = machineTime(now) else { return }
    // Readings take a moment to arrive; the session keeps that far behind the wall.
    let time = wall - SessionPipeline.skewAllowance
    pipeline.advance(to: time, into: &events)
    logAnswers(to: &log)
    if isWatched { passStreams(to: time) }
    endIfOver(log: &log)
    // Whoever runs has the time of the wall, though it is not decided so far.
    pass(to: wall)
  }

  /// The clock of the machine, or a source that keeps its own time, has come so far; see ``SessionPipeline/pass(to:)``.
  package mutating func pass(to time: SessionTime) {
    guard state == .recording else { return }
    pipeline.pass(to: time)
  }

  /// The earliest time of day at which ``tick(_:log:into:)`` may have something to report without further input; `nil` when
  /// only input can change anything.
  ///
  /// It changes nothing; it may, so that a session is asked where it stands and no copy of it.
  package mutating func earliestDue() -> WallClockTime? {
    let isRunning = state == .recording || state == .paused
    if isRunning, !held.isEmpty, let due = startedClock?.due { return due }
    guard followsWallClock, isRunning, let start, let due = pipeline.earliestDue else { return nil }
    // What is due at a time happens when time has moved beyond it.
    let wait = due - course.lead + SessionPipeline.skewAllowance
    return start.adding(nanoseconds: (wait + SessionTime(nanoseconds: 1)).nanoseconds)
  }

  /// What the time of the session is when the clock of the machine shows a time; absent where the session does not follow that.
  /// Its samples have the clocks of their senders, so that one that is half a minute slow is no silence of half a minute.
  private func machineTime(_ now: WallClockTime) -> SessionTime? {
    timebase.time(ofWall: now).map { $0 + course.lead }
  }

  /// Ends the session, if it has begun and is not over.
  package mutating func end(
    _ reason: SessionEvent.EndReason, now: WallClockTime, log: inout [RawEntry], into events: inout [SessionEvent]
  ) {
    settle(log: &log, into: &events)
    guard state == .recording || state == .paused else {
      state = .ended
      return
    }
    settleStartedClock(log: &log, into: &events)
    settleDoubts(log: &log, into: &events)
    finishRecognition(arrival: now, log: &log, into: &events)
    var time = pipeline.latest
    if reason == .interrupted, let wall = machineTime(now) { time = max(time, wall) }
    pipeline.finish(at: time, reason: reason, into: &events)
    logAnswers(to: &log)
    endIfOver(log: &log)
  }

  /// Lets whoever watches the streams know of a reading.
  @inline(never)
  private mutating func hear(_ reading: Reading, at time: SessionTime) {
    streams?.hear(reading, at: time)
    if let line = distanceWait?.note(reading, in: pipeline) { notices.append(line) }
  }

  /// Lets whoever watches the streams know how far the session is.
  @inline(never)
  private mutating func passStreams(to time: SessionTime) {
    streams?.pass(to: time)
    if let line = distanceWait?.note(nil, in: pipeline) { notices.append(line) }
  }

  // MARK: - Commands

  /// Why a command is none: its target is not in the zones of the session. `nil` for one that can be carried out.
  private func problem(of command: SessionCommand) -> String? {
    command.problem(in: configuration.settings.zones).map { "target: \($0)" }
  }

  /// Answers a command that cannot be understood, which is not remembered.
  private func refuse(
    id: String?, _ refusal: CommandRefusal, _ problem: String, into events: inout [SessionEvent]
  ) throws(BadLine) {
    events.append(.acknowledgement(Acknowledgement(id: id, refusal: refusal, isRepeated: false)))
    throw BadLine(description: problem)
  }

  mutating func perform(
    _ command: SessionCommand, id: String, issuedAt stamp: Stamp?, from feed: LiveFeed?, arrival: WallClockTime,
    log: inout [RawEntry], into events: inout [SessionEvent]
  ) {
    if let answer = answers[id] {
      events.append(.acknowledgement(Acknowledgement(id: id, refusal: answer.refusal, isRepeated: true)))
      return
    }
    settleStartedClock(log: &log, into: &events)
    settleDoubts(log: &log, into: &events)
    let admission = CommandAdmission(
      state: state, isPausedByMotion: pipeline.isPausedByMotion, isStrategyDrawn: configuration.isStrategyDrawn,
      clock: configuration.clock, timebase: timebase,
      latest: pipeline.latest, wall: machineTime(arrival), arrival: arrival)
    let verdict = admission.verdict(on: command, issuedAt: stamp, clockAhead: feed.map { course.shift(of: $0) })
    answers.remember(id, verdict.refusal)
    events.append(
      .acknowledgement(Acknowledgement(id: id, refusal: verdict.refusal, isRepeated: false, command: command)))
    if case .carryOut(let time) = verdict {
      carryOut(command, at: time, id: id, stamp: stamp, arrival: arrival, log: &log, into: &events)
    }
  }

  private mutating func carryOut(
    _ command: SessionCommand, at time: SessionTime, id: String, stamp: Stamp?, arrival: WallClockTime,
    log: inout [RawEntry], into events: inout [SessionEvent]
  ) {
    switch command {
    case .start:
      begin(at: stamp ?? .wall(arrival), arrival: arrival, into: &events)
      startedClock = start.flatMap {
        StartedClock(
          start: $0, arrival: arrival, clock: configuration.clock, followsWallClock: followsWallClock)
      }
      log.append(.command(.start, at: .zero, id: id))
      placeHeld(log: &log, into: &events)
    case .pause, .recognized(.pause): state = .paused
    case .resume, .recognized(.resume): state = .recording
    case .lap, .stop, .ended, .target, .strategy, .recognized(.activity), .recognized(.differs),
      .recognized(.steps), .answered:
      break
    }
    if command == .stop { finishRecognition(arrival: arrival, log: &log, into: &events) }
    pipeline.perform(command, at: time, into: &events)
    logAnswers(to: &log)
    if command != .start, command != .stop, !pipeline.isOver {
      log.append(.command(command, at: max(time, pipeline.engine.now), id: id))
    }
    endIfOver(id: command == .stop ? id : "", log: &log)
  }

  private mutating func endIfOver(id: String = "", log: inout [RawEntry]) {
    guard let reason = pipeline.endReason, state != .ended else { return }
    state = .ended
    log.append(.command(.end(for: reason), at: pipeline.engine.now, id: id))
  }

  // MARK: - Time

  /// Gives a sample to the session at once, or when others have shown whether its stamp is an error.
  mutating func place(
    _ line: LiveSample, from feed: LiveFeed?, arrival: WallClockTime, log: inout [RawEntry],
    into events: inout [SessionEvent]
  ) {
    if let feed, startedClock != nil {
      guard !isHeld(line, from: feed, arrival: arrival, log: &log, into: &events) else { return }
    }
    guard let feed, !followsWallClock else { return put(line, from: feed, arrival: arrival, log: &log, into: &events) }
    let stamp = timebase.time(of: line.stamp)
    let origin = StampOrigin(feed: feed, source: line.source, stream: line.reading.stream)
    let moment = moment(arrival)
    guard !doubts.isEmpty || course.isDoubtful(stamp, of: origin, moment) else {
      return put(line, from: feed, arrival: arrival, log: &log, into: &events)
    }
    let held = HeldSample(sample: line, feed: feed, arrival: arrival)
    let item = StampDoubts.Item(sample: held, origin: origin, time: course.time(of: stamp, origin))
    switch doubts.take(item, latest: moment.latest, { course.othersAreCurrent(beside: $0, moment) }) {
    case .wait: break
    case .believe: believe(doubts.takeAll(), log: &log, into: &events)
    case .goOn: put(line, from: feed, arrival: arrival, log: &log, into: &events)
    case .reject:
      reject(doubts.takeAll(), log: &log, into: &events)
      put(line, from: feed, arrival: arrival, log: &log, into: &events)
    }
  }

  private mutating func believe(_ items: [HeldSample], log: inout [RawEntry], into events: inout [SessionEvent]) {
    for item in items where state != .ended {
      put(item.sample, from: item.feed, arrival: item.arrival, log: &log, into: &events)
    }
  }

  private mutating func reject(_ items: [HeldSample], log: inout [RawEntry], into events: inout [SessionEvent]) {
    for item in items where state != .ended {
      put(item.sample, from: item.feed, arrival: item.arrival, isError: true, log: &log, into: &events)
    }
  }

  /// Decides about samples that wait for others: there was a silence, unless the session went on without them.
  private mutating func settleDoubts(log: inout [RawEntry], into events: inout [SessionEvent]) {
    guard !doubts.isEmpty else { return }
    let isError = doubts.isContradicted(by: pipeline.latest)
    let items = doubts.takeAll()
    if isError {
      reject(items, log: &log, into: &events)
    } else {
      believe(items, log: &log, into: &events)
    }
  }

  /// What the session knows when something arrives.
  func moment(_ arrival: WallClockTime) -> TimeCourse.Moment {
    TimeCourse.Moment(
      latest: max(pipeline.latest, timebase.firstStamp), wall: timebase.time(ofWall: arrival),
      isPaused: state == .paused)
  }

  /// Gives a sample to the session, or to the raw log alone where its stamp has no place in the session.
  ///
  /// - Parameter isError: whether others have shown that the stamp does not go on where its origin was.
  private mutating func put(
    _ line: LiveSample, from feed: LiveFeed?, arrival: WallClockTime, isError: Bool = false, log: inout [RawEntry],
    into events: inout [SessionEvent]
  ) {
    let sent = timebase.wall(of: line.stamp, arrival: arrival)
    guard let time = time(of: line, from: feed, arrival: arrival, isError: isError) else {
      return logUnplaced(line, sent: sent, log: &log)
    }
    let sample = Sample(line.reading, at: time, source: line.source)
    if let decided = pipeline.decidedTime(before: sample) { log.append(.clock(at: decided)) }
    let admission: Admission
    if sample.reading.stream.carrier == .heartRate, pipeline.intake.isStandby(line.source) {
      admission = .standby
    } else {
      admission = pipeline.take(sample, into: &events)
    }
    logAnswers(to: &log)
    if isWatched { hear(line.reading, at: time) }
    let setClock = time == timebase.time(of: line.stamp) ? nil : sent
    log.append(admission == .standby ? .standby(sample, sent: setClock) : .sample(sample, sent: setClock))
    // In the logs, which keep intervals without what they came with, those that are not used stand apart.
    let besideIsUnused =
      admission == .standby
      || line.reading.stream == .heartRate && recentIntervals.areUnused(line.beside, at: time, by: admission)
    for reading in line.beside {
      let sample = Sample(reading, at: time, source: line.source)
      if besideIsUnused {
        log.append(.standby(sample, sent: setClock))
      } else {
        take(sample, sent: setClock, log: &log, into: &events)
      }
    }
    endIfOver(log: &log)
    recognize(sample, arrival: arrival, log: &log, into: &events)
    line.forEachFollowing { reading, offset in
      guard state != .ended else { return }
      let sample = Sample(reading, at: time + offset, source: line.source)
      take(sample, sent: setClock?.adding(nanoseconds: offset.nanoseconds), log: &log, into: &events)
      endIfOver(log: &log)
      recognize(sample, arrival: arrival, log: &log, into: &events)
    }
  }

  /// Where a sample lies in the session; `nil` where its stamp has no place there.
  private mutating func time(
    of line: LiveSample, from feed: LiveFeed?, arrival: WallClockTime, isError: Bool
  ) -> SessionTime? {
    let stamp = timebase.time(of: line.stamp)
    guard let feed else { return stamp }
    let origin = StampOrigin(feed: feed, source: line.source, stream: line.reading.stream)
    let moment = moment(arrival)
    let place =
      isError
      ? course.stray(stamp, of: origin, moment, repetition: pipeline.intake.repetitions(of: line))
      : course.goOn(stamp, of: origin, moment).map { .at($0) }
        ?? course.place(stamp, of: origin, moment, repetition: pipeline.intake.repetitions(of: line))
    switch place {
    case .at(let place): return place
    case .set(let place, let shift):
      isImplausibleReported = false
      notices.append(CourseWording.set(by: shift, line))
      return place
    case .implausible: return nil
    }
  }

  /// Keeps a sample without a place in the session in the raw log, where it decides nothing.
  private mutating func logUnplaced(_ line: LiveSample, sent: WallClockTime, log: inout [RawEntry]) {
    let isStandby = pipeline.reject(line.reading.stream, source: line.source)
    log.append(.unplaced(line.reading, sent: sent, source: line.source, isStandby: isStandby))
    for reading in line.beside {
      log.append(.unplaced(reading, sent: sent, source: line.source, isStandby: isStandby))
    }
    line.forEachFollowing { reading, offset in
      _ = pipeline.reject(.motion, source: line.source)
      let sent = sent.adding(nanoseconds: offset.nanoseconds) ?? sent
      log.append(.unplaced(reading, sent: sent, source: line.source, isStandby: false))
    }
    if !isImplausibleReported { notices.append(CourseWording.implausible(sent, line)) }
    isImplausibleReported = true
  }

  /// Takes a sample that comes with another one, and goes the same way.
  private mutating func take(
    _ sample: Sample, sent: WallClockTime?, log: inout [RawEntry], into events: inout [SessionEvent]
  ) {
    _ = pipeline.take(sample, into: &events)
    logAnswers(to: &log)
    if isWatched { hear(sample.reading, at: sample.time) }
    log.append(.sample(sample, sent: sent))
  }

  /// Carries out what a sample that was logged shows of the activity, behind it in the log.
  private mutating func recognize(
    _ sample: Sample, arrival: WallClockTime, log: inout [RawEntry], into events: inout [SessionEvent]
  ) {
    guard recognizer != nil, state != .ended else { return }
    let found = recognizer?.take(sample, in: SessionRecognizer.Place(of: pipeline)) ?? []
    for found in found where state != .ended {
      carryOut(
        .recognized(found), at: pipeline.latest, id: "", stamp: nil, arrival: arrival, log: &log, into: &events)
    }
  }

  /// Carries out what a recogniser has not reported yet at the end.
  private mutating func finishRecognition(
    arrival: WallClockTime, log: inout [RawEntry], into events: inout [SessionEvent]
  ) {
    for found in recognizer?.finish() ?? [] {
      carryOut(
        .recognized(found), at: pipeline.latest, id: "", stamp: nil, arrival: arrival, log: &log, into: &events)
    }
  }
}

extension LiveSample {
  /// Gives the readings of a block after the first one, with their times since that.
  fileprivate func forEachFollowing(_ body: (Reading, SessionTime) -> Void) {
    guard let block else { return }
    for index in block.readings.indices.dropFirst() { body(.motion(block.readings[index]), block.offset(of: index)) }
  }
}

package import ZoneEngine

/// What moves a live session on between samples.
package enum SessionClock: String, CaseIterable, Hashable, Sendable {
  /// Only the samples: a whole run may arrive in a second.
  case samples
  /// The wall clock, so that silence is noticed.
  case wall
  /// The wall clock when the first sample is within 60 s of now, else the samples.
  case automatic = "auto"
}

/// What a live session consists of before it has begun.
package struct LiveConfiguration: Sendable {
  /// What decides the answers.
  package let settings: CoachingSettings
  /// What moves the session on between samples.
  package let clock: SessionClock
  /// The streams that are recorded and used.
  package let streams: [SampleStream]
  /// The active time after which the session ends by itself.
  package let durationLimit: SessionTime?
  /// Whether the strategy was drawn, so that it cannot be changed.
  package let isStrategyDrawn: Bool

  /// Creates a configuration.
  package init(
    settings: CoachingSettings, clock: SessionClock, streams: [SampleStream], durationLimit: SessionTime?,
    isStrategyDrawn: Bool = false
  ) {
    self.isStrategyDrawn = isStrategyDrawn
    self.settings = settings
    self.clock = clock
    self.streams = streams
    self.durationLimit = durationLimit
  }
}

/// The state machine of a live session: standby → recording ⇄ paused → ended.
///
/// It is pure: lines and the time of their arrival go in, events and rows for the raw log come out. The session begins
/// with a `start` command or with its first sample.
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

  /// Something that is kept in the raw log.
  package enum RawEntry: Hashable, Sendable {
    /// A sample that takes part, or would if it were not late or double.
    case sample(Sample)
    /// A heart rate of a source that is not in charge.
    case standby(Sample)
    /// A command that was carried out; `id` is empty when nobody sent it.
    case command(SessionCommand, at: SessionTime, id: String)
  }

  /// Why a line cannot be used.
  package struct BadLine: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what was expected.
    package let description: String
  }

  /// A command issued longer ago than this is refused.
  package static let stalenessLimit = SessionTime.seconds(30)
  /// How close to now the first sample must be for the automatic clock to follow the wall.
  static let wallClockNearness = SessionTime.seconds(60)
  /// The furthest that a stamp may lie ahead of the newest one.
  static let longestJump = SessionTime.seconds(6 * 3_600)
  /// How many answered commands are remembered.
  static let rememberedCommands = 4_096

  /// What the session consists of.
  package let configuration: LiveConfiguration
  /// The state.
  package private(set) var state = State.standby
  /// The time of day at which the session began; absent in standby.
  package private(set) var start: WallClockTime?
  /// The way of the samples; it stands at its start in standby.
  package private(set) var pipeline: SessionPipeline
  /// Whether the wall clock moves the session on.
  package private(set) var followsWallClock: Bool

  private var usesSessionStamps = false
  private var answers: [String: CommandRefusal?] = [:]
  private var answeredIDs: [String] = []
  private var oldestAnswer = 0

  /// Creates a session in standby.
  package init(_ configuration: LiveConfiguration) {
    self.configuration = configuration
    pipeline = SessionPipeline(settings: configuration.settings, durationLimit: configuration.durationLimit)
    followsWallClock = configuration.clock == .wall
  }

  /// Takes a line that arrived at a time of day.
  ///
  /// - Throws: ``BadLine`` when its time cannot belong to this session, or its target is none of its zones.
  package mutating func take(
    _ line: LiveLine, arrival: WallClockTime, log: inout [RawEntry], into events: inout [SessionEvent]
  ) throws(BadLine) {
    switch line {
    case .sample(let reading, let stamp, let source):
      guard state != .ended, configuration.streams.contains(reading.stream) else { return }
      if state == .standby { begin(at: stamp, arrival: arrival, into: &events) }
      let time = try sessionTime(of: stamp)
      // A strap that is slow tells a few seconds of before; a recording of another day would silently come to nothing.
      guard time >= .zero - Self.longestJump else {
        throw BadLine(description: "time: more than 6 h before the start")
      }
      let sample = Sample(reading, at: time, source: source)
      let admission = pipeline.take(sample, into: &events)
      log.append(admission == .standby ? .standby(sample) : .sample(sample))
      endIfOver(log: &log)
    case .command(let command, let id, let stamp):
      try check(command)
      perform(command, id: id, issuedAt: stamp, arrival: arrival, log: &log, into: &events)
    }
  }

  /// Tells that the wall clock shows a time; without it silence would go unnoticed.
  package mutating func tick(_ now: WallClockTime, log: inout [RawEntry], into events: inout [SessionEvent]) {
    guard followsWallClock, state == .recording || state == .paused, let time = wallTime(now) else { return }
    // Readings take a moment to arrive; the session keeps that far behind the wall.
    pipeline.advance(to: time - SessionPipeline.skewAllowance, into: &events)
    endIfOver(log: &log)
  }

  /// Ends the session, if it has begun and is not over.
  package mutating func end(
    _ reason: SessionEvent.EndReason, now: WallClockTime, log: inout [RawEntry], into events: inout [SessionEvent]
  ) {
    guard state == .recording || state == .paused else {
      state = .ended
      return
    }
    var time = pipeline.latest
    if followsWallClock, reason == .interrupted, let wall = wallTime(now) { time = max(time, wall) }
    pipeline.finish(at: time, reason: reason, into: &events)
    endIfOver(log: &log)
  }

  // MARK: - Commands

  /// What is no target in the zones of the session is no command.
  private func check(_ command: SessionCommand) throws(BadLine) {
    guard case .target(let text) = command else { return }
    do {
      _ = try HeartRateTarget(text, in: configuration.settings.zones)
    } catch {
      throw BadLine(description: "target: \(error)")
    }
  }

  private mutating func perform(
    _ command: SessionCommand, id: String, issuedAt stamp: Stamp?, arrival: WallClockTime, log: inout [RawEntry],
    into events: inout [SessionEvent]
  ) {
    if let answer = answers[id] {
      events.append(.acknowledgement(Acknowledgement(id: id, refusal: answer, isRepeated: true)))
      return
    }
    let refusal: CommandRefusal?
    var time = pipeline.latest
    if let stamp, state != .standby {
      if let issued = try? sessionTime(of: stamp) {
        let now = followsWallClock ? max(pipeline.latest, wallTime(arrival) ?? .zero) : pipeline.latest
        refusal = now - issued > Self.stalenessLimit ? .stale : self.refusal(of: command)
        time = max(time, issued)
      } else {
        refusal = self.refusal(of: command) ?? .implausibleTime
      }
    } else if case .wall(let issued)? = stamp, configuration.clock == .wall,
      Self.span(from: issued, to: arrival) > Self.stalenessLimit
    {
      refusal = .stale
    } else {
      refusal = self.refusal(of: command)
      if followsWallClock, stamp == nil, let wall = wallTime(arrival) { time = max(time, wall) }
    }
    remember(id, refusal)
    events.append(.acknowledgement(Acknowledgement(id: id, refusal: refusal, isRepeated: false)))
    guard refusal == nil else { return }
    carryOut(command, at: time, id: id, stamp: stamp, arrival: arrival, log: &log, into: &events)
  }

  private func refusal(of command: SessionCommand) -> CommandRefusal? {
    switch (state, command) {
    case (.ended, _): .ended
    case (.standby, .start): nil
    case (.standby, _): .notStarted
    case (_, .start): .alreadyStarted
    case (.paused, .pause): .alreadyPaused
    case (.recording, .resume): .notPaused
    case (_, .strategy): configuration.isStrategyDrawn ? .randomized : nil
    case (_, .pause), (_, .resume), (_, .lap), (_, .stop), (_, .target): nil
    }
  }

  private mutating func carryOut(
    _ command: SessionCommand, at time: SessionTime, id: String, stamp: Stamp?, arrival: WallClockTime,
    log: inout [RawEntry], into events: inout [SessionEvent]
  ) {
    switch command {
    case .start:
      begin(at: stamp ?? .wall(arrival), arrival: arrival, into: &events)
      log.append(.command(.start, at: .zero, id: id))
    case .pause: state = .paused
    case .resume: state = .recording
    case .lap, .stop, .target, .strategy: break
    }
    pipeline.perform(command, at: time, into: &events)
    if command != .start, command != .stop, !pipeline.isOver {
      log.append(.command(command, at: max(time, pipeline.engine.now), id: id))
    }
    endIfOver(id: command == .stop ? id : "", log: &log)
  }

  private mutating func remember(_ id: String, _ refusal: CommandRefusal?) {
    if answeredIDs.count < Self.rememberedCommands {
      answeredIDs.append(id)
    } else {
      answers[answeredIDs[oldestAnswer]] = nil
      answeredIDs[oldestAnswer] = id
      oldestAnswer = (oldestAnswer + 1) % Self.rememberedCommands
    }
    answers[id] = .some(refusal)
  }

  private mutating func endIfOver(id: String = "", log: inout [RawEntry]) {
    guard pipeline.isOver, state != .ended else { return }
    state = .ended
    log.append(.command(.stop, at: pipeline.engine.now, id: id))
  }

  // MARK: - Time

  private mutating func begin(at stamp: Stamp, arrival: WallClockTime, into events: inout [SessionEvent]) {
    switch stamp {
    case .wall(let time): start = time
    case .session(let time):
      usesSessionStamps = true
      start = arrival.adding(nanoseconds: -time.nanoseconds) ?? arrival
    }
    if configuration.clock == .automatic, let start {
      let first: SessionTime = if case .session(let time) = stamp { time } else { .zero }
      let distance = Self.span(from: start, to: arrival) - first
      // A stream that counts its own seconds tells nothing about now.
      followsWallClock = !usesSessionStamps && distance.nanoseconds.magnitude <= Self.wallClockNearness.nanoseconds
    }
    state = .recording
    pipeline.begin(into: &events)
  }

  /// The span between two times of day; it stops at the ends of the range instead of overflowing.
  private static func span(from start: WallClockTime, to end: WallClockTime) -> SessionTime {
    SessionTime(nanoseconds: end.nanoseconds) - SessionTime(nanoseconds: start.nanoseconds)
  }

  private func wallTime(_ now: WallClockTime) -> SessionTime? {
    start.flatMap { now.nanoseconds(since: $0) }.map { SessionTime(nanoseconds: $0) }
  }

  private func sessionTime(of stamp: Stamp) throws(BadLine) -> SessionTime {
    let time: SessionTime
    switch stamp {
    case .session(let value): time = value
    case .wall(let value):
      if usesSessionStamps {
        throw BadLine(description: "time: expected atSeconds, as the session began with them")
      }
      guard let value = wallTime(value) else { throw BadLine(description: "time: too far from the start") }
      time = value
    }
    if time - pipeline.latest > Self.longestJump, pipeline.latest > .zero || !usesSessionStamps {
      throw BadLine(description: "time: more than 6 h after the newest sample")
    }
    return time
  }
}

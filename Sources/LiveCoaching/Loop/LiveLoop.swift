package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// A live session from its first event to its last: what comes in goes to the session, what that reports goes to the audience
/// and back to the sources.
package final class LiveLoop {
  /// How often the wall clock moves a session on without input, and one is asked that is held elsewhere, in nanoseconds.
  private static let tick: Int64 = 250_000_000

  private let running: any DrivenSession
  private let input: LiveInput
  private let sourceNames: [String]
  private let audience: any LiveAudience
  private let clock: any LiveClock
  /// The session as it is after the last event.
  package private(set) var session: LiveSession
  /// Lines that could not be used.
  package private(set) var badLineCount = 0
  /// Whether somebody left before it began.
  package private(set) var isDismissed = false
  /// How far a source has come that keeps its own time, which no report knows.
  private var passed = SessionTime.zero
  private var openSources: Int
  private var wishes = 0
  /// How far the time of day of the session is ahead of the clock that nobody sets, once it has begun.
  private var clockAnchor: Int64?

  /// Prepares a session in standby.
  ///
  /// - Parameter sourceNames: the names of the sources of the input, in their order.
  package init(
    _ running: any DrivenSession, _ configuration: LiveConfiguration, _ input: LiveInput, sourceNames: [String],
    audience: any LiveAudience, clock: any LiveClock = SystemLiveClock()
  ) {
    self.running = running
    self.input = input
    self.sourceNames = sourceNames
    self.audience = audience
    self.clock = clock
    session = LiveSession(configuration)
    openSources = sourceNames.count
  }

  /// What the input is called in a sentence.
  package var inputName: String { sourceNames.count == 1 ? sourceNames[0] : "the sources" }

  /// Runs the session to its end.
  ///
  /// - Parameter early: what came before the session could be prepared, with the time of its arrival.
  /// - Throws: what the audience throws; the session has ended then.
  package func run(after early: [(LiveInputEvent, WallClockTime)]) async throws {
    for (event, now) in early where session.state != .ended { try await take(event, now: now) }
    while session.state != .ended {
      let isAsked = session.followsWallClock || running.isHeldElsewhere
      let tick = isAsked ? MonotonicClock.now + Self.tick : nil
      let event = await input.next(
        until: [tick, audience.turn].compactMap(\.self).min(), keyboard: audience.keyboard)
      try await take(event, now: now())
      try await attended { try audience.refresh() }
    }
  }

  /// The time of day, which goes on from where it was when the session began, whatever the clock of the machine is set to meanwhile.
  private func now() -> WallClockTime {
    guard session.start != nil else { return clock.now() }
    let anchor = clockAnchor ?? clock.ahead
    clockAnchor = anchor
    return WallClockTime(nanoseconds: clock.elapsed() + anchor)
  }

  /// Takes an event, and delivers what comes of it to the audience and the sources.
  private func take(_ event: LiveInputEvent, now: WallClockTime) async throws {
    switch event {
    case .silence: try await show(running.tick(now: now), nil)
    case .typed:
      let wishes = try await attended { try audience.typed() }
      for wish in wishes where session.state != .ended { try await show(carryOut(wish, now: now), nil) }
    case .wish(let wish): try await show(carryOut(wish, now: now), nil)
    case .signal(let signal):
      guard try await !attended({ try audience.handle(signal) }) else { return }
      try await show(running.end(.interrupted, now: now), nil)
    case .source(let index, let event): try await take(event, of: index, now: now)
    }
  }

  private func take(_ event: LiveSourceEvent, of index: Int, now: WallClockTime) async throws {
    let feed = LiveFeed(source: index, connection: event.connection)
    switch event {
    case .bytes(let bytes, _): try await show(running.feed(bytes, from: feed, now: now), feed)
    case .lines(let lines): try await show(running.take(lines, from: feed, now: now), feed)
    case .passed(let time):
      passed = max(passed, time)
      session.pass(to: passed)
      try await attended { try audience.show([], session) }
    case .stranger: await running.refuseCommands(of: feed)
    case .notice(let text): audience.report(.notice(text))
    case .left:
      try await show(running.finish(feed, now: now), feed)
      guard await isDeserted else { return }
      try await show(running.end(.endOfInput, now: now), feed)
    case .ended, .failed, .broken:
      if case .failed(let error) = event { audience.report(.failed(error)) }
      if case .broken(let problem) = event { audience.report(.broken(problem)) }
      openSources -= 1
      if openSources > 0 {
        guard await isDeserted else { return }
      }
      try await show(running.end(.endOfInput, now: now), feed)
    }
  }

  /// Carries out what somebody at the keyboard wants.
  private func carryOut(_ command: SessionCommand, now: WallClockTime) async -> LiveReport {
    if command == .stop, session.start == nil {
      isDismissed = true
      return await running.end(.stop, now: now)
    }
    wishes += 1
    return await running.take([.command(command, id: "key-\(wishes)", issuedAt: passedStamp)], now: now)
  }

  /// The time of the session at which something is wished between two readings of the source, where that keeps its own time; `nil` for
  /// now.
  private var passedStamp: Stamp? {
    guard sourceNames.count == 1, session.start != nil, !session.followsWallClock, passed > session.pipeline.latest
    else { return nil }
    return .session(passed)
  }

  /// Does something with the audience; when that is gone the session ends, and what was recorded so far is kept as a whole one.
  private func attended<Result>(_ body: () throws -> Result) async throws -> Result {
    do {
      return try body()
    } catch {
      _ = await running.end(.interrupted, now: now())
      throw error
    }
  }

  /// Whether nobody is left who sends: a run that was sent at once is over then; in real time somebody may come again.
  private var isDeserted: Bool {
    get async {
      guard session.start != nil, session.state != .ended, !session.followsWallClock else { return false }
      return await input.isDeserted()
    }
  }

  private func show(_ report: LiveReport, _ feed: LiveFeed?) async throws {
    // What is shown is the session as it is after that.
    if let session = await running.session {
      self.session = session
      if passed > .zero { self.session.pass(to: passed) }
    }
    for notice in report.notices { audience.report(.sender(name(of: feed), notice: notice)) }
    for line in report.badLines { audience.report(.badLine(line, sender: name(of: feed))) }
    badLineCount += report.badLineCount
    if let change = report.recording { audience.report(.recording(change)) }
    try await attended { try audience.show(report.events, session) }
    input.deliver(report.events, answering: feed)
  }

  private func name(of feed: LiveFeed?) -> String {
    guard let feed else { return sourceNames.first ?? "" }
    return sourceNames[feed.source] + (feed.connection > 0 ? ": sender \(feed.connection + 1)" : "")
  }
}

extension LiveSourceEvent {
  /// The number of the connection that it came by; 0 where there is only one.
  fileprivate var connection: Int {
    switch self {
    case .bytes(_, let connection), .left(let connection), .stranger(let connection): connection
    case .lines, .passed, .notice, .ended, .failed, .broken: 0
    }
  }
}

import LiveCoaching
import TextFormats
import WorkoutHistory
import WorkoutSession

/// A live session from its first event to its summary: what comes in goes to the session, what that reports goes to the
/// screen, to those who announce, and back to the sources.
final class LiveRun {
  /// How often the wall clock moves a session on without input, in nanoseconds.
  private static let tick: Int64 = 250_000_000

  private let running: any DrivenSession
  private let input: LiveInput
  private let sourceNames: [String]
  private let printer: any SessionPrinter
  private let screen: LiveScreen?
  private let announcers: CueAnnouncers
  private let bell: CueBell?
  private var session: LiveSession
  private var status: Int32 = 0
  private var badLines = 0
  private var openSources: Int
  private var wishes = 0
  private var isDismissed = false
  /// Prints what is to be known at the beginning; `nil` when it has been printed.
  var briefing: (() throws -> Void)?
  /// Where the samples come from.
  var origin: SessionOrigin?
  /// Where the session is kept, when that is not this machine.
  var place: String?
  /// What others found out beside the session.
  let notices = Notices()

  /// Prepares a session in standby.
  init(
    _ running: any DrivenSession, _ configuration: LiveConfiguration, _ input: LiveInput, sourceNames: [String],
    view: LiveView, announcers: CueAnnouncers
  ) {
    self.running = running
    self.input = input
    self.sourceNames = sourceNames
    printer = view.printer
    screen = view.screen
    bell = view.bell
    self.announcers = announcers
    session = LiveSession(configuration)
    openSources = sourceNames.count
  }

  /// Runs the session to its end; the exit status.
  ///
  /// - Parameters:
  ///   - early: what came before the session could be prepared, with the time of its arrival.
  ///   - keep: adds a saved session to the history, and returns how it compares with those before.
  func run(
    after early: [(LiveInputEvent, WallClockTime)], keep: () async throws -> SessionStanding?
  ) async throws -> Int32 {
    for (event, now) in early where session.state != .ended { try await take(event, now: now) }
    while session.state != .ended {
      let tick = session.followsWallClock ? MonotonicClock.now + Self.tick : nil
      let event = await input.next(
        until: [tick, screen?.turn, bell?.turn].compactMap(\.self).min(), keyboard: screen?.keyboard)
      try await take(event, now: SystemWallClock.now())
      sayNotices()
      bell?.advance(now: MonotonicClock.now)
      try await drawing { try $0.refresh() }
    }
    let name = sourceNames.count == 1 ? sourceNames[0] : "the sources"
    guard session.start != nil else {
      if status != 0 || isDismissed { return status }
      let found = badLines == 0 ? "it is empty" : "none of \(badLines) lines can be used"
      throw CommandFailure("\(name): \(found): expected samples as lines of JSON", .unusableData)
    }
    var standing: SessionStanding?
    if await running.savedFolder != nil {
      do {
        standing = try await keep()
      } catch {
        let failure = CommandFailure(error)
        printer.complain("\(failure.line): the session is saved and will be in the history after the next start")
        if status == 0 { status = failure.exitCode.rawValue }
      }
    }
    let ending = SessionEnding(
      badLines: badLines, sessionID: await running.sessionID, savedIn: await running.savedFolder ?? place,
      standing: standing,
      origin: origin)
    try printer.showSummary(session.pipeline, ending)
    announcers.finish()
    for failure in announcers.takeFailures() { printer.complain(failure) }
    if badLines > 0 { printer.complain("\(name): \(badLines) line\(badLines == 1 ? "" : "s") could not be used") }
    return status
  }

  /// Says what others found out since the last time.
  func sayNotices() {
    for line in notices.take() { printer.complain(line) }
  }

  /// Takes an event, and delivers what comes of it to the screen, the sources and the announcers.
  private func take(_ event: LiveInputEvent, now: WallClockTime) async throws {
    let feed = event.feed
    let report: LiveReport
    switch event {
    case .silence: report = await running.tick(now: now)
    case .typed:
      let wishes = try await drawing { try $0.typed() } ?? []
      for wish in wishes where session.state != .ended { try await show(carryOut(wish, now: now), nil) }
      return
    case .wish(let wish): report = await carryOut(wish, now: now)
    case .signal(let signal):
      if try await drawing({ try $0.handle(signal) }) ?? false { return }
      status = Interrupts.exitStatus(signal)
      report = await running.end(.interrupted, now: now)
    case .source(let index, let event):
      switch event {
      case .bytes(let bytes, let connection):
        report = await running.feed(bytes, from: LiveFeed(source: index, connection: connection), now: now)
      case .lines(let lines): report = await running.take(lines, from: LiveFeed(source: index), now: now)
      case .stranger(let connection):
        await running.refuseCommands(of: LiveFeed(source: index, connection: connection))
        return
      case .notice(let text):
        printer.complain(text)
        return
      case .left(let connection):
        try await show(running.finish(LiveFeed(source: index, connection: connection), now: now), feed)
        guard await isDeserted else { return }
        report = await running.end(.endOfInput, now: now)
      case .ended, .failed, .broken:
        if case .failed(let error) = event { fail("\(error)", error.exitCode) }
        if case .broken(let problem) = event { fail(problem, ExitCode.unusableData.rawValue) }
        openSources -= 1
        if openSources > 0 {
          guard await isDeserted else { return }
        }
        report = await running.end(.endOfInput, now: now)
      }
    }
    try await show(report, feed)
  }

  /// Carries out what somebody at the keyboard wants.
  private func carryOut(_ command: SessionCommand, now: WallClockTime) async -> LiveReport {
    if command == .stop, session.start == nil {
      isDismissed = true
      return await running.end(.stop, now: now)
    }
    wishes += 1
    return await running.take([.command(command, id: "key-\(wishes)", issuedAt: nil)], now: now)
  }

  /// Does something with the screen, if there is one; a terminal that is gone ends the session, which is kept.
  private func drawing<Result>(_ body: (LiveScreen) throws -> Result) async throws -> Result? {
    guard let screen else { return nil }
    do {
      return try body(screen)
    } catch {
      _ = await running.end(.interrupted, now: SystemWallClock.now())
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

  private func fail(_ problem: String, _ code: Int32) {
    printer.complain(problem)
    if status == 0 { status = code }
  }

  private func show(_ report: LiveReport, _ feed: LiveFeed?) async throws {
    // What is shown is the session as it is after that.
    if let session = await running.session { self.session = session }
    for notice in report.notices { printer.complain("\(name(of: feed)): \(notice)") }
    for line in report.badLines { printer.complain("\(name(of: feed)): line \(line.number): \(line.problem)") }
    badLines += report.badLines.count
    switch report.recording {
    case nil: break
    case .interrupted(let problem):
      printer.complain("\(CommandFailure(problem).line): what comes is kept in memory and tried again each second")
    case .resumed: printer.complain("the session is recorded again, and nothing of it is missing")
    case .lost(let problem):
      let failure = CommandFailure(problem)
      fail("\(failure.line): the session goes on and is not recorded any more", failure.exitCode.rawValue)
    }
    do {
      if session.start != nil, let show = briefing {
        briefing = nil
        try show()
      }
      screen?.streams = session.streams
      try printer.show(report.events, session.pipeline)
    } catch {
      // Nobody hears the coach any more; what was recorded so far is kept as a whole session.
      _ = await running.end(.interrupted, now: SystemWallClock.now())
      throw error
    }
    input.deliver(report.events, answering: feed)
    announcers.announce(report.events)
    bell?.ring(for: report.events, now: MonotonicClock.now)
    for failure in announcers.takeFailures() { printer.complain("\(failure): the session goes on") }
  }

  private func name(of feed: LiveFeed?) -> String {
    guard let feed else { return sourceNames.first ?? "" }
    return sourceNames[feed.source] + (feed.connection > 0 ? ": sender \(feed.connection + 1)" : "")
  }
}

extension LiveInputEvent {
  /// Where it came from, when it came from somewhere.
  fileprivate var feed: LiveFeed? {
    switch self {
    case .source(let index, .bytes(_, let connection)), .source(let index, .left(let connection)),
      .source(let index, .stranger(let connection)):
      LiveFeed(source: index, connection: connection)
    case .source(let index, _): LiveFeed(source: index)
    case .silence, .signal, .typed, .wish: nil
    }
  }
}

import Glibc
import LiveCoaching
import OutsidePolicies
import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession

/// A live session at a terminal: its screen, those who announce, its bell, and what is said of its end.
final class LiveRun: LiveAudience {
  private let printer: any SessionPrinter
  private let screen: LiveScreen?
  private let announcers: CueAnnouncers
  private let signals: any LiveSignals
  private let bell: CueBell?
  private var announcer: LiveAnnouncer
  private var status: Int32 = 0
  /// Prints what is to be known at the beginning, with what shows a line beside the results; `nil` when it has been printed.
  var briefing: (((String) -> Void) throws -> Void)?
  /// Where the samples come from.
  var origin: SessionOrigin?
  /// Where the session is kept, when that is not this machine.
  var place: String?
  /// The program of the strategy, while it answers; absent where none is asked.
  var policy: PolicySession?
  /// The plan whose steps are judged at the end; absent where there is none, and of a session that is kept, which the index judges.
  var plan: PlanRequest?
  /// What others found out beside the session.
  let notices = Notices()

  /// Prepares what shows and announces.
  ///
  /// - Parameter signals: those that end what is said at the end.
  init(_ view: LiveView, announcers: CueAnnouncers, announcer: LiveAnnouncer, signals: any LiveSignals) {
    self.announcer = announcer
    self.signals = signals
    printer = view.printer
    screen = view.screen
    bell = view.bell
    self.announcers = announcers
  }

  /// Runs the session to its end; the exit status.
  ///
  /// - Parameters:
  ///   - early: what came before the session could be prepared, with the time of its arrival.
  ///   - keep: adds a saved session to the history, and returns how it compares with those before.
  func run(
    _ loop: LiveLoop, of running: any DrivenSession, after early: [(LiveInputEvent, WallClockTime)],
    keep: () async throws -> SessionStanding?
  ) async throws -> Int32 {
    try await loop.run(after: early)
    let badLines = loop.badLineCount
    guard loop.session.start != nil else {
      if status != 0 || loop.isDismissed { return status }
      let found = badLines == 0 ? "it is empty" : "none of \(badLines) lines can be used"
      throw CommandFailure("\(loop.inputName): \(found): expected samples as lines of JSON", .unusableData)
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
    let folder = await running.savedFolder
    var ending = SessionEnding(
      badLines: badLines, sessionID: await running.sessionID, savedIn: folder ?? place,
      standing: standing, beats: folder.flatMap { try? SessionFolderRecording(path: $0).beats() },
      origin: origin)
    if let plan, let observation = loop.session.pipeline.observation, observation.isExact {
      ending.verdict = observation.verdict
      ending.plan = plan
    }
    try printer.showSummary(loop.session.pipeline, ending)
    sayPolicyFailure()
    endPolicy()
    sayWhatIsLeft(of: loop.session)
    for failure in announcers.takeFailures() { printer.complain(failure) }
    if badLines > 0 { printer.complain(LiveSources.badLines(badLines, of: loop.inputName)) }
    return status
  }

  /// Waits for what is said and for the programs that cues have started, unless a signal comes; of a recording that was played to its end
  /// for all of what is said.
  private func sayWhatIsLeft(of session: LiveSession) {
    let isSaidToItsEnd =
      switch session.pipeline.endReason {
      case .stop, .interrupted, .recovered, nil: false
      case .endOfInput, .durationLimit: true
      }
    let count = isSaidToItsEnd ? announcers.waitingCount : 0
    if count > 0 {
      printer.complain("\(count) sentence\(count == 1 ? " is" : "s are") left to be said: Ctrl-C ends that")
    }
    // A signal ends all of the waiting.
    var isGivenUp = false
    let givesUp = {
      while !isGivenUp, let signal = self.signals.pending() {
        isGivenUp = Interrupts.ending.contains(signal)
      }
      return isGivenUp
    }
    announcers.finish(isSaidToItsEnd: isSaidToItsEnd, unless: givesUp, printer.complain)
  }

  /// Says what others found out since the last time.
  func sayNotices() {
    for line in notices.take() { printer.complain(line) }
  }

  var keyboard: Int32? { screen?.keyboard }

  var turn: Int64? { [screen?.turn, bell?.turn].compactMap(\.self).min() }

  func typed() throws -> [SessionCommand] { try screen?.typed() ?? [] }

  func handle(_ signal: Int32) throws -> Bool {
    if try screen?.handle(signal) ?? false { return true }
    status = Interrupts.exitStatus(signal)
    return false
  }

  func refresh() throws {
    sayNotices()
    sayPolicyFailure()
    bell?.advance(now: MonotonicClock.now)
    try screen?.refresh()
  }

  func show(_ events: [SessionEvent], _ session: LiveSession) throws {
    // First what is heard: somebody who runs listens, whatever becomes of the screen.
    let announcements = announcer.note(events, session.pipeline)
    announcers.announce(announcements)
    bell?.ring(for: announcements, now: MonotonicClock.now)
    if session.start != nil, let show = briefing {
      briefing = nil
      try show(printer.complain)
    }
    screen?.streams = session.streams
    try printer.show(events, session.pipeline)
    sayPolicyFailure()
    for failure in announcers.takeFailures() { printer.complain("\(failure): the session goes on") }
  }

  /// Says once that the program of the strategy was given up; the session goes on without its cues.
  private func sayPolicyFailure() {
    guard let failure = policy?.failure else { return }
    policy = nil
    guard EndingSignal.ofEndedWait == nil else { return }
    fail("\(failure): the session goes on without cues", failure.exitCode)
  }

  /// Sends the program of the strategy the end of the session, and gives it its time to end.
  private func endPolicy() {
    guard let ended = policy else { return }
    policy = nil
    do throws(PolicyError) { try ended.end(isLast: true) } catch { fail("\(error)", error.exitCode) }
  }

  func report(_ remark: LiveRemark) {
    switch remark {
    case .notice(let text): printer.complain(text)
    case .sender(let name, let notice): printer.complain("\(name): \(notice)")
    case .badLine(let line, let name): printer.complain("\(name): line \(line.number): \(line.problem)")
    case .failed(let error): fail("\(error)", error.exitCode)
    case .broken(let problem): fail(problem, ExitCode.unusableData.rawValue)
    case .recording(.interrupted(let problem)):
      printer.complain("\(CommandFailure(problem).line): what comes is kept in memory and tried again each second")
    case .recording(.resumed): printer.complain("the session is recorded again, and nothing of it is missing")
    case .recording(.lost(let problem)):
      let failure = CommandFailure(problem)
      fail("\(failure.line): the session goes on and is not recorded any more", failure.exitCode.rawValue)
    }
  }

  private func fail(_ problem: String, _ code: Int32) {
    printer.complain(problem)
    if status == 0 { status = code }
  }
}

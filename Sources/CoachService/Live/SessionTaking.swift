internal import LiveCoaching
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// What is taken for the live sessions of the service, and how they end by that.
extension ServiceSessions {
  /// Takes lines for a session.
  ///
  /// - Parameter sender: which of several that send for the caller it is, each with a clock of its own. Its messages are made into
  ///   lines anew each time that they come, by what is known then, so that their name alone says that they are the same.
  /// - Throws: `ServiceProblem` when they cannot be taken; then nothing of them is.
  func take(
    _ bytes: [UInt8], batch: String?, for session: HostedSession, by caller: Caller, sender: String? = nil,
    now: WallClockTime
  ) async throws -> LiveReport {
    if session.isOver {
      guard let batch,
        let report = await session.running.report(ofRepeated: bytes, batch: batch, isOfItsLines: sender == nil)
      else { throw ServiceProblem(.sessionEnded, "the session is over: expected a live one") }
      if report.isLost { throw await lost(session) }
      if report.isUnsettled { throw ServiceProblem.unsettled }
      if report.isOfOtherLines { throw ServiceProblem.differentLines }
      return report
    }
    guard !isUnavailable else { throw ServiceProblem.unavailable(unavailability) }
    let report = await session.running.take(
      request: bytes, batch: batch, isOfItsLines: sender == nil,
      from: session.feed(of: sender ?? caller.id, elapsed: clock.elapsed()), now: now)
    if sender != nil { session.noteSteps(of: bytes, report) }
    try await conclude(report, session)
    return report
  }

  /// Hands lines over for a session that is not over; what came of them is delivered by a thread that may not be held up, and
  /// ``conclude(_:_:)`` follows unless it is plain.
  ///
  /// - Throws: `ServiceProblem` when they cannot be taken; then nothing of them is, and nothing is delivered.
  func take(
    _ bytes: [UInt8], batch: String?, for session: HostedSession, by sender: String, now: WallClockTime,
    _ deliver: @escaping @Sendable (LiveReport) -> Void
  ) throws(ServiceProblem) {
    guard !isUnavailable else { throw ServiceProblem.unavailable(unavailability) }
    session.running.take(
      request: bytes, batch: batch, from: session.feed(of: sender, elapsed: clock.elapsed()),
      now: now, deliver)
  }

  /// Does what follows from lines that were taken: counts them, and closes a session that they have ended.
  ///
  /// - Throws: `ServiceProblem` when they could not be kept, or not yet, or were not taken because their name was used for others.
  func conclude(_ report: LiveReport, _ session: HostedSession) async throws {
    if report.isLost { throw await lost(session) }
    // A session that they have ended is closed when they are kept.
    if report.isUnsettled { throw ServiceProblem.unsettled }
    if report.isOfOtherLines { throw ServiceProblem.differentLines }
    metrics.count(samples: report.lineCount, cues: report.events.count(where: \.isCue))
    if report.state == .ended {
      await close(session, isUnfinished: report.isUnfinished)
    } else if report.state == .standby,
      (report.events + (report.repeated?.early ?? [])).contains(where: \.isStopBeforeBegin)
    {
      // It was refused, and samples may follow in the next request as they may in the same.
      session.noteRefusedStop()
    }
  }

  /// Ends a session of which nothing has come but a stop, which was refused, so that another one has room.
  ///
  /// - Parameters:
  ///   - person: whose sessions are too many; absent for those of nobody.
  ///   - maker: who began them, where they are nobody's.
  /// - Returns: whether there was one.
  func makeRoom(for person: String?, maker: String) async -> Bool {
    let candidates = all.filter { session in
      guard session.hasRefusedStop, !session.isOver else { return false }
      return person.map { session.person == $0 } ?? (session.person == nil && session.maker == maker)
    }
    for session in candidates.sorted(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) {
      guard await session.running.state == .standby else { continue }
      await dismiss(session)
      return true
    }
    return false
  }

  /// Ends a session that has not begun; nothing of it is kept but the answers to its lines.
  func dismiss(_ session: HostedSession) async {
    _ = await session.running.end(.stop, now: clock.now())
    await close(session)
  }

  /// Closes a session that is over: its folder is whole, and it comes into the history. Where that cannot be done now it is tried
  /// again, and whoever asked for the end is not held up: the journal has all that was taken.
  ///
  /// - Parameter isUnfinished: whether somebody has waited for the folder already, and it could not be written.
  func close(_ session: HostedSession, isUnfinished: Bool = false) async {
    guard session.beginClosing() else { return }
    if isUnfinished {
      guard known(session.id) === session else { return }
      sayUnfinished(session)
    } else if await tryToClose(session, attempt: 0) {
      return noteEnd(of: session)
    }
    retries.begin(session.id) { [self] in
      var (seconds, attempt): (UInt64, Int) = (1, 0)
      while !Task.isCancelled {
        try? await Task.sleep(nanoseconds: seconds * 1_000_000_000)
        guard !Task.isCancelled else { return }
        attempt += 1
        if await tryToClose(session, attempt: attempt) { return noteEnd(of: session) }
        seconds = min(2 * seconds, Self.longestRetrySeconds)
      }
    }
  }

  /// Until the history has a session, it is among those that are live: else it would be nowhere for a moment.
  private func noteEnd(of session: HostedSession) {
    session.noteEnd(elapsed: clock.elapsed())
    looks.withLock { $0.hurry() }
  }

  private func sayUnfinished(_ session: HostedSession) {
    ServiceNotice.say(
      "\(session.id): its folder cannot be written now: its end is in the journal, and is tried again, also by the next start"
    )
  }

  /// Tries to close a session that is over.
  ///
  /// - Parameter attempt: how many came before; when the first fails, and when nothing more is tried, that is said.
  /// - Returns: whether nothing more is to be tried.
  private func tryToClose(_ session: HostedSession, attempt: Int) async -> Bool {
    let isFirst = attempt == 0
    do {
      var lesson: Lesson?
      let settled = await session.running.settle()
      // One that was let go meanwhile is closed by who has it.
      guard known(session.id) === session else { return true }
      switch settled {
      case .whole:
        guard noteWhole(session) else { return true }
        lesson = await self.lesson(of: session)
        try await session.running.closeRecording(in: history)
      case .unfinished:
        if isFirst { sayUnfinished(session) }
        return false
      case .lost:
        guard let live = await session.running.session else { return true }
        guard live.start == nil else {
          if fleet == nil {
            ServiceNotice.say("\(session.id): its end cannot be kept now; the next start closes it")
          } else {
            letGo(session)
          }
          return true
        }
        try await session.running.discard()
      }
      try await store.end(
        session.id, clock: session.configuration.clock, at: clock.now(), under: session.hold)
      // After that, so that no session teaches twice, whatever becomes of this process.
      if let lesson { await learn(lesson) }
      return true
    } catch {
      if isFirst {
        ServiceNotice.say("\(session.id): cannot be closed now: \(ServiceProblem(describing: error).detail)")
      }
      // What a disk refuses it may take later, unless the session was deleted meanwhile; what is wrong with a folder that comes back
      // file by file may be right a little later.
      do { if try await store.session(session.id) == nil { return true } } catch { return false }
      guard !(error is FileError), !(error is DatabaseError), attempt >= Self.mostAttempts else { return false }
      ServiceNotice.say(
        "\(session.id): cannot be closed: \(ServiceProblem(describing: error).detail): the next start tries it once more"
      )
      return true
    }
  }
}

extension SessionEvent {
  /// Whether it is a cue.
  fileprivate var isCue: Bool {
    if case .engine(.decision(let decision)) = self, case .cue = decision.outcome { return true }
    return false
  }

  /// Whether it refuses a stop because the session has not begun.
  fileprivate var isStopBeforeBegin: Bool {
    guard case .acknowledgement(let answer) = self else { return false }
    return answer.command == .stop && answer.refusal == .notStarted
  }
}

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
      if report.isOfOtherLines { throw ServiceProblem.differentLines }
      return report
    }
    guard !isUnavailable else { throw ServiceProblem.unavailable(unavailability) }
    let report = await session.running.take(
      request: bytes, batch: batch, isOfItsLines: sender == nil,
      from: session.feed(of: sender ?? caller.id, now: now, elapsed: clock.elapsed()), now: now)
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
      request: bytes, batch: batch, from: session.feed(of: sender, now: now, elapsed: clock.elapsed()),
      now: now, deliver)
  }

  /// Does what follows from lines that were taken: counts them, and closes a session that they have ended.
  ///
  /// - Throws: `ServiceProblem` when they could not be kept, or were not taken because their name was used for others.
  func conclude(_ report: LiveReport, _ session: HostedSession) async throws {
    if report.isLost { throw await lost(session) }
    if report.isOfOtherLines { throw ServiceProblem.differentLines }
    metrics.count(samples: report.lineCount, cues: report.events.count(where: \.isCue))
    if report.state == .ended {
      await close(session)
    } else if report.state == .standby, report.events.contains(where: \.isStopBeforeBegin) {
      // Nothing of it is kept, and it makes room for another one.
      _ = await session.running.end(.stop, now: clock.now())
      await close(session)
    }
  }

  /// Closes a session that is over: its folder is whole, and it comes into the history.
  func close(_ session: HostedSession) async {
    guard session.beginClosing() else { return }
    // Until the history has it, it is among those that are live: else it would be nowhere for a moment.
    defer {
      session.noteEnd(elapsed: clock.elapsed())
      looks.withLock { $0.hurry() }
    }
    var lesson: Lesson?
    do {
      if await session.running.settle() {
        lesson = await self.lesson(of: session)
        try await session.running.closeRecording(in: history)
      } else if await session.running.session?.start == nil {
        try await session.running.discard()
      } else {
        guard fleet == nil else { return await letGo(session) }
        return ServiceNotice.say("\(session.id): its end cannot be kept now; the next start closes it")
      }
      try await store.end(session.id, at: clock.now(), under: session.hold)
      // After that, so that no session teaches twice, whatever becomes of this process.
      if let lesson { await learn(lesson) }
    } catch {
      ServiceNotice.say("\(session.id): cannot be closed now: \(ServiceProblem(describing: error).detail)")
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

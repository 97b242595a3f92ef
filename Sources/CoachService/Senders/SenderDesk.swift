internal import LiveCoaching
internal import Synchronization
internal import TextFormats
internal import WorkoutSession

/// Takes what comes with keys, one message of a key after another: the first begins a session, the next one finds it, and
/// running totals go on from the message before.
actor SenderDesk {
  /// What became of a message.
  struct Taken: Sendable {
    /// The session that has it; absent where nothing was in the message.
    var sessionID: String?
    /// How many samples were taken.
    var accepted: Int
    /// What could not be used, the first parts.
    var rejected: [SenderMessage.Rejection]
    /// How many parts could not be used beside those.
    var moreRejected: Int
    /// How many records came of it.
    var records = 0
  }

  private var last: [String: Task<Void, Never>] = [:]
  private var live: [String: String] = [:]
  /// Of each key the sessions that had ended when it was looked for its live one in vain: whoever did not get the last answer of one sends
  /// the message again.
  private var ended: [String: [String]] = [:]

  /// Takes a message that came with a key.
  ///
  /// - Parameter unanswering: the instance that was asked for its session in vain.
  /// - Throws: `ServiceProblem` when it cannot be taken; then nothing of it is.
  func take(
    _ message: SenderMessage, with grant: AccessGrant, in sessions: ServiceSessions,
    unanswering: UnansweringInstance, now: WallClockTime
  ) async throws -> Taken {
    guard !message.samples.isEmpty else {
      return Taken(
        sessionID: nil, accepted: 0, rejected: message.rejected, moreRejected: message.moreRejected)
    }
    let id = grant.caller.id
    let before = last[id]
    let turn = Task {
      await before?.value
      return try await takeInTurn(message, with: grant, in: sessions, unanswering, now: now)
    }
    let end = Task { _ = await turn.result }
    last[id] = end
    defer { if last[id] == end { last[id] = nil } }
    return try await turn.value
  }

  private func takeInTurn(
    _ message: SenderMessage, with grant: AccessGrant, in sessions: ServiceSessions,
    _ unanswering: UnansweringInstance, now: WallClockTime
  ) async throws -> Taken {
    do {
      return try await takeNow(message, with: grant, in: sessions, unanswering, now: now)
    } catch let problem as ServiceProblem where problem.code == .sessionEnded {
      // It ended between the look and the lines.
      live[grant.caller.id] = nil
      return try await takeNow(message, with: grant, in: sessions, unanswering, now: now)
    }
  }

  private func takeNow(
    _ message: SenderMessage, with grant: AccessGrant, in sessions: ServiceSessions,
    _ unanswering: UnansweringInstance, now: WallClockTime
  ) async throws -> Taken {
    let caller = grant.caller
    let session = try await liveSession(of: caller, in: sessions, unanswering)
    if session == nil {
      let ids = try await sessions.endedLately(by: caller, now: now)
      ended[caller.id] = ids.isEmpty ? nil : ids
    }
    if let name = message.name, let ids = ended[caller.id] {
      // While a session goes on those in memory alone are asked, which is soon done.
      for id in ids where session == nil || sessions.known(id) != nil {
        guard let outcome = try await sessions.outcome(ofMessage: name, of: caller, in: id) else { continue }
        return Taken(outcome, of: message, in: id)
      }
    }
    if let session { return try await take(message, for: session, by: caller, sessions, now) }
    return try await take(message, for: begin(with: grant, in: sessions, now: now), by: caller, sessions, now)
  }

  private func take(
    _ message: SenderMessage, for session: HostedSession, by caller: Caller, _ sessions: ServiceSessions,
    _ now: WallClockTime
  ) async throws -> Taken {
    var steps = session.steps
    let lines = message.lines(now: now, steps: &steps, notesTotals: true)
    let report = try await sessions.take(
      lines, batch: message.name, for: session, by: caller, sender: "\(caller.id)/\(message.sender.rawValue)",
      now: now)
    if let outcome = report.repeated { return Taken(outcome, of: message, in: session.id) }
    return Taken(
      sessionID: session.id, accepted: report.lineCount - report.badLineCount,
      rejected: message.rejected + report.badLines.map(SenderMessage.Rejection.init),
      moreRejected: message.moreRejected + report.moreBadLines, records: report.events.count)
  }

  /// The live session of a key; `nil` when there is none.
  private func liveSession(
    of caller: Caller, in sessions: ServiceSessions, _ unanswering: UnansweringInstance
  ) async throws -> HostedSession? {
    try await sessions.reachNewest(by: caller, unanswering: unanswering)
    if let id = live[caller.id], let session = sessions.session(id, for: caller), !session.isOver {
      return session
    }
    // After a start of the service it is not known here which one it was.
    guard let session = try await sessions.newestByNow(by: caller) else { return nil }
    live[caller.id] = session.id
    return session
  }

  /// Begins a session with the request of a key.
  private func begin(
    with grant: AccessGrant, in sessions: ServiceSessions, now: WallClockTime
  ) async throws -> HostedSession {
    let caller = grant.caller
    guard let day = SystemWallClock.day(at: now) else {
      throw ServiceProblem.unavailable("the clock of this machine is not set")
    }
    let order = try SessionOrder(ofKey: grant.request, person: caller.person, day: day)
    let id = try await sessions.begin(
      order, by: caller, isPersonRequired: false, key: nil, isOfSecret: true, now: now)
    guard let session = sessions.session(id, for: caller) else { throw ServiceProblem.notFound }
    live[caller.id] = id
    return session
  }
}

extension SenderDesk.Taken {
  /// The same as when it came first.
  fileprivate init(_ outcome: BatchOutcome, of message: SenderMessage, in sessionID: String) {
    self.init(
      sessionID: sessionID, accepted: outcome.accepted,
      rejected: message.rejected + outcome.rejected.map(SenderMessage.Rejection.init),
      moreRejected: message.moreRejected + outcome.moreRejected)
  }
}

extension SenderMessage.Rejection {
  /// A line of a message that could not be used.
  fileprivate init(_ line: LiveReport.BadLine) { self.init(number: line.number, problem: line.problem) }
}

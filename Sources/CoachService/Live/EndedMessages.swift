internal import LiveCoaching
internal import SessionStore
internal import TextFormats

/// What sessions that are over have of the messages of a key.
extension ServiceSessions {
  /// How many of the newest are asked. A process that has none of them in memory takes each again from what was taken of it.
  private static let mostAsked = 4

  /// The sessions of a key that ended a short time ago: those in memory, the newest first, then those that another process had.
  ///
  /// - Throws: what the store throws.
  func endedLately(by key: Caller, now: WallClockTime) async throws -> [String] {
    let here = all.filter { $0.isOver && $0.maker == key.id }
      .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }.prefix(Self.mostAsked).map(\.id)
    // Whatever has ended in this process is in memory for as long.
    guard fleet != nil || clock.elapsed() <= endOfEarlier else { return here }
    let since = WallClockTime(nanoseconds: now.nanoseconds - Self.memoryOfEnded)
    let kept = try await store.endedSessions(by: key, since: since, atMost: Self.mostAsked)
    return here + kept.filter { !here.contains($0) }
  }

  /// What came of a message of a key in a session that is over; `nil` where it was not sent to it, and where nobody can say.
  ///
  /// - Throws: `ServiceProblem` where that is known a little later.
  func outcome(ofMessage name: String, of key: Caller, in id: String) async throws(ServiceProblem) -> BatchOutcome? {
    guard let session = known(id) else { return try await outcome(ofMessage: name, of: key, inEarlier: id) }
    guard session.isOver,
      let report = await session.running.report(ofRepeated: [], batch: name, isOfItsLines: false), !report.isLost
    else { return nil }
    if report.isUnsettled { throw .unsettled }
    return report.repeated
  }

  private func outcome(
    ofMessage name: String, of key: Caller, inEarlier id: String
  ) async throws(ServiceProblem) -> BatchOutcome? {
    do {
      // At an instance of several its folder need not be here.
      try await reach(id, for: key)
      return try await report(ofRepeated: [], batch: name, isOfItsLines: false, ofEnded: id)?.repeated
    } catch let problem as ServiceProblem where problem == .beingRead {
      throw problem
    } catch {
      // What cannot be read keeps nobody from running on.
      return nil
    }
  }
}

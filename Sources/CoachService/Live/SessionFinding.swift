internal import LiveCoaching
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutSession

/// Where the live sessions of the service are found.
extension ServiceSessions {
  /// All sessions in memory.
  var all: [HostedSession] { hosted.withLock { Array($0.values) } }

  /// A session in memory, whosever it is; `nil` for another one.
  func known(_ id: String) -> HostedSession? { hosted.withLock { $0[id] } }

  /// Takes a session out of memory; `false` where it is not there any more.
  ///
  /// - Parameter isDeparting: whether nobody takes it over until ``departures`` opens again. One that is whole does not depart.
  func drop(_ session: HostedSession, departing isDeparting: Bool = false) -> Bool {
    hosted.withLock { hosted in
      guard hosted[session.id] === session, !(isDeparting && session.isWhole) else { return false }
      hosted[session.id] = nil
      if isDeparting { departures.begin(session.id) }
      session.noteDrop()
      return true
    }
  }

  /// Notes that a session is over and its folder whole, so that it is not let go any more: nobody else has anything to do with it, and it
  /// comes into the history here. `false` where it was let go already.
  func noteWhole(_ session: HostedSession) -> Bool {
    hosted.withLock { hosted in
      guard hosted[session.id] === session else { return false }
      session.noteWhole()
      return true
    }
  }

  /// Whether it is time to look for sessions that nobody has asked for; then the next time counts from now.
  func isAdoptionDue(_ now: Int64, after span: Int64) -> Bool {
    adoptedAt.withLock { last in
      guard now - last >= span else { return false }
      last = now
      return true
    }
  }

  /// A session that is live, or ended a moment ago, where it is somebody's to see; `nil` for another one.
  package func session(_ id: String, for caller: Caller) -> HostedSession? {
    guard let session = hosted.withLock({ $0[id] }) else { return nil }
    if let only = caller.session, only != id { return nil }
    if isSession(session, of: caller) { return session }
    // They may have another name since they were let in.
    guard let now = access.current(caller), now != caller, isSession(session, of: now) else { return nil }
    return session
  }

  private func isSession(_ session: HostedSession, of caller: Caller) -> Bool {
    caller.mayUse(person: owner(of: session, for: caller), maker: session.maker)
  }

  /// Whose a session is, for somebody who asks. Of one that is over the profile decides, as in the history: what the store says of the
  /// person is not kept up after its end, and whoever has the name by then may be somebody else.
  private func owner(of session: HostedSession, for caller: Caller) -> String? {
    guard session.endedAt != nil, let id = session.profileID, let own = caller.person, caller.group == nil else {
      return session.person
    }
    guard let isTheirs = isProfile(id, called: own) else { return session.person }
    return isTheirs ? own : nil
  }

  /// The live sessions that are somebody's to see, the newest first.
  package func live(for caller: Caller) -> [HostedSession] {
    hosted.withLock { Array($0.values) }
      .filter { $0.endedAt == nil && caller.mayUse(person: $0.person, maker: $0.maker) }
      .filter { caller.session == nil || caller.session == $0.id }
      .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
  }

  /// The live sessions of some people.
  func live(of people: Set<String>) -> [String: [HostedSession]] {
    Dictionary(
      grouping: hosted.withLock { Array($0.values) }.filter { session in
        session.endedAt == nil && session.person.map(people.contains) ?? false
      },
      by: { $0.person ?? "" })
  }

  /// Whether a session of somebody is live.
  func hasLive(person: String) -> Bool {
    hosted.withLock { $0.values.contains { $0.endedAt == nil && $0.person == person } }
  }

  /// Notes that the profile of somebody is gone, so that no session in memory is that of whoever is called the same later.
  func orphan(person: String) {
    for session in all where session.person.map(person.hasBytes) ?? false { session.noteOrphan() }
  }

  /// Notes whose the sessions in memory are by now: a profile may be deleted or renamed at a terminal, or at another instance.
  ///
  /// - Throws: what the store throws.
  func noteOwners() async throws { try await owners()() }

  /// Looks whose the sessions in memory are by now; what notes it.
  ///
  /// - Throws: what the store throws.
  func owners() async throws -> @Sendable () -> Void {
    guard all.contains(where: { $0.endedAt == nil && $0.person != nil }) else { return {} }
    let owners = try await store.ownersOfOpenSessions()
    return { [self] in for (id, person) in owners { known(id)?.note(owner: person) } }
  }

  /// The live session that a key or token began last, where it is that of its person still; `nil` when there is none.
  package func newest(by maker: Caller) -> HostedSession? {
    hosted.withLock { Array($0.values) }
      .filter { !$0.isOver && $0.maker == maker.id && maker.mayUse(person: $0.person, maker: $0.maker) }
      .max { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  /// The same, after a look whose the sessions are by now where there is none at first: a person who was renamed goes on with the
  /// session that is under way.
  ///
  /// - Throws: what the store throws.
  func newestByNow(by maker: Caller) async throws -> HostedSession? {
    if let session = newest(by: maker) { return session }
    guard all.contains(where: { !$0.isOver && $0.maker == maker.id }) else { return nil }
    try await noteOwners()
    return newest(by: maker)
  }

  /// Lets go of sessions that are over and deleted: nothing is answered of them any more, and nothing of them stays in a
  /// journal.
  func forget(_ ids: [String]) async {
    for id in ids {
      retaken.forget(id)
      let session = hosted.withLock { hosted in
        hosted[id]?.endedAt == nil ? nil : hosted.removeValue(forKey: id)
      }
      session?.noteDrop()
      await session?.running.leave()
    }
    await registry.forgetClosed()
  }

  /// The same for those that somebody else has deleted, as at a terminal.
  ///
  /// - Throws: what the store throws.
  func forgetDeleted() async throws {
    var deleted: [String] = []
    for session in hosted.withLock({ Array($0.values) }) where session.endedAt != nil {
      if try await store.session(session.id) == nil { deleted.append(session.id) }
    }
    if !deleted.isEmpty { await forget(deleted) }
  }
}

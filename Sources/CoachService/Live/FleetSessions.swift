internal import FleetStore
internal import LiveCoaching
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// Live sessions of which any instance may be asked.
extension ServiceSessions {
  /// How many sessions that nobody has asked for are taken over in one turn.
  private static let mostAdopted = 50
  /// How long two such turns lie apart, in nanoseconds.
  private static let adoptionNanoseconds: Int64 = 5_000_000_000
  /// How often an identity is drawn until it belongs to a shard that is held here: one of 64 is found so all but surely.
  private static let mostDraws = 4_096

  /// Draws an identity; in a fleet one of a shard that is held here, with the hold, which is waited for.
  ///
  /// - Throws: `ServiceProblem` when no shard is held all the same.
  func drawIdentity(
    _ make: (UInt32) -> String
  ) async throws(ServiceProblem) -> (id: String, random: UInt32, hold: SharedHold?) {
    guard let fleet else {
      let random = UInt32.random(in: .min ... .max)
      return (make(random), random, nil)
    }
    await fleet.waitForPart()
    for _ in 0..<Self.mostDraws {
      let random = UInt32.random(in: .min ... .max)
      let id = make(random)
      if let hold = fleet.store.hold(of: id) { return (id, random, hold) }
    }
    throw .unavailable("this instance has no part of the sessions yet: expected the same request again")
  }

  /// Makes sure that a session is answered here that somebody asks for: it is in memory or in the history then, or there is none
  /// for who asks. Nothing is done where a service runs alone.
  ///
  /// - Parameter repeats: whether it is asked for by what may have been sent before, and has a name by which it is known: of a session that
  ///   is over the instance that had it last knows what was answered.
  /// - Throws: `ServiceProblem` when another instance has it, and what the database throws.
  func reach(_ id: String, for caller: Caller, repeats: Bool = false) async throws {
    guard let fleet, SessionFolder.isName(id) else { return }
    if let session = known(id) {
      guard isLost(session, fleet) else { return }
      letGo(session)
    }
    // A session of somebody else is answered like one that is not there.
    guard let place = try await fleet.work({ store in try store.place(of: id, for: caller.person) }),
      caller.mayUse(person: place.session.person, maker: place.session.maker)
    else { return }
    if place.isOver {
      if repeats, fleet.isElsewhere(place.holder) { throw fleet.elsewhere(place.holder) }
      try await takeOver(id, isOver: true)
      return
    }
    guard fleet.store.hold(of: id) != nil else { throw fleet.elsewhere(place.holder) }
    do {
      try await takeOver(id)
    } catch is SharedSessionProblem {
      throw fleet.elsewhere(try await fleet.work { store in try store.holder(of: id) })
    }
  }

  /// Makes sure that what is in memory is how things are, before anybody is answered from it: an instance that was stopped for a while
  /// lets go of what another one has by now. Nothing is done where a service runs alone; leases that last, and those of a database that is
  /// away, are not asked for again.
  func renewLeases() async {
    guard let fleet else { return }
    await fleet.renewLeases()
    // They may have been renewed, and some lost, before this was asked.
    if fleet.store.lossCount != seenLosses.load(ordering: .acquiring) { letGoOfLost(fleet) }
  }

  private func letGoOfLost(_ fleet: ServiceFleet) {
    let losses = fleet.store.lossCount
    for session in all where isLost(session, fleet) { letGo(session) }
    seenLosses.store(losses, ordering: .releasing)
  }

  /// Whether another instance may have a session by now that is live here.
  func isLost(_ session: HostedSession, _ fleet: ServiceFleet) -> Bool {
    guard session.endedAt == nil, !session.isWhole, let hold = session.hold else { return false }
    return !fleet.holds(hold)
  }

  /// Reaches the session that a key began last and that goes on. Most apps send a message once, so that it waits while the session passes from
  /// one instance to another.
  ///
  /// - Parameter unanswering: the instance that was asked in vain: its session is waited for as well, until its lease is over.
  /// - Throws: as ``reach(_:for:repeats:)``.
  func reachNewest(by caller: Caller, unanswering: UnansweringInstance) async throws {
    guard let fleet else { return }
    if let session = newest(by: caller), session.hold.map(fleet.holds) ?? false { return }
    while let row = try await store.newestOpenSession(by: caller.id) {
      do {
        return try await reach(row.id, for: caller)
      } catch let problem as ServiceProblem where unanswering.explains(problem) {
        guard !unanswering.isOver else { throw ServiceProblem.beingTakenOver }
        if problem == .beingTakenOver { await fleet.takeExpired() }
        // The database is asked once a second: many apps may wait for one instance.
        var looks = 0
        repeat {
          try await Task.sleep(nanoseconds: Self.lookNanoseconds)
          looks += 1
        } while fleet.store.hold(of: row.id) == nil && looks < Self.looksASecond && !unanswering.isOver
      }
    }
  }

  /// How long two looks lie apart whether this instance has a session by now, in nanoseconds.
  private static let lookNanoseconds: UInt64 = 100_000_000
  /// How many of them make a second.
  private static let looksASecond = 10

  /// Why nothing can be taken for a session that was lost while it was asked for.
  func lost(_ session: HostedSession) async -> ServiceProblem {
    guard let fleet else {
      return .unavailable("the session cannot be kept any more: what was answered is", retryAfterSeconds: 5)
    }
    letGo(session)
    let id = session.id
    guard let holder = try? await fleet.work({ store in try store.holder(of: id) }) else {
      return .unavailable("the database cannot be reached now")
    }
    return fleet.elsewhere(holder)
  }

  /// Lets go of what another instance has by now, and takes over what nobody has asked for: it moves on by time alone, and ends.
  func tickFleet() async {
    guard let fleet else { return }
    letGoOfLost(fleet)
    let now = MonotonicClock.now
    guard !fleet.isAway, isAdoptionDue(now, after: Self.adoptionNanoseconds) else { return }
    Task {
      // What cannot be brought now is brought by the next turn, or before somebody is answered.
      try? await bringHistory()
      guard let rows = try? await fleet.work({ store in try store.openSessions() }) else { return }
      for row in rows.lazy.filter({ self.known($0.id) == nil }).prefix(Self.mostAdopted) {
        // What cannot be taken over now is tried again by the next turn, or by who asks for it.
        do { try await takeOver(row.id) } catch { noteStranded(row.id, error) }
      }
    }
  }

  /// Says once a minute why a session is held here and goes on nowhere, unless that passes by itself.
  private func noteStranded(_ id: String, _ error: any Error) {
    if error is SharedSessionProblem || (error as? PostgresError)?.isTemporary == true { return }
    guard stranded.admits(id, clock.now()) else { return }
    ServiceNotice.say("\(id): cannot go on here: \(ServiceProblem(describing: error).detail)")
  }

  /// Takes a session over from its log: one that is over comes into the history, another one goes on here.
  ///
  /// - Parameters:
  ///   - isOver: whether it is known to be over, so that nobody has to hold it.
  ///   - ending: how it ends where it cannot go on, because its model is nowhere; absent where somebody has to say so first, or where it has
  ///     to rest for longer.
  /// - Returns: `false` where it was in memory here, so that nothing was done.
  @discardableResult
  func takeOver(_ id: String, isOver: Bool = false, ending: EndingWithoutModel? = nil) async throws -> Bool {
    // Who tries to go on with one that is over by now does not bring it.
    try await takeovers.take(id, to: isOver ? .bring : .goOn) { [self] in
      // One that is being begun here is in the database already, and in memory in a moment: it is nobody's to take.
      await beginnings.wait(for: id)
      guard let fleet else { return true }
      if let session = known(id) {
        guard isLost(session, fleet) else { return false }
        letGo(session)
      }
      // Its folder is removed here still. That is a matter of the disk: who waits for it has one of the turns meanwhile.
      await departures.wait(for: id)
      if try await history.session(exactly: id) != nil { return true }
      let dataFolder = settings.dataFolder
      let log: SharedSessionLog?
      if isOver {
        log = try await fleet.logOfEnded(id)
      } else {
        log = try await fleet.work { store in
          guard let hold = store.hold(of: id) else { return try store.log(of: id) }
          let log = try store.takeOver(id)
          return log.flatMap { $0.isOver ? $0 : $0.hold == hold ? $0 : nil }
        }
      }
      guard let log, !log.isOver || log.summary != nil else { return true }
      if !log.isOver, log.hold == nil { throw SharedSessionProblem.heldElsewhere(id) }
      try await fleet.write { try log.takePlace(in: dataFolder) }
      if log.isOver {
        try await takeIntoHistory(id)
        return true
      }
      let isOfKey = try await store.isKey(log.session.maker)
      do {
        try await resume(log.session, isOfKey: isOfKey, log)
      } catch let problem as ServiceProblem where problem == .modelMissing {
        guard let ending = try ending ?? self.ending(of: log, isOfKey: isOfKey) else { throw problem }
        try await endWithoutModel(log, ending, in: fleet)
      }
      return true
    }
  }

  /// Takes a session into the history whose folder is here with its end.
  func takeIntoHistory(_ id: String) async throws {
    _ = try await history.close(id)
    if let mark = try SessionMark.take(id, in: settings.dataFolder) { try mark.remove() }
  }

  /// Lets go of a session that another instance has: its readers come back with their last ids, and nothing of it stays in the folder of
  /// this instance until it is over.
  func letGo(_ session: HostedSession) {
    guard drop(session, departing: true) else { return }
    for stream in streams.all where stream.session === session { stream.end() }
    let (id, dataFolder) = (session.id, settings.dataFolder)
    Task {
      await session.running.letGo()
      // What cannot be removed now is written anew by a takeover, or removed by the next start.
      try? await departureDesk.run { try CacheFolderMark.discardUnfinished(id, in: dataFolder) }
      departures.end(id)
    }
  }
}

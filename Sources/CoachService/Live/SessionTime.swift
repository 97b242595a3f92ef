internal import LiveCoaching
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutSession

/// What time does to the live sessions of the service.
extension ServiceSessions {
  /// How soon one is looked at again that is paused for longer than others live, in nanoseconds.
  private static let pausedLook: Int64 = 5_000_000_000

  /// Begins to end what has rested for too long, and to close what has ended by itself.
  func passTime() async {
    await tickFleet()
    let now = clock.now()
    let elapsed = clock.elapsed()
    removeOldInputs()
    let ends = registry.endCount
    if looks.withLock({ $0.begin(at: elapsed, ends: ends) }) {
      await forgetEnded(elapsed)
      await endSilent(now, elapsed)
    }
  }

  /// Ends the streams of those whose secrets do not hold any more, of sessions that are not theirs to see any more, and of those who have
  /// left.
  func endStreams(_ access: ServiceAccess) {
    streams.endUnheld(access)
    for stream in streams.all where stream.session.endedAt == nil {
      let session = stream.session
      if !stream.caller.mayUse(person: session.person, maker: session.maker) { stream.end() }
    }
    for poll in polls.all where !access.holds(poll.caller) { poll.end() }
  }

  /// Sends how the sessions stand to those who watch them.
  func sendStates(_ access: ServiceAccess) async {
    // One that was stopped and goes on shows nobody how a session was that another one has by now.
    if !streams.all.isEmpty { await renewLeases() }
    let elapsed = clock.elapsed()
    for stream in streams.all where !stream.client.hasLeft {
      await stream.tick(elapsed, holds: access.holds(stream.caller))
    }
  }

  /// Removes, once a minute, what was taken of sessions that ended long ago; those that this process has not in memory as well.
  private func removeOldInputs() {
    guard looks.withLock({ $0.beginCleaning(at: clock.elapsed()) }) else { return }
    let (dataFolder, most, now) = (settings.dataFolder, settings.rememberedEnds, SystemWallClock.now())
    // A disk that hangs holds nobody up.
    Task { try? await endedDesk.run { try EndedInputs.removeOld(in: dataFolder, atMost: most, now: now) } }
  }

  /// Lets go of those that ended long ago, and of the oldest where there are too many.
  private func forgetEnded(_ elapsed: Int64) async {
    let ended = all.compactMap { session in session.endedAt.map { (session: session, at: $0) } }
      .sorted { $0.at > $1.at }
    for (place, one) in ended.enumerated() {
      guard place >= settings.rememberedEnds || elapsed - one.at > Self.memoryOfEnded else {
        looks.withLock { $0.expect(one.at + Self.memoryOfEnded) }
        continue
      }
      _ = drop(one.session)
      await one.session.running.leave()
      let (id, dataFolder) = (one.session.id, settings.dataFolder)
      // What cannot be removed now goes with what is old.
      try? await endedDesk.run { try EndedInputs.remove(id, in: dataFolder) }
    }
  }

  /// Begins to end what has rested for too long, and to close what has ended by itself. Nothing of it is waited for: what one session
  /// waits for is nothing to the others.
  private func endSilent(_ now: WallClockTime, _ elapsed: Int64) async {
    for session in all {
      guard let silence = session.silence(at: elapsed) else { continue }
      if session.running.hasEnded {
        if !session.isBeingClosed { endings.begin(session.id) { [self] in await close(session) } }
        continue
      }
      let longest = session.longestSilence
      guard silence > longest else {
        looks.withLock { $0.expect(elapsed - silence + longest) }
        continue
      }
      if await session.running.state != .paused || silence > Self.longestPause {
        endings.begin(session.id) { [self] in
          _ = await session.running.end(.endOfInput, now: now)
          await close(session)
        }
      } else {
        looks.withLock { $0.expect(elapsed + Self.pausedLook) }
      }
    }
  }

  /// How long it is waited at most, when a service ends, for folders of sessions that were let go, in nanoseconds.
  private static let longestDeparture: Int64 = 3_000_000_000

  /// Writes everything down that was taken.
  func close() async {
    streams.end()
    polls.end()
    await recovery.stop()
    endings.stop()
    retries.stop()
    await registry.shutDown()
    // What they waited for is answered by now.
    await endings.wait()
    await retries.wait()
    // The folder is somebody else's to take from now on.
    await departures.waitForAll(atMost: Self.longestDeparture)
  }
}

/// When all sessions are looked at next. With each turn that would cost more than what is sent by many of them: so it is done when one
/// has ended, and when the first may have rested for too long.
struct SessionLooks: Sendable {
  /// After this there may be something to do, by the clock that nobody sets.
  private var due = Int64.min
  /// How long two looks lie apart at what is kept of sessions that are over, in nanoseconds.
  private static let cleaningNanoseconds: Int64 = 60_000_000_000

  /// After this there may be something to remove, by the same clock.
  private var cleaningDue = Int64.min
  /// How many sessions had ended at the last look.
  private var ends = 0

  /// Whether to look now; what is found says when to look next.
  ///
  /// - Parameter ends: how many sessions have ended ever.
  mutating func begin(at elapsed: Int64, ends: Int) -> Bool {
    guard elapsed > due || ends != self.ends else { return false }
    self.ends = ends
    // What begins from now on rests for as long at least.
    due = elapsed + min(ServiceSessions.longestSilence, ServiceSessions.longestSilenceOfKey)
    return true
  }

  /// Whether to look now at what is kept of sessions that are over.
  mutating func beginCleaning(at elapsed: Int64) -> Bool {
    guard elapsed > cleaningDue else { return false }
    cleaningDue = elapsed + Self.cleaningNanoseconds
    return true
  }

  /// There may be something to do after a time.
  mutating func expect(_ time: Int64) { due = min(due, time) }

  /// There is something to do at once.
  mutating func hurry() { due = .min }
}

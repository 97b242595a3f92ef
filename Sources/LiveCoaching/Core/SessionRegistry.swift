private import Glibc
package import SessionStore
internal import Synchronization
package import TextFormats
package import WorkoutHistory
package import WorkoutSession

/// The live sessions of a process: which there are, and which shard has each.
///
/// ```
/// lines ─► RunningSession ─► SessionShard   decides, synchronously, without files
///                               │ rows and records
///                               ▼
///                            JournalWriter  one commit for all sessions of a shard
///                               │ committed
///                ┌──────────────┼──────────────┐
///                ▼              ▼              ▼
///             answers      EventReader     session folders
/// ```
///
/// A run in a terminal is a registry of one.
package final class SessionRegistry: Sendable {
  /// The registry has as many sessions as it takes.
  package struct Full: Error, CustomStringConvertible {
    /// How many it takes.
    package let limit: Int
    /// One line for people.
    package var description: String { "\(limit) sessions are live already: expected one of them to end" }
  }

  private let shards: [SessionShard]
  private let writers: [JournalWriter]
  private let journal: SharedJournal?
  private let limit: Int
  private let state = Mutex<(next: UInt64, live: Int)>((0, 0))
  /// Whether ``takeGathered()`` follows soon.
  fileprivate let isGathering = Atomic(false)

  /// How many shards this machine can use at once.
  package static var usualShardCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Creates a registry.
  ///
  /// - Parameters:
  ///   - dataFolder: where sessions are kept; `nil` when none is.
  ///   - policy: how often they come to the disk.
  ///   - shardCount: how many sessions are decided at once, at least 1.
  ///   - limit: how many sessions it takes.
  ///   - clock: the clock that moves sessions on without input.
  ///   - sharedLog: where sessions are kept that another process may go on with; `nil` to keep them here alone.
  package convenience init(
    dataFolder: StoredPath?, policy: JournalPolicy, shardCount: Int, limit: Int, clock: any LiveClock,
    sharedLog: (any SharedLog)? = nil
  ) {
    self.init(
      dataFolder: dataFolder, policy: policy, shardCount: shardCount, limit: limit, clock: clock, sharedLog: sharedLog,
      device: SystemJournalDevice())
  }

  /// The same with journals on a device.
  init(
    dataFolder: StoredPath?, policy: JournalPolicy, shardCount: Int, limit: Int, clock: any LiveClock,
    sharedLog: (any SharedLog)?, device: any JournalDevice
  ) {
    precondition(shardCount > 0, "a registry has a shard")
    let broadcast = EventBroadcast()
    let journal = dataFolder.map { SharedJournal(dataFolder: $0, clock: clock) }
    let writers = (0..<shardCount).compactMap { index in
      dataFolder.flatMap { dataFolder in
        journal.map {
          JournalWriter(
            dataFolder: dataFolder, shard: index, policy: policy, journal: $0, broadcast: broadcast,
            sharedLog: sharedLog, device: device)
        }
      }
    }
    shards = (0..<shardCount).map { index in
      SessionShard(
        index, writer: writers.isEmpty ? nil : writers[index], gatherNanoseconds: policy.gatherNanoseconds,
        broadcast: broadcast, clock: clock)
    }
    self.writers = writers
    self.journal = journal
    self.limit = limit
  }

  /// Takes in a session in standby.
  ///
  /// - Parameters:
  ///   - recording: where it is kept; `nil` for nowhere.
  ///   - isDriven: whether whoever asks moves its time on, by ``RunningSession/tick(now:)``; else the registry does.
  /// - Throws: ``Full``.
  package func begin(
    _ configuration: LiveConfiguration, recording: LiveRecording?, isDriven: Bool = false
  ) async throws(Full) -> RunningSession {
    let number = try takeNumber()
    let index = Int(number % UInt64(shards.count))
    var configuration = configuration
    if recording != nil { configuration.utcOffsetSeconds = { SystemWallClock.utcOffsetSeconds(at: $0) } }
    await shards[index].add(
      SessionNumber(value: number), LiveSession(configuration), recording, isDriven: isDriven)
    let writer = writers.isEmpty ? nil : writers[index]
    return RunningSession(self, shards[index], writer, SessionNumber(value: number))
  }

  /// Goes on with a session that another process began, whose journals were brought to its folder.
  ///
  /// What that took is read while the session takes it again, some at a time: other sessions have their turns meanwhile, and memory holds no
  /// more of it than was read at once.
  ///
  /// - Parameters:
  ///   - recording: where it is kept, with its identity.
  ///   - sizes: how large its files are.
  ///   - recordCount: how many records it has.
  ///   - nextInputs: reads what was taken of it, in order, some at a time; none when there are no more.
  /// - Throws: ``Full``, and what `nextInputs` throws: all is as it was then.
  package func resume(
    _ configuration: LiveConfiguration, recording: LiveRecording, sizes: [SessionFile: Int], recordCount: Int,
    nextInputs: () throws -> [SessionInput]
  ) async throws -> RunningSession {
    let number = SessionNumber(value: try takeNumber())
    let index = Int(number.value % UInt64(shards.count))
    let shard = shards[index]
    var configuration = configuration
    configuration.utcOffsetSeconds = { SystemWallClock.utcOffsetSeconds(at: $0) }
    await shard.beginAgain(number, LiveSession(configuration), recording)
    do {
      while case let inputs = try nextInputs(), !inputs.isEmpty { await shard.takeAgain(inputs, number) }
    } catch {
      await shard.remove(number)
      forget()
      throw error
    }
    await shard.goOn(number, after: sizes, recordCount: recordCount)
    return RunningSession(self, shard, writers[index], number)
  }

  private func takeNumber() throws(Full) -> UInt64 {
    let number = state.withLock { state -> UInt64? in
      guard state.live < limit else { return nil }
      state.live += 1
      state.next += 1
      return state.next
    }
    guard let number else { throw Full(limit: limit) }
    return number
  }

  /// Somebody begins to hand over what has come for many sessions: shards take none of it before ``takeGathered()``, by the same thread,
  /// so that they are not woken for each.
  package func beginGathering() { isGathering.store(true, ordering: .relaxed) }

  /// Has the shards take at once what was gathered for them.
  package func takeGathered() {
    isGathering.store(false, ordering: .relaxed)
    for shard in shards { shard.takeGathered() }
  }

  /// Whether what is taken now cannot be kept, or waits behind something that has waited for more than a second.
  package var isUnavailable: Bool { writers.contains(where: \.isUnavailable) }

  /// What was taken and is not committed.
  package var commitQueue: CommitQueue {
    writers.reduce(into: CommitQueue()) { $0.add($1.commitQueue) }
  }

  /// How many sessions have ended ever: it changes when ``RunningSession/hasEnded`` of one does.
  package var endCount: Int { shards.reduce(0) { $0 + $1.endCount } }

  func forget() { state.withLock { $0.live -= 1 } }

  /// Writes and commits everything that was taken. The journal is removed when all of its sessions are closed, and else is
  /// left for the next start.
  package func shutDown() async {
    var isEmpty = true
    for writer in writers where await !writer.shutDown() { isEmpty = false }
    // What cannot be removed now is removed by the next start.
    if isEmpty { try? journal?.remove() }
    journal?.release()
  }

  /// Has everything leave the journals at once that was written of sessions which are closed, so that nothing stays of one that
  /// is deleted. Without it that takes some minutes.
  package func forgetClosed() async {
    for writer in writers { await writer.forgetClosed() }
  }

  /// How long each commit of each shard took since the last call, in nanoseconds.
  package func takeCommitTimes() async -> [Int64] {
    var times: [Int64] = []
    for writer in writers { times += await writer.takeCommitTimes() }
    return times
  }

  /// How many due times wait in all shards.
  package var dueCount: Int {
    get async {
      var count = 0
      for shard in shards { count += await shard.dueCount }
      return count
    }
  }
}

/// How a session that is over is kept.
package enum SettledSession: Hashable, Sendable {
  /// Its folder has all of it.
  case whole
  /// The journal has what its folder lacks, which cannot be written now: that is tried again each second.
  case unfinished
  /// Something of it is not kept, or it never began.
  case lost
}

/// A live session of a registry, for whoever feeds it.
package final class RunningSession: Sendable {
  private let registry: SessionRegistry
  let shard: SessionShard
  private let writer: JournalWriter?
  let number: SessionNumber

  init(_ registry: SessionRegistry, _ shard: SessionShard, _ writer: JournalWriter?, _ number: SessionNumber) {
    self.registry = registry
    self.shard = shard
    self.writer = writer
    self.number = number
  }

  /// Takes the next bytes of a stream of lines.
  package func feed(
    _ bytes: [UInt8], from feed: LiveFeed = LiveFeed(source: 0), now: WallClockTime
  ) async -> LiveReport {
    await shard.take(.bytes(bytes, feed), number, now: now)
  }

  /// Takes lines of a source that makes them itself.
  ///
  /// Those with seconds since the start, of a recording or a simulation, are taken as they are.
  package func take(
    _ lines: [LiveLine], from feed: LiveFeed = LiveFeed(source: 0), now: WallClockTime
  ) async -> LiveReport {
    await shard.take(.lines(lines, feed), number, now: now)
  }

  /// Takes whole lines that belong together, as a request has them.
  ///
  /// - Parameters:
  ///   - batch: the name that the sender gave them, so that sending them again changes nothing.
  ///   - isOfItsLines: whether other lines under a name that was used are refused; else they are taken for the same.
  package func take(
    request bytes: [UInt8], batch: String? = nil, isOfItsLines: Bool = true, from feed: LiveFeed = LiveFeed(source: 0),
    now: WallClockTime
  ) async -> LiveReport {
    let batch = batch.map { BatchName($0, isOfItsLines: isOfItsLines) }
    return await shard.take(.request(bytes, feed, batch: batch), number, now: now)
  }

  /// The same without waiting: what came of them is delivered once they are kept, by a thread that may not be held up.
  package func take(
    request bytes: [UInt8], batch: String?, from feed: LiveFeed, now: WallClockTime,
    _ deliver: @escaping @Sendable (LiveReport) -> Void
  ) {
    shard.take(
      .request(bytes, feed, batch: batch.map { BatchName($0, isOfItsLines: true) }), number, now: now,
      isGathered: registry.isGathering.load(ordering: .relaxed), deliver)
  }

  /// Waits until a session with an identity is kept.
  ///
  /// - Throws: why it cannot be.
  package func requireKept() async throws { try await shard.requireKept(number) }

  /// Lets go of what is kept of a session that ended before it began: there is nothing in it.
  ///
  /// - Throws: why it cannot be; the next start does so.
  package func discard() async throws { try await shard.close(number) }

  /// Takes note that a stream of lines is over; a last line without its end is still a line.
  package func finish(_ feed: LiveFeed, now: WallClockTime) async -> LiveReport {
    await shard.take(.finish(feed), number, now: now)
  }

  /// Takes note that time has passed without input.
  package func tick(now: WallClockTime) async -> LiveReport { await shard.take(.tick, number, now: now) }

  /// Ends the session.
  package func end(_ reason: SessionEvent.EndReason, now: WallClockTime) async -> LiveReport {
    await shard.take(.end(reason), number, now: now)
  }

  /// Refuses all commands of a sender from now on.
  package func refuseCommands(of feed: LiveFeed) async { await shard.refuseCommands(of: feed, number) }

  /// The session as it stands; `nil` when it was let go.
  package var session: LiveSession? { get async { await shard.session(number) } }

  /// Whether something of the sessions of its shard is not committed, be it of another one.
  package var mayBeUncommitted: Bool { writer?.hasUncommitted ?? false }

  /// Waits until what was taken of the session is committed; `false` where that cannot be done now, or nothing is kept of it.
  package func waitForCommit() async -> Bool { await shard.waitForCommit(number) }

  /// The state of the session, without the rest of it; over when it was let go.
  package var state: LiveSession.State { get async { await shard.state(number) } }

  /// Whether the session is over, as far as its shard has come: without waiting for it.
  package var hasEnded: Bool { shard.hasEnded(number) }

  /// The report of lines whose name was used before, without taking them where it was not; `nil` then.
  ///
  /// - Parameter isOfItsLines: whether other lines under the name are refused; else they are taken for the same.
  package func report(ofRepeated bytes: [UInt8], batch name: String, isOfItsLines: Bool) async -> LiveReport? {
    await shard.report(ofRepeated: bytes, batch: BatchName(name, isOfItsLines: isOfItsLines), number)
  }

  /// How many lines could not be used so far.
  package var badLineCount: Int { get async { await shard.badLineCount(number) } }

  /// The folder of the session; absent before it begins, or when nothing is kept.
  package var folder: String? { get async { await shard.record(of: number)?.folder.path } }

  /// The folder of the session once all of it is saved.
  package var savedFolder: String? {
    get async {
      guard let record = await shard.record(of: number), record.isFinished else { return nil }
      return record.folder.path
    }
  }

  /// The identity of the session; absent before it begins, or when nothing is kept.
  package var sessionID: String? { get async { await shard.record(of: number)?.sessionID } }

  /// Waits until all of a session that is over is kept, some seconds where its folder cannot be written; how it stands then.
  package func settle() async -> SettledSession { await shard.settle(number) }

  /// Closes the folder of a session that ended: takes it into the history, and removes its mark.
  ///
  /// - Throws: what `History.close(_:)` throws; the next start does it then.
  package func closeRecording(in history: History) async throws {
    guard let record = await shard.record(of: number), record.isFinished else { return }
    _ = try await history.close(record.sessionID, digest: shard.digest(number))
    try await shard.close(number)
  }

  /// The records of the session after one of them, at once, also while the disk is full, fails or falls behind: those that are on the
  /// disk by now, as many as are given at once, and a reader of those that follow, which ``stopReading(_:)`` ends. Where the page is not
  /// whole, the reader goes on too late, and whoever reads asks for the next page.
  ///
  /// - Parameter end: the number of the last one that is wanted of those that there are.
  /// - Returns: `nil` for a session of which nothing is kept.
  /// - Throws: `FileError` when what is there cannot be read, and what keeps anything of the session from being kept.
  package func page(after last: Int, through end: Int = .max) async throws -> RecordPage? {
    guard let (reader, journaled) = await shard.attach(number), let writer else { return nil }
    do {
      let lacking = try await writer.readable(journaled)
      var page = RecordPage(reader, after: last, through: min(end, reader.first))
      try page.read(journaled.folder + "/" + SessionFolder.decisions, lacking)
      return page
    } catch {
      // Nobody else could let it go.
      await stopReading(reader)
      throw error
    }
  }

  /// What people want to know of the session that happened after a notice, oldest first, and the number of the newest one. With the
  /// first call they begin to be kept, and the streams to be watched, until the last reader of records leaves.
  ///
  /// - Parameter last: the number of the last one that is known; `nil` for whoever begins to look, and gets none of before.
  package func notices(after last: Int?) async -> (new: [LiveNotice], last: Int) {
    await shard.notices(after: last, number)
  }

  /// Lets a reader go.
  package func stopReading(_ reader: EventReader) async {
    await shard.detach(reader, number)
    // Of a session that is gone nobody else ends it.
    reader.end()
  }

  /// Lets the session go; it is not known any more.
  package func leave() async {
    await shard.remove(number)
    registry.forget()
  }

  /// Lets the session go, which another process has: nothing of it is written any more when this returns.
  package func letGo() async {
    await shard.letGo(number)
    registry.forget()
  }
}

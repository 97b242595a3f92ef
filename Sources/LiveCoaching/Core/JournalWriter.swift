private import Dispatch
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutSession

/// Writes what the sessions of a shard decide: to a journal, with one commit for all of them, and from there to their folders.
///
/// A shard appends and goes on; the writer works on a queue of its own. What cannot be written is kept and tried again once a
/// second, in a new segment, because nobody knows what a disk has of a segment that failed.
final class JournalWriter: Sendable {
  /// How many bytes are kept while they cannot be written; more is final.
  static let largestBacklog = 64 << 20
  /// How long something waits for a commit before nothing more is taken, in nanoseconds.
  static let longestWait: Int64 = 1_000_000_000
  /// How long what was written of a closed session stays in the journal, in nanoseconds.
  private static let closedNanoseconds: Int64 = 300_000_000_000

  private let dataFolder: StoredPath
  private let policy: JournalPolicy
  private let broadcast: EventBroadcast
  private let inbox = JournalInbox()
  private let isFailing = Atomic(false)
  private let queue: DispatchQueue
  private let folders: FolderDelivery
  private let state: JournalWriterState
  private let journal: SharedJournal
  private let device: any JournalDevice
  private let sharedLog: (any SharedLog)?

  init(
    dataFolder: StoredPath, shard: Int, policy: JournalPolicy, journal: SharedJournal, broadcast: EventBroadcast,
    sharedLog: (any SharedLog)?, device: any JournalDevice
  ) {
    self.dataFolder = dataFolder
    self.policy = policy
    self.broadcast = broadcast
    self.journal = journal
    self.sharedLog = sharedLog
    self.device = device
    let numbers = SegmentNumbers()
    queue = DispatchQueue(label: "coach.journal.\(shard)")
    state = JournalWriterState(
      JournalSegments(journal, shard: shard, numbers, device, bytes: policy.segmentBytes), CommitSchedule(policy))
    folders = FolderDelivery(
      dataFolder: dataFolder, shard: shard, policy: policy, journal: journal, numbers, device, queue)
  }

  /// Whether the last write failed, so that what is taken now may not be kept, or an answer waits for a commit for too long already.
  var isUnavailable: Bool {
    if isFailing.load(ordering: .relaxed) { return true }
    guard policy.answersAfterCommit else { return false }
    return inbox.waitingSince.map { MonotonicClock.now - $0 > Self.longestWait } ?? false
  }

  /// Whether an answer says that what it answers is committed, as in a service.
  var answersAfterCommit: Bool { policy.answersAfterCommit }

  /// Whether something was appended that is not committed.
  var hasUncommitted: Bool { inbox.waitingSince != nil }

  /// What was appended and is not committed.
  var commitQueue: CommitQueue { inbox.uncommitted }

  // MARK: - From the shard

  /// Begins a session with the text of its manifest; its frames follow.
  func begin(_ session: JournaledSession, manifest text: [UInt8]) {
    append(JournalEntry(session: session, action: .begin(manifest: text))) { _ in nil }
  }

  /// Appends what an encoder has gathered, where there is one, and what was taken of a session that goes on.
  ///
  /// - Parameter isWatched: whether anybody reads the records as they come. `spare` gets the memory of what was taken.
  func append(
    _ encoder: SessionLogEncoder?, _ inputs: inout InputLog, of session: JournaledSession, isWatched: Bool,
    _ spare: SpareBuffers
  ) {
    var entry = JournalEntry(session: session, action: .rows)
    if isWatched, let encoder {
      entry.records = encoder.newRecords
      entry.firstRecord = encoder.recordCount - entry.records.count { $0 == UInt8(ascii: "\n") } + 1
    }
    append(entry, encoder?.journalVersion ?? .first) { bytes in
      JournalFrame.append(.rows, of: session.sessionID, to: &bytes) { bytes in
        let isAny = encoder?.drain(into: &bytes) ?? false
        return inputs.drain(into: &bytes, spare) || isAny
      }
    }
  }

  /// Ends the folder of a session with its summary.
  func finish(_ session: JournaledSession, summary: [UInt8]) {
    append(JournalEntry(session: session, action: .finish(summary: summary))) { _ in nil }
  }

  /// Says that a session is in the history, and removes its mark.
  func close(_ session: JournaledSession) async throws {
    append(JournalEntry(session: session, action: .closed)) { bytes in
      JournalFrame.append(.closed, of: session.sessionID, to: &bytes) { _ in true }
    }
    switch await outcome(of: session, isFinal: true, .unlimited) {
    case .kept, .unfinished: break
    case .waiting(let error), .lost(let error): throw error
    }
  }

  /// Waits until everything that was appended of a session is written, or committed.
  ///
  /// - Parameters:
  ///   - isFinal: whether what cannot be written now is lost.
  ///   - patience: how long it is waited for while the disk fails.
  func outcome(
    of session: JournaledSession, isFinal: Bool, _ patience: JournalWaiter.Patience
  ) async -> JournalOutcome {
    await withCheckedContinuation { continuation in
      wait(JournalWaiter(session, isFinal: isFinal, patience, .continuation(continuation)))
    }
  }

  /// Gives a report back to its shard, with all others that are answered by then, when everything that was appended of a
  /// session is written, or committed.
  ///
  /// - Parameters:
  ///   - isFinal: whether what cannot be written now is lost.
  ///   - patience: how long it is waited for while the disk fails.
  func answer(
    _ report: PendingReport, when session: JournaledSession, isKeptFinally isFinal: Bool,
    _ patience: JournalWaiter.Patience
  ) {
    wait(JournalWaiter(session, isFinal: isFinal, patience, .report(report)))
  }

  private func wait(_ waiter: JournalWaiter) {
    if inbox.add(waiter) { schedule() }
  }

  /// Has the folder of a session show what is committed of it; waits for nothing that the disk does not take now.
  ///
  /// - Returns: what the folder may lack all the same, as pieces of its files.
  /// - Throws: why nothing is kept of the session any more, or `FileError` when what is committed cannot be read.
  func readable(_ session: JournaledSession) async throws -> [UInt8] {
    if !isUnavailable, case .lost(let error) = await outcome(of: session, isFinal: false, .without) {
      throw error
    }
    return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[UInt8], any Error>) in
      folders.queue.async { continuation.resume(with: Result { try self.folders.readable(session) }) }
    }
  }

  /// Writes nothing more of a session, which another process has; waits until that is so.
  func letGo(_ session: JournaledSession) async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.drop(session)
        self.folders.queue.async { continuation.resume() }
      }
    }
  }

  /// Writes and commits everything, and lets go of the journal; one that nobody needs any more is removed.
  func shutDown() async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async {
        self.drain(isClosing: true)
        // What could not be written is lost with this process, as whoever waits for it was answered.
        self.state.batch.empty()
        self.state.isClosed = true
        self.folders.close {
          self.state.segments.abandon()
          continuation.resume(returning: self.state.sessions.isEmpty && self.state.schedule.problem == nil)
        }
      }
    }
  }

  /// Has everything leave the journal that was written of sessions which are closed.
  func forgetClosed() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.endSegment()
        self.folders.queue.async { continuation.resume() }
      }
    }
  }

  /// How long each commit took since the last call, in nanoseconds.
  func takeCommitTimes() async -> [Int64] {
    await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: self.state.segments.takeSyncTimes())
      }
    }
  }

  private func append(
    _ entry: JournalEntry, _ version: LiveJournal.Version = .first, _ frame: (inout [UInt8]) -> Range<Int>?
  ) {
    if inbox.add(entry, version, frame) { schedule() }
  }

  /// Has the queue work: at once, or when the next commit may be.
  private func schedule() {
    queue.async {
      let wait = self.state.schedule.wait(at: self.device.now())
      guard wait > 0 else { return self.drain() }
      self.device.call(afterNanoseconds: wait, on: self.queue) { self.drain() }
    }
  }

  // MARK: - On the queue

  private func drain(isClosing: Bool = false) {
    takeInbox()
    begin()
    if isClosing || state.schedule.isTried(at: device.now(), isAskedFinally: state.waiters.hasFinal) {
      writeAndCommit(isClosing: isClosing)
    }
    if let problem = state.schedule.problem {
      // The folders may have room all the same, and are healed by what is in them.
      if folders.isImmediate { deliver() }
      if state.batch.frames.count > Self.largestBacklog { giveUp(problem) }
    }
    isFailing.store(state.schedule.problem != nil, ordering: .relaxed)
    inbox.noteHeld(state.batch.entries.count)
    if !isClosing { setTimer() }
    let turn = JournalWaiters.Turn(
      problem: state.schedule.problem, hasImmediateFolders: folders.isImmediate,
      mayHold: policy.answersAfterCommit && !isClosing, now: device.now())
    state.waiters.answer(turn) { folders.answer($0) }
  }

  private func setTimer() {
    guard hasMore, !state.isTimerSet, !state.isClosed else { return }
    state.isTimerSet = true
    device.call(afterNanoseconds: state.schedule.waitForTimer(at: device.now()), on: queue) {
      self.state.isTimerSet = false
      if self.hasMore, !self.state.isClosed { self.drain() }
    }
  }

  /// Whether the queue has something to do without anything that comes. After a failure that is so until the disk works: whoever
  /// is refused because of it sends nothing that would show it.
  private var hasMore: Bool { !state.batch.entries.isEmpty || state.schedule.problem != nil }

  private func writeAndCommit(isClosing: Bool) {
    do {
      try write()
      if folders.isImmediate { deliver() }
      if state.schedule.isCommitDue(at: device.now()) || isClosing && !state.sessions.isEmpty { try commit() }
      state.schedule.noteSuccess()
      if state.batch.written == 0 { retireAbandoned() }
    } catch {
      state.schedule.noteFailure(error, at: device.now())
      guard !(error is SharedLogFailure) else { return }
      // Nobody knows what the disk has of it; all that is not committed goes into the next one.
      if let abandoned = state.segments.abandon() { state.abandoned.append(abandoned) }
      state.batch.writeAgain()
    }
  }

  /// Has segments go that were given up: what was not committed in them is committed elsewhere by now.
  private func retireAbandoned() {
    for segment in state.abandoned { folders.retire(segment, isAtOnce: false) }
    state.abandoned = []
  }

  /// Takes what has come since the last time; there is room then for as much again.
  private func takeInbox() {
    var news = JournalInbox.Content(frames: state.batch.takeSpare())
    news.entries.reserveCapacity(state.usualEntries)
    news.waiters.reserveCapacity(state.usualWaiters)
    inbox.exchange(&news)
    (state.usualEntries, state.usualWaiters) = (news.entries.count, news.waiters.count)
    state.waiters.take(news.waiters)
    state.batch.take(news)
  }

  /// Makes marks and folders of new sessions, before anything of them is in the journal.
  private func begin() {
    var new: [JournaledSession] = []
    for entry in state.batch.entries {
      guard case .begin(let manifest) = entry.action else { continue }
      let session = entry.session
      guard !session.hasBegun, session.failure == nil else { continue }
      new.append(session)
      do {
        try DataFolderMark.make(dataFolder)
        try session.begin(journal.made(), manifest: manifest, isWrittenLater: !folders.isImmediate)
        state.sessions[session.sessionID] = session
      } catch {
        session.failure = error
      }
    }
    guard !new.isEmpty else { return }
    do {
      if new.contains(where: \.hasBegun) { try SessionMark.syncAll(in: dataFolder) }
    } catch {
      for session in new where session.hasBegun {
        session.failure = error
        session.abandon()
        state.sessions[session.sessionID] = nil
      }
    }
    state.batch.dropFailed()
  }

  private func write() throws {
    guard state.batch.hasUnwritten else { return }
    if let full = try state.segments.makeRoom(state.batch.version) { folders.retire(full, isAtOnce: false) }
    let (frames, begin) = (state.batch.frames, state.segments.end)
    try state.segments.write(frames.span.extracting(state.batch.written..<frames.count))
    state.batch.noteWritten(in: state.segments.number, from: begin, isForFolders: folders.isImmediate)
  }

  private func commit() throws {
    guard !state.batch.isEmpty else { return }
    if let sharedLog { try share(sharedLog) } else { try state.segments.sync() }
    state.schedule.noteCommit(at: device.now())
    if !folders.isImmediate || state.batch.hasUndelivered { deliver() }
    state.batch.empty()
  }

  /// Commits to a shared log what was written here; what another process has by now, or the log has otherwise, is over here.
  private func share(_ log: any SharedLog) throws(SharedLogFailure) {
    for session in try state.batch.share(log) { drop(session) }
  }

  /// Takes and writes nothing more of a session, which another process has.
  private func drop(_ session: JournaledSession) {
    session.failure = session.failure ?? SharedSessionProblem.letGo(session.sessionID)
    state.batch.forgetRecords(of: session)
    if state.sessions[session.sessionID] === session { state.sessions[session.sessionID] = nil }
    folders.drop(session)
    broadcast.end(session.sessionID)
    forgetClosedInTime()
  }

  /// Gives what is written to the folders, and to those who read events.
  private func deliver() {
    guard state.batch.hasUndelivered else { return }
    let entries = state.batch.takeUndelivered()
    // In their places: a copy of each would count everything that it holds.
    for index in entries.indices where !entries[index].records.isEmpty {
      let entry = entries[index]
      broadcast.publish(entry.records, from: entry.firstRecord, of: entry.session.sessionID)
    }
    for index in entries.indices {
      guard case .closed = entries[index].action else { continue }
      state.sessions[entries[index].session.sessionID] = nil
      forgetClosedInTime()
    }
    folders.deliver(entries, state.batch.frames)
  }

  /// Has what was written of sessions that are closed, or let go, leave the journal after a while.
  private func forgetClosedInTime() {
    guard !state.hasClosed, !folders.isImmediate else { return }
    state.hasClosed = true
    device.call(afterNanoseconds: Self.closedNanoseconds, on: queue) { [weak self] in self?.endSegment() }
  }

  /// Ends the segment that is written, so that it goes as soon as the folders have all of it.
  private func endSegment() {
    guard state.hasClosed, !state.isClosed else { return }
    drain()
    state.hasClosed = false
    // What could not be committed goes into another segment anyway.
    guard state.schedule.problem == nil, state.batch.entries.isEmpty else { return forgetClosedInTime() }
    do {
      if let ended = try state.segments.close() {
        folders.retire(ended, isAtOnce: true)
      } else {
        // The last one was given up.
        folders.retireAll(upTo: state.segments.number)
      }
    } catch {
      // It goes on, and has all of it still.
      forgetClosedInTime()
    }
  }

  private func giveUp(_ error: any Error) {
    for entry in state.batch.entries { entry.session.failure = entry.session.failure ?? error }
    state.batch.empty()
  }
}

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
  private static let retryNanoseconds: Int64 = 1_000_000_000

  /// What came of something that was appended.
  enum Outcome: Sendable {
    /// It is written, or committed.
    case kept
    /// It waits in memory, because it cannot be written.
    case waiting(any Error)
    /// Nothing is written of the session any more.
    case lost(any Error)
  }

  /// What a shard appends.
  struct Entry {
    enum Action {
      case begin, rows, finish([UInt8]), closed
    }

    let session: JournaledSession
    let action: Action
    /// Its frame among those that were appended with it.
    var frame = 0..<0
    /// What the frame holds.
    var content = 0..<0
    /// The number of the first of `records`.
    var firstRecord = 0
    /// Records that somebody reads as they come, one a line.
    var records: [UInt8] = []
  }

  private struct Waiter {
    let session: JournaledSession
    let isFinal: Bool
    let continuation: CheckedContinuation<Outcome, Never>
  }

  /// What waits for the writer.
  private struct Inbox {
    var frames: [UInt8] = []
    var entries: [Entry] = []
    var waiters: [Waiter] = []
    var isScheduled = false
  }

  /// What only the queue uses.
  private final class State: @unchecked Sendable {
    var segment: POSIXFile?
    var segmentNumber = 0
    var segmentBytes = 0
    /// Frames since the last commit, and their entries.
    var frames: [UInt8] = []
    var entries: [Entry] = []
    /// How many of those bytes the segment has.
    var written = 0
    /// How many of those entries were given to the folders.
    var delivered = 0
    var waiters: [Waiter] = []
    var problem: (any Error)?
    var lastCommit: Int64?
    /// The sessions that are not closed.
    var sessions: [String: JournaledSession] = [:]
    var isTimerSet = false
    var commits: [Int64] = []
  }

  private let dataFolder: StoredPath
  private let shard: Int
  private let policy: JournalPolicy
  private let broadcast: EventBroadcast
  private let inbox = Mutex(Inbox())
  private let isFailing = Atomic(false)
  private let queue: DispatchQueue
  private let folderQueue: DispatchQueue
  private let state = State()
  private let journal: SharedJournal

  init(
    dataFolder: StoredPath, shard: Int, policy: JournalPolicy, journal: SharedJournal, broadcast: EventBroadcast
  ) {
    self.dataFolder = dataFolder
    self.shard = shard
    self.policy = policy
    self.broadcast = broadcast
    self.journal = journal
    queue = DispatchQueue(label: "coach.journal.\(shard)")
    folderQueue = policy.folderBytes == 0 ? queue : DispatchQueue(label: "coach.folders.\(shard)")
  }

  /// Whether the last write failed, so that what is taken now may not be kept.
  var isUnavailable: Bool { isFailing.load(ordering: .relaxed) }

  // MARK: - From the shard

  /// Begins a session, whose frames follow.
  func begin(_ session: JournaledSession) {
    append(Entry(session: session, action: .begin)) { _ in nil }
  }

  /// Appends what an encoder has gathered.
  func append(_ encoder: inout SessionLogEncoder, of session: JournaledSession) {
    var entry = Entry(session: session, action: .rows)
    if session.isWatched.load(ordering: .acquiring) {
      entry.records = encoder.newRecords
      entry.firstRecord = encoder.recordCount - entry.records.count { $0 == UInt8(ascii: "\n") } + 1
    }
    // The lock is held by the shard alone, but for the moment in which the writer takes all of it.
    append(entry) { bytes in
      JournalFrame.append(.rows, of: session.sessionID, to: &bytes) { encoder.drain(into: &$0) }
    }
  }

  /// Ends the folder of a session with its summary.
  func finish(_ session: JournaledSession, summary: [UInt8]) {
    append(Entry(session: session, action: .finish(summary))) { _ in nil }
  }

  /// Says that a session is in the history, and removes its mark.
  func close(_ session: JournaledSession) async throws {
    append(Entry(session: session, action: .closed)) { bytes in
      JournalFrame.append(.closed, of: session.sessionID, to: &bytes) { _ in true }
    }
    switch await outcome(of: session, isFinal: true) {
    case .kept: break
    case .waiting(let error), .lost(let error): throw error
    }
  }

  /// Waits until everything that was appended of a session is written, or committed.
  ///
  /// - Parameter isFinal: whether what cannot be written now is lost.
  func outcome(of session: JournaledSession, isFinal: Bool) async -> Outcome {
    await withCheckedContinuation { continuation in
      inbox.withLock { $0.waiters.append(Waiter(session: session, isFinal: isFinal, continuation: continuation)) }
      schedule()
    }
  }

  /// Writes what waits of a session to its folder, so that it can be read there.
  func flush(_ session: JournaledSession) async throws {
    if case .lost(let error) = await outcome(of: session, isFinal: false) { throw error }
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      folderQueue.async { continuation.resume(with: Result { try session.files.flush() }) }
    }
  }

  /// Writes and commits everything, and lets go of the journal; one that nobody needs any more is removed.
  func shutDown() async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async {
        self.drain(isClosing: true)
        self.folderQueue.async {
          try? self.state.segment?.close()
          continuation.resume(returning: self.state.sessions.isEmpty && self.state.problem == nil)
        }
      }
    }
  }

  /// How long each commit took since the last call, in nanoseconds.
  func takeCommitTimes() async -> [Int64] {
    await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: self.state.commits)
        self.state.commits = []
      }
    }
  }

  private func append(_ entry: Entry, _ frame: (inout [UInt8]) -> Range<Int>?) {
    let isAppended = inbox.withLock { inbox in
      var entry = entry
      let begin = inbox.frames.count
      let content = frame(&inbox.frames)
      if case .rows = entry.action, content == nil { return false }
      entry.frame = begin..<inbox.frames.count
      entry.content = content ?? entry.frame
      inbox.entries.append(entry)
      return true
    }
    if isAppended { schedule() }
  }

  /// Has the queue work: at once, or when the next commit may be.
  private func schedule() {
    let isNew = inbox.withLock { inbox in
      defer { inbox.isScheduled = true }
      return !inbox.isScheduled
    }
    guard isNew else { return }
    queue.async {
      guard self.policy.answersAfterCommit, let last = self.state.lastCommit else { return self.drain() }
      let wait = last + self.policy.commitNanoseconds - MonotonicClock.now
      guard wait > 0 else { return self.drain() }
      self.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait))) { self.drain() }
    }
  }

  // MARK: - On the queue

  private func drain(isClosing: Bool = false) {
    take(
      inbox.withLock { inbox in
        let news = inbox
        inbox = Inbox()
        return news
      })
    let hadProblem = state.problem != nil
    do {
      try begin()
      try write()
      if policy.folderBytes == 0 { deliver() }
      let isDue = state.lastCommit.map { MonotonicClock.now - $0 >= policy.commitNanoseconds } ?? true
      if policy.answersAfterCommit || isDue || hadProblem || isClosing && !state.sessions.isEmpty { try commit() }
      state.problem = nil
    } catch {
      state.problem = error
      // Nobody knows what the disk has of it; all that is not committed goes into the next one.
      try? state.segment?.close()
      state.segment = nil
      state.written = 0
      // The folders may have room all the same, and are healed by what is in them.
      if policy.folderBytes == 0 { deliver() }
      if state.frames.count > Self.largestBacklog { giveUp(error) }
    }
    isFailing.store(state.problem != nil, ordering: .relaxed)
    answer()
    guard !isClosing, !state.entries.isEmpty, !state.isTimerSet else { return }
    // What is written is committed in time although nothing comes after it; what is not is tried again.
    state.isTimerSet = true
    let wait =
      state.problem == nil
      ? max(0, (state.lastCommit ?? 0) + policy.commitNanoseconds - MonotonicClock.now) : Self.retryNanoseconds
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait))) {
      self.state.isTimerSet = false
      if !self.state.entries.isEmpty { self.drain() }
    }
  }

  private func take(_ news: Inbox) {
    let begin = state.frames.count
    if begin == 0 { state.frames = news.frames } else { state.frames += news.frames }
    for var entry in news.entries {
      entry.move(by: begin)
      state.entries.append(entry)
    }
    state.waiters += news.waiters
    dropFailed()
  }

  /// Makes marks and folders of new sessions, before anything of them is in the journal.
  private func begin() throws {
    let new = state.entries.filter { $0.isBegin && !$0.session.hasBegun && $0.session.failure == nil }.map(\.session)
    guard !new.isEmpty else { return }
    for session in new {
      do {
        try DataFolderMark.make(dataFolder)
        try session.begin(journal.made())
        state.sessions[session.sessionID] = session
      } catch {
        session.failure = error
      }
    }
    do {
      if new.contains(where: \.hasBegun) { try SessionMark.syncAll(in: dataFolder) }
    } catch {
      for session in new where session.hasBegun {
        session.failure = error
        session.abandon()
        state.sessions[session.sessionID] = nil
      }
    }
    dropFailed()
  }

  /// Takes out what belongs to sessions of which nothing is kept, and is not written yet.
  private func dropFailed() {
    guard state.entries.contains(where: { $0.session.failure != nil }) else { return }
    var frames = Array(state.frames[..<state.written])
    var entries: [Entry] = []
    for (index, var entry) in state.entries.enumerated() {
      let isWritten = entry.frame.upperBound <= state.written
      if entry.session.failure != nil, !isWritten || entry.frame.isEmpty {
        if index < state.delivered { state.delivered -= 1 }
        continue
      }
      if !isWritten {
        let begin = frames.count
        frames += state.frames[entry.frame]
        entry.move(by: begin - entry.frame.lowerBound)
      }
      entries.append(entry)
    }
    state.frames = frames
    state.entries = entries
  }

  private func write() throws {
    guard state.written < state.frames.count else { return }
    if state.segment == nil || state.segmentBytes > policy.segmentBytes { try beginSegment() }
    guard let segment = state.segment else { return }
    let frames = state.frames
    try segment.write(frames.span.extracting(state.written..<frames.count))
    state.segmentBytes += frames.count - state.written
    state.written = frames.count
  }

  /// Begins a segment with everything that is not committed.
  private func beginSegment() throws {
    let journal = try journal.made()
    let retired = state.segment == nil ? nil : state.segmentNumber
    if state.segment != nil { try commitSegment() }
    state.segmentNumber += 1
    state.segment = try journal.makeSegment(shard: shard, number: state.segmentNumber)
    state.segmentBytes = 0
    if let retired { retire(retired) }
  }

  private func commit() throws {
    guard !state.entries.isEmpty || state.written > 0 else { return }
    try commitSegment()
    state.lastCommit = MonotonicClock.now
    if policy.folderBytes > 0 || state.delivered < state.entries.count { deliver() }
    state.frames = []
    state.entries = []
    state.written = 0
    state.delivered = 0
  }

  private func commitSegment() throws {
    guard let segment = state.segment, state.written > 0 else { return }
    let begin = MonotonicClock.now
    try segment.sync()
    if state.commits.count < 100_000 { state.commits.append(MonotonicClock.now - begin) }
  }

  /// Gives what is written to the folders, and to those who read events.
  private func deliver() {
    guard state.delivered < state.entries.count else { return }
    let entries = Array(state.entries[state.delivered...])
    let frames = state.frames
    let segment = state.segmentNumber
    state.delivered = state.entries.count
    for entry in entries where !entry.records.isEmpty {
      broadcast.publish(entry.records, from: entry.firstRecord, of: entry.session.sessionID)
    }
    if policy.folderBytes == 0 {
      deliver(entries, frames, segment)
    } else {
      folderQueue.async { self.deliver(entries, frames, segment) }
    }
  }

  private func giveUp(_ error: any Error) {
    for entry in state.entries { entry.session.failure = entry.session.failure ?? error }
    state.frames = []
    state.entries = []
    state.written = 0
    state.delivered = 0
  }

  private func answer() {
    let waiters = state.waiters
    state.waiters = []
    for waiter in waiters {
      let session = waiter.session
      if let failure = session.failure {
        waiter.continuation.resume(returning: .lost(failure))
      } else if let problem = state.problem ?? session.folderProblem, !session.isFinished {
        if policy.answersAfterCommit, !waiter.isFinal, state.problem != nil {
          // It is answered when it is on the disk.
          state.waiters.append(waiter)
          continue
        }
        waiter.continuation.resume(returning: waiter.isFinal ? .lost(problem) : .waiting(problem))
      } else if waiter.isFinal, policy.folderBytes > 0 {
        // The folder is whole when the other queue has come so far.
        folderQueue.async {
          waiter.continuation.resume(returning: (session.failure ?? session.folderProblem).map { .lost($0) } ?? .kept)
        }
      } else {
        waiter.continuation.resume(returning: .kept)
      }
    }
  }

  // MARK: - Folders

  private func deliver(_ entries: [Entry], _ frames: [UInt8], _ segment: Int) {
    for entry in entries where entry.session.failure == nil {
      let session = entry.session
      switch entry.action {
      case .begin: break
      case .rows:
        session.files.append(
          frames.span.extracting(entry.content), reserve: policy.folderBytes == 0 ? 0 : policy.folderBytes + 1_024)
        if session.oldestSegment == nil { session.oldestSegment = segment }
        if policy.folderBytes > 0, session.files.waitingBytes >= policy.folderBytes { flush(session) }
      case .finish(let summary): finish(session, summary)
      case .closed:
        try? SessionMark.remove(session.sessionID, in: dataFolder)
        queue.async { self.state.sessions[session.sessionID] = nil }
      }
    }
    guard policy.folderBytes == 0 else { return }
    for entry in entries where entry.session.failure == nil && entry.session.files.waitingBytes > 0 {
      flush(entry.session)
    }
  }

  private func flush(_ session: JournaledSession) {
    do {
      try session.files.flush()
      session.folderProblem = nil
    } catch {
      session.folderProblem = error
      if session.files.waitingBytes > Self.largestBacklog { session.failure = error }
    }
  }

  private func finish(_ session: JournaledSession, _ summary: [UInt8]) {
    do {
      try session.files.flush()
      try session.files.sync()
      try FileSystem.writeAtomically(summary.span, to: session.folder + "/" + SessionFolder.summary)
      session.isFinished = true
      session.folderProblem = nil
    } catch {
      // The next start ends it, from the journal.
      session.failure = error
    }
  }

  /// Removes a segment when the folders have all of it on the disk.
  private func retire(_ segment: Int) {
    let sessions = Array(state.sessions.values)
    folderQueue.async {
      let touched = sessions.filter { ($0.oldestSegment ?? .max) <= segment && !$0.isFinished }
      for session in touched { self.flush(session) }
      guard touched.allSatisfy({ $0.files.waitingBytes == 0 }) else { return }
      do {
        if touched.count > Self.mostSynced {
          try POSIXFile(reading: self.dataFolder + "/" + DataFolderMark.name).syncFileSystem()
        } else {
          for session in touched { try session.files.sync() }
        }
        for session in touched { session.oldestSegment = nil }
        try self.journal.made().removeSegment(shard: self.shard, number: segment)
      } catch {
        // It stays, and is removed with the journal.
      }
    }
  }

  /// How many folders are brought to the disk one by one, and not with everything that the file system has.
  private static let mostSynced = 16
}

extension JournalWriter.Entry {
  var isBegin: Bool { if case .begin = action { true } else { false } }

  /// Says that its frame is elsewhere among the frames.
  mutating func move(by shift: Int) {
    frame = frame.lowerBound + shift..<frame.upperBound + shift
    content = content.lowerBound + shift..<content.upperBound + shift
  }
}

/// The journal of all shards of a process, which is made with the first session that is recorded.
final class SharedJournal: Sendable {
  private let dataFolder: StoredPath
  private let clock: any LiveClock
  private let journal = Mutex<LiveJournal?>(nil)

  init(dataFolder: StoredPath, clock: any LiveClock) {
    self.dataFolder = dataFolder
    self.clock = clock
  }

  /// The journal.
  ///
  /// - Throws: `FileError` when it cannot be made.
  func made() throws -> LiveJournal {
    try journal.withLock { journal in
      if let journal { return journal }
      let made = try LiveJournal.make(in: dataFolder, now: clock.now())
      journal = made
      return made
    }
  }

  /// Removes the journal, whose sessions are closed; nothing when there is none.
  ///
  /// - Throws: `FileError` when it cannot be removed; the next start does so.
  func remove() throws {
    try journal.withLock { journal in
      try journal?.remove()
      journal = nil
    }
  }
}

internal import Dispatch
private import Glibc
internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// Brings what a journal has to the folders of the sessions: at once on the queue of the journal, or without haste on its own.
///
/// What cannot be done without haste is tried again each second: the journal has it meanwhile.
final class FolderDelivery: Sendable {
  /// How many folders are brought to the disk one by one, and not with everything that the file system has.
  private static let mostSynced = 16
  private static let turnNanoseconds = 1_000_000_000

  /// What only the queue uses.
  private final class State: @unchecked Sendable {
    /// The sessions that are not closed.
    var sessions: [String: JournaledSession] = [:]
    /// Those that are over, with the summaries that their folders lack.
    var unfinished: [(session: JournaledSession, summary: [UInt8])] = []
    /// Who waits for one of these.
    var waiters: [JournalWaiter] = []
    /// Segments to which nothing comes any more, and that folders may still need, the oldest first.
    var fullSegments: [Int] = []
    /// The newest of those that go as soon as they can.
    var newestUnwanted = 0
    /// Those that are read.
    var open: [Int: POSIXFile] = [:]
    var isTurnSet = false
  }

  /// The queue that folders are written on.
  let queue: DispatchQueue
  /// Whether what is delivered is written before ``deliver(_:_:)`` returns.
  let isImmediate: Bool

  private let dataFolder: StoredPath
  private let shard: Int
  private let policy: JournalPolicy
  private let journal: SharedJournal
  private let state = State()

  /// Delivers on `journalQueue` where nothing is to wait.
  init(
    dataFolder: StoredPath, shard: Int, policy: JournalPolicy, journal: SharedJournal, _ journalQueue: DispatchQueue
  ) {
    self.dataFolder = dataFolder
    self.shard = shard
    self.journal = journal
    self.policy = policy
    isImmediate = policy.folderBytes == 0
    queue = isImmediate ? journalQueue : DispatchQueue(label: "coach.folders.\(shard)")
  }

  /// Delivers entries; called on the queue of the journal.
  ///
  /// - Parameter frames: what the entries are about. Without haste it is read from the journal later.
  func deliver(_ entries: [JournalEntry], _ frames: [UInt8]) {
    if isImmediate { write(entries, frames) } else { queue.async { self.note(entries) } }
  }

  /// Removes a segment to which nothing comes any more, when the folders of sessions have all of it on the disk.
  ///
  /// - Parameter isAtOnce: whether that is brought about now; else when there are too many.
  func retire(_ segment: Int, isAtOnce: Bool) {
    queue.async {
      self.state.fullSegments.append(segment)
      if isAtOnce { self.state.newestUnwanted = segment }
      self.removeFullSegments()
    }
  }

  /// Writes nothing more of a session, which another process has.
  func drop(_ session: JournaledSession) {
    queue.async {
      session.endWaiting()
      session.oldestSegment = nil
      self.state.unfinished.removeAll { $0.session === session }
      if self.state.sessions[session.sessionID] === session { self.state.sessions[session.sessionID] = nil }
    }
  }

  /// Answers somebody when the folder of a session that is over is whole, or cannot become so.
  func answer(_ waiter: JournalWaiter) {
    queue.async {
      self.state.waiters.append(waiter)
      self.answerWaiters(isClosing: false)
    }
  }

  /// Tries for the last time what could not be done, then calls `body`.
  func close(_ body: @escaping @Sendable () -> Void) {
    queue.async {
      self.finishSessions()
      self.answerWaiters(isClosing: true)
      body()
    }
  }

  // MARK: - On the queue

  /// Takes entries whose rows are read from the journal later.
  private func note(_ entries: [JournalEntry]) {
    for index in entries.indices {
      let session = entries[index].session
      guard session.failure == nil else { continue }
      if case .rows = entries[index].action {
        guard let place = entries[index].place else { continue }
        session.wait(for: place)
        if session.waiting.byteCount >= policy.folderBytes { tryFlush(session) }
      } else {
        follow(entries[index])
      }
    }
    finishSessions()
  }

  /// Writes entries to their folders.
  private func write(_ entries: [JournalEntry], _ frames: [UInt8]) {
    for entry in entries where entry.session.failure == nil {
      let session = entry.session
      if case .rows = entry.action {
        session.files.append(frames.span.extracting(entry.content))
        if session.oldestSegment == nil { session.oldestSegment = entry.place?.segment }
      } else {
        follow(entry)
      }
    }
    for entry in entries where entry.session.failure == nil && entry.session.files.waitingBytes > 0 {
      tryFlush(entry.session)
    }
    finishSessions()
  }

  /// Follows what happens to a session beside its rows.
  private func follow(_ entry: JournalEntry) {
    let session = entry.session
    switch entry.action {
    case .begin:
      state.sessions[session.sessionID] = session
      setTurn()
    case .rows: break
    case .finish(let summary): state.unfinished.append((session, summary))
    case .closed:
      if session.isFinished {
        try? SessionMark.remove(session.sessionID, in: dataFolder)
      } else {
        session.abandon()
      }
      state.sessions[session.sessionID] = nil
    }
  }

  private func tryFlush(_ session: JournaledSession) {
    do {
      try flush(session)
      session.folderProblem = nil
    } catch {
      session.folderProblem = error
      if session.waiting.byteCount + session.files.waitingBytes > JournalWriter.largestBacklog {
        session.failure = error
      }
    }
  }

  /// Writes what waits of a session to its folder. What cannot be written waits on.
  ///
  /// - Throws: `FileError` when not all of it can be written, or be read in the journal.
  func flush(_ session: JournaledSession) throws {
    if !session.waiting.isEmpty {
      var chunks: [UInt8] = []
      chunks.reserveCapacity(session.waiting.byteCount)
      try session.waiting.forEach { chunks += try read($0) }
      session.files.take(&chunks)
    }
    do {
      try session.files.flush()
    } catch {
      // The journal has it.
      if !isImmediate { session.files.dropWaiting() }
      throw error
    }
    session.endWaiting()
  }

  private func read(_ place: JournalPlace) throws -> [UInt8] {
    let file: POSIXFile
    if let open = state.open[place.segment] {
      file = open
    } else {
      file = try journal.made().openSegment(shard: shard, number: place.segment)
      state.open[place.segment] = file
    }
    let bytes = try file.read(at: place.offset, count: place.count)
    guard bytes.count == place.count else { throw FileError(.read, file.path, code: EIO) }
    return bytes
  }

  /// Makes the folders of sessions whole that are over. What fails at once is left to the next start, from the journal.
  private func finishSessions() {
    state.unfinished.removeAll { session, summary in
      do {
        try flush(session)
        try session.files.sync()
        try FileSystem.writeAtomically(summary.span, to: session.folder + "/" + SessionFolder.summary)
        if session.isResumable { try FileSystem.removeIfPresent(session.folder + "/" + SessionFolder.inputs) }
        session.isFinished = true
        session.oldestSegment = nil
        session.folderProblem = nil
        return true
      } catch {
        session.folderProblem = error
        if isImmediate { session.failure = error }
        return isImmediate
      }
    }
    setTurn()
  }

  private func answerWaiters(isClosing: Bool) {
    guard !state.waiters.isEmpty else { return }
    var answers = JournalAnswers()
    state.waiters.removeAll { waiter in
      let session = waiter.session
      let isUnfinished = state.unfinished.contains { $0.session === session }
      guard session.failure != nil || !isUnfinished || isClosing else { return false }
      answers.add(waiter, (session.failure ?? (isUnfinished ? session.folderProblem : nil)).map { .lost($0) } ?? .kept)
      return true
    }
    answers.deliver()
  }

  /// Removes full segments that are not wanted, or too many, once the folders have all of them on the disk.
  private func removeFullSegments() {
    let kept = state.fullSegments.suffix(policy.keptSegments)
    let removed = state.fullSegments.filter { $0 <= state.newestUnwanted || !kept.contains($0) }
    guard let newest = removed.max() else { return }
    let touched = state.sessions.values.filter { ($0.oldestSegment ?? .max) <= newest }
    func waits(_ session: JournaledSession) -> Bool {
      session.waiting.firstSegment.map { $0 <= newest } ?? (session.files.waitingBytes > 0)
    }
    for session in touched where waits(session) { tryFlush(session) }
    // What is left is tried again in the next turn.
    guard !touched.contains(where: waits) else { return }
    do {
      if touched.count > Self.mostSynced {
        try POSIXFile(reading: dataFolder + "/" + DataFolderMark.name).syncFileSystem()
      } else {
        for session in touched { try session.files.sync() }
      }
      for session in touched { session.oldestSegment = session.waiting.firstSegment }
      for segment in removed {
        state.open[segment] = nil
        try journal.made().removeSegment(shard: shard, number: segment)
        state.fullSegments.removeAll { $0 == segment }
      }
    } catch {
      // It is tried again in the next turn, and what is left then is removed with the journal.
    }
  }

  // MARK: - Each second

  /// Has a turn come while there is something to look after.
  private func setTurn() {
    guard !isImmediate, !state.isTurnSet,
      !state.sessions.isEmpty || !state.unfinished.isEmpty || !state.fullSegments.isEmpty
    else { return }
    state.isTurnSet = true
    queue.asyncAfter(deadline: .now() + .nanoseconds(Self.turnNanoseconds)) { [weak self] in self?.turn() }
  }

  private func turn() {
    state.isTurnSet = false
    if !state.sessions.isEmpty {
      for sessionID in (try? journal.made().takeRequests { state.sessions[$0] != nil }) ?? [] {
        if let session = state.sessions[sessionID], session.failure == nil { tryFlush(session) }
      }
    }
    finishSessions()
    answerWaiters(isClosing: false)
    removeFullSegments()
    setTurn()
  }
}

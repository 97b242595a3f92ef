internal import Dispatch
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
    /// Segments to which nothing comes any more, and that folders may still need.
    var fullSegments: [Int] = []
    var isTurnSet = false
  }

  /// The queue that folders are written on.
  let queue: DispatchQueue
  /// Whether what is delivered is written before ``deliver(_:_:_:)`` returns.
  let isImmediate: Bool

  private let dataFolder: StoredPath
  private let shard: Int
  private let folderBytes: Int
  private let journal: SharedJournal
  private let state = State()

  /// Delivers on `journalQueue` where nothing is to wait.
  init(
    dataFolder: StoredPath, shard: Int, policy: JournalPolicy, journal: SharedJournal, _ journalQueue: DispatchQueue
  ) {
    self.dataFolder = dataFolder
    self.shard = shard
    self.journal = journal
    folderBytes = policy.folderBytes
    isImmediate = policy.folderBytes == 0
    queue = isImmediate ? journalQueue : DispatchQueue(label: "coach.folders.\(shard)")
  }

  /// Delivers entries that the journal has in a segment; called on the queue of the journal.
  func deliver(_ entries: [JournalEntry], _ frames: [UInt8], _ segment: Int) {
    if isImmediate { write(entries, frames, segment) } else { queue.async { self.write(entries, frames, segment) } }
  }

  /// Removes a segment, to which nothing comes any more, when the folders of sessions have all of it on the disk.
  func retire(_ segment: Int) {
    queue.async {
      self.state.fullSegments.append(segment)
      self.removeFullSegments()
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

  private func write(_ entries: [JournalEntry], _ frames: [UInt8], _ segment: Int) {
    for entry in entries where entry.session.failure == nil {
      let session = entry.session
      switch entry.action {
      case .begin:
        state.sessions[session.sessionID] = session
        setTurn()
      case .rows:
        session.files.append(frames.span.extracting(entry.content), reserve: isImmediate ? 0 : folderBytes + 1_024)
        if session.oldestSegment == nil { session.oldestSegment = segment }
        if !isImmediate, session.files.waitingBytes >= folderBytes { flush(session) }
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
    if isImmediate {
      for entry in entries where entry.session.failure == nil && entry.session.files.waitingBytes > 0 {
        flush(entry.session)
      }
    }
    finishSessions()
  }

  private func flush(_ session: JournaledSession) {
    do {
      try session.files.flush()
      session.folderProblem = nil
    } catch {
      session.folderProblem = error
      if session.files.waitingBytes > JournalWriter.largestBacklog { session.failure = error }
    }
  }

  /// Makes the folders of sessions whole that are over. What fails at once is left to the next start, from the journal.
  private func finishSessions() {
    state.unfinished.removeAll { session, summary in
      do {
        try session.files.flush()
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

  private func removeFullSegments() {
    guard let newest = state.fullSegments.max() else { return }
    let touched = state.sessions.values.filter { ($0.oldestSegment ?? .max) <= newest }
    for session in touched { flush(session) }
    // What is left is tried again in the next turn.
    guard touched.allSatisfy({ $0.files.waitingBytes == 0 }) else { return }
    do {
      if touched.count > Self.mostSynced {
        try POSIXFile(reading: dataFolder + "/" + DataFolderMark.name).syncFileSystem()
      } else {
        for session in touched { try session.files.sync() }
      }
      for session in touched { session.oldestSegment = nil }
      for segment in state.fullSegments { try journal.made().removeSegment(shard: shard, number: segment) }
      state.fullSegments = []
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
        if let session = state.sessions[sessionID], session.failure == nil { flush(session) }
      }
    }
    finishSessions()
    answerWaiters(isClosing: false)
    removeFullSegments()
    setTurn()
  }
}

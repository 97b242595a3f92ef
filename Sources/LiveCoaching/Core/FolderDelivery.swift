internal import Dispatch
internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// Brings what a journal has to the folders of the sessions: at once on the queue of the journal, or without haste on its own.
///
/// What cannot be done without haste is tried again each second: the journal has it meanwhile. What a session waits with for some
/// seconds goes into a segment of its own, so that it does not keep the segments of all others, and what is deleted of them.
final class FolderDelivery: Sendable {
  private static let turnNanoseconds: Int64 = 1_000_000_000

  /// What only the queue uses.
  private final class State: @unchecked Sendable {
    /// The sessions that are not closed.
    var sessions: [String: JournaledSession] = [:]
    /// Those that are over, with the summaries that their folders lack.
    var unfinished: [(session: JournaledSession, summary: [UInt8])] = []
    var isTurnSet = false
    /// Whether nothing happens any more: the journal is let go of.
    var isClosed = false
  }

  /// The queue that folders are written on.
  let queue: DispatchQueue
  /// Whether what is delivered is written before ``deliver(_:_:)`` returns.
  let isImmediate: Bool

  private let dataFolder: StoredPath
  private let policy: JournalPolicy
  private let journal: SharedJournal
  private let device: any JournalDevice
  private let state = State()
  private let held: HeldFolders
  private let segments: FolderSegments
  private let disk: FolderSync
  private let waiters: FolderWaiters

  /// Delivers on `journalQueue` where nothing is to wait.
  init(
    dataFolder: StoredPath, shard: Int, policy: JournalPolicy, journal: SharedJournal, _ numbers: SegmentNumbers,
    _ device: any JournalDevice, _ journalQueue: DispatchQueue
  ) {
    self.dataFolder = dataFolder
    self.journal = journal
    self.policy = policy
    self.device = device
    isImmediate = policy.folderBytes == 0
    queue = isImmediate ? journalQueue : DispatchQueue(label: "coach.folders.\(shard)")
    held = HeldFolders(shard: shard, journal, numbers, device)
    segments = FolderSegments(shard: shard, journal, mostKept: policy.keptSegments)
    disk = FolderSync(dataFolder, device, isImmediate: isImmediate)
    waiters = FolderWaiters(shard: shard)
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
      self.segments.retire(segment, isUnwanted: isAtOnce)
      self.removeFullSegments()
    }
  }

  /// Removes all segments up to a number to which nothing comes any more, as soon as that can be.
  func retireAll(upTo segment: Int) {
    queue.async {
      self.segments.retireAll(upTo: segment)
      self.removeFullSegments()
    }
  }

  /// Writes nothing more of a session, which another process has.
  func drop(_ session: JournaledSession) {
    queue.async {
      self.state.unfinished.removeAll { $0.session === session }
      self.forget(session)
    }
  }

  /// Answers somebody when the folder of a session that is over is whole, or cannot become so; after some seconds in any case.
  func answer(_ waiter: JournalWaiter) {
    let number = waiters.add(waiter)
    queue.async {
      self.waiters.reach(number)
      self.answerWaiters()
    }
  }

  /// Tries for the last time what could not be done, then calls `body`.
  func close(_ body: @escaping @Sendable () -> Void) {
    queue.async {
      self.finishSessions(isAgain: true)
      self.answerWaiters()
      self.state.isClosed = true
      // What is not finished by now is left to the next start, by the journal.
      self.waiters.answerLate(isClosing: true)
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
        // One that could not be written is tried again by the next turn.
        if session.waiting.byteCount >= policy.folderBytes, session.folderProblem == nil { tryFlush(session) }
      } else {
        follow(entries[index])
      }
    }
    finishSessions(isAgain: false)
  }

  /// Writes entries to their folders.
  private func write(_ entries: [JournalEntry], _ frames: [UInt8]) {
    for entry in entries where entry.session.failure == nil {
      let session = entry.session
      if case .rows = entry.action {
        session.files.append(frames.span.extracting(entry.content))
      } else {
        follow(entry)
      }
    }
    for entry in entries where entry.session.failure == nil && entry.session.files.waitingBytes > 0 {
      tryFlush(entry.session)
    }
    finishSessions(isAgain: false)
  }

  /// Follows what happens to a session beside its rows.
  private func follow(_ entry: JournalEntry) {
    let session = entry.session
    switch entry.action {
    case .begin:
      state.sessions[session.sessionID] = session
      disk.begin()
      setTurn()
    case .rows: break
    case .finish(let summary):
      session.isEnding = true
      state.unfinished.append((session, summary))
    case .closed:
      if session.isFinished {
        try? SessionMark.remove(session.sessionID, in: dataFolder)
      } else {
        keepInputs(of: session)
        session.abandon()
      }
      forget(session)
    }
  }

  /// Nothing is to be done for a session any more.
  private func forget(_ session: JournaledSession) {
    let own = session.own
    session.forgetPlaces()
    if state.sessions[session.sessionID] === session { state.sessions[session.sessionID] = nil }
    held.forget(session)
    if let own { removeOwn(own.segment) }
  }

  private func tryFlush(_ session: JournaledSession) {
    do {
      try flush(session)
      noteWritten(session)
    } catch {
      note(error, of: session)
      if session.waitingBytes + session.files.waitingBytes > JournalWriter.largestBacklog { session.failure = error }
    }
  }

  /// The folder of a session could not be written, or not be brought to the disk.
  private func note(_ problem: any Error, of session: JournaledSession) {
    session.folderProblem = problem
    if !isImmediate { held.note(session) }
  }

  /// The folder of a session could be written.
  private func noteWritten(_ session: JournaledSession) {
    session.folderProblem = nil
    // Where it was the disk that failed, that is not enough.
    guard session.syncProblem == nil else { return }
    held.noteWritten(session)
  }

  /// Writes what waits of a session to its folder. What cannot be written waits on.
  ///
  /// - Throws: `FileError` when not all of it can be written, or be read in the journal.
  func flush(_ session: JournaledSession) throws {
    guard !isImmediate else { return try session.files.flush() }
    guard session.waitingBytes > 0 else { return }
    var chunks: [UInt8] = []
    chunks.reserveCapacity(session.waitingBytes)
    if let own = session.own { chunks += try segments.read(own) }
    try session.waiting.forEach { chunks += try segments.read($0) }
    session.files.take(&chunks)
    do {
      try session.files.flush()
    } catch {
      // The journal has it.
      session.files.dropWaiting()
      throw error
    }
    session.endWaiting()
    guard let own = session.own else { return }
    // What waited for long is over when the disk has it.
    try disk.sync(session)
    session.endOwn()
    removeOwn(own.segment)
  }

  /// Writes what waits of a session to its folder; where that fails, what the folder may lack, from the journal.
  ///
  /// - Throws: `FileError` when that cannot be read.
  func readable(_ session: JournaledSession) throws -> [UInt8] {
    do {
      try flush(session)
      return []
    } catch {
      guard !isImmediate else { throw error }
      var pieces: [UInt8] = []
      try session.forEachPlace { pieces += try segments.read($0) }
      return pieces
    }
  }

  /// Writes what waits of a session, and is in the segments of all, into one of its own.
  ///
  /// - Throws: `FileError` when it cannot be read, or not be brought to the disk there; all is as it was then.
  private func moveToOwnSegment(_ session: JournaledSession) throws {
    var pieces: [UInt8] = []
    try session.forEachPlace { pieces += try segments.read($0) }
    try held.moveToOwnSegment(session, pieces) { removeOwn($0) }
  }

  private func removeOwn(_ segment: Int) {
    if !segments.removeOwn(segment) { setTurn() }
  }

  /// Makes the folders of sessions whole that are over. What fails at once is left to the next start, from the journal.
  ///
  /// - Parameter isAgain: whether those are tried that could not be written before.
  private func finishSessions(isAgain: Bool) {
    // What is written looks at those that are left.
    let unfinished = state.unfinished
    state.unfinished = unfinished.filter { session, summary in
      guard isImmediate || isAgain && held.isTried(session) || session.folderProblem == nil else { return true }
      do {
        try flush(session)
        try disk.sync(session)
        try FileSystem.writeAtomically(summary.span, to: session.folder + "/" + SessionFolder.summary)
        try endInputs(of: session)
        session.isFinished = true
        noteWritten(session)
        return false
      } catch {
        note(error, of: session)
        if isImmediate { session.failure = error }
        return !isImmediate
      }
    }
    setTurn()
  }

  /// What was taken of a session that goes on after its process is gone is no file of one that is over. It stays a while for who sends the
  /// last request again; where instances share a log, that has it.
  private func endInputs(of session: JournaledSession) throws(FileError) {
    guard session.isResumable else { return }
    if session.shared == nil {
      try EndedInputs.keep(session.sessionID, in: session.dataFolder)
    } else {
      try FileSystem.removeIfPresent(session.folder + "/" + SessionFolder.inputs)
    }
  }

  /// Keeps for a while what was taken of a session that ended before it began, as of one that is over, for who sends the last request again.
  /// Where it cannot be kept it goes: there is nothing in the session.
  private func keepInputs(of session: JournaledSession) {
    guard session.isResumable, session.shared == nil, session.hasAnswered else { return }
    do {
      try flush(session)
      try disk.sync(session)
      try EndedInputs.keep(session.sessionID, in: session.dataFolder)
    } catch {
      // Its folder is removed with what it has.
    }
  }

  private func answerWaiters() {
    waiters.answerFinished { session in state.unfinished.contains { $0.session === session } }
  }

  /// Removes full segments that are not wanted, or too many, once the folders have all of them on the disk, or segments of
  /// single sessions have what folders lack.
  private func removeFullSegments() {
    let removed = segments.due
    guard let newest = removed.max() else { return }
    func isHeld(_ session: JournaledSession) -> Bool { (session.oldestSegment ?? .max) <= newest }
    let touched = state.sessions.values.filter(isHeld)
    func waits(_ session: JournaledSession) -> Bool {
      session.waiting.firstSegment.map { $0 <= newest } ?? (session.files.waitingBytes > 0)
    }
    for session in touched where waits(session) { tryFlush(session) }
    disk.sync(touched.filter { isHeld($0) && !waits($0) }) { session, problem in
      if let problem { note(problem, of: session) } else { noteWritten(session) }
    }
    let keeping = touched.filter(isHeld)
    for session in held.overdue(keeping) {
      // What cannot be copied either is tried again, too.
      try? moveToOwnSegment(session)
    }
    // What is left is tried again in the next turn.
    guard !keeping.contains(where: isHeld) else { return }
    segments.remove(removed)
  }

  // MARK: - Each second

  /// Has a turn come while there is something to look after.
  private func setTurn() {
    guard !isImmediate, !state.isTurnSet, !state.isClosed,
      !state.sessions.isEmpty || !state.unfinished.isEmpty || !segments.isEmpty
    else { return }
    state.isTurnSet = true
    device.call(afterNanoseconds: Self.turnNanoseconds, on: queue) { [weak self] in self?.turn() }
  }

  private func turn() {
    state.isTurnSet = false
    guard !state.isClosed else { return }
    if !state.sessions.isEmpty {
      for sessionID in (try? journal.made().takeRequests { state.sessions[$0] != nil }) ?? [] {
        if let session = state.sessions[sessionID], session.failure == nil { tryFlush(session) }
      }
    }
    // Those that could not be written are tried again where much waits for them.
    held.takeTurn { session in
      if session.own != nil || session.waiting.byteCount >= policy.folderBytes { tryFlush(session) }
    }
    finishSessions(isAgain: true)
    answerWaiters()
    waiters.answerLate()
    removeFullSegments()
    setTurn()
  }
}

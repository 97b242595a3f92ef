internal import Dispatch
private import Glibc
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutSession

/// Brings what a journal has to the folders of the sessions: at once on the queue of the journal, or without haste on its own.
///
/// What cannot be done without haste is tried again each second: the journal has it meanwhile. What a session waits with for some
/// seconds goes into a segment of its own, so that it does not keep the segments of all others, and what is deleted of them.
final class FolderDelivery: Sendable {
  /// How many folders are brought to the disk one by one, and not with everything that the file system has.
  private static let mostSynced = 16
  private static let turnNanoseconds: Int64 = 1_000_000_000
  /// How long somebody waits for a folder that could not be written when a session was over, in nanoseconds: what was taken is in the
  /// journal anyway. It is the time of who waits, not of the device.
  private static let longestFailure: Int64 = 3_000_000_000
  /// The same for one that nobody has said anything bad of: the disk may be busy, or hang.
  private static let longestWait: Int64 = 8_000_000_000

  /// What only the queue uses.
  private final class State: @unchecked Sendable {
    /// The sessions that are not closed.
    var sessions: [String: JournaledSession] = [:]
    /// Those that are over, with the summaries that their folders lack.
    var unfinished: [(session: JournaledSession, summary: [UInt8])] = []
    /// The number of the last who waits for something that has come here.
    var lastWaiter = 0
    /// Segments to which nothing comes any more, and that folders may still need, the oldest first.
    var fullSegments: [Int] = []
    /// The newest of those that go as soon as they can.
    var newestUnwanted = 0
    /// Those that are read.
    var open: [Int: POSIXFile] = [:]
    /// A file of the data folder, held open since before anything was written there: what fails of it is reported to that file, also
    /// when it was reported to another shard.
    var anchor: POSIXFile?
    var isTurnSet = false
    /// Whether nothing happens any more: the journal is let go of.
    var isClosed = false
  }

  /// Who waits for a session that is over, in the order in which they came.
  private struct Patients {
    var waiting: [(waiter: JournalWaiter, number: Int, since: Int64)] = []
    var last = 0

    mutating func add(_ waiter: JournalWaiter, since: Int64) -> Int {
      last += 1
      waiting.append((waiter, last, since))
      return last
    }
  }

  /// The queue that folders are written on.
  let queue: DispatchQueue
  /// Whether what is delivered is written before ``deliver(_:_:)`` returns.
  let isImmediate: Bool

  private let dataFolder: StoredPath
  private let shard: Int
  private let policy: JournalPolicy
  private let journal: SharedJournal
  private let device: any JournalDevice
  private let state = State()
  private let held: HeldFolders
  /// Who waits for a session that is over.
  private let patients = Mutex(Patients())
  /// Where they are told that it lasts: a folder may hold up the queue that writes it.
  private let patience: DispatchQueue

  /// Delivers on `journalQueue` where nothing is to wait.
  init(
    dataFolder: StoredPath, shard: Int, policy: JournalPolicy, journal: SharedJournal, _ numbers: SegmentNumbers,
    _ device: any JournalDevice, _ journalQueue: DispatchQueue
  ) {
    self.dataFolder = dataFolder
    self.shard = shard
    self.journal = journal
    self.policy = policy
    self.device = device
    held = HeldFolders(shard: shard, journal, numbers, device)
    isImmediate = policy.folderBytes == 0
    queue = isImmediate ? journalQueue : DispatchQueue(label: "coach.folders.\(shard)")
    patience = DispatchQueue(label: "coach.patience.\(shard)")
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

  /// Removes all segments up to a number to which nothing comes any more, as soon as that can be.
  func retireAll(upTo segment: Int) {
    queue.async {
      self.state.newestUnwanted = max(self.state.newestUnwanted, segment)
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
    let number = patients.withLock { $0.add(waiter, since: MonotonicClock.now) }
    queue.async {
      self.state.lastWaiter = number
      self.answerWaiters()
    }
    for span in [Self.longestFailure, Self.longestWait] {
      patience.asyncAfter(deadline: .now() + .nanoseconds(Int(span) + 10_000_000)) { [weak self] in self?.answerLate() }
    }
  }

  /// Tries for the last time what could not be done, then calls `body`.
  func close(_ body: @escaping @Sendable () -> Void) {
    queue.async {
      self.finishSessions(isAgain: true)
      self.answerWaiters()
      self.state.isClosed = true
      // What is not finished by now is left to the next start, by the journal.
      self.answerLate(isClosing: true)
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
      if !isImmediate, state.anchor == nil { state.anchor = try? openAnchor() }
      setTurn()
    case .rows: break
    case .finish(let summary):
      session.isEnding = true
      state.unfinished.append((session, summary))
    case .closed:
      if session.isFinished {
        try? SessionMark.remove(session.sessionID, in: dataFolder)
      } else {
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
    if let own = session.own { chunks += try read(own) }
    try session.waiting.forEach { chunks += try read($0) }
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
    try sync(session)
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
      try session.forEachPlace { pieces += try read($0) }
      return pieces
    }
  }

  /// Waits until what was written to the folder of a session is on the disk.
  ///
  /// - Throws: `FileError` when nobody knows that. All of it waits again then; of a session that is written at once the journal keeps it
  ///   for the next start.
  private func sync(_ session: JournaledSession) throws {
    if isImmediate, let problem = session.syncProblem { throw problem }
    do {
      try device.sync(session.files)
    } catch {
      session.writeAgain(because: error)
      throw error
    }
    session.endSyncing()
  }

  /// The same for several; those that fail are tried again by the next turn.
  private func sync(_ sessions: [JournaledSession]) {
    guard sessions.count > Self.mostSynced else {
      for session in sessions {
        do {
          try sync(session)
          noteWritten(session)
        } catch {
          note(error, of: session)
        }
      }
      return
    }
    do {
      let anchor = try state.anchor ?? openAnchor()
      state.anchor = anchor
      try device.syncFileSystem(of: anchor)
      for session in sessions {
        session.endSyncing()
        noteWritten(session)
      }
    } catch {
      // Nobody knows whose files it was.
      for session in sessions {
        session.writeAgain(because: error)
        note(error, of: session)
      }
    }
  }

  private func openAnchor() throws(FileError) -> POSIXFile {
    try POSIXFile(reading: dataFolder + "/" + DataFolderMark.name)
  }

  /// Writes what waits of a session, and is in the segments of all, into one of its own.
  ///
  /// - Throws: `FileError` when it cannot be read, or not be brought to the disk there; all is as it was then.
  private func moveToOwnSegment(_ session: JournaledSession) throws {
    var pieces: [UInt8] = []
    try session.forEachPlace { pieces += try read($0) }
    try held.moveToOwnSegment(session, pieces) { removeOwn($0) }
  }

  /// Removes the segment that one session had. What cannot be removed now goes with the full ones.
  private func removeOwn(_ segment: Int) {
    state.open[segment] = nil
    do {
      try journal.made().removeSegment(shard: shard, number: segment)
    } catch {
      state.fullSegments.append(segment)
      setTurn()
    }
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
  ///
  /// - Parameter isAgain: whether those are tried that could not be written before.
  private func finishSessions(isAgain: Bool) {
    state.unfinished.removeAll { session, summary in
      guard isImmediate || isAgain && held.isTried(session) || session.folderProblem == nil else { return false }
      do {
        try flush(session)
        try sync(session)
        try FileSystem.writeAtomically(summary.span, to: session.folder + "/" + SessionFolder.summary)
        if session.isResumable { try FileSystem.removeIfPresent(session.folder + "/" + SessionFolder.inputs) }
        session.isFinished = true
        noteWritten(session)
        return true
      } catch {
        note(error, of: session)
        if isImmediate { session.failure = error }
        return isImmediate
      }
    }
    setTurn()
  }

  /// Answers those whose sessions are finished, or cannot be.
  private func answerWaiters() {
    let last = state.lastWaiter
    answerEach { waiter, number, _ in
      // What somebody waits for comes to this queue before they do.
      guard number <= last else { return nil }
      if let failure = waiter.session.failure { return .lost(failure) }
      return state.unfinished.contains { $0.session === waiter.session } ? nil : .kept
    }
  }

  /// Tells those who have waited for long enough that the journal has what the folders lack; from any thread.
  ///
  /// - Parameter isClosing: whether nobody waits any longer.
  private func answerLate(isClosing: Bool = false) {
    let now = MonotonicClock.now
    answerEach { waiter, _, since in
      let longest = waiter.session.folderProblem == nil ? Self.longestWait : Self.longestFailure
      guard isClosing || now - since >= longest else { return nil }
      if let failure = waiter.session.failure { return .lost(failure) }
      return waiter.session.isFinished ? .kept : .unfinished
    }
  }

  /// Answers those who wait; `outcome` says what, and `nil` of who waits on.
  private func answerEach(_ outcome: (JournalWaiter, _ number: Int, _ since: Int64) -> JournalOutcome?) {
    var answers = JournalAnswers()
    patients.withLock { patients in
      patients.waiting.removeAll { entry in
        guard let outcome = outcome(entry.waiter, entry.number, entry.since) else { return false }
        answers.add(entry.waiter, outcome)
        return true
      }
    }
    answers.deliver()
  }

  /// Removes full segments that are not wanted, or too many, once the folders have all of them on the disk, or segments of
  /// single sessions have what folders lack.
  private func removeFullSegments() {
    let kept = state.fullSegments.suffix(policy.keptSegments)
    let removed = state.fullSegments.filter { $0 <= state.newestUnwanted || !kept.contains($0) }
    guard let newest = removed.max() else { return }
    func isHeld(_ session: JournaledSession) -> Bool { (session.oldestSegment ?? .max) <= newest }
    let touched = state.sessions.values.filter(isHeld)
    func waits(_ session: JournaledSession) -> Bool {
      session.waiting.firstSegment.map { $0 <= newest } ?? (session.files.waitingBytes > 0)
    }
    for session in touched where waits(session) { tryFlush(session) }
    sync(touched.filter { isHeld($0) && !waits($0) })
    let keeping = touched.filter(isHeld)
    for session in held.overdue(keeping) {
      // What cannot be copied either is tried again, too.
      try? moveToOwnSegment(session)
    }
    // What is left is tried again in the next turn.
    guard !keeping.contains(where: isHeld) else { return }
    do {
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
    guard !isImmediate, !state.isTurnSet, !state.isClosed,
      !state.sessions.isEmpty || !state.unfinished.isEmpty || !state.fullSegments.isEmpty
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
    answerLate()
    removeFullSegments()
    setTurn()
  }
}

internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutSession

/// A session as the writer of its journal knows it. Its facts are shared by the queues of the journal and of the folders, and
/// the shard; ``files`` and what follows are used by the queue of the folders, once the session has begun.
final class JournaledSession: @unchecked Sendable {
  let sessionID: String
  /// Whether it goes on after the process is gone.
  let isResumable: Bool
  /// Whether another process began it.
  let isResumed: Bool
  let dataFolder: StoredPath
  /// What a shared log had of it when it came to this process; absent where it is kept here alone.
  let shared: SharedPlace?
  private var sharedRows: Int
  private var sharedDecisions: Int

  /// Writes its folder.
  let files: SessionFolderWriter
  /// Where the journal has what waits to be written to its folder.
  private(set) var waiting = JournalPlaces()
  /// Where it has what was written there, and is not on the disk for all that is known.
  private(set) var written = JournalPlaces()
  /// Where it has what comes before all of that and has waited for long: in a segment with nothing else.
  private(set) var own: JournalPlace?
  /// The oldest segment, but for its own, that has something which is not on the disk in its folder.
  private(set) var oldestSegment: Int?
  /// For how many turns its folder could not be written.
  var failedTurns = 0
  /// Why its folder could not be brought to the disk, since when nobody knows what that has of it; absent when it could.
  private(set) var syncProblem: (any Error)?
  /// Whether only its end is left to do.
  var isEnding = false

  private struct Facts {
    var failure: (any Error)?
    var folderProblem: (any Error)?
    var hasBegun = false
    var isFinished = false
    var hasAnswered = false
  }

  private let facts = Mutex(Facts())
  /// Whether there is a failure, which is asked several times for each input.
  private let hasFailed = Atomic(false)

  init(
    _ sessionID: String, in dataFolder: StoredPath, isResumable: Bool = false, isResumed: Bool = false,
    shared: SharedPlace? = nil
  ) {
    self.shared = shared
    sharedRows = shared?.rows ?? 0
    sharedDecisions = shared?.decisions ?? 0
    self.sessionID = sessionID
    self.isResumable = isResumable
    self.isResumed = isResumed
    self.dataFolder = dataFolder
    files = SessionFolderWriter(SessionFolder.path(of: sessionID, in: dataFolder))
  }

  /// Why nothing can be written of it any more; absent while something can.
  var failure: (any Error)? {
    get { hasFailed.load(ordering: .acquiring) ? facts.withLock { $0.failure } : nil }
    set {
      facts.withLock { $0.failure = newValue }
      hasFailed.store(newValue != nil, ordering: .releasing)
    }
  }
  /// Why its folder could not be written the last time; absent when it could.
  var folderProblem: (any Error)? {
    get { facts.withLock { $0.folderProblem } }
    set { facts.withLock { $0.folderProblem = newValue } }
  }
  /// Whether its folder is there.
  var hasBegun: Bool {
    get { facts.withLock { $0.hasBegun } }
    set { facts.withLock { $0.hasBegun = newValue } }
  }
  /// Whether its summary is written.
  var isFinished: Bool {
    get { facts.withLock { $0.isFinished } }
    set { facts.withLock { $0.isFinished = newValue } }
  }

  /// Whether lines with a name were answered, although nothing was recorded: what was taken answers them again.
  var hasAnswered: Bool {
    get { facts.withLock { $0.hasAnswered } }
    set { facts.withLock { $0.hasAnswered = newValue } }
  }

  var folder: StoredPath { files.folder }

  /// The numbers in a shared log of the next row and the next decision, which are given away. Only the queue of the journal asks.
  func nextShared(rows: Int, decisions: Int) -> (row: Int, decision: Int) {
    let before = (row: sharedRows + 1, decision: sharedDecisions + 1)
    sharedRows += rows
    sharedDecisions += decisions
    return before
  }

  /// Has something wait that the journal has.
  func wait(for place: JournalPlace) {
    waiting.append(place)
    note(segment: place.segment)
  }

  /// Something was given to its folder that a segment has.
  func note(segment: Int) { if oldestSegment == nil { oldestSegment = segment } }

  /// How many bytes wait to be written to its folder.
  var waitingBytes: Int { (own?.count ?? 0) + waiting.byteCount }

  /// Gives to `body` where the journal has what is not on the disk in its folder, in order.
  func forEachPlace(_ body: (JournalPlace) throws -> Void) rethrows {
    if let own { try body(own) }
    try written.forEach(body)
    try waiting.forEach(body)
  }

  /// What waited is written.
  func endWaiting() {
    written.append(waiting)
    waiting = JournalPlaces()
  }

  /// What was written is on the disk.
  func endSyncing() {
    written = JournalPlaces()
    syncProblem = nil
    oldestSegment = waiting.firstSegment
  }

  /// What was written could not be brought to the disk. The system reports that once and takes it for written then, so that all of
  /// it has to be written again.
  func writeAgain(because problem: any Error) {
    syncProblem = problem
    written.append(waiting)
    waiting = written
    written = JournalPlaces()
    files.noteUnsynced()
  }

  /// Everything that is not on the disk in its folder is at one place.
  func move(to place: JournalPlace) {
    own = place
    waiting = JournalPlaces()
    written = JournalPlaces()
    oldestSegment = nil
  }

  /// Nothing is in a segment of its own any more.
  func endOwn() { own = nil }

  /// Nothing waits any more.
  func forgetPlaces() {
    own = nil
    waiting = JournalPlaces()
    written = JournalPlaces()
    oldestSegment = nil
  }

  /// Makes mark and folder with the text of the manifest; the mark is on the disk after `SessionMark.syncAll(in:)`.
  ///
  /// - Parameters:
  ///   - text: none for a session that is kept before it begins; it comes with the first rows then.
  ///   - isWrittenLater: whether the folder lags behind the journal.
  func begin(_ journal: LiveJournal, manifest text: [UInt8], isWrittenLater: Bool) throws {
    if isResumed {
      guard let mark = try SessionMark.take(sessionID, in: dataFolder) else {
        throw RecordingError(path: folder.path, problem: "another process has it")
      }
      try mark.pass(to: journal, in: dataFolder)
      hasBegun = true
      return
    }
    guard try !FileSystem.has(folder) else { throw RecordingError(path: folder.path, problem: "is there already") }
    try FileSystem.createFolder(dataFolder + "/" + SessionFolder.sessions)
    try SessionMark.make(
      sessionID, in: dataFolder, heldBy: journal, isWrittenLater: isWrittenLater, isResumable: isResumable)
    do {
      try FileSystem.createFolder(folder)
      if !text.isEmpty { try files.write(manifest: text) }
      hasBegun = true
    } catch {
      abandon()
      throw error
    }
  }

  /// Removes folder and mark of a session of which nothing was recorded. What cannot be removed now keeps its mark, and the
  /// next start removes it.
  func abandon() {
    if (try? SessionFolder.removeUnrecorded(folder)) != nil { try? SessionMark.remove(sessionID, in: dataFolder) }
  }
}

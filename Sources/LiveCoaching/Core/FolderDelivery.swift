internal import Dispatch
internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// Brings what a journal has to the folders of the sessions: at once on the queue of the journal, or without haste on its own.
final class FolderDelivery: Sendable {
  /// How many folders are brought to the disk one by one, and not with everything that the file system has.
  private static let mostSynced = 16

  /// The queue that folders are written on.
  let queue: DispatchQueue
  /// Whether what is delivered is written before ``deliver(_:_:_:)`` returns.
  let isImmediate: Bool

  private let dataFolder: StoredPath
  private let shard: Int
  private let folderBytes: Int
  private let journal: SharedJournal

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

  /// Removes a segment when the folders of sessions have all of it on the disk.
  func retire(_ segment: Int, of sessions: [JournaledSession]) {
    queue.async {
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

  private func write(_ entries: [JournalEntry], _ frames: [UInt8], _ segment: Int) {
    for entry in entries where entry.session.failure == nil {
      let session = entry.session
      switch entry.action {
      case .begin: break
      case .rows:
        session.files.append(frames.span.extracting(entry.content), reserve: isImmediate ? 0 : folderBytes + 1_024)
        if session.oldestSegment == nil { session.oldestSegment = segment }
        if !isImmediate, session.files.waitingBytes >= folderBytes { flush(session) }
      case .finish(let summary): finish(session, summary)
      case .closed where session.isFinished: try? SessionMark.remove(session.sessionID, in: dataFolder)
      case .closed: session.abandon()
      }
    }
    guard isImmediate else { return }
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
      if session.files.waitingBytes > JournalWriter.largestBacklog { session.failure = error }
    }
  }

  private func finish(_ session: JournaledSession, _ summary: [UInt8]) {
    do {
      try session.files.flush()
      try session.files.sync()
      try FileSystem.writeAtomically(summary.span, to: session.folder + "/" + SessionFolder.summary)
      if session.isResumable { try FileSystem.removeIfPresent(session.folder + "/" + SessionFolder.inputs) }
      session.isFinished = true
      session.folderProblem = nil
    } catch {
      // The next start ends it, from the journal.
      session.failure = error
    }
  }
}

internal import SessionStore
internal import Synchronization
internal import TextFormats

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

  /// Lets go of the journal, which stays; nothing when there is none.
  func release() {
    journal.withLock { journal in
      journal?.release()
      journal = nil
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

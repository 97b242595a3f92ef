internal import SessionStore
internal import TextFormats

/// Brings what was written to folders to the disk: a few one by one, many with everything that the file system has. Only the queue of a
/// ``FolderDelivery`` uses it.
final class FolderSync: @unchecked Sendable {
  /// How many folders are brought to the disk one by one.
  private static let mostSynced = 16

  private let dataFolder: StoredPath
  private let device: any JournalDevice
  private let isImmediate: Bool
  /// A file of the data folder, held open since before anything was written there: what fails of it is reported to that file, also
  /// when it was reported to another shard.
  private var anchor: POSIXFile?

  /// Nothing was written yet.
  ///
  /// - Parameter isImmediate: whether folders are written at once, so that none is written again.
  init(_ dataFolder: StoredPath, _ device: any JournalDevice, isImmediate: Bool) {
    self.dataFolder = dataFolder
    self.device = device
    self.isImmediate = isImmediate
  }

  /// Something is about to be written.
  func begin() {
    if !isImmediate, anchor == nil { anchor = try? openAnchor() }
  }

  /// Waits until what was written to the folder of a session is on the disk.
  ///
  /// - Throws: `FileError` when nobody knows that. All of it waits again then; of a session that is written at once the journal keeps it
  ///   for the next start.
  func sync(_ session: JournaledSession) throws {
    if isImmediate, let problem = session.syncProblem { throw problem }
    do {
      try device.sync(session.files)
    } catch {
      session.writeAgain(because: error)
      throw error
    }
    session.endSyncing()
  }

  /// The same for several; `note` gets of each why nobody knows that it is on the disk, `nil` where it is.
  func sync(_ sessions: [JournaledSession], _ note: (JournaledSession, (any Error)?) -> Void) {
    guard sessions.count > Self.mostSynced else {
      for session in sessions {
        do {
          try sync(session)
          note(session, nil)
        } catch {
          note(session, error)
        }
      }
      return
    }
    do {
      let anchor = try anchor ?? openAnchor()
      self.anchor = anchor
      try device.syncFileSystem(of: anchor)
      for session in sessions {
        session.endSyncing()
        note(session, nil)
      }
    } catch {
      // Nobody knows whose files it was.
      for session in sessions {
        session.writeAgain(because: error)
        note(session, error)
      }
    }
  }

  private func openAnchor() throws(FileError) -> POSIXFile {
    try POSIXFile(reading: dataFolder + "/" + DataFolderMark.name)
  }
}

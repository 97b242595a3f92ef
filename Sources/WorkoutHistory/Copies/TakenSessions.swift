package import SessionStore
internal import TextFormats

extension HistoryWorker {
  /// Takes sessions that are over into the history, with the bytes that they have elsewhere.
  ///
  /// They are written beside the others and get their places when all of them are whole, as what is imported.
  /// - Throws: `FileError` or `DatabaseError`; `RecordingError` for one that is in its place and that no index can take.
  func take(_ sessions: [SessionFolderContent]) throws {
    let lock = try ImportLock.take(dataFolder, waitingMilliseconds: busyMilliseconds)
    defer { lock.release() }
    let batch = ImportBatch(lock, isSyncedTogether: sessions.count >= ImportBatch.fewestTogether)
    for session in sessions {
      precondition(SessionFolder.isName(session.sessionID), "a session has a name")
      try write(session, in: lock.folder + "/" + session.sessionID, isSynced: !batch.isSyncedTogether)
      batch.append(ImportBatch.Written(sessionID: session.sessionID, digest: nil))
      lock.touch()
    }
    try publish(batch)
  }

  private func write(_ session: SessionFolderContent, in place: StoredPath, isSynced: Bool) throws(FileError) {
    try FileSystem.createFolder(place)
    do throws(FileError) {
      let folder = try OutputFolder(place)
      for file in session.files {
        precondition(SessionFolder.isFile(file.name), "a session has the file")
        let output = try folder.createFile(file.name)
        try output.write(file.bytes.span)
        if isSynced { try output.sync(metadata: true) }
        try output.close()
      }
      if isSynced { try folder.sync() }
    } catch {
      throw error.named(place.path + "/" + error.path)
    }
  }
}

extension History {
  /// Takes sessions that are over into the history, with the bytes that they have elsewhere; none of them has a folder or a mark.
  ///
  /// All of them get their places together, when they are on the disk. A process that dies before leaves nothing of them, and one
  /// that dies after is followed by the next start, which takes them into the index.
  /// - Throws: `FileError` or `DatabaseError`; `RecordingError` for one that is in its place and that no index can take.
  package func take(_ sessions: [SessionFolderContent]) async throws {
    guard !sessions.isEmpty else { return }
    try await change { try $0.take(sessions) }
  }
}

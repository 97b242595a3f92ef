package import TextFormats
package import WorkoutHistory

extension History {
  /// Creates a history whose deleted sessions are not waiting to be sent any more; nothing is opened until something is
  /// asked.
  package init(dataFolder: StoredPath, busyMilliseconds: Int32 = Database.usualBusyMilliseconds) {
    self.init(dataFolder: dataFolder, busyMilliseconds: busyMilliseconds) { sessionID, folder in
      try PendingUploads.forget(sessionID, in: folder)
    }
  }
}

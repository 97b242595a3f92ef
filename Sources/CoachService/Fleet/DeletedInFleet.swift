internal import SessionUpload
internal import TextFormats
internal import WorkoutHistory

extension History {
  /// The same for the cache of an instance of several: what is deleted here is deleted in the database.
  init(dataFolder: StoredPath, in fleet: ServiceFleet) {
    self.init(dataFolder: dataFolder) { deletion, folder in
      if case .session(let sessionID) = deletion { try PendingUploads.forget(sessionID, in: folder) }
      try fleet.forget(deletion)
    }
  }
}

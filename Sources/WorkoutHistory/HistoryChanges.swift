package import Recordings
package import TextFormats

/// What changes the history. It waits for files and for other processes beside those who ask, and for the writer only with
/// what is ready.
extension History {
  /// Takes the folder of a closed session into the index, instead of what was known of it.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError`, `RecordingError` or `ZoneError` when the
  ///   folder cannot.
  package func add(_ sessionID: String) async throws { try await change { try $0.add(sessionID) } }

  /// Takes the activities of a recording into the history, each as a session of its own: its workouts, and its days where
  /// it has no workout or `withDays`. One with a single session is one.
  ///
  /// - Throws: as for one session; those before it are in the history.
  package func add(
    _ recording: Recording, _ request: ImportRequest, withDays: Bool
  ) async throws -> [ImportOutcome] {
    try await change { try $0.add(recording, request, withDays: withDays) }
  }

  /// Takes a recording into the history, unless the same workout is there and is not to be replaced.
  ///
  /// The folder is written beside the sessions and gets its place when it is whole, so that a process that dies leaves
  /// no half of a workout. What is replaced is deleted after that, so that one of the two is there at any time. A workout is
  /// the same when a session of the same person, or of nobody in particular, lies so and has the same readings; see
  /// ``WorkoutTrace/isSameWorkout(as:)``.
  /// - Throws: `FileError`, `RecordingError` or `DatabaseError`; `ZoneError` when the request has no zones on that day, or
  ///   what it throws itself.
  package func add(_ recording: Recording, _ request: ImportRequest) async throws -> ImportOutcome {
    try await change { try $0.add(recording, request) }
  }

  /// What is said of a session that was imported elsewhere, where the same workout is in the history; `nil` where it is new.
  ///
  /// - Parameter folder: the folder of the session.
  /// - Throws: `FileError`, `RecordingError` or `DatabaseError` when something cannot be read.
  package func duplicate(of folder: StoredPath) async throws -> ImportOutcome? {
    try await change { try $0.duplicate(of: folder) }
  }

  /// Deletes a session for good: its folder and everything that the index knows of it.
  ///
  /// - Throws: `SessionInUse` while a process records it, `FileError` before anything is done when the folder holds what
  ///   coach did not write, ``DeletionObstacle`` when something else is where it goes, `FileError` or `DatabaseError` when
  ///   it cannot be finished now.
  package func delete(_ sessionID: String) async throws { try await change { try $0.delete(sessionID) } }

  /// Finishes deletions that were cut off; the sessions. What another process is at is left to it.
  ///
  /// - Throws: `FileError` or `DatabaseError` when they cannot be finished now; the next start tries again.
  package func finishDeletions() async throws -> [String] { try await change { try $0.finishDeletions() } }

  /// Drops a session from the index whose folder is not there; nothing when the index does not know it, or there is a
  /// folder again.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when the folder cannot be looked at.
  func forget(_ sessionID: String) async throws { try await writer.forget(sessionID) }

  // MARK: - People

  /// Erases all data of a person: the profile, all sessions, and what the index knows of them. A name without a profile
  /// stands for the sessions that say it and whose profile is gone.
  ///
  /// - Parameter identity: whose profile it has to be; absent for whoever has the name.
  /// - Throws: `ProfileStoreError.missing` when there is neither a profile nor a session of the name, or the profile is somebody else's,
  ///   `SessionInUse` while a process records one of them, `FileError`, `RecordingError` or `DatabaseError` when it cannot be finished now.
  package func erase(
    personNamed name: String, as identity: ProfileIdentity? = nil, _ report: @Sendable (WorkProgress) -> Void
  ) async throws -> ErasureReport {
    try await change { try $0.erase(personNamed: name, as: identity, report) }
  }

  /// Finishes erasures that were cut off; `false` when there are none, or another process is at it or imports, so that the
  /// next start looks again.
  ///
  /// - Throws: `SessionInUse`, `FileError` or `DatabaseError` when they cannot be finished now; the next start tries again.
  @discardableResult
  package func finishErasures() async throws -> Bool { try await change { try $0.finishErasures() } }

  /// Writes all data of a person to a folder, which has its name only when it is whole.
  ///
  /// - Throws: `ProfileStoreError.missing` when there is neither a profile nor a session of the name, `FileError`,
  ///   `RecordingError` or `DatabaseError` when something cannot be read or written, or what `report` throws.
  package func export(
    personNamed name: String, toFolder path: String, _ report: @Sendable (WorkProgress) throws -> Void
  ) async throws -> PersonExportReport {
    try await change { try $0.export(personNamed: name, toFolder: path, report) }
  }

  /// Writes all data of a person to an archive, which has its name only when it is whole.
  ///
  /// - Throws: as to a folder.
  package func export(
    personNamed name: String, toArchive path: String, replacing: Bool,
    _ report: @Sendable (WorkProgress) throws -> Void
  ) async throws -> PersonExportReport {
    try await change { try $0.export(personNamed: name, toArchive: path, replacing: replacing, report) }
  }

  // MARK: - Upkeep

  /// Makes the index anew from the folders, beginning with an empty one when the old one is damaged.
  ///
  /// Folders that cannot be read are left out and reported; sessions that are being recorded are left to their process. Others
  /// may import, record and delete meanwhile and wait for no more than a batch that is written; what they do counts.
  /// - Returns: how many sessions are in the index, and what could not be read.
  /// - Throws: `FileError` or `DatabaseError` when the index cannot be written.
  package func rebuild(
    _ report: @Sendable (WorkProgress) -> Void
  ) async throws -> (sessions: Int, findings: [HistoryFinding]) {
    try await change { try $0.rebuild(report) }
  }

  /// Compares index and folders and looks into every log. What others import, record or delete meanwhile is no finding.
  ///
  /// - Throws: `FileError` or `DatabaseError` when they cannot be looked at.
  package func check(_ report: @Sendable (WorkProgress) -> Void) async throws -> [HistoryFinding] {
    try await change { try $0.check(report) }
  }
}

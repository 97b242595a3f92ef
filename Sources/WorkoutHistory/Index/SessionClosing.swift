package import SessionStore
internal import TextFormats

/// What was done to close a session.
package struct ClosedSession: Hashable, Sendable {
  /// The identity of the session.
  package let sessionID: String
  /// How its recording came to its end; `nil` when nothing of it had been recorded, so that it is gone.
  package let state: SessionState?
  /// Files whose last line was cut off and dropped, with its bytes.
  package let tornLines: [String: Int]
}

/// What became of a session whose process was gone.
package enum Recovery: Sendable {
  /// It is closed and in the history.
  case closed(ClosedSession)
  /// It cannot be closed; it stays as it is, and the next start tries again.
  case failed(sessionID: String, any Error)
}

extension History {
  /// Closes a session whose recording is over: one that has just ended and one whose process is gone take the same way.
  ///
  /// A folder without a summary is healed first: torn last lines are dropped, the journal is completed from the raw
  /// logs, the summary is written. Then the session is taken into the index. Everything can be repeated.
  /// - Throws: `FileError`, `RecordingError`, `ZoneError` or `DatabaseError`; the raw logs are as they were.
  package func close(_ sessionID: String) throws -> ClosedSession {
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    guard try SessionFolder.isRecorded(folder) else {
      try SessionFolder.removeUnrecorded(folder)
      return ClosedSession(sessionID: sessionID, state: nil, tornLines: [:])
    }
    let summary = try SessionSummaryFile.read(in: folder)
    let torn = try summary == nil ? SessionHealing.heal(folder).torn : []
    try add(sessionID)
    return ClosedSession(
      sessionID: sessionID, state: summary?.state ?? .recovered,
      tornLines: Dictionary(torn.map { ($0.file, $0.bytes) }, uniquingKeysWith: +))
  }

  /// Takes sessions into the index that are recorded to their end and whose process died before it did so.
  ///
  /// - Throws: `FileError` when the marks cannot be looked at, `DatabaseError` when the index cannot be used.
  func closeEnded() throws {
    for sessionID in try SessionMark.all(in: dataFolder) {
      let summary = SessionFolder.path(of: sessionID, in: dataFolder) + "/" + SessionFolder.summary
      guard FileSystem.exists(summary), let mark = try SessionMark.take(sessionID, in: dataFolder) else { continue }
      do {
        _ = try close(sessionID)
        try mark.remove()
      } catch let error as DatabaseError {
        throw error
      } catch {
        // What cannot be closed is told by the next start.
      }
    }
  }

  /// Closes every session whose process is gone, and tells what became of each.
  ///
  /// - Throws: `FileError` when the marks cannot be looked at.
  package func recover() throws -> [Recovery] {
    var recoveries: [Recovery] = []
    for sessionID in try SessionMark.all(in: dataFolder) {
      guard let mark = try SessionMark.take(sessionID, in: dataFolder) else { continue }
      do {
        let closed = try close(sessionID)
        try mark.remove()
        recoveries.append(.closed(closed))
      } catch {
        recoveries.append(.failed(sessionID: sessionID, error))
      }
    }
    return recoveries
  }
}

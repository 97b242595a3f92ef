internal import Recordings
internal import SessionStore
internal import TextFormats
package import ZoneEngine

extension HistoryWorker {
  /// Puts a label on a stretch of a session that is over.
  ///
  /// - Throws: `SessionInUse` while a process records it, ``SessionGone``, `RecordingError` for a stretch beyond its end or logs that cannot be
  ///   read, `FileError` when the label cannot be written.
  func label(_ sessionID: String, _ text: String, from start: SessionTime, until end: SessionTime) throws {
    try holding(sessionID) { folder in
      let recording = try SessionFolderRecording(path: folder)
      let length = try recording.facts().elapsed
      guard end <= length else {
        throw RecordingError(
          path: sessionID, problem: "the stretch ends after \(end.seconds) s: expected at most \(length.seconds)")
      }
      try annotate(sessionID) { try SessionLabels.put(text, from: start, until: end, on: recording) }
    }
  }
}

extension History {
  /// Puts a label on a stretch of a session that is over; no raw log is changed.
  ///
  /// - Throws: `SessionInUse` while a process records it, ``SessionGone``, `RecordingError` for a stretch beyond its end or logs that cannot be
  ///   read, `FileError` when the label cannot be written.
  package func label(
    _ sessionID: String, _ text: String, from start: SessionTime, until end: SessionTime
  ) async throws {
    try await change { try $0.label(sessionID, text, from: start, until: end) }
  }
}

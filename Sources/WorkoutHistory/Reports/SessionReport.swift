package import SessionStore
internal import TextFormats
package import WorkoutExports

/// Everything that a report tells of a session.
package struct SessionReport: Sendable {
  /// What the index keeps of it, and what was true on its day.
  package let detail: SessionDetail
  /// What happened moment by moment.
  package let courses: SessionCourses
  /// The hours of the day in which it was under way, in order.
  package let hours: [HistoryHour]
  /// How well each stream was sampled.
  package let quality: [StreamQuality]
  /// What is hidden of the way around both of its ends; absent for nothing.
  package let privacyRadius: PrivacyRadius?
}

extension History {
  /// The report of a session, its way without what lies within a radius of both ends; `nil` when it is gone.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError`, `RecordingError` or `ZoneError` when the folder
  ///   of the session cannot.
  /// - Complexity: O(rows) time: its logs are read twice.
  package func report(
    of entry: SessionEntry, hidingEndsWithin radius: PrivacyRadius?
  ) throws -> SessionReport? {
    guard let detail = try detail(of: entry) else { return nil }
    let folder = SessionFolder.path(of: entry.sessionID, in: dataFolder)
    do {
      return SessionReport(
        detail: detail,
        courses: try SessionCourses(
          of: SessionFolderRecording(path: folder), until: entry.elapsed, hidingEndsWithin: radius),
        hours: try hours(of: entry.sessionID),
        quality: try RecordingQuality.ofSession(folder, StreamQuality.Expectation(rateHz: nil, gap: nil)) { _ in },
        privacyRadius: radius)
    } catch let error as FileError where error.isMissing && !FileSystem.isFolder(folder) {
      return nil
    }
  }
}

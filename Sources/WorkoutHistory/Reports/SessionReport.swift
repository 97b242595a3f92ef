package import SessionStore
internal import TextFormats
package import WorkoutExports
package import WorkoutSession

/// Everything that a report says of a session.
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
  /// The units of who reads it; what it holds is metric.
  package var units = UnitSystem.metric
}

extension HistoryWorker {
  /// Reads the logs of a session for its report; `nil` when it is gone.
  func report(
    _ detail: SessionDetail, _ hours: [HistoryHour], hidingEndsWithin radius: PrivacyRadius?
  ) throws -> SessionReport? {
    let entry = detail.entry
    let folder = SessionFolder.path(of: entry.sessionID, in: dataFolder)
    do {
      return SessionReport(
        detail: detail,
        courses: try SessionCourses(
          of: SessionFolderRecording(path: folder), until: entry.elapsed, hidingEndsWithin: radius),
        hours: hours,
        quality: try RecordingQuality.ofSession(folder, StreamQuality.Expectation(rateHz: nil, gap: nil)) { _ in },
        privacyRadius: radius)
    } catch let error as FileError where error.isMissing && !FileSystem.isFolder(folder) {
      return nil
    }
  }
}

package import SessionStore
internal import TextFormats
package import WorkoutExports
package import WorkoutSession
internal import ZoneEngine

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
  /// α1 of the windows of two minutes; empty without intervals between beats.
  package let alpha1: Course
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
        alpha1: Self.alpha1(of: detail), privacyRadius: radius)
    } catch let error as FileError where error.isMissing && FileSystem.lacksFolder(folder) {
      return nil
    }
  }
}

extension HistoryWorker {
  /// The windows that follow each other are joined.
  private static func alpha1(of detail: SessionDetail) -> Course {
    var course = CourseBuilder(until: detail.entry.elapsed, longestGap: BeatWindow.step)
    for point in detail.beats?.points ?? [] {
      if let alpha1 = point.variability.alpha1 { course.admit(alpha1, at: point.time) }
    }
    return course.course
  }
}

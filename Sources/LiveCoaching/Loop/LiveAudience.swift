package import TextFormats
package import WorkoutSession

/// Those for whom a live session runs: they see and hear what it reports, and may want something of it.
///
/// Whoever throws is gone: the session ends as interrupted, and what was recorded is kept.
package protocol LiveAudience: AnyObject {
  /// What keys are read from; `nil` while nobody may read them.
  var keyboard: Int32? { get }
  /// When they want a turn although nothing comes, in nanoseconds of the monotonic clock; `nil` for never.
  var turn: Int64? { get }
  /// What was typed means.
  func typed() throws -> [SessionCommand]
  /// Takes a signal; whether that was all, so that the session goes on.
  func handle(_ signal: Int32) throws -> Bool
  /// Brings up to date what changes with time alone.
  func refresh() throws
  /// Shows what happened, and the session as it is after that. The first call with a session that has begun is its beginning.
  func show(_ events: [SessionEvent], _ session: LiveSession) throws
  /// Takes what people want to know and no record says.
  func report(_ remark: LiveRemark)
}

/// What people want to know of a live session beside its records.
package enum LiveRemark: Sendable {
  /// Something about a source: nothing is wrong.
  case notice(String)
  /// Something about the samples of a sender.
  case sender(String, notice: String)
  /// A line that could not be used.
  case badLine(LiveReport.BadLine, sender: String)
  /// A source cannot be read any more.
  case failed(FileError)
  /// A source is not what was expected.
  case broken(String)
  /// What changed about the recording.
  case recording(LiveReport.RecordingChange)
}

package import Recordings
internal import TextFormats
internal import WorkoutSession
package import ZoneEngine

extension WorkoutTrace {
  /// The trace of a session of our own.
  ///
  /// - Throws: `FileError` or `RecordingError` when its folder cannot be read.
  package init(of session: SessionFolderRecording, elapsed: SessionTime) throws {
    let start = session.manifest.start.nanoseconds
    try self.init(span: start...(start + elapsed.nanoseconds)) { _ = try session.forEachInput($0) }
  }
}

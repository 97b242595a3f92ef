package import Recordings
package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// Writes the folder of a session that is at hand as a whole, such as one that is imported: raw logs first, then the
/// decisions, the summary at the end. A live session goes through a journal.
///
/// What was given to ``append(_:)`` and ``append(event:)`` is in the files after ``flush()``, in that order.
package final class SessionRecorder {
  /// The folder.
  package let folder: StoredPath
  /// The identity of the session.
  package var sessionID: String { manifest.sessionID }

  private let manifest: SessionManifest
  private let encoder: SessionLogEncoder
  private let files: SessionFolderWriter
  private var chunks: [UInt8] = []

  /// Creates a folder with the manifest of a session in it.
  ///
  /// - Throws: `FileError` when it cannot be created, `ZoneError` when the request has no zones.
  package init(folder: StoredPath, manifest: SessionManifest) throws {
    self.folder = folder
    self.manifest = manifest
    encoder = try SessionLogEncoder(manifest)
    files = SessionFolderWriter(folder)
    try FileSystem.createFolder(folder)
    try flush()
  }

  /// Appends an entry of the raw log.
  package func append(_ entry: LiveSession.RawEntry) { encoder.append(entry) }

  /// Appends a label.
  package func append(label: RecordedLabel) { encoder.append(label: label) }

  /// Appends an event.
  package func append(event: SessionEvent) { encoder.append(event: event) }

  /// Writes what was appended: raw logs, then the decisions.
  ///
  /// - Throws: `FileError` when not all of it can be written; the rest is kept.
  package func flush() throws(FileError) {
    if encoder.drain(into: &chunks) { files.take(&chunks) }
    try files.flush()
  }

  /// Writes what was appended and waits until it is on the disk.
  ///
  /// - Throws: `FileError` when that fails; what was not written is kept, what was written is not known to be on the disk.
  package func sync() throws(FileError) {
    try flush()
    try files.sync()
  }

  /// Ends the recording with the summary of the session.
  ///
  /// - Parameter isSynced: whether it is waited for until everything is on the disk. Until it is, by whatever way, nobody may
  ///   take the folder for a whole one, because the summary may be there before the logs are.
  /// - Throws: `FileError` when it cannot be written; it can be tried again.
  package func finish(_ pipeline: SessionPipeline, badLines: Int?, isSynced: Bool = true) throws(FileError) {
    if isSynced { try sync() } else { try flush() }
    try SessionSummaryFile(manifest: manifest, state: .complete, badLines: badLines)
      .write(pipeline, to: folder, isSynced: isSynced)
  }
}

internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutSession

/// A session as the writer of its journal knows it. Only the writer uses it, but for ``isWatched``.
final class JournaledSession: @unchecked Sendable {
  let manifest: SessionManifest
  let dataFolder: StoredPath
  /// Whether anybody reads its events as they come.
  let isWatched = Atomic(false)

  /// What waits to be written to its folder.
  let files: SessionFolderWriter
  /// Why nothing can be written of it any more; absent while something can.
  var failure: (any Error)?
  /// Why its folder could not be written the last time; absent when it could.
  var folderProblem: (any Error)?
  /// The oldest segment that has something which is not on the disk in its folder.
  var oldestSegment: Int?
  /// Whether its folder is there.
  var hasBegun = false
  /// Whether its summary is written.
  var isFinished = false

  init(_ manifest: SessionManifest, in dataFolder: StoredPath) {
    self.manifest = manifest
    self.dataFolder = dataFolder
    files = SessionFolderWriter(SessionFolder.path(of: manifest.sessionID, in: dataFolder))
  }

  var sessionID: String { manifest.sessionID }
  var folder: StoredPath { files.folder }

  /// Makes mark and folder; the mark is on the disk after `SessionMark.syncAll(in:)`.
  func begin(_ journal: LiveJournal) throws {
    guard !FileSystem.exists(folder) else { throw RecordingError(path: folder.path, problem: "is there already") }
    try FileSystem.createFolder(dataFolder + "/" + SessionFolder.sessions)
    try SessionMark.make(sessionID, in: dataFolder, heldBy: journal)
    do {
      try FileSystem.createFolder(folder)
      try files.write(manifest: manifest.json())
      hasBegun = true
    } catch {
      abandon()
      throw error
    }
  }

  /// Removes folder and mark of a session of which nothing was recorded. What cannot be removed now keeps its mark, and the
  /// next start removes it.
  func abandon() {
    if (try? SessionFolder.removeUnrecorded(folder)) != nil { try? SessionMark.remove(sessionID, in: dataFolder) }
  }
}

import CoachService
import LiveCoaching
import Recordings
import SessionStore
import SessionUpload
import TextFormats
import WorkoutHistory
import WorkoutSession

/// A test names its data folder by a path.
extension History {
  init(dataFolder: String) { self.init(dataFolder: StoredPath(dataFolder: dataFolder)) }

  static func path(in dataFolder: String) -> StoredPath { path(in: StoredPath(dataFolder: dataFolder)) }

  init(dataFolder: String, busyMilliseconds: Int32) {
    self.init(dataFolder: StoredPath(dataFolder: dataFolder), busyMilliseconds: busyMilliseconds)
  }
}

extension ProfileStore {
  init(dataFolder: String) { self.init(dataFolder: StoredPath(dataFolder: dataFolder)) }
}

extension PendingUploads {
  convenience init(dataFolder: String) throws { try self.init(dataFolder: StoredPath(dataFolder: dataFolder)) }

  static func path(in dataFolder: String) -> StoredPath { path(in: StoredPath(dataFolder: dataFolder)) }

  static func existing(in dataFolder: String) throws -> PendingUploads? {
    try existing(in: StoredPath(dataFolder: dataFolder))
  }

  static func forget(_ sessionID: String, in dataFolder: String) throws {
    try forget(sessionID, in: StoredPath(dataFolder: dataFolder))
  }
}

extension SessionRandomizer {
  func draw(
    for request: SessionRequest, on day: CivilDate?, loop: Randomization.Loop, in dataFolder: String
  ) throws -> SessionRequest {
    try draw(for: request, on: day, loop: loop, in: StoredPath(dataFolder: dataFolder))
  }

  func check(_ request: SessionRequest, on day: CivilDate?, in dataFolder: String) throws {
    try check(request, on: day, in: StoredPath(dataFolder: dataFolder))
  }
}

/// Writes a text to a file of a data folder.
func write(_ text: String, to place: StoredPath) throws { try write(text, to: place.path) }

extension SessionMark {
  static func all(in dataFolder: String) throws(FileError) -> [String] {
    try all(in: StoredPath(dataFolder: dataFolder))
  }

  static func make(_ sessionID: String, in dataFolder: String) throws(FileError) -> SessionMark {
    try make(sessionID, in: StoredPath(dataFolder: dataFolder))
  }
}

extension ImportLock {
  static func take(_ dataFolder: String, waitingMilliseconds: Int32) throws -> ImportLock {
    try take(StoredPath(dataFolder: dataFolder), waitingMilliseconds: waitingMilliseconds)
  }

  static func takeIfFree(_ dataFolder: String) throws -> ImportLock? {
    try takeIfFree(StoredPath(dataFolder: dataFolder))
  }
}

extension SessionFolder {
  static func path(of sessionID: String, in dataFolder: String) -> String {
    path(of: sessionID, in: StoredPath(dataFolder: dataFolder)).path
  }
}

extension Database {
  convenience init(path: String, busyMilliseconds: Int32 = usualBusyMilliseconds) throws(DatabaseError) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    try self.init(
      path: StoredPath(folder: FileSystem.folder(of: path)) + name, busyMilliseconds: busyMilliseconds)
  }
}

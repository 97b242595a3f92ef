package import TextFormats

/// What was taken of sessions of a service that are over, for a while: `answered/SESSION` in the data folder, the `inputs.log` that the
/// folder of the session had. Who did not get the answer to the last request of a session, because the process was killed, sends it again
/// to the next one, which makes the answer again of that.
package enum EndedInputs {
  /// The folder of all of them in a data folder.
  package static let folderName = "answered"
  /// How long they are kept after the end, in seconds: as long as a service has what it answered in memory.
  package static let longestSeconds: Int64 = 600

  /// Whether a name in the folder is one that coach gives.
  package static func isName(_ name: String) -> Bool { SessionFolder.isName(name) }

  /// Moves what was taken of a session out of its folder, whose summary is written; nothing where that has none. Where it cannot be kept it
  /// goes: a session is over whatever becomes of it.
  ///
  /// - Throws: `FileError` when it cannot be removed either.
  package static func keep(_ sessionID: String, in dataFolder: StoredPath) throws(FileError) {
    let inputs = SessionFolder.path(of: sessionID, in: dataFolder) + "/" + SessionFolder.inputs
    guard try FileSystem.has(inputs) else { return }
    // Whoever removes the folder because it is empty may do so in between.
    for _ in 0..<mostAttempts {
      do throws(FileError) {
        try FileSystem.createFolder(folder(in: dataFolder))
        return try FileSystem.rename(inputs, to: place(of: sessionID, in: dataFolder))
      } catch  where error.isMissing {
      } catch {
        break
      }
    }
    try FileSystem.removeIfPresent(inputs)
  }

  private static let mostAttempts = 3

  /// Opens what was taken of a session that is over; `nil` where it is not kept.
  ///
  /// - Throws: `FileError` when it cannot be opened.
  package static func reader(of sessionID: String, in dataFolder: StoredPath) throws(FileError) -> SessionInputReader? {
    do throws(FileError) {
      return try SessionInputReader(place(of: sessionID, in: dataFolder))
    } catch  where error.isMissing {
      return nil
    }
  }

  /// Removes what was taken of a session; nothing where it is not kept.
  ///
  /// - Throws: `FileError` when it cannot be removed.
  package static func remove(_ sessionID: String, in dataFolder: StoredPath) throws(FileError) {
    let place = place(of: sessionID, in: dataFolder)
    guard try FileSystem.status(place)?.isRegular == true else { return }
    try FileSystem.removeIfPresent(place)
    try FileSystem.removeIfEmpty(folder(in: dataFolder))
  }

  /// Removes what is kept for longer than it may be, and the oldest beyond a number. What coach did not name stays.
  ///
  /// - Throws: `FileError` when the folder cannot be listed, or something cannot be removed.
  package static func removeOld(
    in dataFolder: StoredPath, atMost most: Int = .max, now: WallClockTime
  ) throws(FileError) {
    let folder = folder(in: dataFolder)
    guard try FileSystem.status(folder) != nil else { return }
    var kept: [(name: String, seconds: Int64)] = []
    for name in try FileSystem.listIfPresent(folder) where isName(name) {
      guard let status = try FileSystem.status(folder + "/" + name), status.isRegular else { continue }
      kept.append((name, status.modifiedSeconds))
    }
    kept.sort { ($0.seconds, $0.name) > ($1.seconds, $1.name) }
    let nowSeconds = now.nanoseconds / 1_000_000_000
    for (index, one) in kept.enumerated() {
      // One of the future was kept before the clock was set back: nobody knows how old it is.
      guard index >= most || (nowSeconds - one.seconds).magnitude > longestSeconds.magnitude else { continue }
      try FileSystem.removeIfPresent(folder + "/" + one.name)
    }
    try FileSystem.removeIfEmpty(folder)
  }

  private static func folder(in dataFolder: StoredPath) -> StoredPath { dataFolder + "/" + folderName }
  private static func place(of sessionID: String, in dataFolder: StoredPath) -> StoredPath {
    folder(in: dataFolder) + "/" + sessionID
  }
}

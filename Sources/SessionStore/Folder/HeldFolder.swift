package import TextFormats

/// A folder that one process at a time works on, wherever it is moved meanwhile. It is given back when the process ends, in
/// whatever way.
package final class HeldFolder {
  /// What came of the wish to hold a folder.
  package enum Attempt {
    /// It is held.
    case held(HeldFolder)
    /// Another one holds it.
    case busy
    /// There is no folder, or there is none any more.
    case gone
  }

  private let file: POSIXFile

  private init(_ file: POSIXFile) { self.file = file }

  /// Takes hold of a folder, waiting up to a span for another one.
  ///
  /// - Throws: `FileError` with `inspect` when it cannot be opened.
  package static func take(_ place: StoredPath, waitingMilliseconds milliseconds: Int32) throws(FileError) -> Attempt {
    guard try FolderStamp.of(place) != nil, let descriptor = try open(place) else { return .gone }
    let file = POSIXFile(owning: descriptor, named: place.path)
    guard try file.lock(waitingMilliseconds: milliseconds) else { return .busy }
    // Whoever held it before may have moved or deleted it.
    let held = HeldFolder(file)
    guard try file.isAt(place) else {
      held.release()
      return .gone
    }
    return .held(held)
  }

  private static func open(_ place: StoredPath) throws(FileError) -> Int32? {
    do throws(FileError) {
      return try FileSystem.openFolder(place, .inspect)
    } catch  where error.isMissing {
      return nil
    }
  }

  /// Gives it back.
  package func release() {
    file.unlock()
    try? file.close()
  }
}

package import TextFormats

/// The files of a session that is over, as bytes, for a store that takes it from another one.
package struct SessionFolderContent: Hashable, Sendable {
  /// A file of the folder.
  package struct File: Hashable, Sendable {
    /// Its name in the folder.
    package let name: String
    /// Its bytes.
    package let bytes: [UInt8]

    /// Creates a file.
    package init(_ name: String, _ bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// The most bytes of all files of a session together: 192 MiB, seven hours of motion at 100 Hz. They are in memory, up to
  /// three times at once.
  package static let mostBytes = 192 << 20

  /// The session.
  package let sessionID: String
  /// The files, sorted by the bytes of their names.
  package let files: [File]

  /// Creates a content; the files are sorted.
  package init(sessionID: String, files: [File]) {
    self.sessionID = sessionID
    self.files = files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Reads the files that a session has under names of its own; what else lies in the folder is no part of it, and a link or a
  /// pipe under one of those names is refused.
  ///
  /// - Throws: `FileError` when the folder cannot be listed, a file cannot be read, or there are more than ``mostBytes``.
  package init(sessionID: String, in dataFolder: StoredPath) throws(FileError) {
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    var files: [File] = []
    var left = Self.mostBytes
    for name in try FileSystem.list(folder) where SessionFolder.isFile(name) {
      let path = folder + "/" + name
      let file = try POSIXFile(reading: path)
      // Asked before, so that nothing is read of what is too large.
      guard try file.status().size <= left else { throw FileError(folder.path, moreThan: Self.mostBytes) }
      let bytes = try file.readAll(maximumBytes: left)
      left -= bytes.count
      files.append(File(name, bytes))
    }
    self.init(sessionID: sessionID, files: files)
  }

  /// The bytes of a file; `nil` where the session has none of the name.
  package subscript(name: String) -> [UInt8]? { files.first { $0.name == name }?.bytes }

  /// The same session by another name, which stands in its manifest, its summary and its records.
  package func renamed(to name: String) -> SessionFolderContent {
    let (old, new) = (Array("\"\(sessionID)\"".utf8), Array("\"\(name)\"".utf8))
    let named = [SessionFolder.manifest, SessionFolder.summary, SessionFolder.decisions]
    return SessionFolderContent(
      sessionID: name,
      files: files.map { file in
        guard named.contains(file.name) else { return file }
        return File(file.name, file.bytes.replacing(old, with: new))
      })
  }

  /// The name of the first file that only one of two has, or that differs; `nil` for equal ones.
  package func firstDifference(from other: SessionFolderContent) -> String? {
    let names = Set(files.map(\.name)).union(other.files.map(\.name))
    return names.sorted().first { self[$0] != other[$0] }
  }
}

private import Glibc

/// A file that gets its name when it is whole: until ``commit(replacing:)`` its bytes stand beside it under another name,
/// which is drawn, and when that is never called nothing is left of them.
///
/// The other name is that of a new file, whatever somebody has put there. A link that has the final name goes when the file
/// replaces it; what it leads to stays as it is. Every error names the final path.
package final class PendingFile {
  /// The name that the file will have.
  package let path: String

  private let folder: OutputFolder
  private let name: String
  private let temporary: String
  private let file: POSIXFile
  private var isNamed = false

  /// Begins a file, which can be read and written by its owner only.
  ///
  /// - Throws: `FileError` with `create`.
  package convenience init(_ path: String) throws(FileError) {
    try self.init(path, FileSystem.name(of: path), in: Self.folder(FileSystem.folder(of: path), of: path))
  }

  /// Looks whether a file can be begun at a path, and begins none, so that what takes long is not done in vain.
  ///
  /// - Throws: `FileError` with `create`, as when it is begun, where its folder is missing, is none or cannot be written.
  package static func requireFolder(for path: String) throws(FileError) {
    let folder = try folder(FileSystem.folder(of: path), of: path)
    do throws(FileError) {
      try folder.requireWritable()
    } catch {
      throw FileError(.create, path, code: error.code)
    }
  }

  /// Begins a file inside a folder of coach's own.
  ///
  /// - Throws: `FileError` with `create`.
  package convenience init(_ place: StoredPath) throws(FileError) {
    try self.init(place.path, place.lastName, in: Self.folder(place.folder, of: place.path))
  }

  /// Begins a file in a folder that is open; errors name the file alone.
  ///
  /// - Throws: `FileError` with `create`.
  package convenience init(_ name: String, in folder: OutputFolder) throws(FileError) {
    try self.init(name, name, in: folder)
  }

  private init(_ path: String, _ name: String, in folder: OutputFolder) throws(FileError) {
    self.path = path
    self.name = name
    self.folder = folder
    guard !name.isEmpty else { throw FileError(.create, path, code: EISDIR) }
    temporary = TemporaryName.make(for: name)
    do throws(FileError) {
      file = try folder.createFile(temporary)
    } catch {
      throw FileError(.create, path, code: error.code)
    }
  }

  /// The folder of a file, when the path of the file can be that of one.
  private static func folder(_ place: some FilePlace, of path: String) throws(FileError) -> OutputFolder {
    guard !path.utf8.contains(0), path.utf8.last != UInt8(ascii: "/") else {
      throw FileError(.create, path, code: path.utf8.contains(0) ? EINVAL : EISDIR)
    }
    do throws(FileError) {
      return try OutputFolder(place)
    } catch {
      throw FileError(.create, path, code: error.code)
    }
  }

  deinit {
    if !isNamed { try? folder.remove(temporary) }
  }

  /// Writes further bytes.
  ///
  /// - Throws: `FileError` with `write`.
  package func write(_ bytes: Span<UInt8>) throws(FileError) {
    try named { () throws(FileError) in try file.write(bytes) }
  }

  /// Waits until everything is on the disk and gives the file its name.
  ///
  /// - Parameter isSynced: whether that is waited for; whoever does not waits for it later, for many files at once.
  /// - Throws: `FileError`; with `create` when there is a file of that name already and it is not to be replaced. What
  ///   was at the path is then as it was.
  package func commit(replacing: Bool, isSynced: Bool = true) throws(FileError) {
    try named { () throws(FileError) in
      if isSynced { try file.sync(metadata: true) }
      try file.close()
      if replacing {
        try folder.rename(temporary, to: name)
      } else {
        try folder.rename(temporary, toFree: name)
      }
      isNamed = true
      if isSynced { try folder.sync() }
    }
  }

  private func named(_ body: () throws(FileError) -> Void) throws(FileError) {
    do throws(FileError) {
      try body()
    } catch {
      throw error.named(path)
    }
  }
}

private import Glibc

/// Files and folders by their paths. Everything that is created belongs to its owner only.
package enum FileSystem {
  /// The size and kind of what is at a place, `nil` when nothing is.
  ///
  /// - Throws: `FileError` with `inspect` when it cannot be found out.
  package static func status(_ place: some FilePlace) throws(FileError) -> FileStatus? {
    guard !place.path.utf8.contains(0) else { return nil }
    do throws(FileError) {
      return try place.resolved(.inspect) { folder, name throws(FileError) in
        var facts = stat()
        guard unsafe fstatat(folder, name, &facts, place.followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
          throw FileError(.inspect, place.path, code: errno)
        }
        return FileStatus(facts)
      }
    } catch  where error.isMissing {
      return nil
    }
  }

  /// Why coach writes nothing into what is at a place, as a code of ``FileError``; `nil` when it may, or nothing is there. A
  /// name that a file had until it was whole is taken from it before.
  ///
  /// - Throws: `FileError` with `inspect` when it cannot be found out.
  package static func problemOfWriting(_ place: StoredPath) throws(FileError) -> Int32? {
    guard let problem = try status(place)?.problemOfWriting(isOwned: place.isOwned) else { return nil }
    guard problem == FileError.hardLink else { return problem }
    try OtherNames.dropTemporary(of: place)
    return try status(place)?.problemOfWriting(isOwned: place.isOwned)
  }

  /// Why nothing can be made in a folder, or it is not there, as a code of ``FileError``; `nil` when it can.
  package static func problemOfChanging(_ folder: StoredPath) -> Int32? {
    unsafe faccessat(AT_FDCWD, folder.path.systemPath, W_OK | X_OK, AT_EACCESS) == 0 ? nil : errno
  }

  /// Whether there is no room for a single byte in a folder; `false` too where that cannot be found out.
  package static func isFull(_ folder: StoredPath) -> Bool {
    let file = unsafe open(folder.path.systemPath, __O_TMPFILE | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o600)
    guard file >= 0 else { return errno == ENOSPC || errno == EDQUOT }
    defer { close(file) }
    var byte: UInt8 = 0
    return unsafe write(file, &byte, 1) < 0 && (errno == ENOSPC || errno == EDQUOT)
  }

  /// Whether something is at a place, for who decides by it what becomes of a session: nothing is there where the system says so, and
  /// not where it cannot say.
  ///
  /// - Throws: `FileError` with `inspect` when it cannot be found out.
  package static func has(_ place: some FilePlace) throws(FileError) -> Bool { try status(place) != nil }

  /// Whether a folder is at a place, for who decides by it what becomes of a session.
  ///
  /// - Throws: `FileError` with `inspect` when it cannot be found out.
  package static func hasFolder(_ place: some FilePlace) throws(FileError) -> Bool {
    try status(place)?.isFolder ?? false
  }

  /// Whether a folder is at a place that was found beside others; `false` for what nobody lets in, as for a link that leads to itself.
  ///
  /// - Throws: `FileError` with `inspect` when the disk, or the machine, does not let it be found out.
  package static func hasOpenFolder(_ place: some FilePlace) throws(FileError) -> Bool {
    do throws(FileError) {
      return try hasFolder(place)
    } catch  where error.isOfPath {
      return false
    }
  }

  /// Whether it is known that no folder is at a place, as when it has just been deleted.
  package static func lacksFolder(_ place: some FilePlace) -> Bool { (try? hasFolder(place)) == false }

  /// Whether a folder is at a place; `false` too where that cannot be found out.
  package static func isFolder(_ place: some FilePlace) -> Bool { (try? status(place))?.isFolder ?? false }

  /// Creates a folder and those on the way to it, with permissions 0700; nothing when it is there.
  ///
  /// - Throws: `FileError` with `createFolder`.
  package static func createFolder(_ path: String) throws(FileError) {
    guard !path.isEmpty, !isFolder(path) else { return }
    let parent = folder(of: path)
    if parent != path { try createFolder(parent) }
    try make(path)
  }

  /// Creates a folder and those on the way to it, with permissions 0700; nothing when it is there.
  ///
  /// - Throws: `FileError` with `createFolder`; also when a link is there, or what belongs to somebody else.
  package static func createFolder(_ place: StoredPath) throws(FileError) {
    guard !place.name.isEmpty else { return try createFolder(place.root) }
    guard !isFolder(place) else { return }
    try createFolder(place.folder)
    try make(place)
  }

  private static func make(_ place: some FilePlace) throws(FileError) {
    try place.resolved(.createFolder) { folder, name throws(FileError) in
      guard unsafe mkdirat(folder, name, 0o700) != 0 else { return }
      let code = errno
      guard code == EEXIST, isFolder(place) else { throw FileError(.createFolder, place.path, code: code) }
    }
  }

  /// The names in a folder, sorted by their bytes.
  ///
  /// - Throws: `FileError` with `inspect`.
  package static func list(_ place: some FilePlace) throws(FileError) -> [String] {
    try names(closing: openFolder(place, .inspect), place.path)
  }

  /// The names in an open folder, sorted by their bytes; it is closed.
  ///
  /// - Throws: `FileError` with `inspect`.
  static func names(closing descriptor: Int32, _ path: String) throws(FileError) -> [String] {
    guard let folder = unsafe fdopendir(descriptor) else {
      let code = errno
      Glibc.close(descriptor)
      throw FileError(.inspect, path, code: code)
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(folder) else { break }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe FileName.text(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw FileError(.inspect, path, code: errno) }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The names in a folder, sorted by their bytes; none where nothing is.
  ///
  /// - Throws: `FileError` with `inspect`, also when something else is there.
  package static func listIfPresent(_ place: StoredPath) throws(FileError) -> [String] {
    do throws(FileError) {
      return try list(place)
    } catch  where error.isMissing {
      return []
    }
  }

  /// Whether a folder has a name that is one of `isOwn`, or is empty: something of coach's was begun there and not ended.
  package static func isLeftOver(_ place: StoredPath, _ isOwn: (String) -> Bool) -> Bool {
    guard let names = try? list(place) else { return false }
    return names.isEmpty || names.contains(where: isOwn)
  }

  /// Gives a file or folder another name, replacing a file that has it.
  ///
  /// - Throws: `FileError` with `rename` about the new name.
  package static func rename(_ place: some FilePlace, to newPlace: some FilePlace) throws(FileError) {
    try requireOwner(place, .rename)
    try place.resolved(.rename) { folder, name throws(FileError) in
      try newPlace.resolved(.rename) { newFolder, newName throws(FileError) in
        guard unsafe renameat(folder, name, newFolder, newName) == 0 else {
          throw FileError(.rename, newPlace.path, code: errno)
        }
      }
    }
  }

  /// Deletes a file, a link or an empty folder.
  ///
  /// - Throws: `FileError` with `remove`.
  package static func remove(_ place: some FilePlace) throws(FileError) {
    try requireOwner(place, .remove)
    try place.resolved(.remove) { folder, name throws(FileError) in
      if unsafe unlinkat(folder, name, 0) == 0 { return }
      if errno == EISDIR, unsafe unlinkat(folder, name, AT_REMOVEDIR) == 0 { return }
      throw FileError(.remove, place.path, code: errno)
    }
  }

  /// Deletes a file, a link or an empty folder; nothing when it is not there.
  ///
  /// - Throws: `FileError` with `remove`.
  package static func removeIfPresent(_ place: StoredPath) throws(FileError) {
    do throws(FileError) {
      try remove(place)
    } catch  where error.isMissing {}
  }

  /// Makes sure that what lies in a folder can be moved to another one; nothing is changed. A folder that is not there is in nobody's way.
  ///
  /// - Throws: `FileError` with `rename` when they are on two file systems.
  package static func requireOneFileSystem(_ folder: StoredPath, _ other: StoredPath) throws(FileError) {
    // Of a name that nothing has the system says first whether it could be moved at all.
    let name = TemporaryName.make(for: "moved")
    do throws(FileError) {
      try rename(folder + "/" + name, to: other + "/" + name)
    } catch {
      guard error.code == EXDEV else { return }
      throw FileError(.rename, folder.path, code: EXDEV)
    }
  }

  /// Deletes a file, a link or an empty folder; nothing when it is not there, or has something in it.
  ///
  /// - Throws: `FileError` with `remove`.
  package static func removeIfEmpty(_ place: StoredPath) throws(FileError) {
    do throws(FileError) {
      try remove(place)
    } catch  where error.isMissing || error.isFull {}
  }

  /// What does not belong to the user is neither renamed nor deleted where that matters.
  private static func requireOwner(_ place: some FilePlace, _ operation: FileError.Operation) throws(FileError) {
    guard place.isOwned, let status = try status(place), !status.isOfUser else { return }
    throw FileError(operation, place.path, code: FileError.foreignOwner)
  }

  /// Deletes a file, or a folder with everything in it; nothing when it is not there. A symbolic link goes, and what it
  /// leads to stays. Only for what this process made itself: see ``SessionFolder/remove(_:)`` for the rest.
  ///
  /// - Throws: `FileError` with `remove` or `inspect`.
  package static func removeTree(_ path: String) throws(FileError) {
    do throws(FileError) {
      try remove(path)
    } catch  where error.isMissing {
    } catch  where error.isFull {
      for name in try list(path) { try removeTree(path + "/" + name) }
      try remove(path)
    }
  }

  /// Waits until the names in a folder are on the disk.
  ///
  /// - Throws: `FileError` with `sync`.
  package static func syncFolder(_ place: some FilePlace) throws(FileError) {
    let descriptor = try openFolder(place, .sync)
    defer { _ = Glibc.close(descriptor) }
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw FileError(.sync, place.path, code: errno) }
    }
  }

  /// Opens a folder, for the calls of the system that take a descriptor; whoever asks for it closes it.
  ///
  /// - Throws: `FileError` with `operation`.
  package static func openFolder(
    _ place: some FilePlace, _ operation: FileError.Operation
  ) throws(FileError) -> Int32 {
    let descriptor = try place.resolved(operation) { folder, name throws(FileError) in
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (place.followsLinks ? 0 : O_NOFOLLOW)
      let descriptor = unsafe openat(folder, name, flags)
      guard descriptor < 0 else { return descriptor }
      let code = place.followsLinks ? errno : StoredPath.code(errno, of: name, in: folder)
      throw FileError(operation, place.path, code: code)
    }
    var facts = stat()
    guard place.isOwned, unsafe fstat(descriptor, &facts) == 0, !FileStatus(facts).isOfUser else { return descriptor }
    Glibc.close(descriptor)
    throw FileError(operation, place.path, code: FileError.foreignOwner)
  }

  /// Writes a whole file so that, whatever happens, either the old content or the new one is there.
  ///
  /// - Throws: `FileError`; the file at `path` is then as it was.
  package static func writeAtomically(_ bytes: Span<UInt8>, to path: String) throws(FileError) {
    let file = try PendingFile(path)
    try file.write(bytes)
    try file.commit(replacing: true)
  }

  /// Writes a whole file so that, whatever happens, either the old content or the new one is there.
  ///
  /// - Parameter isSynced: whether that is so when the machine stops, too; see ``PendingFile/commit(replacing:isSynced:)``.
  /// - Throws: `FileError`; the file at the place is then as it was.
  package static func writeAtomically(
    _ bytes: Span<UInt8>, to place: StoredPath, isSynced: Bool = true
  ) throws(FileError) {
    let file = try PendingFile(place)
    try file.write(bytes)
    try file.commit(replacing: true, isSynced: isSynced)
  }

  /// The folder that holds what is at a path: `.` for a bare name, `/` for the root.
  package static func folder(of path: String) -> String {
    var end = path.utf8.count
    let bytes = Array(path.utf8)
    while end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    guard let slash = bytes[..<end].lastIndex(of: UInt8(ascii: "/")) else { return "." }
    var parent = slash
    while parent > 1, bytes[parent - 1] == UInt8(ascii: "/") { parent -= 1 }
    return parent == 0 ? "/" : String(decoding: bytes[..<parent], as: UTF8.self)
  }

  /// The last name of a path, without slashes at its end; empty for the root.
  package static func name(of path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
  }

  /// The path of what is at a path without any link on the way; `nil` when nothing is there, or it cannot be found out.
  package static func realPath(of path: String) -> String? {
    guard !path.utf8.contains(0), let real = unsafe realpath(path.systemPath, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe FileName.text(cString: real)
  }

  /// Whether a symbolic link is at a path, wherever it leads.
  package static func isLink(_ path: String) -> Bool {
    var info = stat()
    return unsafe lstat(path.systemPath, &info) == 0 && FileStatus(info).isLink
  }
}

package import TextFormats

/// The mark of a data folder: the file `.coach` in it, made when coach makes the folder.
///
/// A folder that holds something and has no mark is somebody's own, and nothing is done there. One from before there were
/// marks is known by its index or its sessions, and gets its mark by the first verb that writes.
package enum DataFolderMark {
  /// The name of the file.
  package static let name = ".coach"
  private static let text = "This folder belongs to coach: it keeps workouts here, and deletes what it has made.\n"

  /// The name of the file of people whose profiles are gone.
  package static let formerPeople = "former-people.json"

  /// The files that stand in a data folder, the mark first.
  static let files =
    [name]
    + ["coach.sqlite", "uploads.sqlite", "service.sqlite"].flatMap { name in
      ["", "-wal", "-shm", "-journal"].map { name + $0 }
    }
    + ["profiles.lock", "service.lock", "audit.jsonl", formerPeople, CacheFolderMark.name]
  /// The folders that stand in a data folder.
  static let folders = [
    SessionFolder.sessions, SessionMark.folderName, LiveJournal.folderName, EndedInputs.folderName, "importing",
    "deleted", "annotating", "profiles", "renaming", "erasing", MotionFolder.name,
  ]

  /// The data folder at a path, which need not be there yet.
  ///
  /// - Throws: `FileError` with `keepData` when it is no folder, belongs to somebody else, holds something that is not
  ///   coach's, or has a link, a hard one too, or the like under a name of coach's; `FileError` with `inspect` when it cannot
  ///   be looked at.
  package static func check(_ path: String) throws(FileError) -> StoredPath {
    let root = StoredPath(dataFolder: path)
    guard let status = try FileSystem.status(path) else { return root }
    // What is no folder cannot be written to either, and whoever runs is coached all the same.
    guard status.isFolder else { return root }
    guard status.isOfUser else { throw FileError(.keepData, path, code: FileError.foreignOwner) }
    for name in files { try check(root + name, isFolder: false) }
    for name in folders { try check(root + name, isFolder: true) }
    guard try isOurs(root) else { throw FileError(.keepData, path, code: FileError.unmarkedFolder) }
    return root
  }

  /// Makes the data folder with its mark, each unless it is there.
  ///
  /// - Throws: `FileError` when one of them cannot be made.
  package static func make(_ root: StoredPath) throws(FileError) {
    guard try !FileSystem.has(root + name) else { return }
    try FileSystem.createFolder(root)
    do throws(FileError) {
      let file = try POSIXFile(writing: root + name, .exclusive)
      try file.write(Array(text.utf8).span)
      try file.sync(metadata: true)
      try file.close()
    } catch  where error.isExisting {}
  }

  /// The data folder in one of whose own places a file of a path would lie, whatever links lead there; `nil` for one outside of all, and
  /// for one that stands beside what coach makes there.
  package static func folder(around path: String) -> String? {
    var folder = FileSystem.realPath(of: FileSystem.folder(of: path))
    var name = lastName(of: path)
    while let looked = folder {
      if isMarked(looked) { return isKnown(name) ? looked : nil }
      let parent = FileSystem.folder(of: looked)
      name = lastName(of: looked)
      folder = parent == looked ? nil : parent
    }
    return nil
  }

  private static func lastName(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// Whether a folder has the mark, with what coach writes into it, or an index.
  package static func isMarked(_ folder: String) -> Bool {
    let root = StoredPath(folder: folder)
    if let index = try? FileSystem.status(root + "coach.sqlite"), index.isRegular { return true }
    guard let file = try? POSIXFile(reading: root + name),
      let beginning = try? file.read(at: 0, count: text.utf8.count)
    else { return false }
    return beginning == Array(text.utf8)
  }

  /// Whether a name in a data folder is one that coach gives, also to what is being written.
  package static func isKnown(_ name: String) -> Bool {
    let name = TemporaryName.final(of: name) ?? name
    return files.contains(name) || folders.contains(name)
  }

  /// Whether a name of coach's has what belongs there, or nothing.
  private static func check(_ place: StoredPath, isFolder: Bool) throws(FileError) {
    let problem = try isFolder ? FileSystem.status(place)?.folderProblem : FileSystem.problemOfWriting(place)
    if let problem { throw FileError(.keepData, place.path, code: problem) }
  }

  private static func isOurs(_ root: StoredPath) throws(FileError) -> Bool {
    let names = try FileSystem.list(root)
    if names.isEmpty || names.contains(name) || names.contains("coach.sqlite") { return true }
    // What coach made before it had a session: profiles alone.
    let profiles = try FileSystem.listIfPresent(root + ProfileFileName.folder)
    if profiles.contains(where: { ProfileFileName.name(of: $0) != nil }) { return true }
    for name in try FileSystem.listIfPresent(root + SessionFolder.sessions) where SessionFolder.isName(name) {
      if try FileSystem.hasFolder(SessionFolder.path(of: name, in: root)) { return true }
    }
    return false
  }
}

extension FileStatus {
  /// Why it is no folder of coach's, as a code of ``FileError``; `nil` when it may be one.
  fileprivate var folderProblem: Int32? {
    if isLink { return FileError.symbolicLink }
    if !isFolder { return FileError.noFolder }
    return isOfUser ? nil : FileError.foreignOwner
  }
}

internal import SessionStore
package import TextFormats

/// What lies in a data folder, for who takes all of it elsewhere: what can be taken, and what cannot, by name.
package struct StoreContents: Hashable, Sendable {
  /// The sessions that are over, sorted by the bytes of their names.
  package private(set) var sessions: [String] = []
  /// The sessions that are not: with a mark, or without a summary. Sorted.
  package private(set) var unfinished: [String] = []
  /// The sessions whose deletion is decided and not finished. Sorted.
  package private(set) var deleted: [String] = []
  /// What was decided of people and not carried out: names in `renaming/` and `erasing/`.
  package private(set) var undecided: [String] = []
  /// What coach has not written, by its path in the data folder; a link, a pipe or what belongs to somebody else is one of it
  /// under whatever name.
  package private(set) var foreign: [String] = []
  /// The files of the profiles, by their paths in the data folder.
  package private(set) var profiles: [String] = []
  /// The labelled recordings of motion, by their paths in the data folder.
  package private(set) var motion: [String] = []

  /// Looks into a data folder, which need not be there. Nothing in it is followed, opened or changed.
  ///
  /// - Throws: `FileError` when a folder cannot be listed.
  package init(of dataFolder: StoredPath) throws(FileError) {
    let folder = LookedAtFolder(dataFolder: dataFolder)
    try lookAtSessions(folder)
    for name in try FileSystem.listIfPresent(dataFolder) where !DataFolderMark.isKnown(name) { foreign.append(name) }
    foreign += try folder.strangers().map(\.subject)
    for name in try FileSystem.listIfPresent(folder.deletedFolder) where try folder.isBeingDeleted(name) {
      deleted.append(name)
    }
    for name in ["renaming", "erasing"] {
      undecided += try FileSystem.listIfPresent(dataFolder + "/" + name).map { name + "/" + $0 }
    }
    for name in try FileSystem.listIfPresent(dataFolder + "/" + ProfileFileName.folder) {
      let path = ProfileFileName.folder + "/" + name
      if ProfileFileName.name(of: name) != nil, !foreign.contains(path) { profiles.append(path) }
    }
    for person in try MotionFolder.folders(in: dataFolder) {
      for name in try FileSystem.listIfPresent(dataFolder + "/" + person) where MotionFolder.isRecording(name) {
        if !foreign.contains(person + "/" + name) { motion.append(person + "/" + name) }
      }
    }
  }

  private mutating func lookAtSessions(_ folder: LookedAtFolder) throws(FileError) {
    let names = try folder.folders()
    // Asked last: a session has its mark before its folder, and until it is in the index.
    let marks = Set(try SessionMark.all(in: folder.dataFolder))
    for name in names {
      let path = SessionFolder.path(of: name, in: folder.dataFolder)
      guard let status = try FileSystem.status(path) else { continue }
      guard SessionFolder.isName(name), status.isFolder, status.isOfUser else {
        foreign.append(SessionFolder.sessions + "/" + name)
        continue
      }
      guard !marks.contains(name), try FileSystem.has(path + "/" + SessionFolder.summary) else {
        unfinished.append(name)
        continue
      }
      sessions.append(name)
      for other in try FileSystem.list(path) where !SessionFolder.isFile(other) {
        // What was being written when a process died has no name yet.
        if SessionFolder.isBeingWritten(other),
          try FileSystem.status(path + "/" + other)?.problem(isOwned: true) == nil
        {
          continue
        }
        foreign.append(SessionFolder.sessions + "/" + name + "/" + other)
      }
    }
    unfinished = marks.union(unfinished).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// What of ``foreign`` lies beside the sessions, and in none of them.
  package var foreignBesideSessions: [String] {
    foreign.filter { name in
      let parts = name.split(separator: "/")
      return parts.count == 2 && parts[0] == SessionFolder.sessions
    }
  }

  /// Whose a file of the data folder is: that of a profile or of a recording of motion; `nil` for another one.
  package static func person(of path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2, parts[0] == ProfileFileName.folder { return ProfileFileName.name(of: parts[1]) }
    guard parts.count == 3, parts[0] == MotionFolder.name, MotionFolder.isFolderName(parts[1]),
      MotionFolder.isRecording(parts[2])
    else { return nil }
    // No name of somebody who moves has a hyphen.
    return String(parts[1].map { $0 == "-" ? " " : $0 })
  }
}

private struct LookedAtFolder: HistoryFolder {
  let dataFolder: StoredPath
}

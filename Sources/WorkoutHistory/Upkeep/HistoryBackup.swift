package import SessionStore
package import TextFormats
internal import WorkoutExports

/// What a backup holds.
package struct BackupReport: Hashable, Sendable {
  /// How many sessions.
  package let sessions: Int
  /// The sessions that were not closed; they are in it as they stood.
  package let unfinished: [String]
  /// What is in none of it, as a link to a log: paths in the data folder.
  package var leftOut: [LeftOutPart] = []
}

extension History {
  /// Gives all sessions and profiles to `sink` as one archive of tar, packed by gzip, piece by piece.
  ///
  /// The marks of sessions that are not closed are in it, so that a start on what was restored closes them. The index is
  /// not: it follows from the folders. A file that grows meanwhile is kept as it was when its turn came, and a session that
  /// is deleted meanwhile is left out.
  /// - Throws: `FileError` when something cannot be read, or what `sink` or `report` throws.
  /// - Complexity: O(bytes) time; the memory does not depend on them.
  package nonisolated func backup(
    to sink: (Span<UInt8>) throws -> Void, _ report: (WorkProgress) throws -> Void
  ) throws -> BackupReport {
    // A session may begin or end between two looks.
    let marksBefore = try SessionMark.all(in: dataFolder)
    let sessions = try folders()
    let marks = Set(marksBefore).union(try SessionMark.all(in: dataFolder))
    let unfinished = sessions.filter { marks.contains($0) }
    var archive = BackupArchive(dataFolder: dataFolder)
    _ = try archive.tree(DataFolderMark.name, sink)
    try archive.folder(SessionFolder.sessions, sink)
    var kept = 0
    for (done, name) in sessions.enumerated() {
      if try archive.session(SessionFolder.sessions + "/" + name, sink) { kept += 1 }
      try report(WorkProgress(done: done + 1, total: sessions.count))
    }
    if try FileSystem.hasFolder(dataFolder + "/profiles") { _ = try archive.tree("profiles", sink) }
    // What people were called last whose profiles are gone stands nowhere else.
    _ = try archive.tree(DataFolderMark.formerPeople, sink)
    if !unfinished.isEmpty { try archive.folder("unfinished", sink) }
    for name in unfinished { try archive.emptyFile("unfinished/" + name, sink) }
    try archive.finish(sink)
    return BackupReport(sessions: kept, unfinished: unfinished, leftOut: archive.leftOut)
  }
}

/// Packs files and folders of a data folder one after another.
private struct BackupArchive {
  let dataFolder: StoredPath
  private(set) var leftOut: [LeftOutPart] = []
  private let packer = GzipWriter()
  private var chunk = [UInt8](repeating: 0, count: 256 << 10)

  init(dataFolder: StoredPath) { self.dataFolder = dataFolder }

  func folder(_ path: String, _ sink: (Span<UInt8>) throws -> Void) throws {
    guard let status = try FileSystem.status(dataFolder + "/" + path), status.isFolder else {
      return try write(TarWriter.folder(path, modifiedSeconds: 0), sink)
    }
    try write(TarWriter.folder(path, modifiedSeconds: status.modifiedSeconds), sink)
  }

  func emptyFile(_ path: String, _ sink: (Span<UInt8>) throws -> Void) throws {
    try write(TarWriter.file(path, size: 0, modifiedSeconds: 0), sink)
  }

  /// The folder of a session with what goes along of it; `false` when it is none, as a file that somebody has put there, or has just
  /// gone.
  mutating func session(_ path: String, _ sink: (Span<UInt8>) throws -> Void) throws -> Bool {
    guard let status = try carried(path) else { return false }
    guard status.isFolder else {
      _ = try file(path, sink)
      return false
    }
    guard let found = try CarriedFiles.ofFolder(ifPresent: dataFolder + "/" + path) else { return false }
    try folder(path, sink)
    leftOut += found.leftOut.map { $0.below(path) }
    for part in found.parts {
      let name = path + "/" + part.name
      if part.size == nil { try folder(name, sink) } else { _ = try file(name, sink) }
    }
    return true
  }

  /// What is at a path; `nil` for nothing, and for what is in no copy, which is noted.
  private mutating func carried(_ path: String) throws(FileError) -> FileStatus? {
    let place = dataFolder + "/" + path
    guard let status = try FileSystem.status(place) else { return nil }
    guard let reason = status.reasonToLeaveOut(at: place) else { return status }
    leftOut.append(LeftOutPart(path, reason))
    return nil
  }

  /// A file, or a folder with all files in it; what is being written under another name is left out. `false` when it is no file
  /// or has just gone: then nothing of it is in the archive, or a folder without what went.
  mutating func tree(_ path: String, _ sink: (Span<UInt8>) throws -> Void) throws -> Bool {
    guard let status = try carried(path) else { return false }
    guard status.isFolder else { return try file(path, sink) }
    guard let names = try unlessGone({ () throws(FileError) in try FileSystem.list(dataFolder + "/" + path) }) else {
      return false
    }
    try folder(path, sink)
    for name in names where TemporaryName.final(of: name) == nil { _ = try tree(path + "/" + name, sink) }
    return true
  }

  /// What `body` returns; `nil` when what it asks for has just gone.
  private func unlessGone<Value>(_ body: () throws(FileError) -> Value) throws(FileError) -> Value? {
    do throws(FileError) {
      return try body()
    } catch  where error.isMissing {
      return nil
    }
  }

  private mutating func file(_ path: String, _ sink: (Span<UInt8>) throws -> Void) throws -> Bool {
    guard let file = try unlessGone({ () throws(FileError) in try POSIXFile(reading: dataFolder + "/" + path) }) else {
      return false
    }
    let status = try file.status()
    try write(TarWriter.file(path, size: status.size, modifiedSeconds: status.modifiedSeconds), sink)
    try packer.copy(file, count: status.size, by: &chunk, sink)
    try write(TarWriter.padding(after: status.size), sink)
    return true
  }

  func finish(_ sink: (Span<UInt8>) throws -> Void) throws {
    try write(TarWriter.end, sink)
    try packer.finish(sink)
  }

  private func write(_ bytes: [UInt8], _ sink: (Span<UInt8>) throws -> Void) throws {
    try packer.write(bytes.span, sink)
  }
}

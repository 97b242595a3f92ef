/// What a backup holds.
package struct BackupReport: Hashable, Sendable {
  /// How many sessions.
  package let sessions: Int
  /// The sessions that were not closed; they are in it as they stood.
  package let unfinished: [String]
}

extension History {
  /// Gives all sessions and profiles to `sink` as one archive of tar, packed by gzip, piece by piece.
  ///
  /// The marks of sessions that are not closed are in it, so that a start on what was restored closes them. The index is
  /// not: it follows from the folders. A file that grows meanwhile is kept as it was when its turn came.
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
    try archive.tree(DataFolderMark.name, sink)
    try archive.folder(SessionFolder.sessions, sink)
    for (done, name) in sessions.enumerated() {
      try archive.tree(SessionFolder.sessions + "/" + name, sink)
      try report(WorkProgress(done: done + 1, total: sessions.count))
    }
    if FileSystem.isFolder(dataFolder + "/profiles") { try archive.tree("profiles", sink) }
    if !unfinished.isEmpty { try archive.folder("unfinished", sink) }
    for name in unfinished { try archive.emptyFile("unfinished/" + name, sink) }
    try archive.finish(sink)
    return BackupReport(sessions: sessions.count, unfinished: unfinished)
  }
}

/// Packs files and folders of a data folder one after another.
private struct BackupArchive {
  let dataFolder: StoredPath
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

  /// A file, or a folder with all files in it; what is being written under another name is left out.
  mutating func tree(_ path: String, _ sink: (Span<UInt8>) throws -> Void) throws {
    guard let status = try FileSystem.status(dataFolder + "/" + path) else { return }
    if status.isFolder {
      try folder(path, sink)
      for name in try FileSystem.list(dataFolder + "/" + path) where !name.hasSuffix(".tmp") {
        try tree(path + "/" + name, sink)
      }
    } else if status.isRegular {
      try file(path, sink)
    }
  }

  private mutating func file(_ path: String, _ sink: (Span<UInt8>) throws -> Void) throws {
    let file = try POSIXFile(reading: dataFolder + "/" + path)
    let status = try file.status()
    try write(TarWriter.file(path, size: status.size, modifiedSeconds: status.modifiedSeconds), sink)
    try packer.copy(file, count: status.size, by: &chunk, sink)
    try write(TarWriter.padding(after: status.size), sink)
  }

  func finish(_ sink: (Span<UInt8>) throws -> Void) throws {
    try write(TarWriter.end, sink)
    try packer.finish(sink)
  }

  private func write(_ bytes: [UInt8], _ sink: (Span<UInt8>) throws -> Void) throws {
    try packer.write(bytes.span, sink)
  }
}

package import TextFormats
internal import WorkoutSession

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
  /// How many bytes of a file a row of a shared log has at most.
  private static let rowBytes = 16 << 10

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

  // MARK: - As a shared log has it

  /// Gives `body` the rows of a shared log in their order: ``SessionFileChunks`` of all files that grow, but the decisions.
  ///
  /// - Throws: what `body` throws.
  package func forEachRow<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    // A folder with a manifest is that of a session: it comes first.
    for file in SessionFile.allCases where file != .decisions && file != .inputs {
      guard let bytes = self[file.name] else { continue }
      var place = 0
      repeat {
        let end = min(place + Self.rowBytes, bytes.count)
        var row: [UInt8] = []
        SessionFileChunks.append(bytes.span.extracting(place..<end), of: file, at: place, to: &row)
        try body(row)
        place = end
      } while place < bytes.count
    }
  }

  /// The decisions, one a line; what stands behind the last line feed is one too.
  package var decisions: [[UInt8]] {
    (self[SessionFolder.decisions] ?? []).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Array($0) }.withLineFeeds
  }

  /// The files that stand neither in rows nor among the decisions, and are not the summary.
  package var others: [File] {
    let inRows = Set(SessionFile.allCases.filter { $0 != .decisions && $0 != .inputs }.map(\.name))
    return files.filter { file in
      if file.name == SessionFolder.decisions { return file.bytes.isEmpty }
      return !inRows.contains(file.name) && file.name != SessionFolder.summary
    }
  }
}

extension [[UInt8]] {
  /// Pieces between line feeds with their line feeds; nothing for an empty last one.
  fileprivate var withLineFeeds: [[UInt8]] {
    enumerated().compactMap { index, piece in
      if index < count - 1 { return piece + [UInt8(ascii: "\n")] }
      return piece.isEmpty ? nil : piece
    }
  }
}

extension SharedSessionLog {
  /// The files of the session, as ``write(to:)`` writes them.
  ///
  /// - Throws: `RecordingError` when the log is damaged, or would make more than ``SessionFolderContent/mostBytes``.
  package func content() throws(RecordingError) -> SessionFolderContent {
    var files: [String: [UInt8]] = [:]
    var left = SessionFolderContent.mostBytes
    for row in rows {
      let isWhole = try SessionFileChunks.forEach(of: row.span) { (chunk) throws(RecordingError) in
        let name = chunk.file.name
        let end = chunk.offset + chunk.bytes.count
        let missing = max(0, end - (files[name]?.count ?? 0))
        guard missing <= left else { throw damaged("is larger than \(SessionFolderContent.mostBytes) bytes") }
        left -= missing
        files[name, default: []] += [UInt8](repeating: 0, count: missing)
        files[name]?.replaceSubrange(chunk.offset..<end, with: row[chunk.bytes])
      }
      guard isWhole else { throw damaged("a row of its log is damaged") }
    }
    let lines = Array(decisions.joined())
    if !lines.isEmpty { files[SessionFolder.decisions] = lines }
    if let summary {
      files[SessionFolder.summary] = summary
      files[SessionFile.inputs.name] = nil
    }
    for file in others {
      guard SessionFolder.isFile(file.name) else { throw damaged("has a file that no session has") }
      files[file.name] = file.bytes
    }
    return SessionFolderContent(
      sessionID: session.id, files: files.map { SessionFolderContent.File($0.key, $0.value) })
  }

  private func damaged(_ problem: String) -> RecordingError {
    RecordingError(path: session.id.visible, problem: problem)
  }
}

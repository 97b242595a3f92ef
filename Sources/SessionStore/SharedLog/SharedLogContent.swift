package import TextFormats

/// What the folder of a session has, as a shared log has it.
extension SessionFolderContent {
  /// How many bytes of a file a row of a shared log has at most.
  private static let rowBytes = 16 << 10

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

  func damaged(_ problem: String) -> RecordingError {
    RecordingError(path: session.id.visible, problem: problem)
  }
}

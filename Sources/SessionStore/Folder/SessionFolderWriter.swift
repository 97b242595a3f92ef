package import TextFormats

/// Writes pieces of files into the folder of a session.
///
/// What cannot be written stays, and is written by the next ``flush()`` that can. A piece knows its place, so that one which
/// was written in part is written again as a whole.
package final class SessionFolderWriter {
  /// The folder.
  package let folder: StoredPath
  /// Pieces that wait, as ``SessionFileChunks``.
  private var waiting: [UInt8] = []
  /// The files that were written since the last ``sync()``.
  private var unsynced: Set<SessionFile> = []
  /// Whether files were created whose names may not be on the disk yet.
  private var hasNewFiles = false
  private var known: Set<SessionFile> = []

  /// A writer for a folder that is there, or is made before the first ``flush()``.
  package init(_ folder: StoredPath) { self.folder = folder }

  /// How many bytes wait to be written.
  package var waitingBytes: Int { waiting.count }

  /// Takes pieces, as ``SessionFileChunks``.
  package func append(_ chunks: Span<UInt8>) { waiting.append(span: chunks) }

  /// Takes pieces that were gathered elsewhere, and leaves nothing there.
  package func take(_ chunks: inout [UInt8]) {
    if waiting.isEmpty { swap(&waiting, &chunks) } else { waiting += chunks }
    chunks.removeAll(keepingCapacity: true)
  }

  /// Writes the manifest, before anything else: a folder with it is that of a session.
  ///
  /// - Throws: `FileError` when it cannot be written.
  package func write(manifest: [UInt8]) throws(FileError) {
    SessionFileChunks.append(manifest.span, of: .manifest, at: 0, to: &waiting)
    try flush()
  }

  /// Writes what waits.
  ///
  /// - Throws: `FileError` when not all of it can be written; it is kept.
  package func flush() throws(FileError) {
    guard !waiting.isEmpty else { return }
    let names: OutputFolder
    do throws(FileError) {
      names = try OutputFolder(folder)
    } catch {
      throw error.named(folder.path)
    }
    for piece in pieces() {
      do throws(FileError) {
        try write(piece, in: names)
      } catch {
        throw error.named(folder.path + "/" + piece.file.name)
      }
    }
    waiting = []
  }

  /// Forgets what waits, which somebody else has.
  package func dropWaiting() { waiting = [] }

  /// Waits until everything that was written is on the disk.
  ///
  /// - Throws: `FileError` when that fails. Nobody knows then what the disk has of what was written since it worked the last time: the
  ///   system reports that once, so that what follows it only counts when all of that was written again, after ``noteUnsynced()``.
  package func sync() throws(FileError) {
    for file in SessionFile.allCases where unsynced.contains(file) {
      try POSIXFile(writing: folder + "/" + file.name, .inPlace).sync()
      unsynced.remove(file)
    }
    guard hasNewFiles else { return }
    try FileSystem.syncFolder(folder)
    hasNewFiles = false
  }

  /// Nobody knows what the disk has of what was written since the last ``sync()``, and it comes again.
  package func noteUnsynced() {
    // A manifest that is known would not be written.
    if unsynced.contains(.manifest) { known.remove(.manifest) }
  }

  /// What waits for one file, in one piece, from its first byte to its last.
  private struct Piece {
    let file: SessionFile
    let offset: Int
    var bytes: [UInt8]
  }

  /// What waits, each file's in as few pieces as it can be, in the order in which the files were first written.
  private func pieces() -> [Piece] {
    var pieces: [Piece] = []
    let waiting = waiting
    SessionFileChunks.forEach(of: waiting.span) { chunk in
      let bytes = waiting[chunk.bytes]
      if let index = pieces.lastIndex(where: { $0.file == chunk.file }),
        pieces[index].offset + pieces[index].bytes.count == chunk.offset
      {
        pieces[index].bytes += bytes
      } else {
        pieces.append(Piece(file: chunk.file, offset: chunk.offset, bytes: Array(bytes)))
      }
    }
    // Decisions come after the rows that they follow from.
    return pieces.filter { $0.file != .decisions } + pieces.filter { $0.file == .decisions }
  }

  private func write(_ piece: Piece, in names: OutputFolder) throws(FileError) {
    // A manifest never changes.
    if piece.file == .manifest, known.contains(.manifest) { return }
    guard piece.file != .manifest else {
      // Nobody ever sees half of a manifest.
      let file = try PendingFile(piece.file.name, in: names)
      try file.write(piece.bytes.span)
      try file.commit(replacing: true, isSynced: false)
      note(piece.file)
      return
    }
    note(piece.file)
    let file = try names.openFile(piece.file.name)
    try file.write(piece.bytes.span, at: piece.offset)
    try file.close()
  }

  private func note(_ file: SessionFile) {
    if known.insert(file).inserted { hasNewFiles = true }
    unsynced.insert(file)
  }
}

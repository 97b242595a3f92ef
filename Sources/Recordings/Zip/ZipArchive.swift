internal import TextFormats

/// The entries of a zip archive. Its directory is read, or, where that is cut off, the entries one after the other.
///
/// Sizes and offsets of the archive are checked against the file and against each other: what lies outside of it or
/// overlaps is refused. Names are never used to write anything.
/// - Complexity: O(n) for n entries, besides a sort; an archive without its directory is unpacked once.
package struct ZipArchive: Sendable {
  /// The most entries that an archive may have.
  static let largestCount = 100_000
  /// The most bytes of the directory, or of all names where there is none.
  static let largestDirectoryBytes = 32 << 20

  /// The file.
  let path: String
  /// The entries in the order of the file, without folders.
  let entries: [ZipEntry]
  /// What is odd about the archive itself.
  let warnings: [RecordingWarning]

  /// Whether bytes begin a zip archive, be it an empty one.
  package static func isArchive(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= 4, bytes[0] == UInt8(ascii: "P"), bytes[1] == UInt8(ascii: "K") else { return false }
    return bytes[2] == 3 && bytes[3] == 4 || bytes[2] == 5 && bytes[3] == 6
  }

  /// Opens an archive and reads its directory.
  ///
  /// - Throws: `FileError` when the file cannot be read, `RecordingError` when it cannot be used.
  init(path: String) throws {
    self.path = path
    let file = try POSIXFile(reading: path)
    do {
      var scan = ZipScan(file: file, size: try file.status().size)
      try scan.run()
      entries = scan.entries.filter { !$0.isFolder }
      warnings = scan.warnings.all
    } catch let problem as DecodingProblem {
      throw RecordingError(path: path, position: problem.position, problem: problem.problem)
    }
  }

  /// Begins to read an entry.
  ///
  /// - Throws: `FileError` when the file cannot be read, `RecordingError` when the entry cannot be.
  func open(_ entry: ZipEntry) throws -> ZipEntryReader {
    do {
      return try ZipEntryReader(entry, of: POSIXFile(reading: path), limits: .ofArchive)
    } catch let problem as DecodingProblem {
      throw RecordingError(path: path, position: problem.position, problem: problem.problem)
    }
  }

  /// The first bytes of what is packed in an entry, to look at it; fewer where it is damaged.
  ///
  /// - Throws: `FileError` when the file cannot be read, `DecodingProblem` when the entry cannot be unpacked at all.
  func beginning(of entry: ZipEntry, in file: POSIXFile, count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: count)
    let reader = try ZipEntryReader(entry, of: file, limits: .ofArchive)
    do {
      while bytes.count < count {
        let read = try reader.read(into: &piece)
        guard read > 0 else { break }
        bytes += piece[..<min(read, count - bytes.count)]
      }
    } catch is DecodingProblem {
      // What came before the damage is enough to look at.
    }
    return bytes
  }
}

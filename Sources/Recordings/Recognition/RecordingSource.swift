internal import TextFormats

/// Where the bytes of a recording are: in a file, or in one entry of a zip archive. It can be read as often as needed.
package struct RecordingSource: Sendable {
  /// The most entries that are looked at, the largest first.
  static let mostLookedAt = 4_096

  /// The file, or the archive.
  let path: String
  /// The archive around the recording.
  let archive: ZipArchive?
  private let entry: ZipEntry?
  /// What is in that archive.
  let contents: ArchiveContents?

  /// A file that is a recording itself.
  init(path: String) {
    self.path = path
    archive = nil
    entry = nil
    contents = nil
  }

  /// The recording in an archive: the export of Apple Health where there is one, else the only recording.
  ///
  /// Everything is recognised by its content; only a CSV, which can be any text, by its name. The largest entries are
  /// looked at first. Beside an export, recordings are its routes; beside a recording, tables belong to it.
  ///
  /// - Throws: `FileError` when the archive cannot be read, `RecordingError` when it cannot be used, or holds several
  ///   recordings or none.
  init(archive path: String) throws {
    self.path = path
    let archive = try ZipArchive(path: path)
    self.archive = archive
    let contents = try Self.contents(of: archive)
    self.contents = contents
    entry = try contents.chosen(path)
  }

  /// What an archive holds, recognised by the beginnings of its largest entries.
  ///
  /// - Throws: `FileError` when it cannot be read.
  static func contents(of archive: ZipArchive) throws -> ArchiveContents {
    let path = archive.path
    var found = ArchiveContents()
    let file = try POSIXFile(reading: path)
    let ordered = archive.entries.enumerated().sorted { left, right in
      let (a, b) = (left.element.size, right.element.size)
      return a == b ? left.offset < right.offset : a > b
    }
    for (_, entry) in ordered.prefix(Self.mostLookedAt) where found.wants(entry) {
      do {
        found.take(entry, try archive.beginning(of: entry, in: file, count: RecordingFormat.beginningBytes))
      } catch let problem as DecodingProblem {
        found.refuse(problem)
      }
    }
    return found
  }

  /// Whether the recording is in an archive.
  var isInArchive: Bool { entry != nil }

  /// Begins to read it.
  ///
  /// - Throws: `FileError` when the file cannot be read, `RecordingError` when the entry cannot be unpacked.
  func open() throws -> any ByteSource {
    guard let archive, let entry else { return try POSIXFile(reading: path) }
    return try archive.open(entry)
  }

  /// The first bytes, to recognise what it is.
  ///
  /// - Throws: `FileError` when the file cannot be read, `RecordingError` when the entry cannot be unpacked.
  func beginning() throws -> [UInt8] {
    let file = try POSIXFile(reading: path)
    guard let archive, let entry else { return try file.read(at: 0, count: RecordingFormat.beginningBytes) }
    do {
      return try archive.beginning(of: entry, in: file, count: RecordingFormat.beginningBytes)
    } catch let problem as DecodingProblem {
      throw RecordingError(path: path, position: problem.position, problem: problem.problem)
    }
  }
}

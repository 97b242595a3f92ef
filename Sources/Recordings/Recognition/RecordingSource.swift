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

  /// A file that is a recording itself.
  init(path: String) {
    self.path = path
    archive = nil
    entry = nil
  }

  /// The recording in an archive: the export of Apple Health where there is one, else the only recording.
  ///
  /// Everything is recognised by its content; only a CSV, which can be any text, by its name. The largest entries are
  /// looked at first. Beside an export, recordings are its routes.
  ///
  /// - Throws: `FileError` when the archive cannot be read, `RecordingError` when it cannot be used, or holds several
  ///   recordings or none.
  init(archive path: String) throws {
    self.path = path
    let archive = try ZipArchive(path: path)
    self.archive = archive
    entry = try Self.contents(of: archive).chosen(path)
  }

  /// Whether an archive holds several recordings, or archives that may, and no export of Apple Health.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when it cannot be used.
  package static func holdsSeveral(archive path: String) throws -> Bool {
    try contents(of: ZipArchive(path: path)).areSeveral
  }

  private static func contents(of archive: ZipArchive) throws -> ArchiveContents {
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

extension ZipEntry {
  /// How large it is said to be.
  fileprivate var size: Int { unpackedBytes ?? packedBytes }

  fileprivate func isNamed(like ending: String) -> Bool { name.lowercased().hasSuffix(ending) }
}

/// What was found in an archive.
private struct ArchiveContents {
  private var exports: [ZipEntry] = []
  private var recordings: [ZipEntry] = []
  private var tables: [ZipEntry] = []
  private var hasArchive = false
  private var hasClinicalDocument = false
  private var refusal: DecodingProblem?

  /// Takes note of an entry that cannot be unpacked; it matters only where nothing else is found.
  mutating func refuse(_ problem: DecodingProblem) {
    if refusal == nil { refusal = problem }
  }

  /// Whether an entry has to be looked at. Two recordings are too many, unless an export is still to come.
  func wants(_ entry: ZipEntry) -> Bool {
    exports.isEmpty && recordings.count < 2 || entry.isNamed(like: ".xml")
  }

  /// Whether there are several recordings, or archives that may hold some.
  var areSeveral: Bool {
    exports.isEmpty && (hasArchive || recordings.count > 1 || recordings.isEmpty && tables.count > 1)
  }

  mutating func take(_ entry: ZipEntry, _ beginning: [UInt8]) {
    if ZipArchive.isArchive(beginning.span) {
      hasArchive = hasArchive || RecordingLikeness.isArchive(name: entry.name)
      return
    }
    let unpacked = RecordingFormat.unpackedBeginning(beginning)
    if RecordingFormat.isClinicalDocument(unpacked.span) {
      hasClinicalDocument = true
      return
    }
    switch RecordingFormat(beginning: unpacked.span) {
    case .appleHealth: exports.append(entry)
    case .csv, .sensoGatherJSON:
      if [".csv", ".csv.gz", ".json", ".json.gz"].contains(where: entry.isNamed) { tables.append(entry) }
    case .fit, .gpx, .tcx, .healthAutoExport, .polarHRM, .intervalList: recordings.append(entry)
    }
  }

  func chosen(_ path: String) throws(RecordingError) -> ZipEntry {
    for found in [exports, recordings, tables] where !found.isEmpty {
      guard found.count > 1 else { return found[0] }
      let names = found.prefix(2).map(\.messageName).joined(separator: ", ")
      let advice = exports.isEmpty ? ", or inspect and import, which take all" : ""
      throw RecordingError(
        path: path, problem: "a zip archive of several recordings (\(names) …): expected one" + advice)
    }
    if hasArchive {
      throw RecordingError(
        path: path, problem: "a zip archive of archives: expected one recording, or inspect and import, which take all")
    }
    if let refusal { throw RecordingError(path: path, position: refusal.position, problem: refusal.problem) }
    throw RecordingError(
      path: path,
      problem: hasClinicalDocument
        ? "an archive with a clinical document: expected the export of Apple Health beside it"
        : "an archive without a recording: expected an export of Apple Health or one recording")
  }
}

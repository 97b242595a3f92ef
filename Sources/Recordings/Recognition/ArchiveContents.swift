internal import TextFormats

/// What was found in an archive.
struct ArchiveContents: Sendable {
  private var exports: [ZipEntry] = []
  private var recordings: [ZipEntry] = []
  private(set) var tables: [ZipEntry] = []
  private(set) var archives: [ZipEntry] = []
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
    exports.isEmpty && (!archives.isEmpty || recordings.count > 1 || recordings.isEmpty && tables.count > 1)
  }

  /// Whether there is an export of Apple Health.
  var hasExport: Bool { !exports.isEmpty }

  /// The recording where there is one, and no export; tables are none by themselves.
  var onlyRecording: ZipEntry? { exports.isEmpty && recordings.count == 1 ? recordings[0] : nil }

  mutating func take(_ entry: ZipEntry, _ beginning: [UInt8]) {
    if ZipArchive.isArchive(beginning.span) {
      if RecordingLikeness.isArchive(name: entry.name) { archives.append(entry) }
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
      if entry.isTable { tables.append(entry) }
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
    if !archives.isEmpty {
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

extension ZipEntry {
  /// How large it is said to be.
  var size: Int { unpackedBytes ?? packedBytes }

  fileprivate func isNamed(like ending: String) -> Bool { name.lowercased().hasSuffix(ending) }

  /// Whether its name is that of a table.
  var isTable: Bool { [".csv", ".csv.gz", ".json", ".json.gz"].contains(where: isNamed) }
}

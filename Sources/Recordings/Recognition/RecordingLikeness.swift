/// How a file in a folder or an archive looks before it is read.
package enum RecordingLikeness: Hashable {
  /// A recording by its first bytes, or by its name.
  case recording
  /// A table, which may be anything.
  case table
  /// An archive.
  case archive

  private static let endings = [".fit", ".gpx", ".tcx"]
  private static let tableEndings = [".csv", ".json"]

  /// What a file with this name looks like that begins with these bytes; `nil` when it is no recording.
  package init?(name: String, beginning: [UInt8]) {
    let unpacked = RecordingFormat.unpackedBeginning(beginning)
    if RecordingFormat.isClinicalDocument(unpacked.span) { return nil }
    let formats: [RecordingFormat] = [.fit, .gpx, .tcx, .appleHealth, .healthAutoExport, .polarHRM]
    if formats.contains(RecordingFormat(beginning: unpacked.span)) || Self.isRecording(name: name) {
      self = .recording
    } else if Self.ends(name, Self.tableEndings) {
      self = .table
    } else {
      return nil
    }
  }

  /// Whether a file is a recording by its name.
  static func isRecording(name: String) -> Bool { ends(name, endings) }

  /// Whether a file is an archive by its name.
  package static func isArchive(name: String) -> Bool { name.lowercased().hasSuffix(".zip") }

  private static func ends(_ name: String, _ endings: [String]) -> Bool {
    let name = name.lowercased()
    return endings.contains { name.hasSuffix($0) || name.hasSuffix($0 + ".gz") }
  }
}

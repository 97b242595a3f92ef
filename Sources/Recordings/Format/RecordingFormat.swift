/// The formats of recordings, recognised by their content.
public enum RecordingFormat: String, CaseIterable, Hashable, Sendable {
  /// Flexible and Interoperable Data Transfer, of watches and bicycle computers.
  case fit
  /// GPS Exchange Format.
  case gpx
  /// Training Center XML.
  case tcx
  /// The export of Apple Health.
  case appleHealth = "apple-health"
  /// Columns of text.
  case csv
  /// An array of JSON objects with the names of SensoGather's columns.
  case sensoGatherJSON = "sensogather-json"
  /// What the app Health Auto Export writes, as JSON.
  case healthAutoExport = "health-auto-export"
  /// Polar's HRM text, with heart rates or with intervals between beats.
  case polarHRM = "hrm"
  /// A plain list of intervals between beats.
  case intervalList = "rr-list"

  /// How many bytes from the beginning are enough to recognise the format.
  package static let beginningBytes = 16 << 10
}

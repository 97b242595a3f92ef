internal import TextFormats
package import WorkoutSession

/// The formats that a recording or a session can be written in: those of a workout, and everything as JSON.
package enum ExportChoice: String, CaseIterable, Hashable, Sendable {
  case fit, tcx, gpx, csv
  case sensoGatherCSV = "sensogather-csv"
  case json

  /// All of them as the help writes them.
  package static let words = allCases.map(\.rawValue).joined(separator: "|")

  /// The same format of a workout; `nil` for everything as JSON.
  package var workoutFormat: ExportFormat? { ExportFormat(rawValue: rawValue) }

  /// Whether it is no text.
  package var isBinary: Bool { workoutFormat?.isBinary ?? false }

  /// The media type of a file of it.
  package var mediaType: String {
    switch self {
    case .fit: "application/vnd.ant.fit"
    case .tcx: "application/vnd.garmin.tcx+xml"
    case .gpx: "application/gpx+xml"
    case .csv, .sensoGatherCSV: "text/csv"
    case .json: "application/json"
    }
  }

  /// The name of the file of a session in a folder; that of SensoGather states the person, by the
  /// name of today, the activity and the start in Unix seconds, and that no person was measured. Of a name that a manifest
  /// says, and that no profile has, nothing is left that could lead out of the folder.
  package func fileName(of manifest: SessionManifest, person: String?) -> String {
    switch self {
    case .fit, .tcx, .gpx, .csv, .json: "\(manifest.sessionID).\(rawValue)"
    case .sensoGatherCSV:
      "\(Self.label(of: person)) \(manifest.origin == .simulated ? "simulated-" : "")"
        + "\(manifest.request.activity.label) \(manifest.start.wholeSeconds).csv"
    }
  }

  private static func label(of person: String?) -> String {
    let label = person?.label(punctuation: " -_", characters: 40, bytes: 160) ?? ""
    return label.isEmpty ? "unknown" : label
  }
}

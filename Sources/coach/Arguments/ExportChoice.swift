import TextFormats
import WorkoutExports
import WorkoutSession

/// The formats that a recording or a session can be written in: those of a workout, and everything as JSON.
enum ExportChoice: String, CaseIterable, Sendable {
  case fit, tcx, gpx, csv
  case sensoGatherCSV = "sensogather-csv"
  case json

  /// All of them as the help writes them.
  static let words = allCases.map(\.rawValue).joined(separator: "|")

  /// The same format of a workout; `nil` for everything as JSON.
  var workoutFormat: ExportFormat? { ExportFormat(rawValue: rawValue) }

  /// Whether it is no text.
  var isBinary: Bool { workoutFormat?.isBinary ?? false }

  /// The name of the file of a session in a folder; that of SensoGather states the person, by the
  /// name of today, the activity and the start in Unix seconds, and that no person was measured. Of a name that a manifest
  /// says, and that no profile has, nothing is left that could lead out of the folder.
  func fileName(of manifest: SessionManifest, person: String?) -> String {
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

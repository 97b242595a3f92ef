internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// `coach complete`: the names that a shell offers, a line each. Nothing is made or changed: somebody is typing a command line.
/// The scripts of the shells leave out what is complained about.
enum CompleteCommand {
  /// Prints the names.
  ///
  /// - Throws: `FileError` when the names in the data folder cannot be read.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    // A name that cannot be printed as it is cannot be typed either.
    for name in try names(parsed) where name == name.visible { try console.line(name) }
    return 0
  }

  private static func names(_ parsed: ParsedArguments) throws -> [String] {
    switch parsed[Operands.completedName] {
    case .target: return try targets
    case .source: return ["stdin", "strap", "simulated", "file:", "tcp:", "unix:"]
    case .plan: return ReadyPlan.allCases.map(\.rawValue)
    case .activity: return Activity.usual
    case .profile: return try ProfileStore(dataFolder: DataFolder.path(parsed[OutputOptions.dataFolder])).names()
    case .session:
      let folder = try DataFolder.path(parsed[OutputOptions.dataFolder])
      let names = try FileSystem.listIfPresent(folder + "/" + SessionFolder.sessions)
      let sessions = names.filter(SessionFolder.isName).reversed()
      return sessions.isEmpty ? [] : ["latest"] + sessions
    case .running: return try FollowedSession.running(in: DataFolder.path(parsed[OutputOptions.dataFolder]))
    }
  }

  /// The zones of the usual model, whose numbers every model has.
  private static var targets: [String] {
    get throws {
      let zones = try HeartRateZones(model: .percentOfMaximum, maximum: MaximumHeartRate(measured: 190)).zones
      let others = ["5:30/km", "5:20-5:40/km", "5:30/km-gap", "8:30/mi", "12km/h", "170-180spm", "a1:0.75-1.0"]
      return zones.map { "z\($0.label)" } + others + zones.map { $0.name.lowercased().replacing(" ", with: "-") }
    }
  }
}

internal import Recordings

/// What the names of sports in other formats, and of labels, are in the profile.
extension FITSport {
  /// The number of the sport that a name is likest; 0, the generic one, for all others.
  static func number(like name: String) -> Int {
    switch WorkoutSession.Activity(ofSport: name).label {
    case "running", "treadmill": 1
    case "walking": 11
    case "hiking": 17
    case "cycling": 2
    case "multisport": 18
    default: RecordedSport.isOnFoot(name) ? 11 : name.contains("swim") ? 5 : 0
    }
  }

  /// The kind of a sport that a name says; `nil` where it says none.
  static func kind(of sport: Int, like name: String) -> Int? {
    let kinds: [(word: String, kind: String)] =
      switch sport {
      case 1:
        [
          ("treadmill", "treadmill"), ("indoor", "indoor_running"), ("virtual", "virtual_activity"), ("trail", "trail"),
          ("track", "track"), ("street", "street"),
        ]
      case 2:
        [
          ("spin", "spin"), ("indoor", "indoor_cycling"), ("virtual", "virtual_activity"), ("mountain", "mountain"),
          ("gravel", "gravel_cycling"), ("cyclocross", "cyclocross"), ("recumbent", "recumbent"), ("road", "road"),
        ]
      case 5: [("open", "open_water"), ("lap", "lap_swimming"), ("pool", "lap_swimming")]
      case 11: [("treadmill", "indoor_walking"), ("indoor", "indoor_walking")]
      default: []
      }
    return kinds.first { name.contains($0.word) }.flatMap { FITSport.kind(named: $0.kind) }
  }
}

/// The layouts of programs, known by the whole header of a file, in any case.
package enum CSVLayout: Hashable, Sendable {
  /// The 22 columns of SensoGather, in any order; there −1 means that a value is absent.
  case sensoGather
  /// The same as an array of JSON objects.
  case sensoGatherObjects
  /// Fitbit's heart rates: `Id,Time,Value`.
  case fitbitHeartRate
  /// Fitbit's steps of a minute: `Id,ActivityMinute,Steps`.
  case fitbitMinutes
  /// Fitbit's steps of the minutes of an hour: `Id,ActivityHour,Steps00,…,Steps59`.
  case fitbitHours
  /// The samples of Polar Flow, below a summary that is no part of them.
  case polarFlow
  /// The same of a sport on foot, whose cadence counts the strides of one leg.
  case polarFlowOnFoot
  /// Any other.
  case other

  /// The layout of a header whose names are in lower case, words joined by underscores.
  init(header words: [String]) {
    switch words {
    case ["id", "time", "value"]: self = .fitbitHeartRate
    case ["id", "activityminute", "steps"]: self = .fitbitMinutes
    case Self.fitbitHourWords: self = .fitbitHours
    default: self = Self.sensoGatherNames.isSubset(of: words.map { Self.joined($0) }) ? .sensoGather : .other
    }
  }

  /// What kind of file it is, in a record.
  var format: String {
    switch self {
    case .sensoGather: "sensogather-csv"
    case .sensoGatherObjects: RecordingFormat.sensoGatherJSON.rawValue
    case .fitbitHeartRate, .fitbitMinutes, .fitbitHours, .polarFlow, .polarFlowOnFoot, .other:
      RecordingFormat.csv.rawValue
    }
  }

  /// Whether −1 means that a value is absent.
  package var marksAbsenceByMinusOne: Bool { self == .sensoGather || self == .sensoGatherObjects }

  /// The column that names the person, where rows belong to persons.
  var personColumn: Int? {
    switch self {
    case .fitbitHeartRate, .fitbitMinutes, .fitbitHours: 0
    case .sensoGather, .sensoGatherObjects, .polarFlow, .polarFlowOnFoot, .other: nil
    }
  }

  /// Whether a cadence counts the strides of one leg.
  var countsStrides: Bool { self == .polarFlowOnFoot }

  /// Whether a name is not read in this layout, whatever it is elsewhere: pedals turn without steps.
  func leavesOut(_ word: String) -> Bool { self == .polarFlow && word == "cadence" }

  /// The meaning that a name has in this layout and not elsewhere.
  func meaning(of word: String) -> CSVColumns.Meaning? {
    switch self {
    case .fitbitHeartRate: word == "value" ? .heartRate : nil
    case .fitbitMinutes: word == "activityminute" ? .time : nil
    case .fitbitHours: word == "activityhour" ? .time : nil
    case .sensoGather, .sensoGatherObjects: Self.joined(word) == "altitudeaccuracy" ? .verticalAccuracy : nil
    case .polarFlow, .polarFlowOnFoot: word == "distances" ? .distance(factor: 1) : nil
    case .other: nil
    }
  }

  /// Whether a name without a meaning belongs to this layout, so that it needs no warning.
  func knows(_ word: String) -> Bool {
    switch self {
    case .sensoGather, .sensoGatherObjects: Self.sensoGatherNames.contains(Self.joined(word))
    case .fitbitHeartRate, .fitbitMinutes, .fitbitHours, .polarFlow, .polarFlowOnFoot: true
    case .other: false
    }
  }

  /// The columns of SensoGather in its own order.
  package static let sensoGatherColumns = [
    "timestamp", "accelX", "accelY", "accelZ", "gyroX", "gyroY", "gyroZ", "magX", "magY", "magZ", "heartbeat",
    "latitude",
    "longitude", "coordinateAccuracy", "altitude", "altitudeAccuracy", "speed", "speedAccuracy", "course",
    "courseAccuracy", "heading", "headingAccuracy",
  ]

  private static let sensoGatherNames = Set(sensoGatherColumns.map { $0.lowercased() })

  private static let fitbitHourWords =
    ["id", "activityhour"] + (0..<60).map { "steps" + ($0 < 10 ? "0" : "") + "\($0)" }

  private static func joined(_ word: String) -> String { word.filter { $0 != "_" } }
}

internal import TextFormats

/// Which column of a motion CSV holds what, by its header.
package struct MotionColumns: Hashable, Sendable {
  /// The three columns of a sensor, and how many of our units one of each is, where their names say it.
  struct Axes: Hashable, Sendable {
    let columns: [Int]
    let factors: SIMD3<Double>?
  }

  /// How a time is written.
  enum TimeUnit: Hashable, Sendable {
    /// So many of them are a second.
    case perSecond(Double)
    /// A number whose unit the name does not say, or a date.
    case unknown

    /// As a name says that all kinds of tables have.
    init(_ name: TimeColumnName) {
      switch name {
      case .time: self = .unknown
      case .seconds: self = .perSecond(1)
      case .milliseconds: self = .perSecond(1e3)
      case .microseconds: self = .perSecond(1e6)
      case .nanoseconds: self = .perSecond(1e9)
      }
    }
  }

  let time: Int
  let timeUnit: TimeUnit
  /// Where the time of day is that belongs to a date in ``time``; absent for no such column.
  let timeOfDay: Int?
  /// Acceleration with gravity in it, or without it when there is no other.
  let acceleration: Axes
  /// Whether gravity was taken from the acceleration and no column adds it.
  let lacksGravity: Bool
  /// What is added to the acceleration to have gravity in it.
  let gravity: Axes?
  /// What gravity is multiplied by to be in the unit of the acceleration; `nil` where both are in one.
  let gravityScale: SIMD3<Double>?
  let rotationRate: Axes?
  let label: Int?
  let person: Int?
  let trial: Int?
  /// How many columns there are.
  let count: Int
  /// Columns that are called the same as one that is read, whose place in the header is before theirs.
  let leftOut: [Int]

  /// Recognises the columns of a header.
  ///
  /// - Parameter file: the name of the file, by which Sensor Logger says whose axes `x`, `y` and `z` are.
  /// - Throws: `MotionColumnsProblem` for a header without times, or without acceleration.
  init(header: [String], file: String = "") throws(MotionColumnsProblem) {
    var axes: [MotionColumnName.Quantity: [Int: (column: Int, factor: Double?)]] = [:]
    var others: [(column: Int, quantity: MotionColumnName.Quantity)] = []
    var (time, label, otherLabel, person, trial): (Int?, Int?, Int?, Int?, Int?)
    var timeUnit = TimeUnit.unknown
    var otherTime: (column: Int, unit: TimeUnit)?
    var (isDate, timeOfDay): (Bool, Int?) = (false, nil)
    for (column, name) in header.enumerated() {
      if let motion = MotionColumnName(name) {
        if axes[motion.quantity]?[motion.axis] == nil {
          axes[motion.quantity, default: [:]][motion.axis] = (column, motion.factor)
        } else {
          others.append((column, motion.quantity))
        }
        continue
      }
      let word = MotionColumnName.words(name).joined()
      // What stands in brackets may be no unit: loggingTime(txt).
      let bare = MotionColumnName.words(String(name.prefix { $0 != "(" && $0 != "[" })).joined()
      if time == nil, let unit = Self.timeUnit(word) ?? (bare == "loggingtime" ? .unknown : nil) {
        (time, timeUnit) = (column, unit)
        isDate = bare == "date"
      } else if time == nil, otherTime == nil,
        let name = TimeColumnName(MotionColumnName.words(name).joined(separator: "_"))
      {
        otherTime = (column, TimeUnit(name))
      } else if isDate, timeOfDay == nil, Self.timeUnit(bare) == .unknown {
        timeOfDay = column
      }
      if label == nil, Self.labels.contains(word) { label = column }
      if otherLabel == nil, Self.isOtherLabel(name) { otherLabel = column }
      if person == nil, Self.people.contains(word) { person = column }
      if trial == nil, Self.trials.contains(word) { trial = column }
    }
    func sensor(_ quantity: MotionColumnName.Quantity) -> Axes? {
      guard let found = axes[quantity], let x = found[0], let y = found[1], let z = found[2] else { return nil }
      return Axes(
        columns: [x.column, y.column, z.column], factors: MotionColumnName.factors(x.factor, y.factor, z.factor))
    }
    // Loggers that write a file a sensor call its columns by the axes alone.
    let bare = ["x", "y", "z"].compactMap { axis in header.firstIndex { $0.lowercased() == axis } }
    let logged = LoggedSensor(file: file, header: header)
    let bareAcceleration =
      bare.count == 3 && sensor(.rotationRate) == nil && logged != .other
      ? Axes(
        columns: bare,
        factors: logged == .userAcceleration ? SIMD3(repeating: MotionColumnName.gravitiesPerMeter) : nil) : nil
    guard let acceleration = sensor(.acceleration) ?? sensor(.userAcceleration) ?? bareAcceleration else {
      throw .noAcceleration(found: header)
    }
    guard let time = time ?? otherTime?.column else { throw .noTime(found: header) }
    self.time = time
    self.timeUnit = time == otherTime?.column ? otherTime?.unit ?? timeUnit : timeUnit
    self.timeOfDay = timeOfDay
    self.acceleration = acceleration
    let isUserAcceleration = sensor(.acceleration) == nil && sensor(.userAcceleration) != nil
    gravity = isUserAcceleration ? sensor(.gravity) : nil
    gravityScale = Self.gravityScale(gravity?.factors, beside: acceleration.factors)
    lacksGravity =
      isUserAcceleration && gravity == nil || acceleration == bareAcceleration && logged == .userAcceleration
    rotationRate = sensor(.rotationRate)
    self.label = label ?? otherLabel
    self.person = person
    self.trial = trial
    count = header.count
    let read = Set([acceleration, gravity, rotationRate].compactMap(\.self).flatMap(\.columns))
    let quantities = Set(axes.filter { $0.value.values.contains { read.contains($0.column) } }.keys)
    let ofNoSensor = acceleration == bareAcceleration ? Self.bareAxes(header).filter { !read.contains($0) } : []
    leftOut = others.filter { quantities.contains($0.quantity) }.map(\.column) + ofNoSensor
  }

  /// Whose axes a file of the app Sensor Logger has, which writes a file a sensor, all with the columns `time`, `seconds_elapsed`, `z`,
  /// `y` and `x`.
  private enum LoggedSensor {
    /// Acceleration without gravity, in m/s².
    case userAcceleration
    /// None of acceleration.
    case other

    init?(file: String, header: [String]) {
      guard header.map({ $0.lowercased() }).starts(with: ["time", "seconds_elapsed"]) else { return nil }
      switch file.lowercased().prefix(while: { $0 != "." }) {
      case "accelerometer": self = .userAcceleration
      case "gyroscope", "gyroscopeuncalibrated", "magnetometer", "magnetometeruncalibrated", "gravity", "compass":
        self = .other
      default: return nil
      }
    }
  }

  /// The columns that are called by an axis alone.
  private static func bareAxes(_ header: [String]) -> [Int] {
    header.indices.filter { ["x", "y", "z"].contains(header[$0].lowercased()) }
  }

  /// That columns are left out because another one is called the same; `nil` where there are none.
  func leftOutText(_ header: [String]) -> String? {
    guard !leftOut.isEmpty else { return nil }
    let names = leftOut.prefix(Self.mostNamed).map { String(header[$0].prefix(Self.longestName)).visible }
    let more = leftOut.count > names.count ? " and \(leftOut.count - names.count) more" : ""
    return "columns that hold the same as another one were left out: \(names.joined(separator: ", "))\(more)"
  }
  private static let mostNamed = 20
  private static let longestName = 40

  /// What gravity is multiplied by to be in the unit of the acceleration without it, by the units that their names state; `nil` where
  /// both are in one.
  package static func gravityScale(_ gravity: SIMD3<Double>?, beside acceleration: SIMD3<Double>?) -> SIMD3<Double>? {
    let scale = gravity.flatMap { stated in acceleration.map { stated / $0 } }
    return scale == .one ? nil : scale
  }

  /// What is said of an acceleration without gravity.
  package static let gravityLacking = "the acceleration has no gravity in it, which most of what is looked at needs"

  /// Whether the name of a column is that of people.
  package static func isOfPeople(_ name: String) -> Bool { people.contains(MotionColumnName.words(name).joined()) }

  /// Whether the name of a column is one of labels where a table has no column with a usual name of them.
  package static func isOtherLabel(_ name: String) -> Bool {
    otherLabels.contains(MotionColumnName.words(name).joined())
  }

  /// How a time column of this name writes time; `nil` for the name of something else.
  private static func timeUnit(_ word: String) -> TimeUnit? {
    switch word {
    case "times", "seconds", "secondselapsed", "timestamps", "elapseds", "elapsedseconds", "timeseconds", "second",
      "sec",
      "timesec", "ts":
      .perSecond(1)
    case "timems", "timestampms", "milliseconds", "elapsedms", "timemilliseconds", "epochms", "millis":
      .perSecond(1e3)
    case "timeus", "timestampus", "microseconds", "timemicroseconds": .perSecond(1e6)
    case "timens", "timestampns", "nanoseconds", "timenanoseconds": .perSecond(1e9)
    case "time", "timestamp", "t", "elapsed", "elapsedtime", "epoch", "datetime", "date", "loggingtime", "unixtime":
      .unknown
    default: nil
    }
  }

  private static let labels: Set = [
    "label", "labels", "activity", "activityname", "activitylabel", "labelname", "class", "tag", "groundtruth",
  ]
  private static let otherLabels: Set = [
    "activityid", "labelid", "classid", "classlabel", "activities", "activitytype", "currentactivity", "act",
    "annotation",
  ]
  private static let people: Set = [
    "person", "subject", "user", "participant", "subjectid", "userid", "personid", "participantid",
  ]
  private static let trials: Set = ["trial", "trialid", "session", "sessionid", "recording", "execution", "run"]
}

/// Why a header is none of a motion recording.
package enum MotionColumnsProblem: Error, Hashable, Sendable {
  /// No three columns of acceleration.
  case noAcceleration(found: [String])
  /// No column of times.
  case noTime(found: [String])

  /// What is wrong and what was expected.
  var text: String {
    switch self {
    case .noAcceleration(let header):
      "expected columns of acceleration, such as acc_x, acc_y, acc_z, found \(Self.shown(header))"
    case .noTime(let header): "expected a column of times, such as time_s or timestamp, found \(Self.shown(header))"
    }
  }

  private static let mostNames = 8
  private static let longestName = 32

  /// The first names of a header, as far as they can be read.
  private static func shown(_ header: [String]) -> String {
    let names = header.prefix(mostNames).map { name in
      name.count > longestName ? String(name.prefix(longestName)).visible + "…" : name.visible
    }
    return names.joined(separator: ", ") + (header.count > mostNames ? " and \(header.count - mostNames) more" : "")
  }
}

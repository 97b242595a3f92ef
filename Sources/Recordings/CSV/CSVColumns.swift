internal import ActivityRecognition

/// What the columns of a CSV mean, by its header.
///
/// Names are compared without case, spaces, hyphens and what stands in brackets; many spellings of the field are known. A unit in
/// brackets counts where it changes the value, see ``CSVUnit``.
/// Columns that are not known are named in a warning and read past.
package struct CSVColumns: Sendable {
  /// What a column holds.
  package enum Meaning: Hashable, Sendable {
    /// Date with time of day, Unix seconds or milliseconds, seconds since the start or a time of day: the values decide.
    case time
    /// A time of day, whatever the values look like.
    case timeOfDay
    /// A day of the calendar, or the whole time where no other column gives one.
    case date
    /// Parts of a time of day, where there is no column for the whole.
    case hour
    case minute
    case second
    /// Seconds since the start.
    case relativeSeconds
    /// Milliseconds since the start or the Unix epoch.
    case milliseconds
    case heartRate
    case steps
    case cumulativeSteps
    case cadence
    /// Only files made from FIT have it: their cadence counts the strides of one leg.
    case fractionalCadence
    /// Metres since the start, after multiplication with the factor.
    case distance(factor: Double)
    /// Metres per second, after multiplication with the factor.
    case speed(factor: Double)
    case latitude
    case longitude
    case altitude
    case horizontalAccuracy
    case verticalAccuracy
    case acceleration(axis: Int)
    case rotationRate(axis: Int)
    case magneticField(axis: Int)
    /// What somebody noted of the rows, such as `WALKING`.
    case label
    /// The number of a stretch of rows whose times since the start begin anew.
    case trial
    /// Milliseconds between two beats.
    case rrInterval
    /// A value of a direction, by its place among ``CSVColumns/directionColumns`` but for the first, which is
    /// ``verticalAccuracy``.
    case direction(value: Int)
  }

  /// The names of the columns as they stand in the file.
  let names: [String]
  /// The column of each meaning that there is; the first of several.
  package let columns: [Meaning: Int]
  /// The factors to our units of columns of the motion sensors whose names state a unit.
  let motionFactors: [Int: Double]
  /// The names that are not known, or of no use here.
  let unknown: [String]
  /// The layout of a program, known by the whole header.
  package let layout: CSVLayout
  /// Whether there is the column by which an export says that no person was measured.
  let isSimulated: Bool
  /// The columns that give the time of a row; `nil` when there are none.
  let time: CSVTimeColumns?

  /// The names of the columns of a direction, in the order of its values.
  package static let directionColumns = [
    "vertical_accuracy_m", "speed_accuracy_m_s", "course_deg", "course_accuracy_deg", "heading_deg",
    "heading_accuracy_deg",
  ]

  /// The name of the column that ``isSimulated`` is known by.
  package static let simulatedMark = "simulated_by_coach"

  /// Whether any column holds a reading.
  package var hasReadings: Bool { layout == .fitbitHours || columns.keys.contains { isReading($0) } }

  /// Whether the readings are steps alone.
  var hasOnlySteps: Bool {
    columns.keys.allSatisfy { !isReading($0) || $0 == .steps || $0 == .cumulativeSteps || $0 == .altitude }
      && (columns[.steps] != nil || columns[.cumulativeSteps] != nil)
  }

  private func isReading(_ meaning: Meaning) -> Bool {
    switch meaning {
    case .time, .timeOfDay, .date, .hour, .minute, .second, .relativeSeconds, .milliseconds, .horizontalAccuracy,
      .verticalAccuracy, .fractionalCadence, .label, .trial:
      false
    case .latitude: columns[.longitude] != nil
    case .longitude: columns[.latitude] != nil
    case .heartRate, .steps, .cumulativeSteps, .cadence, .distance, .speed, .rrInterval, .direction, .altitude: true
    case .acceleration: axes { .acceleration(axis: $0) } != nil
    case .rotationRate: axes { .rotationRate(axis: $0) } != nil
    case .magneticField: axes { .magneticField(axis: $0) } != nil
    }
  }

  /// The columns of a header line.
  package init(header names: [String]) {
    self.init(names, layout: CSVLayout(header: names.map { Self.normalized($0) }))
  }

  /// The columns of a layout.
  init(_ names: [String], layout: CSVLayout) {
    self.names = names
    self.layout = layout
    let words = names.map { Self.normalized($0) }
    var columns: [Meaning: Int] = [:]
    var factors: [Int: Double] = [:]
    var unknown: [Int] = []
    var withoutGravity: Set<Int> = []
    for (index, word) in words.enumerated() {
      let named = Self.meaning(of: word)
      let known = named.flatMap { CSVUnit(ofColumn: names[index]).meaning(of: $0) }
      let motion = named == nil ? MotionColumnName(names[index]) : nil
      guard let meaning = layout.meaning(of: word) ?? known ?? motion.flatMap({ Meaning($0) }) else {
        if !layout.knows(word), word != Self.simulatedMark { unknown.append(index) }
        continue
      }
      factors[index] = motion?.factor
      if motion?.quantity == .userAcceleration { withoutGravity.insert(index) }
      // An acceleration with gravity in it comes before one without.
      let isBetter = motion?.quantity == .acceleration && columns[meaning].map(withoutGravity.contains) == true
      if columns[meaning] == nil || isBetter { columns[meaning] = index }
    }
    for (axis, index) in Self.bareAxes(words, beside: columns).enumerated() {
      columns[.acceleration(axis: axis)] = index
      unknown.removeAll { $0 == index }
    }
    if columns[.trial] != nil, columns[.relativeSeconds] == nil, let index = columns.removeValue(forKey: .trial) {
      unknown.append(index)
    }
    if columns[.hour] != nil, columns[.minute] != nil, columns[.second] == nil,
      let seconds = columns[.relativeSeconds], ["seconds", "secs"].contains(words[seconds])
    {
      columns[.second] = seconds
      columns[.relativeSeconds] = nil
    }
    time = Self.time(columns)
    if case .parts = time {
    } else {
      for part in [Meaning.hour, .minute, .second] {
        if let index = columns.removeValue(forKey: part) { unknown.append(index) }
      }
    }
    isSimulated = words.contains(Self.simulatedMark)
    self.columns = columns
    motionFactors = factors
    self.unknown = unknown.sorted().map { names[$0] }
  }

  /// The columns of x, y and z: loggers that write a file a sensor call its columns by the axes alone. None where there are
  /// not all three, or where the file has other readings.
  private static func bareAxes(_ words: [String], beside columns: [Meaning: Int]) -> [Int] {
    let axes = ["x", "y", "z"].compactMap { words.firstIndex(of: $0) }
    let others: [Meaning] = [
      .heartRate, .steps, .cumulativeSteps, .cadence, .latitude, .altitude, .rrInterval, .acceleration(axis: 0),
      .rotationRate(axis: 0), .magneticField(axis: 0),
    ]
    return axes.count == 3 && !others.contains { columns[$0] != nil } ? axes : []
  }

  /// What is missing in a header without a column of readings.
  var missingReadings: String {
    let motion = names.filter { MotionColumnName($0) != nil }
    guard motion.isEmpty else {
      return "motion needs the three axes of a sensor, such as acc_x, acc_y and acc_z: found "
        + motion.prefix(9).map { String($0.prefix(40)).visible }.joined(separator: ", ")
    }
    return "expected one of heart_rate, steps, cadence, distance, speed, latitude, altitude, "
      + "or acc_x, acc_y and acc_z"
  }

  /// The time since the start wins over the time of day, because it is exact.
  private static func time(_ columns: [Meaning: Int]) -> CSVTimeColumns? {
    if let index = columns[.relativeSeconds] { return .relativeSeconds(index) }
    let date = columns[.date]
    if let index = columns[.time] ?? columns[.timeOfDay] { return .written(index, date: date) }
    if let index = columns[.milliseconds] { return .milliseconds(index) }
    if let hour = columns[.hour] {
      return .parts(hour: hour, minute: columns[.minute], second: columns[.second], date: date)
    }
    return date.map { .written($0, date: nil) }
  }

  /// A column whose factor depends on its unit, with that factor.
  func scaled(_ matches: (Meaning) -> Double?) -> (index: Int, factor: Double)? {
    columns.compactMap { meaning, index in matches(meaning).map { (index: index, factor: $0) } }
      .min { $0.index < $1.index }
  }

  /// The three columns of a vector; `nil` unless all are there.
  func axes(_ meaning: (Int) -> Meaning) -> (x: Int, y: Int, z: Int)? {
    guard let x = columns[meaning(0)], let y = columns[meaning(1)], let z = columns[meaning(2)] else { return nil }
    return (x, y, z)
  }

  /// Lower case, words joined by underscores, without quotes and without what stands in brackets.
  static func normalized(_ name: String) -> String {
    var result = ""
    for character in name.lowercased() {
      if character == "(" || character == "[" { break }
      if character.isLetter || character.isNumber {
        result.append(character)
      } else if !result.isEmpty, result.last != "_" {
        result.append("_")
      }
    }
    if result.last == "_" { result.removeLast() }
    return result
  }

  /// What a column of a known name holds; a name is normalized. A table of all names would be made for each file that is read.
  private static func meaning(of word: String) -> Meaning? {
    switch word {
    case "time", "timestamp", "datetime", "date_time", "time_utc", "utc_time", "utc", "unix_time", "unixtime",
      "timestamp_s", "unix_s", "loggingtime":
      .time
    case "time_of_day", "clock_time", "clock": .timeOfDay
    case "date": .date
    case "hour", "hours", "hh": .hour
    case "minute", "minutes", "min", "mins": .minute
    case "second", "sec": .second
    case "time_s", "at_s", "at_seconds", "seconds", "secs", "elapsed", "elapsed_s", "elapsed_seconds",
      "seconds_elapsed", "elapsed_time", "time_sec", "t", "t_s":
      .relativeSeconds
    case "time_ms", "timestamp_ms", "at_ms", "elapsed_ms", "unix_ms": .milliseconds
    case "heart_rate", "heart_rate_bpm", "heartrate", "heartrate_bpm", "heartbeat", "hr", "hr_bpm", "bpm", "pulse",
      "heart_beat", "heart_rate_value":
      .heartRate
    case "steps", "step_count", "stepcount", "steps_count": .steps
    case "steps_cumulative", "cumulative_steps", "total_steps", "steps_total": .cumulativeSteps
    case "cadence", "cadence_spm", "cad", "run_cadence", "cadence_steps_per_minute", "step_rate": .cadence
    case "fractional_cadence": .fractionalCadence
    case "label", "labels", "activity", "activity_label", "activity_name", "activityname", "label_name", "class", "tag",
      "ground_truth":
      .label
    case "trial", "trial_number": .trial
    case "rr_ms", "rr_interval_ms", "rr_intervals_ms", "rri_ms", "ibi_ms", "nn_ms": .rrInterval
    case "vertical_accuracy", "vertical_accuracy_m", "altitude_accuracy", "altitude_accuracy_m", "altitudeaccuracy":
      .verticalAccuracy
    case "speed_accuracy", "speed_accuracy_m_s", "speed_accuracy_mps", "speedaccuracy": .direction(value: 1)
    case "course", "course_deg", "bearing", "bearing_deg", "course_degrees", "bearing_degrees": .direction(value: 2)
    case "course_accuracy", "course_accuracy_deg", "bearing_accuracy", "bearing_accuracy_deg", "courseaccuracy":
      .direction(value: 3)
    case "heading", "heading_deg", "heading_degrees", "true_heading": .direction(value: 4)
    case "heading_accuracy", "heading_accuracy_deg", "headingaccuracy": .direction(value: 5)
    case "distance", "distance_m", "distance_meters", "distance_metres", "dist", "total_distance": .distance(factor: 1)
    case "distance_km": .distance(factor: 1_000)
    case "distance_mi", "distance_miles": .distance(factor: 1_609.344)
    case "speed", "speed_m_s", "speed_mps", "enhanced_speed", "speed_ms", "speed_meters_per_second", "velocity":
      .speed(factor: 1)
    case "speed_kmh", "speed_km_h", "speed_kph": .speed(factor: 1 / 3.6)
    case "speed_mph": .speed(factor: 0.447_04)
    case "latitude", "lat", "latitude_deg", "latitude_degrees", "position_lat": .latitude
    case "longitude", "lon", "lng", "long", "longitude_deg", "longitude_degrees", "position_long": .longitude
    case "altitude", "altitude_m", "alt", "elevation", "elevation_m", "ele", "enhanced_altitude": .altitude
    case "horizontal_accuracy", "horizontal_accuracy_m", "accuracy", "accuracy_m", "coordinate_accuracy",
      "coordinateaccuracy", "gps_accuracy":
      .horizontalAccuracy
    default: nil
    }
  }
}

extension CSVColumns.Meaning {
  /// What a column of the motion sensors holds.
  fileprivate init?(_ name: MotionColumnName) {
    switch name.quantity {
    case .acceleration, .userAcceleration: self = .acceleration(axis: name.axis)
    case .gravity: return nil
    case .rotationRate: self = .rotationRate(axis: name.axis)
    case .magneticField: self = .magneticField(axis: name.axis)
    }
  }
}

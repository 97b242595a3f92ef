internal import ActivityRecognition
internal import TextFormats

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
    /// Milliseconds since the start or the Unix epoch, or microseconds or nanoseconds by the name of the column.
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
    /// What is added to an acceleration from which gravity was taken.
    case gravity(axis: Int)
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
  /// Whether gravity was taken from the acceleration and no column adds it.
  let lacksGravity: Bool
  /// The column of people, in files of motion.
  private let motionPerson: Int?
  /// Milliseconds of one of the column of intervals between beats; `nil` where its name states no unit.
  let intervalFactor: Double?
  /// Columns whose words state no unit though people write them in several: what they hold, in words.
  let assumedUnits: [String]
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

  func isReading(_ meaning: Meaning) -> Bool {
    switch meaning {
    case .time, .timeOfDay, .date, .hour, .minute, .second, .relativeSeconds, .milliseconds, .horizontalAccuracy,
      .verticalAccuracy, .fractionalCadence, .label, .trial, .gravity:
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
    var sensors: [MotionColumnName.Quantity: [Int: Int]] = [:]
    var gravity: [Int] = []
    var units: [Int: Int64] = [:]
    for (index, word) in words.enumerated() {
      let isLeftOut = layout.leavesOut(word) || CSVColumnWords.isMean(names[index])
      let named = isLeftOut ? nil : Self.meaning(of: word, beside: words)
      let unit = CSVUnit(ofColumn: names[index])
      let known = named.flatMap { unit.meaning(of: $0) }
      let motion = named == nil ? MotionColumnName(names[index]) : nil
      guard let meaning = layout.meaning(of: word) ?? known ?? motion.flatMap({ Meaning($0) }) else {
        if !layout.knows(word), word != Self.simulatedMark { unknown.append(index) }
        continue
      }
      factors[index] = motion?.factor
      if meaning == .milliseconds { units[index] = unit.nanoseconds ?? CSVColumnWords.nanoseconds(of: word) }
      if motion?.quantity == .gravity { gravity.append(index) }
      if let motion, sensors[motion.quantity]?[motion.axis] == nil {
        sensors[motion.quantity, default: [:]][motion.axis] = index
      }
      if columns[meaning] == nil { columns[meaning] = index }
    }
    // An acceleration with gravity in it comes before one without, as a sensor and not by its axes.
    let isUserAcceleration = sensors[.acceleration]?.count != 3 && sensors[.userAcceleration]?.count == 3
    if sensors[.acceleration] != nil || sensors[.userAcceleration] != nil {
      let own = sensors[isUserAcceleration ? .userAcceleration : .acceleration] ?? [:]
      for axis in 0..<3 { columns[.acceleration(axis: axis)] = own[axis] }
    }
    lacksGravity = isUserAcceleration && sensors[.gravity]?.count != 3
    if !isUserAcceleration || lacksGravity {
      for axis in 0..<3 { columns[.gravity(axis: axis)] = nil }
      unknown += gravity
    }
    // Sensor Logger counts steps since its start.
    if words.count == 3, Set(words) == ["time", "seconds_elapsed", "steps"] {
      columns[.cumulativeSteps] = columns.removeValue(forKey: .steps)
    }
    for (axis, index) in Self.bareAxes(words, beside: columns).enumerated() {
      columns[.acceleration(axis: axis)] = index
      unknown.removeAll { $0 == index }
    }
    if columns[.trial] != nil, columns[.relativeSeconds] == nil, let index = columns.removeValue(forKey: .trial) {
      unknown.append(index)
    }
    if columns[.hour] != nil, columns[.minute] != nil, columns[.second] == nil,
      let seconds = columns[.relativeSeconds], ["seconds", "secs", "sekunden"].contains(words[seconds])
    {
      columns[.second] = seconds
      columns[.relativeSeconds] = nil
    }
    if let index = words.firstIndex(of: "height"), columns[.altitude] == nil, columns[.latitude] != nil,
      columns[.longitude] != nil, CSVUnit(ofColumn: names[index]).meaning(of: .altitude) != nil
    {
      columns[.altitude] = index
      unknown.removeAll { $0 == index }
    }
    time = Self.time(columns, nanoseconds: columns[.milliseconds].flatMap { units[$0] })
    if case .parts = time {
    } else {
      for part in [Meaning.hour, .minute, .second] {
        if let index = columns.removeValue(forKey: part) { unknown.append(index) }
      }
    }
    isSimulated = words.contains(Self.simulatedMark)
    let interval = columns[.rrInterval]
    intervalFactor = interval.flatMap { index in
      CSVUnit(ofColumn: names[index]).milliseconds ?? CSVColumnWords.milliseconds(of: words[index])
    }
    assumedUnits = CSVColumnWords.assumedUnits(
      distance: columns[.distance(factor: 1)].map { (words[$0], names[$0]) },
      speed: columns[.speed(factor: 1)].map { (words[$0], names[$0]) })
    let hasMotion = [Meaning.acceleration(axis:), Meaning.rotationRate(axis:), Meaning.magneticField(axis:)].contains {
      sensor in (0..<3).allSatisfy { columns[sensor($0)] != nil }
    }
    motionPerson =
      hasMotion && layout == .other ? unknown.sorted().first { MotionColumns.isOfPeople(names[$0]) } : nil
    if let motionPerson { unknown.removeAll { $0 == motionPerson } }
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

  /// The columns that hold numbers of readings, in order.
  var numberColumns: [Int] {
    columns.filter { meaning, _ in
      switch meaning {
      case .time, .timeOfDay, .date, .hour, .minute, .second, .relativeSeconds, .milliseconds, .label, .trial: false
      case .heartRate, .steps, .cumulativeSteps, .cadence, .fractionalCadence, .distance, .speed, .latitude, .longitude,
        .altitude, .horizontalAccuracy, .verticalAccuracy, .acceleration, .gravity, .rotationRate, .magneticField,
        .rrInterval, .direction:
        true
      }
    }.values.sorted()
  }

  /// Whether all axes of a sensor of motion are there.
  var hasMotion: Bool {
    axes { .acceleration(axis: $0) } != nil || axes { .rotationRate(axis: $0) } != nil
      || axes { .magneticField(axis: $0) } != nil
  }

  /// Whether its values decide in which unit motion is, or show that its names are wrong.
  var hasMeasuredMotion: Bool {
    !layout.marksAbsenceByMinusOne
      && (axes { .acceleration(axis: $0) } != nil || axes { .rotationRate(axis: $0) } != nil)
  }

  /// The column that names the person, where rows belong to persons.
  var personColumn: Int? { layout.personColumn ?? motionPerson }

  /// How many of our units one of each axis is, by the names of three columns; `nil` where none states a unit.
  func statedFactors(_ axes: (x: Int, y: Int, z: Int)) -> SIMD3<Double>? {
    MotionColumnName.factors(motionFactors[axes.x], motionFactors[axes.y], motionFactors[axes.z])
  }

  /// What gravity is multiplied by before it is added to the acceleration; `nil` for nothing.
  var gravityScale: SIMD3<Double>? {
    guard let acceleration = axes({ .acceleration(axis: $0) }), let gravity = axes({ .gravity(axis: $0) }) else {
      return nil
    }
    return MotionColumns.gravityScale(statedFactors(gravity), beside: statedFactors(acceleration))
  }

  /// What is missing in a header without a column for the time.
  var missingTime: String {
    let isRow = names.allSatisfy { name in
      DecimalText(name.utf8.span) != nil || WallClockTimeText(iso8601: name) != nil || name.isEmpty
    }
    guard isRow else { return "no column for the time: expected a CSV with a header such as time,heart_rate" }
    return "numbers without a header: expected the names of the columns above them, such as time,heart_rate"
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
  private static func time(_ columns: [Meaning: Int], nanoseconds: Int64?) -> CSVTimeColumns? {
    if let index = columns[.relativeSeconds] { return .relativeSeconds(index) }
    let date = columns[.date]
    if let index = columns[.time] ?? columns[.timeOfDay] { return .written(index, date: date) }
    if let index = columns[.milliseconds] {
      return nanoseconds.map { .units(index, nanoseconds: $0) } ?? .milliseconds(index)
    }
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
  private static func meaning(of word: String, beside words: [String]) -> Meaning? {
    switch word {
    // Beside LF it is a power of the heart rate's variability.
    case "hf": words.contains("lf") ? nil : .heartRate
    case "time", "timestamp", "datetime", "date_time", "time_utc", "utc_time", "utc", "unix_time", "unixtime",
      "timestamp_s", "unix_s", "loggingtime", "time_stamp", "timestamp_utc", "datetime_utc", "date_time_utc", "epoch",
      "epoch_s", "epoch_time", "unix_timestamp", "unixtimestamp", "iso_time", "local_time", "time_local", "zeit",
      "zeitstempel", "zeitpunkt", "datum_zeit", "datum_uhrzeit", "datumzeit", "datum_und_uhrzeit":
      .time
    case "time_of_day", "clock_time", "clock", "uhrzeit": .timeOfDay
    case "date", "datum": .date
    case "hour", "hours", "hh", "stunde", "stunden": .hour
    case "minute", "minutes", "min", "mins", "minuten": .minute
    case "second", "sec", "sekunde": .second
    case "time_s", "at_s", "at_seconds", "seconds", "secs", "elapsed", "elapsed_s", "elapsed_seconds",
      "seconds_elapsed", "elapsed_time", "time_sec", "t", "t_s", "time_seconds", "time_in_seconds", "elapsed_time_s",
      "elapsed_time_sec", "elapsed_time_seconds", "elapsed_sec", "elapsed_secs", "seconds_since_start",
      "time_since_start", "zeit_s", "zeit_sek", "zeit_in_s", "zeit_in_sekunden", "sekunden", "verstrichene_zeit",
      "vergangene_zeit", "laufzeit":
      .relativeSeconds
    case "time_ms", "timestamp_ms", "at_ms", "elapsed_ms", "unix_ms", "epoch_ms", "unix_timestamp_ms",
      "elapsed_time_ms", "time_millis", "timestamp_millis", "time_milliseconds", "timestamp_milliseconds",
      "milliseconds", "millis", "zeit_ms", "zeitstempel_ms":
      .milliseconds
    case "time_us", "timestamp_us", "unix_us", "epoch_us", "elapsed_us", "time_micros", "timestamp_micros", "time_ns",
      "timestamp_ns", "unix_ns", "epoch_ns", "elapsed_ns", "time_nanos", "timestamp_nanos", "zeit_us", "zeit_ns",
      "zeitstempel_us", "zeitstempel_ns":
      .milliseconds
    case "heart_rate", "heart_rate_bpm", "heartrate", "heartrate_bpm", "heartbeat", "hr", "hr_bpm", "bpm", "pulse",
      "heart_beat", "heart_rate_value", "beats_per_minute", "heart_rate_beats_per_minute", "pulse_bpm", "pulse_rate",
      "value_bpm", "herzfrequenz", "herzfrequenz_bpm", "herzrate", "herzrate_bpm", "puls", "puls_bpm", "pulsfrequenz",
      "hf_bpm":
      .heartRate
    case "steps", "step_count", "stepcount", "steps_count", "number_of_steps", "num_steps", "schritte", "schrittzahl",
      "schrittanzahl", "anzahl_schritte":
      .steps
    case "steps_cumulative", "cumulative_steps", "total_steps", "steps_total", "cumulative_step_count",
      "total_step_count", "schritte_gesamt", "gesamtschritte", "schritte_kumuliert":
      .cumulativeSteps
    case "cadence", "cadence_spm", "cad", "run_cadence", "cadence_steps_per_minute", "step_rate", "running_cadence",
      "step_cadence", "steps_per_minute", "spm", "schrittfrequenz", "schrittfrequenz_spm", "trittfrequenz", "kadenz",
      "kadenz_spm":
      .cadence
    case "fractional_cadence": .fractionalCadence
    case "label", "labels", "activity", "activity_label", "activity_name", "activityname", "label_name", "class", "tag",
      "ground_truth":
      .label
    case "trial", "trial_number": .trial
    case "rr_ms", "rr_interval_ms", "rr_intervals_ms", "rri_ms", "ibi_ms", "nn_ms", "rr", "rr_interval", "rr_intervals",
      "rrinterval", "rrintervals", "rri", "ibi", "nn", "nn_interval", "nn_intervals", "nn_interval_ms", "rr_s",
      "rr_interval_s", "ibi_s", "nn_s", "rr_intervall", "rr_abstand":
      .rrInterval
    case "vertical_accuracy", "vertical_accuracy_m", "altitude_accuracy", "altitude_accuracy_m", "altitudeaccuracy",
      "verticalaccuracy":
      .verticalAccuracy
    case "speed_accuracy", "speed_accuracy_m_s", "speed_accuracy_mps", "speedaccuracy": .direction(value: 1)
    case "course", "course_deg", "bearing", "bearing_deg", "course_degrees", "bearing_degrees", "kurs":
      .direction(value: 2)
    case "course_accuracy", "course_accuracy_deg", "bearing_accuracy", "bearing_accuracy_deg", "courseaccuracy",
      "bearingaccuracy":
      .direction(value: 3)
    case "heading", "heading_deg", "heading_degrees", "true_heading": .direction(value: 4)
    case "heading_accuracy", "heading_accuracy_deg", "headingaccuracy": .direction(value: 5)
    case "distance", "distance_m", "distance_meters", "distance_metres", "dist", "total_distance",
      "cumulative_distance", "distanz", "distanz_m", "strecke", "strecke_m", "entfernung", "entfernung_m":
      .distance(factor: 1)
    case "distance_km", "km", "distanz_km", "strecke_km", "entfernung_km": .distance(factor: 1_000)
    case "distance_mi", "distance_miles": .distance(factor: 1_609.344)
    case "speed", "speed_m_s", "speed_mps", "enhanced_speed", "speed_ms", "speed_meters_per_second", "velocity",
      "velocity_smooth", "velocity_m_s", "velocity_mps", "gps_speed", "geschwindigkeit", "geschwindigkeit_m_s":
      .speed(factor: 1)
    case "speed_kmh", "speed_km_h", "speed_kph", "speed_kmph", "kph", "kmh", "km_h", "geschwindigkeit_km_h",
      "geschwindigkeit_kmh":
      .speed(factor: 1 / 3.6)
    case "speed_mph", "mph": .speed(factor: 0.447_04)
    // A letter with two points that is not UTF-8 is a gap between words.
    case "latitude", "lat", "latitude_deg", "latitude_degrees", "position_lat", "lat_deg", "gps_lat", "gps_latitude",
      "location_latitude", "breitengrad", "geografische_breite", "geographische_breite":
      .latitude
    case "longitude", "lon", "lng", "long", "longitude_deg", "longitude_degrees", "position_long", "lon_deg", "lng_deg",
      "gps_lon", "gps_lng", "gps_long", "gps_longitude", "location_longitude", "längengrad", "laengengrad",
      "l_ngengrad", "geografische_länge", "geographische_länge":
      .longitude
    case "altitude", "altitude_m", "alt", "elevation", "elevation_m", "ele", "enhanced_altitude", "altitude_meters",
      "altitude_metres", "elevation_meters", "elevation_metres", "alt_m", "ele_m", "gps_altitude", "höhe", "höhe_m",
      "hoehe", "hoehe_m", "h_he", "h_he_m", "meereshöhe":
      .altitude
    case "horizontal_accuracy", "horizontal_accuracy_m", "accuracy", "accuracy_m", "coordinate_accuracy",
      "coordinateaccuracy", "gps_accuracy", "horizontalaccuracy", "genauigkeit", "genauigkeit_m":
      .horizontalAccuracy
    default: nil
    }
  }
}

extension CSVColumns.Meaning {
  /// What a column of the motion sensors holds.
  fileprivate init(_ name: MotionColumnName) {
    switch name.quantity {
    case .acceleration, .userAcceleration: self = .acceleration(axis: name.axis)
    case .gravity: self = .gravity(axis: name.axis)
    case .rotationRate: self = .rotationRate(axis: name.axis)
    case .magneticField: self = .magneticField(axis: name.axis)
    }
  }
}

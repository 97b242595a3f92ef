internal import ActivityRecognition
internal import TextFormats

/// What the columns of a CSV mean, by its header.
///
/// Names are compared without case, spaces, hyphens and what stands in brackets; many spellings of the field are known. A unit in
/// brackets counts where it changes the value, see ``CSVUnit``.
/// Columns that are not known are named in a warning and read past, and so are those that hold the same as one that is read.
package struct CSVColumns: Sendable {
  /// The names of the columns as they stand in the file.
  let names: [String]
  /// The column of each meaning that there is; of several the first, but for those that are left out.
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
  /// The columns that are known, by what they hold, where several hold the same; `nil` elsewhere.
  let rivals: CSVRivalColumns?
  /// The layout of a program, known by the whole header.
  package let layout: CSVLayout
  /// Whether there is the column by which an export says that no person was measured.
  let isSimulated: Bool
  /// The columns that give the time of a row; `nil` when there are none.
  let time: CSVTimeColumns?
  /// The columns of a clock beside times since the start; `nil` where there are none.
  let clock: CSVTimeColumns?
  /// Whether numbers that are no degrees may be those of FIT, by the names of the columns of a position.
  let mayHaveSemicircles: Bool

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

  /// The columns of a layout, without some, beside which others hold the same.
  init(_ names: [String], layout: CSVLayout, without others: Set<Int> = []) {
    self.names = names
    self.layout = layout
    let words = Self.words(names)
    var columns: [Meaning: Int] = [:]
    var factors: [Int: Double] = [:]
    var unknown: [Int] = []
    var sensors: [MotionColumnName.Quantity: [Int: Int]] = [:]
    var gravity: [Int] = []
    var rivals = CSVRivalColumns()
    var taken: Set<Meaning> = []
    var units: [Int: Int64] = [:]
    for (index, word) in words.enumerated() {
      let isLeftOut = layout.leavesOut(word) || CSVColumnWords.isMean(names[index])
      let named = isLeftOut ? nil : Meaning.named(word, beside: words)
      let unit = CSVUnit(ofColumn: names[index])
      let stated = layout.meaning(of: word) ?? named
      let known = stated.flatMap { unit.meaning(of: $0) }
      let motion = named == nil ? MotionColumnName(names[index]) : nil
      guard let meaning = known ?? motion.flatMap({ Meaning($0) }) else {
        // A layout knows its columns, and not every unit of theirs.
        if stated != nil || !layout.knows(word), word != Self.simulatedMark { unknown.append(index) }
        continue
      }
      rivals.admit(index, meaning, motion)
      if motion?.quantity == .gravity { gravity.append(index) }
      guard !others.contains(index) else { continue }
      factors[index] = motion?.factor
      if meaning == .milliseconds { units[index] = unit.nanoseconds ?? CSVColumnWords.nanoseconds(of: word) }
      if let motion, sensors[motion.quantity]?[motion.axis] == nil {
        sensors[motion.quantity, default: [:]][motion.axis] = index
      }
      if taken.insert(meaning.withoutUnit).inserted { columns[meaning] = index }
    }
    if columns[.steps] != nil { columns[.cumulativeSteps] = nil }
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
    if columns[.label] == nil, columns[.acceleration(axis: 0)] != nil,
      let index = unknown.first(where: { MotionColumns.isOtherLabel(names[$0]) })
    {
      columns[.label] = index
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
    // A ride's file of power meters has its time in minutes, with decimals.
    if words.first == "minutes", Self.time(columns.filter { $0.key != .minute }, nanoseconds: nil) == nil {
      columns[.milliseconds] = columns.removeValue(forKey: .minute)
      units[0] = 60_000_000_000
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
    clock = Self.clock(columns, nanoseconds: columns[.milliseconds].flatMap { units[$0] })
    mayHaveSemicircles = [(Meaning.latitude, "position_lat"), (.longitude, "position_long")].allSatisfy {
      meaning, word in columns[meaning].map { words[$0] == word } == true
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
    unknown += rivals.leaveOutOthers(than: Set(columns.values)).filter { !unknown.contains($0) }
    self.rivals = rivals.leftOut.isEmpty ? nil : rivals
    self.columns = columns
    motionFactors = factors
    self.unknown = unknown.sorted().map { names[$0] }
  }

  /// The same columns without some, beside which others hold the same.
  func without(_ others: Set<Int>) -> CSVColumns {
    others.isEmpty ? self : CSVColumns(names, layout: layout, without: others)
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

  /// The columns of the time of day beside times since the start.
  private static func clock(_ columns: [Meaning: Int], nanoseconds: Int64?) -> CSVTimeColumns? {
    guard columns[.relativeSeconds] != nil else { return nil }
    return time(columns.filter { $0.key != .relativeSeconds }, nanoseconds: nanoseconds)
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

  /// The names normalized. One that is not known as it stands may be of words that begin with capitals: `HeartRateBpm`.
  private static func words(_ names: [String]) -> [String] {
    let words = names.map { normalized($0) }
    return zip(names, words).map { name, word in
      guard Meaning.named(word, beside: words) == nil else { return word }
      let parted = normalized(parted(name))
      // A total may be that of a day.
      guard parted != word, !parted.hasPrefix("total_") else { return word }
      return Meaning.named(parted, beside: words) == nil ? word : parted
    }
  }

  /// A name with a gap before each capital that begins a word.
  private static func parted(_ name: String) -> String {
    let letters = Array(name)
    var result = ""
    for (index, letter) in letters.enumerated() {
      if index > 0, letter.isUppercase {
        let (before, isLast) = (letters[index - 1], index + 1 == letters.count)
        if before.isLowercase || before.isUppercase && !isLast && letters[index + 1].isLowercase { result.append(" ") }
      }
      result.append(letter)
    }
    return result
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
}

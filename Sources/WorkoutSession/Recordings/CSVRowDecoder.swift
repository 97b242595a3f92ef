internal import ZoneEngine

/// Turns the rows of a CSV into readings, without policy: what is not there is absent, and nothing is judged.
struct CSVRowDecoder: Sendable {
  /// What a row came to.
  enum Outcome: Hashable, Sendable {
    /// The time of the row; the readings were appended.
    case read(time: Int64)
    /// The time of an hour, and the steps of each of its minutes.
    case hour(from: Int64, steps: [Int?])
    /// The row cannot be read, and why.
    case unreadable(String)
  }

  let columns: CSVColumns
  private(set) var unreadableValues = 0

  private var row: CSVRow
  private var objects: JSONObjectRow?
  private var time: CSVRowTime
  /// Whether −1 means that a value is absent.
  private let marksAbsenceByMinusOne: Bool
  private let people: Int?
  private let heartRate: Int?
  private let steps: Int?
  private let cumulativeSteps: Int?
  private let cadence: Int?
  /// The rest of a cadence that counts the strides of one leg, as in files made from FIT.
  private let fractionalCadence: Int?
  private let distance: (index: Int, factor: Double)?
  private let speed: (index: Int, factor: Double)?
  private let place: (latitude: Int, longitude: Int)?
  private let altitude: Int?
  private let horizontalAccuracy: Int?
  private let verticalAccuracy: Int?
  private let acceleration: (x: Int, y: Int, z: Int)?
  private let rotationRate: (x: Int, y: Int, z: Int)?
  private let magneticField: (x: Int, y: Int, z: Int)?
  private var lastCumulativeSteps: Double?

  /// Creates a decoder of lines or, for the layout of objects, of JSON objects; `nil` without a column for the time.
  init?(columns: CSVColumns, delimiter: CSVDelimiter) {
    guard let time = columns.time else { return nil }
    self.columns = columns
    row = CSVRow(delimiter: delimiter)
    objects = columns.layout == .sensoGatherObjects ? JSONObjectRow(columns: columns.names) : nil
    self.time = CSVRowTime(time, prefersTimeOfDay: columns.hasOnlySteps || columns.columns[.timeOfDay] == time.column)
    marksAbsenceByMinusOne = columns.layout.marksAbsenceByMinusOne
    people = columns.layout.personColumn
    heartRate = columns.columns[.heartRate]
    steps = columns.columns[.steps]
    cumulativeSteps = steps == nil ? columns.columns[.cumulativeSteps] : nil
    cadence = columns.columns[.cadence]
    fractionalCadence = columns.columns[.fractionalCadence]
    distance = columns.scaled { if case .distance(let factor) = $0 { factor } else { nil } }
    speed = columns.scaled { if case .speed(let factor) = $0 { factor } else { nil } }
    if let latitude = columns.columns[.latitude], let longitude = columns.columns[.longitude] {
      place = (latitude, longitude)
    } else {
      place = nil
    }
    altitude = columns.columns[.altitude]
    horizontalAccuracy = columns.columns[.horizontalAccuracy]
    verticalAccuracy = columns.columns[.verticalAccuracy]
    acceleration = columns.axes { .acceleration(axis: $0) }
    rotationRate = columns.axes { .rotationRate(axis: $0) }
    magneticField = columns.axes { .magneticField(axis: $0) }
  }

  /// The clock that the times are on; `nil` before the first.
  var clock: CSVClock? { time.clock }

  /// The names in objects that are not known, without those told before.
  mutating func takeUnknownNames() -> [String] { objects?.takeUnknownNames() ?? [] }

  /// The bytes that name the person of the row that was decoded last; `nil` where rows belong to nobody.
  func person(in line: Span<UInt8>) -> Range<Int>? { people.map { row.range(of: $0) } }

  /// The name of that person; empty where rows belong to nobody.
  func personName(in line: Span<UInt8>) -> String { people.map { row.string($0, in: line) } ?? "" }

  /// Decodes a row and appends its readings in the order of their streams.
  mutating func decode(_ line: Span<UInt8>, into readings: inout [Reading]) -> Outcome {
    do throws(CSVRowError) {
      if objects == nil {
        try row.split(line)
        try row.require(columns: columns.names.count)
      } else if let problem = objects?.place(line, into: &row) {
        return .unreadable(problem)
      }
    } catch {
      return .unreadable("\(error)")
    }
    guard let time = time.read(row, in: line) else {
      return .unreadable("no time that can be read in '\(columns.names[time.columns.column])'")
    }
    if columns.layout == .fitbitHours {
      return .hour(from: time, steps: (2..<62).map { count($0, in: line) })
    }
    if let index = heartRate, let value = number(index, in: line), value != -1, value != 255,
      !(marksAbsenceByMinusOne && value == 0)
    {
      readings.append(.heartRate(value))
    }
    if let index = steps, let value = count(index, in: line) { readings.append(.steps(value)) }
    if let index = cumulativeSteps, let value = number(index, in: line), value >= 0, value < 1e9 {
      let last = lastCumulativeSteps ?? value
      readings.append(.steps(Int((value >= last ? value - last : value).rounded())))
      lastCumulativeSteps = value
    }
    if let index = cadence, let value = number(index, in: line), value >= 0 {
      let fraction = fractionalCadence.flatMap { number($0, in: line) }
      readings.append(.cadence(fraction.map { (value + $0) * 2 } ?? value))
    }
    if let distance, let value = number(distance.index, in: line), value >= 0 {
      readings.append(.distance(value * distance.factor))
    }
    let speedValue = speed.flatMap { speed in number(speed.index, in: line).map { $0 * speed.factor } }
      .flatMap { $0 >= 0 ? $0 : nil }
    if let speedValue { readings.append(.speed(speedValue)) }
    if let fix = fix(in: line, speed: speedValue) { readings.append(.location(fix)) }
    if let motion = motion(in: line) { readings.append(.motion(motion)) }
    return .read(time: time)
  }

  /// Values beyond this are damage; below it no sum of them can overflow.
  private static let largestMagnitude = 1e15

  private mutating func number(_ index: Int, in line: Span<UInt8>) -> Double? {
    if let value = row.double(index, in: line), value.magnitude <= Self.largestMagnitude { return value }
    if !row.isMissing(index, in: line) { unreadableValues += 1 }
    return nil
  }

  private mutating func count(_ index: Int, in line: Span<UInt8>) -> Int? {
    guard let value = number(index, in: line), (0...1e6).contains(value) else { return nil }
    return Int(value.rounded())
  }

  private mutating func fix(in line: Span<UInt8>, speed: Double?) -> LocationFix? {
    guard let place, let latitude = number(place.latitude, in: line), let longitude = number(place.longitude, in: line),
      let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { return nil }
    let accuracy = horizontalAccuracy.flatMap { number($0, in: line) }
    if marksAbsenceByMinusOne, latitude == -1 && longitude == -1 || accuracy.map({ $0 < 0 }) ?? false { return nil }
    return LocationFix(
      coordinate: coordinate, altitudeMeters: altitudeMeters(in: line), horizontalAccuracyMeters: accuracy,
      speedMetersPerSecond: speed)
  }

  private mutating func altitudeMeters(in line: Span<UInt8>) -> Double? {
    guard let altitude, let meters = number(altitude, in: line) else { return nil }
    guard marksAbsenceByMinusOne else { return meters }
    guard let accuracy = verticalAccuracy.flatMap({ number($0, in: line) }) else { return meters == -1 ? nil : meters }
    return accuracy < 0 ? nil : meters
  }

  private mutating func motion(in line: Span<UInt8>) -> MotionReading? {
    let acceleration = axes(acceleration, in: line)
    let rotationRate = axes(rotationRate, in: line)
    let magneticField = axes(magneticField, in: line)
    guard acceleration != nil || rotationRate != nil || magneticField != nil else { return nil }
    return MotionReading(acceleration: acceleration, rotationRate: rotationRate, magneticField: magneticField)
  }

  private mutating func axes(_ indices: (x: Int, y: Int, z: Int)?, in line: Span<UInt8>) -> Axes? {
    guard let indices, let x = number(indices.x, in: line), let y = number(indices.y, in: line),
      let z = number(indices.z, in: line), !(marksAbsenceByMinusOne && x == -1 && y == -1 && z == -1)
    else { return nil }
    return Axes(x: x, y: y, z: z)
  }
}

internal import ZoneEngine

/// Turns the rows of a CSV into readings, without policy: what is not there is absent, and nothing is judged.
struct CSVRowDecoder: Sendable {
  /// The clock that the times of a file are on.
  enum Clock: Hashable, Sendable {
    /// Nanoseconds since the Unix epoch.
    case wall
    /// Nanoseconds since some start.
    case relative
  }

  /// What a row came to.
  enum Outcome: Hashable, Sendable {
    /// The time of the row; the readings were appended.
    case read(time: Int64)
    /// The row cannot be read, and why.
    case unreadable(String)
  }

  let columns: CSVColumns
  private(set) var clock: Clock?
  private(set) var unreadableValues = 0

  /// The fields of the last row that was decoded.
  private(set) var row: CSVRow
  private let timeIndex: Int
  private let timeMeaning: CSVColumns.Meaning
  private let heartRate: Int?
  private let steps: Int?
  private let cumulativeSteps: Int?
  private let cadence: Int?
  /// The rest of a cadence that counts the strides of one leg, as in files made from FIT.
  private let fractionalCadence: Int?
  private let distance: (index: Int, factor: Double)?
  private let speed: (index: Int, factor: Double)?
  private let place: (latitude: Int, longitude: Int)?
  private let acceleration: (x: Int, y: Int, z: Int)?
  private let rotationRate: (x: Int, y: Int, z: Int)?
  private let magneticField: (x: Int, y: Int, z: Int)?
  private var lastCumulativeSteps: Double?

  /// Creates a decoder; `nil` without a column for the time.
  init?(columns: CSVColumns, delimiter: CSVDelimiter) {
    guard let time = columns.timeColumn else { return nil }
    self.columns = columns
    row = CSVRow(delimiter: delimiter)
    timeIndex = time.index
    timeMeaning = time.meaning
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
    acceleration = columns.axes { .acceleration(axis: $0) }
    rotationRate = columns.axes { .rotationRate(axis: $0) }
    magneticField = columns.axes { .magneticField(axis: $0) }
  }

  /// Decodes a row and appends its readings in the order of their streams.
  mutating func decode(_ line: Span<UInt8>, into readings: inout [Reading]) -> Outcome {
    do throws(CSVRowError) {
      try row.split(line)
      try row.require(columns: columns.names.count)
    } catch {
      return .unreadable("\(error)")
    }
    guard let time = time(in: line) else {
      return .unreadable("no time that can be read in '\(columns.names[timeIndex])'")
    }
    if let index = heartRate, let value = number(index, in: line), value != -1, value != 255 {
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
    if let speedValue, speedValue >= 0 { readings.append(.speed(speedValue)) }
    if let fix = fix(in: line, speed: speedValue) { readings.append(.location(fix)) }
    if let motion = motion(in: line) { readings.append(.motion(motion)) }
    return .read(time: time)
  }

  private mutating func time(in line: Span<UInt8>) -> Int64? {
    switch timeMeaning {
    case .relativeSeconds:
      clock = .relative
      return row.nanosecondsFromSeconds(timeIndex, in: line) ?? clockTime(in: line)
    case .milliseconds:
      guard let milliseconds = row.double(timeIndex, in: line) else { return nil }
      // 3 years of milliseconds and more are a date, anything smaller is a duration.
      if clock == nil { clock = milliseconds > 1e11 ? .wall : .relative }
      return nanoseconds(fromMillisecondsIn: line)
    default:
      if clock != .relative, let text = row.time(timeIndex, in: line) {
        clock = .wall
        return text.time.nanoseconds
      }
      guard let value = row.double(timeIndex, in: line) else { return clockTime(in: line) }
      if value > 1e11 {
        if clock == nil { clock = .wall }
        return nanoseconds(fromMillisecondsIn: line)
      }
      if clock == nil { clock = value > 1e8 ? .wall : .relative }
      return row.nanosecondsFromSeconds(timeIndex, in: line)
    }
  }

  private func nanoseconds(fromMillisecondsIn line: Span<UInt8>) -> Int64? {
    if let whole = row.int64(timeIndex, in: line) {
      let (nanoseconds, overflow) = whole.multipliedReportingOverflow(by: 1_000_000)
      return overflow ? nil : nanoseconds
    }
    guard let value = row.double(timeIndex, in: line), value.magnitude < 9e12 else { return nil }
    return Int64((value * 1e6).rounded())
  }

  /// `M:SS`, `H:MM:SS` or with a fraction: time since the start as people write it.
  private mutating func clockTime(in line: Span<UInt8>) -> Int64? {
    guard clock != .wall else { return nil }
    let parts = row.string(timeIndex, in: line).split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let last = parts.last,
      let seconds = DecimalText.exactNanoseconds(from: String(last).utf8.span), (0..<60_000_000_000).contains(seconds)
    else { return nil }
    var minutes = 0
    for part in parts.dropLast() {
      guard let value = Int(part), (0..<10_000).contains(value) else { return nil }
      minutes = minutes * 60 + value
    }
    clock = .relative
    return Int64(minutes) * 60_000_000_000 + seconds
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
    return LocationFix(
      coordinate: coordinate, altitudeMeters: columns.columns[.altitude].flatMap { number($0, in: line) },
      horizontalAccuracyMeters: columns.columns[.horizontalAccuracy].flatMap { number($0, in: line) },
      speedMetersPerSecond: speed)
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
      let z = number(indices.z, in: line)
    else { return nil }
    return Axes(x: x, y: y, z: z)
  }
}

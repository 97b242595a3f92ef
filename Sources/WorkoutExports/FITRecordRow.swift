internal import Recordings
internal import WorkoutSession
internal import ZoneEngine

/// A row as a `record` message holds it: whole numbers in the units of the profile, and `nil` where there is nothing.
struct FITRecordRow {
  /// Streams of readings; each is a field of a record, or two.
  struct Streams: OptionSet {
    let rawValue: Int

    static let heartRate = Streams(rawValue: 1)
    static let cadence = Streams(rawValue: 2)
    static let steps = Streams(rawValue: 4)
    static let distance = Streams(rawValue: 8)
    static let speed = Streams(rawValue: 16)
    static let position = Streams(rawValue: 32)
    static let altitude = Streams(rawValue: 64)
    static let accuracy = Streams(rawValue: 128)
  }

  var heartRate: UInt8?
  /// 128ths of a stride of one leg per minute.
  var cadence: Int?
  /// Strides of one leg.
  var cycles: UInt32?
  /// The steps of both feet of which these are whole strides.
  private(set) var steps: Double?
  /// Centimetres.
  var distance: UInt32?
  /// Millimetres per second.
  var speed: UInt32?
  /// Semicircles.
  var latitude: Int32?
  var longitude: Int32?
  /// Fifths of a metre from 500 m below the sea.
  var altitude: UInt32?
  /// Metres, rounded up, so that no position looks better than it is.
  var accuracy: UInt8?

  /// A row without a reading.
  static let empty = FITRecordRow()

  private init() {}

  /// Converts a row; what is rounded or left out is counted.
  ///
  /// - Parameter countsSteps: whether cadence and steps are those of feet to who reads the file.
  init(_ row: RecordedPoint, countsSteps: Bool, _ losses: inout ExportLosses) {
    heartRate = Self.whole(row.heartRate, 254, .heartRatesOutOfRange, &losses)
    if let heartRate, Double(heartRate) != row.heartRate { losses.add(.heartRatesRounded) }
    if countsSteps {
      readSteps(row, &losses)
    } else {
      losses.add(.cadencesOffFoot, [row.cadence, row.steps].count { !$0.isNaN })
    }
    distance = Self.scaled(row.distance, by: 100, &losses)
    speed = Self.scaled(row.speed, by: 1000, &losses)
    if !row.hasPosition { altitude = Self.scaled(row.altitude, by: 5, from: -500, &losses) }
    guard let position = losses.position(of: row) else { return }
    latitude = Self.semicircles(position.latitude, &losses)
    longitude = Self.semicircles(position.longitude, &losses)
    altitude = Self.scaled(row.altitude, by: 5, from: -500, &losses)
    accuracy = Self.whole(row.horizontalAccuracy.rounded(.up), 254, .valuesOutOfRange, &losses)
    if let accuracy, Double(accuracy) != row.horizontalAccuracy { losses.add(.valuesRounded) }
  }

  /// The streams that the row has.
  var streams: Streams {
    var streams: Streams = latitude == nil ? [] : .position
    for (stream, isThere) in [
      (Streams.heartRate, heartRate != nil), (.cadence, cadence != nil), (.steps, cycles != nil),
      (.distance, distance != nil), (.speed, speed != nil), (.altitude, altitude != nil), (.accuracy, accuracy != nil),
    ] where isThere {
      streams.insert(stream)
    }
    return streams
  }

  /// The position as who reads the record has it; `nil` without one.
  var fix: LocationFix? {
    guard let latitude, let longitude,
      let coordinate = Coordinate(
        latitudeDegrees: Self.degrees(latitude), longitudeDegrees: Self.degrees(longitude))
    else { return nil }
    return LocationFix(
      coordinate: coordinate, altitudeMeters: nil, horizontalAccuracyMeters: accuracy.map { Double($0) },
      speedMetersPerSecond: nil)
  }

  private static func degrees(_ semicircles: Int32) -> Double { Double(semicircles) * (180 / 2_147_483_648) }

  /// Takes what a later row of the same second holds; returns how many samples it replaced.
  mutating func take(_ later: FITRecordRow) -> Int {
    var replaced = 0
    func take<Value>(_ value: Value?, _ place: inout Value?) {
      guard let value else { return }
      if place != nil { replaced += 1 }
      place = value
    }
    take(later.heartRate, &heartRate)
    take(later.cadence, &cadence)
    take(later.cycles, &cycles)
    steps = later.steps ?? steps
    take(later.distance, &distance)
    take(later.speed, &speed)
    let hadPosition = latitude != nil
    take(later.latitude, &latitude)
    guard later.latitude != nil else {
      take(later.altitude, &altitude)
      return replaced
    }
    (longitude, accuracy) = (later.longitude, later.accuracy)
    // The altitude of a position goes with it; one of another sensor is a reading of its own.
    if hadPosition { altitude = later.altitude } else { take(later.altitude, &altitude) }
    return replaced
  }

  private mutating func readSteps(_ row: RecordedPoint, _ losses: inout ExportLosses) {
    if !row.cadence.isNaN {
      let cadence = (row.cadence * 64).rounded()
      if (0..<255 * 128).contains(cadence) {
        self.cadence = Int(cadence)
        if cadence / 64 != row.cadence { losses.add(.cadencesRounded) }
      } else {
        losses.add(.valuesOutOfRange)
      }
    }
    guard !row.steps.isNaN else { return }
    steps = row.steps
    cycles = Self.scaled((row.steps / 2).rounded(.down), by: 1, &losses)
    if row.steps.truncatingRemainder(dividingBy: 2) != 0 { losses.add(.oddSteps) }
  }

  /// The nearest whole number from 0 to `largest`; `nil` and counted when there is none.
  private static func whole(
    _ value: Double, _ largest: Double, _ kind: ExportLosses.Kind, _ losses: inout ExportLosses
  ) -> UInt8? {
    guard !value.isNaN else { return nil }
    guard (0...largest).contains(value.rounded()) else {
      losses.add(kind)
      return nil
    }
    return UInt8(value.rounded())
  }

  /// A value as a whole number of units, of which `factor` are one of the value's, counted from `lowest`.
  private static func scaled(
    _ value: Double, by factor: Double, from lowest: Double = 0, _ losses: inout ExportLosses
  ) -> UInt32? {
    guard !value.isNaN else { return nil }
    let scaled = ((value - lowest) * factor).rounded()
    // The largest number means that there is none.
    guard (0..<Double(UInt32.max)).contains(scaled) else {
      losses.add(.valuesOutOfRange)
      return nil
    }
    if scaled / factor + lowest != value { losses.add(.valuesRounded) }
    return UInt32(scaled)
  }

  /// 180° east is the same as west, and its number would mean that there is none.
  private static func semicircles(_ degrees: Double, _ losses: inout ExportLosses) -> Int32 {
    let semicircles = (degrees * (2_147_483_648 / 180)).rounded()
    let written = semicircles < Double(Int32.max) ? Int32(semicircles) : Int32.min
    if Self.degrees(written) != degrees { losses.add(.valuesRounded) }
    return written
  }
}

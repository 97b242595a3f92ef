package import ZoneEngine

/// When something happened, on the clock that its sender used.
package enum Stamp: Hashable, Sendable {
  /// A time of day.
  case wall(WallClockTime)
  /// Seconds since the start of the session.
  case session(SessionTime)
}

/// One line of the live stream.
package enum LiveLine: Hashable, Sendable {
  /// A reading with its time and, where it is told, its source.
  case sample(Reading, at: Stamp, source: String?)
  /// A command; without a time it is meant for now.
  case command(SessionCommand, id: String, issuedAt: Stamp?)

  /// The longest line that is read, in bytes.
  package static let longest = 64 << 10

  /// Reads a line. Members that are not known are read past, because a sender may tell more than is used.
  ///
  /// - Throws: `JSONError` with the path of what is wrong and what was expected.
  package init(_ bytes: Span<UInt8>) throws(JSONError) {
    let value = try JSONValue.parse(bytes, limits: Self.limits)
    var reader = try JSONObjectReader(value)
    let type = try reader.required("type", Self.type)
    switch type {
    case .heartRate:
      let beatsPerMinute = try reader.required("beatsPerMinute", .double)
      self = try Self.sample(.heartRate(beatsPerMinute), &reader)
    case .steps:
      let count = try reader.required("count", .int(in: 0...100_000))
      self = try Self.sample(.steps(count), &reader)
    case .location: self = try Self.sample(.location(try Self.fix(&reader)), &reader)
    case .motion: self = try Self.sample(.motion(try Self.motion(&reader)), &reader)
    case .command:
      let command = try SessionCommand(members: &reader)
      let id = try reader.required("id", Self.identity)
      self = .command(command, id: id, issuedAt: try Self.stamp(&reader, keys: ["issuedAt", "time", "atSeconds"]))
    }
  }

  private enum Kind: Sendable { case heartRate, steps, location, motion, command }

  private static let limits = JSONLimits(textBytes: longest, tokenBytes: 1_024, depth: 8)
  private static let type = JSONField<Kind>.word([
    "heartRate": .heartRate, "steps": .steps, "location": .location, "motion": .motion, "command": .command,
  ])
  private static let identity = JSONField<String>("a text of 1 to 200 characters, or a whole number") { value in
    if let number = value.number?.int64 { return "\(number)" }
    return value.string.flatMap { (1...200).contains($0.count) ? $0 : nil }
  }
  private static let axes = JSONField<[Double]>.array(of: .double, count: 3...3)
    .mapped(to: "an array of three numbers") { Axes(x: $0[0], y: $0[1], z: $0[2]) }

  private static func sample(_ reading: Reading, _ reader: inout JSONObjectReader) throws(JSONError) -> LiveLine {
    guard let stamp = try stamp(&reader, keys: ["time", "atSeconds"]) else {
      throw reader.error(.missingKey, expected: "time or atSeconds", about: "time")
    }
    return .sample(reading, at: stamp, source: try reader.optional("source", .nonEmptyString))
  }

  /// The first of several members that is there: an ISO 8601 time, or seconds since the start of the session.
  private static func stamp(_ reader: inout JSONObjectReader, keys: [String]) throws(JSONError) -> Stamp? {
    for key in keys where reader.has(key) { return try reader.required(key, key == "time" ? wall : either) }
    return nil
  }

  private static let wall = JSONField<WallClockTimeText>.time.mapped(to: "an ISO 8601 time") { Stamp.wall($0.time) }
  private static let either = JSONField<Stamp>("seconds from 0 to 864000, or an ISO 8601 time") { value in
    if let nanoseconds = value.number?.nanoseconds {
      return (0...864_000_000_000_000).contains(nanoseconds) ? .session(SessionTime(nanoseconds: nanoseconds)) : nil
    }
    return value.string.flatMap { WallClockTimeText(iso8601: $0) }.map { .wall($0.time) }
  }

  private static func fix(_ reader: inout JSONObjectReader) throws(JSONError) -> LocationFix {
    let latitude = try reader.required("latitude", .double(in: -90...90))
    let longitude = try reader.required("longitude", .double(in: -180...180))
    guard let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) else {
      throw reader.error(.notAllowed("\(latitude)"), expected: "a latitude and a longitude", about: "latitude")
    }
    return LocationFix(
      coordinate: coordinate, altitudeMeters: try reader.optional("altitudeMeters", .double),
      horizontalAccuracyMeters: try reader.optional("horizontalAccuracyMeters", .double),
      speedMetersPerSecond: try reader.optional("speedMetersPerSecond", .double))
  }

  private static func motion(_ reader: inout JSONObjectReader) throws(JSONError) -> MotionReading {
    let acceleration = try reader.optional("acceleration", axes)
    let rotationRate = try reader.optional("rotationRate", axes)
    let magneticField = try reader.optional("magneticField", axes)
    guard acceleration != nil || rotationRate != nil || magneticField != nil else {
      throw reader.error(.missingKey, expected: "acceleration, rotationRate or magneticField", about: "acceleration")
    }
    return MotionReading(acceleration: acceleration, rotationRate: rotationRate, magneticField: magneticField)
  }
}

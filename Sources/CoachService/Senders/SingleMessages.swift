internal import TextFormats
internal import WorkoutSession

extension SenderMessage {
  /// Reads a message of HR Push.
  ///
  /// Source: github.com/Ero-Cat/hr_push, README. A strap that is not connected measures nothing: what is sent then is old.
  static func heartRatePush(_ value: JSONValue, _ body: [UInt8]) throws(SenderProblem) -> SenderMessage {
    let name = name(of: body, .heartRatePush)
    switch value["event"]?.string {
    case "connection": return SenderMessage(.heartRatePush, name: name, [])
    case "heartRate": break
    default: throw SenderProblem("event: expected heartRate or connection")
    }
    guard let beats = SenderValue.number(value["heartRate"]) else {
      throw SenderProblem("heartRate: expected a number")
    }
    guard let time = SenderValue.time(iso8601: value["timestamp"]) else {
      throw SenderProblem("timestamp: expected an ISO 8601 time")
    }
    guard beats > 0, value["connected"]?.bool != false else { return SenderMessage(.heartRatePush, name: name, []) }
    return SenderMessage(
      .heartRatePush, name: name,
      [SenderSample(.heartRate(beats), at: time, source: SenderValue.device(value["device"]))])
  }

  /// What OwnTracks sends beside positions, which is of no use here.
  private static let otherOwnTracksTypes: Set<String> = [
    "beacon", "card", "cmd", "configuration", "dump", "lwt", "request", "status", "steps", "transition", "waypoint",
    "waypoints",
  ]

  /// Reads a message of OwnTracks.
  ///
  /// Source: owntracks.org/booklet, tech/http and tech/json. Speeds are in kilometres an hour, times in seconds.
  static func ownTracks(_ value: JSONValue, _ body: [UInt8]) throws(SenderProblem) -> SenderMessage {
    guard let type = value["_type"]?.string else { throw SenderProblem("_type: expected a text") }
    if otherOwnTracksTypes.contains(type) { return SenderMessage(.ownTracks, name: nil, []) }
    if type == "encrypted" { throw SenderProblem("_type: expected a message that is not encrypted") }
    guard type == "location" else { throw SenderProblem("_type: expected one of OwnTracks") }
    guard let time = SenderValue.time(nanoseconds: value["tst"]?.number?.nanoseconds) else {
      throw SenderProblem("tst: expected seconds since 1970")
    }
    guard
      let location = SenderValue.location(
        SenderValue.number(value["lat"]), SenderValue.number(value["lon"]), altitude: SenderValue.number(value["alt"]),
        accuracy: SenderValue.number(value["acc"]),
        speed: SenderValue.number(value["vel"]).map { $0 * SenderValue.kilometerPerHour },
        direction: [
          SenderValue.number(value["vac"]), nil, SenderValue.number(value["cog"]), nil, nil, nil,
        ])
    else { throw SenderProblem("lat and lon: expected degrees") }
    return SenderMessage(.ownTracks, name: name(of: body, .ownTracks), [SenderSample(location, at: time)])
  }

  /// Reads a message of Traccar Client since its version 9.
  ///
  /// Source: traccar.org/osmand. Speeds are in metres a second.
  static func traccar(_ value: JSONValue, _ body: [UInt8]) throws(SenderProblem) -> SenderMessage {
    guard let location = value["location"], let coordinates = location["coords"] else {
      throw SenderProblem("location: expected an object with coords")
    }
    guard let time = SenderValue.time(iso8601: location["timestamp"]) else {
      throw SenderProblem("location/timestamp: expected an ISO 8601 time")
    }
    guard
      let reading = SenderValue.location(
        SenderValue.number(coordinates["latitude"]), SenderValue.number(coordinates["longitude"]),
        altitude: SenderValue.number(coordinates["altitude"]), accuracy: SenderValue.number(coordinates["accuracy"]),
        speed: SenderValue.number(coordinates["speed"]),
        // What Traccar Client calls heading is the direction of travel.
        direction: ["altitude_accuracy", "speed_accuracy", "heading", "heading_accuracy"].map {
          SenderValue.number(coordinates[$0])
        } + [nil, nil])
    else { throw SenderProblem("location/coords: expected a latitude and a longitude in degrees") }
    return SenderMessage(.traccar, name: name(of: body, .traccar), [SenderSample(reading, at: time)])
  }

  /// The parameters of a position that are read, in lower case.
  private static let positionParameters: Set<String> = [
    "accuracy", "altitude", "bearing", "heading", "heartrate", "hr", "lat", "location", "lon", "speed",
    "speedmeterspersecond", "timestamp", "valid",
  ]

  /// What is said by parameters of several names, in lower case.
  private static let meanings = [
    "hr": ["heartrate"], "heading": ["bearing"], "location": ["lat", "lon"], "speedmeterspersecond": ["speed"],
  ]

  /// Makes sure that each parameter that is read is there once, whatever its case, and that no two say the same by different names:
  /// nobody would know which of them holds. One without a value says nothing.
  private static func requireOnce(_ fields: [HTTPField]) throws(SenderProblem) {
    var found: Set<String> = []
    var meant: [String: String] = [:]
    for field in fields {
      let name = field.name.lowercased()
      guard positionParameters.contains(name) else { continue }
      guard found.insert(name).inserted else { throw SenderProblem("\(field.name): expected it once") }
      guard !field.value.isEmpty else { continue }
      for meaning in meanings[name] ?? [name] {
        if let other = meant[meaning] { throw SenderProblem("\(field.name): expected it or \(other), not both") }
        meant[meaning] = field.name
      }
    }
  }

  /// Reads a position in a query or a form, as OsmAnd, GPSLogger and older Traccar Clients send one.
  ///
  /// Source: Traccar's decoder of the OsmAnd protocol. Speeds are in knots; times are seconds or milliseconds since 1970, or
  /// ISO 8601. Other parameters are passed over, because everybody adds some.
  static func positions(_ fields: [HTTPField]) throws(SenderProblem) -> SenderMessage {
    try requireOnce(fields)
    let value = { (names: String...) -> String? in
      fields.first { field in !field.value.isEmpty && names.contains { $0.isEqual(withoutCase: field.name) } }?.value
    }
    let number = { (name: String, text: String?) throws(SenderProblem) -> Double? in
      guard let text else { return nil }
      guard let value = SenderValue.number(text) else { throw SenderProblem("\(name): expected a number") }
      return value
    }
    var time: WallClockTime?
    if let text = value("timestamp") {
      guard let read = queryTime(text) else {
        throw SenderProblem("timestamp: expected seconds or milliseconds since 1970, or an ISO 8601 time")
      }
      time = read
    }
    var samples: [SenderSample] = []
    // One of 0 says that none was measured.
    let beats = try number("heartRate", value("heartRate", "hr"))
    if let beats, beats > 0 { samples.append(SenderSample(.heartRate(beats), at: time)) }
    let pair = value("location")?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let (latitude, longitude) = (value("lat") ?? pair?.first, value("lon") ?? (pair?.count == 2 ? pair?.last : nil))
    if latitude != nil || longitude != nil {
      let metric = try number("speedMetersPerSecond", value("speedMetersPerSecond"))
      let knots = try number("speed", value("speed"))
      guard
        let location = SenderValue.location(
          try number("lat", latitude), try number("lon", longitude),
          altitude: try number("altitude", value("altitude")), accuracy: try number("accuracy", value("accuracy")),
          speed: metric ?? knots.map { $0 * SenderValue.knot },
          direction: [nil, nil, try number("bearing", value("bearing", "heading")), nil, nil, nil])
      else { throw SenderProblem("lat and lon: expected degrees") }
      let isValid = !["false", "0"].contains(value("valid")?.lowercased())
      if isValid { samples.append(SenderSample(location, at: time)) }
    } else if beats == nil {
      throw SenderProblem("expected the parameters lat and lon, or heartRate")
    }
    // Encoded again, so that a value with an ampersand in it is not taken for two parameters.
    let text = fields.map { "\($0.name.encodingPercents)=\($0.value.encodingPercents)" }.joined(separator: "&")
    return SenderMessage(
      .positionQuery, name: time.map { _ in name(of: Array(text.utf8), .positionQuery) }, samples)
  }

  /// The time in a query: numbers from 2³¹ on are milliseconds.
  private static func queryTime(_ text: String) -> WallClockTime? {
    guard let number = SenderValue.number(text) else { return SenderValue.time(iso8601: text) }
    guard number >= 2_147_483_648 else {
      return SenderValue.time(nanoseconds: DecimalText.exactNanoseconds(from: text.utf8.span))
    }
    guard let milliseconds = DecimalText(text.utf8.span)?.exactInt64, milliseconds <= .max / 1_000_000 else {
      return nil
    }
    return SenderValue.time(nanoseconds: milliseconds * 1_000_000)
  }
}

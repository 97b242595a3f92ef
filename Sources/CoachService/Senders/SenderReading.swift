internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Why a message of a foreign sender cannot be used, in one line without a value of it.
package struct SenderProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension SenderMessage {
  /// The bytes of a message at most.
  package static let longest = 512 << 10

  /// Reads a message, whatever sent it.
  ///
  /// - Parameters:
  ///   - body: the body of the request; empty where all stands in the query.
  ///   - query: the query, decoded.
  /// - Throws: `SenderProblem` for what no known sender sends.
  package init(body: [UInt8], query: [HTTPField]) throws(SenderProblem) {
    let first = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    switch first {
    case nil where query.isEmpty:
      // OwnTracks sends nothing at all when a friend is removed.
      self.init(.ownTracks, name: nil, [])
    case nil: self = try Self.positions(query)
    case UInt8(ascii: "{"), UInt8(ascii: "["): self = try Self.json(body)
    // An app that is set to POST may send what stands behind the question mark in both.
    default: self = try Self.positions(query + Self.form(body).filter { !query.contains($0) })
    }
  }

  private static let limits = JSONLimits(textBytes: longest, tokenBytes: 16 << 10, depth: 12)

  private static func json(_ body: [UInt8]) throws(SenderProblem) -> SenderMessage {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue.parse(body.span, limits: limits) } catch {
      throw SenderProblem("the body is no JSON that can be read: byte \(error.position.byteOffset)")
    }
    if value["_type"] != nil { return try ownTracks(value, body) }
    if value["payload"] != nil { return try sensorLogger(value, body) }
    if value["event"] != nil { return try heartRatePush(value, body) }
    if value["location"] != nil { return try traccar(value, body) }
    if value["data"]?["metrics"] != nil || value["data"]?["workouts"] != nil {
      return SenderMessage(.healthAutoExport, name: nil, [])
    }
    throw SenderProblem(
      "expected what Sensor Logger, HR Push, OwnTracks, Traccar Client, OsmAnd, GPSLogger or Health Auto Export sends")
  }

  /// The fields of a form in a body.
  private static func form(_ body: [UInt8]) throws(SenderProblem) -> [HTTPField] {
    guard let text = String(validating: body, as: UTF8.self) else { throw SenderProblem("the form: expected UTF-8") }
    var fields: [HTTPField] = []
    for pair in text.trimmingSpaces.split(whereSeparator: { $0 == "&" || $0.isNewline }) {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = String(sides[0]).decodingPercents(isForm: true),
        let value = (sides.count < 2 ? "" : String(sides[1])).decodingPercents(isForm: true)
      else { throw SenderProblem("the form: expected percent escapes of UTF-8 without zero bytes") }
      fields.append(HTTPField(name, value))
    }
    return fields
  }

  /// What shows that a message is the same one: its bytes, for a sender whose messages have their times in them.
  static func name(of body: [UInt8], _ sender: ForeignSender) -> String {
    sender.rawValue + ":" + AccessSecret.base64URL(AccessSecret.digest(of: body))
  }
}

/// Values as foreign senders write them.
enum SenderValue {
  /// How much a gravity is, in metres a second squared.
  static let standardGravity = 9.80665
  /// How much a knot is, in metres a second.
  static let knot = 1_852.0 / 3_600
  /// How much a kilometre an hour is, in metres a second.
  static let kilometerPerHour = 1_000.0 / 3_600
  /// The first instant that is not a time of a sender: the year 2200.
  private static let endOfTimes: Int64 = 7_258_118_400_000_000_000

  /// A number, also one that is written as a text; `nil` for anything else, and for one that no log holds.
  static func number(_ value: JSONValue?) -> Double? {
    if let number = value?.number { return unlessBeyond(number.double) }
    return value?.string.flatMap(number)
  }

  /// A number in a text; `nil` for anything else, and for one that no log holds.
  static func number(_ text: String) -> Double? { DecimalText.double(from: text.utf8.span).flatMap(unlessBeyond) }

  private static func unlessBeyond(_ value: Double) -> Double? { LoggedNumber.range.contains(value) ? value : nil }

  /// A number that is absent when it is negative.
  static func positive(_ value: JSONValue?) -> Double? { number(value).flatMap { $0 < 0 ? nil : $0 } }

  /// A whole number, also one that is written as a text.
  static func integer(_ value: JSONValue?) -> Int64? {
    value?.number?.int64 ?? value?.string.flatMap { DecimalText($0.utf8.span)?.exactInt64 }
  }

  /// The time of nanoseconds since 1970; `nil` for one that nobody measures at.
  static func time(nanoseconds: Int64?) -> WallClockTime? {
    nanoseconds.flatMap { (0..<endOfTimes).contains($0) ? WallClockTime(nanoseconds: $0) : nil }
  }

  /// The time of an ISO 8601 text.
  static func time(iso8601 value: JSONValue?) -> WallClockTime? { value?.string.flatMap(time(iso8601:)) }

  /// The time of an ISO 8601 text.
  static func time(iso8601 text: String) -> WallClockTime? {
    time(nanoseconds: WallClockTimeText(iso8601: text)?.time.nanoseconds)
  }

  /// A position; `nil` where there can be none.
  ///
  /// - Parameters:
  ///   - accuracy: the radius of uncertainty in metres; absent when negative.
  ///   - speed: metres a second; absent when negative.
  ///   - direction: in the order of ``DirectionReading/values``; each absent when negative.
  static func location(
    _ latitude: Double?, _ longitude: Double?, altitude: Double?, accuracy: Double?, speed: Double?,
    direction: [Double?]
  ) -> SenderSample.Reading? {
    guard let latitude, let longitude, (-90...90).contains(latitude), (-180...180).contains(longitude),
      let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { return nil }
    return .location(
      LocationFix(
        coordinate: coordinate, altitudeMeters: altitude, horizontalAccuracyMeters: accuracy.flatMap(unlessNegative),
        speedMetersPerSecond: speed.flatMap(unlessNegative)),
      DirectionReading(direction.map { $0.flatMap(unlessNegative) }))
  }

  private static func unlessNegative(_ value: Double) -> Double? { value < 0 ? nil : value }

  /// The name of a device, where it is one that can be shown.
  static func device(_ value: JSONValue?) -> String? {
    guard let name = value?.string, (1...80).contains(name.utf8.count), !name.hasControlScalars else { return nil }
    return name
  }
}

internal import TextFormats

extension SenderMessage {
  /// Reads a message of Sensor Logger: entries with a name, a time in nanoseconds, and values that may stand in an object of
  /// their own.
  ///
  /// Source: github.com/tszheichoi/awesome-sensor-logger, PUSHING.md and UNITS.md. What is absent is negative. Steps are a
  /// running total of a recording. A phone's acceleration is in metres a second squared.
  static func sensorLogger(_ value: JSONValue, _ body: [UInt8]) throws(SenderProblem) -> SenderMessage {
    guard let payload = value["payload"]?.array else { throw SenderProblem("payload: expected an array") }
    let recording = value["sessionId"]?.string ?? ""
    let device = value["deviceId"]?.string ?? ""
    guard recording.utf8.count <= 200, device.utf8.count <= 200 else {
      throw SenderProblem("sessionId and deviceId: expected at most 200 bytes")
    }
    // An entry without a time was measured when the newest of the others was; where none has one, now.
    let newest = payload.compactMap { SenderValue.time(nanoseconds: SenderValue.integer($0["time"])) }.max()
    let names = Set(payload.compactMap { $0["name"]?.string.map(plain) })
    var samples: [SenderSample] = []
    var isTimed = true
    var rejected = Rejections()
    for (index, entry) in payload.enumerated() {
      guard let name = entry["name"]?.string else {
        rejected.add(index + 1, "expected an object with a name")
        continue
      }
      guard let sensor = SensorLoggerSensor(plain(name), among: names) else { continue }
      let stated = SenderValue.time(nanoseconds: SenderValue.integer(entry["time"]))
      guard stated != nil || entry["time"] == nil else {
        rejected.add(index + 1, "time: expected nanoseconds since 1970")
        continue
      }
      switch sensor.reading(entry["values"] ?? entry, counter: recording + "/" + device) {
      case .absent: continue
      case .malformed(let expected): rejected.add(index + 1, expected)
      case .found(let reading):
        if stated == nil { isTimed = false }
        samples.append(SenderSample(reading, at: stated ?? newest))
      }
    }
    // The app counts its messages from 0 again with each recording, so that their number alone does not say which one it is.
    let isNumbered = SenderValue.integer(value["messageId"]) != nil && !recording.isEmpty
    let name = isNumbered || isTimed ? name(of: body, .sensorLogger) : nil
    return SenderMessage(.sensorLogger, name: name, samples, rejected: rejected)
  }

  /// A name without what its spellings differ in: `heart rate`, `heartrate`, `HeartRate`.
  private static func plain(_ name: String) -> String {
    String(decoding: name.lowercased().utf8.filter { (0x61...0x7A).contains($0) }, as: UTF8.self)
  }
}

/// What Sensor Logger measures that can be used. The others are passed over.
private enum SensorLoggerSensor {
  case heartRate, location, watchLocation, pedometer, acceleration, rotationRate, magneticField

  enum Outcome {
    case found(SenderSample.Reading)
    /// Nothing was measured.
    case absent
    case malformed(String)
  }

  /// - Parameter names: all names of the message; where two sensors measure the same, one of them is used.
  init?(_ name: String, among names: Set<String>) {
    switch name {
    case "heartrate": self = .heartRate
    case "location": self = .location
    case "watchlocation":
      guard !names.contains("location") else { return nil }
      self = .watchLocation
    case "pedometer": self = .pedometer
    case "totalacceleration": self = .acceleration
    case "accelerometer":
      guard !names.contains("totalacceleration") else { return nil }
      self = .acceleration
    case "gyroscope": self = .rotationRate
    case "magnetometer": self = .magneticField
    default: return nil
    }
  }

  func reading(_ values: JSONValue, counter: String) -> Outcome {
    switch self {
    case .heartRate:
      guard let beats = SenderValue.number(values["bpm"]) else { return .malformed("bpm: expected a number") }
      return beats > 0 ? .found(.heartRate(beats)) : .absent
    case .location, .watchLocation:
      // The height of a watch stands above the sea under another name than a phone's.
      let isHeightKnown = SenderValue.number(values["verticalAccuracy"]).map { $0 >= 0 } ?? true
      let above = values["altitudeAboveMeanSeaLevel"] ?? values["altitude"]
      let height = isHeightKnown ? SenderValue.number(above) : nil
      let fix = SenderValue.location(
        SenderValue.number(values["latitude"]), SenderValue.number(values["longitude"]), altitude: height,
        accuracy: SenderValue.positive(values["horizontalAccuracy"]), speed: SenderValue.positive(values["speed"]),
        direction: ["verticalAccuracy", "speedAccuracy", "bearing", "bearingAccuracy"].map {
          SenderValue.number(values[$0])
        } + [nil, nil])
      return fix.map(Outcome.found) ?? .malformed("expected a latitude and a longitude")
    case .pedometer:
      guard let steps = SenderValue.integer(values["steps"]) else {
        return .malformed("steps: expected a whole number")
      }
      return StepTotals.possible.contains(Int(steps)) ? .found(.stepTotal(Int(steps), of: counter)) : .absent
    case .acceleration: return vector(values, times: 1 / SenderValue.standardGravity) { .acceleration($0) }
    case .rotationRate: return vector(values, times: 1) { .rotationRate($0) }
    case .magneticField: return vector(values, times: 1) { .magneticField($0) }
    }
  }

  private func vector(
    _ values: JSONValue, times factor: Double, _ make: ([Double]) -> SenderSample.Reading
  ) -> Outcome {
    let parts = ["x", "y", "z"].compactMap { SenderValue.number(values[$0]).map { $0 * factor } }
    return parts.count == 3 ? .found(make(parts)) : .malformed("x, y and z: expected numbers")
  }
}

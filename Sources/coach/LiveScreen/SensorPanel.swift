import WorkoutSession
import ZoneEngine

/// Every sensor of a running session as it is now; one of which nothing came is said not to be there.
struct SensorPanel: Sendable {
  /// A line a sensor.
  let lines: [String]

  /// The sensors of a session.
  init(_ streams: StreamWatch, _ pipeline: SessionPipeline, units: UnitSystem) {
    var rows: [(name: String, text: String)] = []
    for stream in [SampleStream.heartRate, .rrInterval, .steps, .location, .direction] {
      rows.append((stream.sensor, Self.text(streams[stream], pipeline, units)))
    }
    if case .heard = streams[.altitude] {
      rows.append((SampleStream.altitude.sensor, Self.text(streams[.altitude], pipeline, units)))
    }
    rows += Self.motion(streams[.motion], pipeline, units)
    if let activity = pipeline.activity {
      rows.append(("activity", "\(activity.name) since \(QuantityText.clock(activity.since))"))
    }
    let width = rows.map(\.name.count).max() ?? 0
    lines = rows.map { $0.name + String(repeating: " ", count: width + 2 - $0.name.count) + $0.text }
  }

  private static let absent = "not there"

  private static func text(
    _ state: StreamWatch.State, _ pipeline: SessionPipeline, _ units: UnitSystem
  ) -> String {
    switch state {
    case .notRecorded: "not recorded"
    case .absent: absent
    case .heard(let newest): value(newest.reading, units) + rest(newest, pipeline)
    }
  }

  /// The parts of a motion sensor, each of which a device may lack.
  private static func motion(
    _ state: StreamWatch.State, _ pipeline: SessionPipeline, _ units: UnitSystem
  ) -> [(name: String, text: String)] {
    let names = ["acceleration", "turning rate", "magnetic field"]
    guard case .heard(let newest) = state, case .motion(let reading) = newest.reading else {
      return names.map { ($0, text(state, pipeline, units)) }
    }
    let parts = [(reading.acceleration, 2, "g"), (reading.rotationRate, 2, "rad/s"), (reading.magneticField, 0, "µT")]
    return zip(names, parts).map { name, part in
      guard let axes = part.0 else { return (name, absent) }
      let values = [axes.x, axes.y, axes.z].map { QuantityText.number($0, decimals: part.1) }
      return (name, "\(values.joined(separator: "  ")) \(part.2)" + rest(newest, pipeline))
    }
  }

  /// How many come a second, or since when none does.
  private static func rest(_ newest: StreamWatch.Newest, _ pipeline: SessionPipeline) -> String {
    let age = pipeline.latest - newest.time
    if newest.isSilent || age >= .seconds(5) { return ", \(QuantityText.length(age)) ago" }
    guard let perSecond = newest.perSecond, perSecond >= 0.95 else { return "" }
    return ", \(QuantityText.number(perSecond, decimals: 0)) a second"
  }

  /// What a sensor says: metres a second, as devices do, or miles an hour.
  private static func speed(_ metersPerSecond: Double, _ units: UnitSystem) -> String {
    switch units {
    case .metric: QuantityText.number(metersPerSecond, decimals: 1, unit: " m/s")
    case .imperial: units.speed(metersPerSecond: metersPerSecond)
    }
  }

  private static func value(_ reading: Reading, _ units: UnitSystem) -> String {
    switch reading {
    case .heartRate(let beatsPerMinute): QuantityText.number(beatsPerMinute, decimals: 0, unit: " bpm")
    case .rrInterval(let milliseconds): QuantityText.number(milliseconds, decimals: 0, unit: " ms")
    case .steps(let count): "\(count) more"
    case .cadence(let stepsPerMinute): QuantityText.number(stepsPerMinute, decimals: 0, unit: " a minute")
    case .distance(let meters): units.distance(meters: meters)
    case .speed(let metersPerSecond): Self.speed(metersPerSecond, units)
    case .location(let fix):
      [
        QuantityText.number(fix.coordinate.latitudeDegrees, decimals: 5, unit: "°"),
        QuantityText.number(fix.coordinate.longitudeDegrees, decimals: 5, unit: "°"),
        fix.horizontalAccuracyMeters.map { "±" + units.elevation(meters: $0) },
        fix.altitudeMeters.map { units.elevation(meters: $0) + " high" },
        fix.speedMetersPerSecond.map { Self.speed($0, units) },
      ].compactMap(\.self).joined(separator: ", ")
    case .altitude(let meters): units.elevation(meters: meters) + " high"
    case .direction(let direction):
      [
        direction.courseDegrees.map { "course " + QuantityText.number($0, decimals: 0, unit: "°") },
        direction.headingDegrees.map { "heading " + QuantityText.number($0, decimals: 0, unit: "°") },
        direction.verticalAccuracyMeters.map { "altitude ±" + units.elevation(meters: $0) },
        direction.speedAccuracyMetersPerSecond.map { "speed ±" + Self.speed($0, units) },
      ].compactMap(\.self).joined(separator: ", ")
    case .motion: ""
    }
  }
}

import WorkoutSession
import ZoneEngine

/// Every sensor of a running session as it is now; one of which nothing came is said not to be there.
struct SensorPanel: Sendable {
  /// A sensor and what it says, at length and in short.
  private struct Row {
    let name: String
    let shortName: String
    let text: String
    let shortText: String

  }

  /// A line a sensor, in a menu of as many.
  let panel: LivePanel
  /// A line a sensor, at length.
  var lines: [String] { panel.items.compactMap(\.line.first) }

  /// The sensors of a session.
  init(_ streams: StreamWatch, _ pipeline: SessionPipeline, units: UnitSystem) {
    var streamsShown: [SampleStream] = [.heartRate, .rrInterval, .steps, .location, .direction]
    if case .heard = streams[.altitude] { streamsShown.append(.altitude) }
    var rows = streamsShown.map { stream in
      let state = streams[stream]
      return Row(
        name: stream.sensor, shortName: stream == .rrInterval ? "beats" : stream.sensor,
        text: Self.text(state, pipeline, units, isShort: false),
        shortText: Self.text(state, pipeline, units, isShort: true))
    }
    rows += Self.motion(streams[.motion], pipeline, units)
    if let activity = pipeline.activity {
      let text = "\(activity.name) since \(QuantityText.clock(activity.since))"
      rows.append(Row(name: "activity", shortName: "activity", text: text, shortText: text))
    }
    let width = rows.map(\.name.count).max() ?? 0
    let items = rows.map { row in
      let short = "\(row.shortName) \(row.shortText)"
      return LivePanel.Item(
        line: [
          row.name + String(repeating: " ", count: width + 2 - row.name.count) + row.text, "\(row.name) \(row.text)",
          "\(row.name) \(row.shortText)", short,
        ], cell: [short])
    }
    panel = LivePanel(kind: .readings, items: items, notes: [])
  }

  private static let absent = "not there"

  private static func text(
    _ state: StreamWatch.State, _ pipeline: SessionPipeline, _ units: UnitSystem, isShort: Bool
  ) -> String {
    switch state {
    case .notRecorded: "not recorded"
    case .absent: absent
    case .heard(let newest):
      value(newest.reading, units, isShort: isShort) + rest(newest, pipeline, isShort: isShort)
    }
  }

  /// The parts of a motion sensor, each of which a device may lack.
  private static func motion(
    _ state: StreamWatch.State, _ pipeline: SessionPipeline, _ units: UnitSystem
  ) -> [Row] {
    let names = [("acceleration", "acceleration"), ("turning rate", "turning"), ("magnetic field", "field")]
    guard case .heard(let newest) = state, case .motion(let reading) = newest.reading else {
      let text = text(state, pipeline, units, isShort: false)
      return names.map { Row(name: $0, shortName: $1, text: text, shortText: text) }
    }
    let parts = [(reading.acceleration, 2, "g"), (reading.rotationRate, 2, "rad/s"), (reading.magneticField, 0, "µT")]
    return zip(names, parts).map { names, part in
      guard let axes = part.0 else { return Row(name: names.0, shortName: names.1, text: absent, shortText: absent) }
      let values = [axes.x, axes.y, axes.z].map { QuantityText.number($0, decimals: part.1) }
      return Row(
        name: names.0, shortName: names.1,
        text: "\(values.joined(separator: "  ")) \(part.2)" + rest(newest, pipeline, isShort: false),
        shortText: "\(values.joined(separator: " ")) \(part.2)" + rest(newest, pipeline, isShort: true))
    }
  }

  /// How many come a second, which is left out in short, or since when none does.
  private static func rest(_ newest: StreamWatch.Newest, _ pipeline: SessionPipeline, isShort: Bool) -> String {
    let age = pipeline.latest - newest.time
    if newest.isSilent || age >= .seconds(5) { return ", \(QuantityText.length(age)) ago" }
    guard !isShort, let perSecond = newest.perSecond, perSecond >= 0.95 else { return "" }
    return ", \(QuantityText.number(perSecond, decimals: 0)) a second"
  }

  /// What a sensor says: metres a second, as devices do, or miles an hour.
  private static func speed(_ metersPerSecond: Double, _ units: UnitSystem) -> String {
    switch units {
    case .metric: QuantityText.number(metersPerSecond, decimals: 1, unit: " m/s")
    case .imperial: units.speed(metersPerSecond: metersPerSecond)
    }
  }

  private static func value(_ reading: Reading, _ units: UnitSystem, isShort: Bool) -> String {
    switch reading {
    case .heartRate(let beatsPerMinute): QuantityText.number(beatsPerMinute, decimals: 0, unit: " bpm")
    case .rrInterval(let milliseconds): QuantityText.number(milliseconds, decimals: 0, unit: " ms")
    case .steps(let count): "\(count) more"
    case .cadence(let stepsPerMinute): QuantityText.number(stepsPerMinute, decimals: 0, unit: " a minute")
    case .distance(let meters): units.distance(meters: meters)
    case .speed(let metersPerSecond): Self.speed(metersPerSecond, units)
    case .location(let fix):
      Self.joined(
        [
          QuantityText.number(fix.coordinate.latitudeDegrees, decimals: 5, unit: "°"),
          QuantityText.number(fix.coordinate.longitudeDegrees, decimals: 5, unit: "°"),
          fix.horizontalAccuracyMeters.map { "±" + units.elevation(meters: $0) },
          fix.altitudeMeters.map { units.elevation(meters: $0) + " high" },
          fix.speedMetersPerSecond.map { Self.speed($0, units) },
        ], first: isShort ? 2 : nil)
    case .altitude(let meters): units.elevation(meters: meters) + " high"
    case .direction(let direction):
      Self.joined(
        [
          direction.courseDegrees.map { "course " + QuantityText.number($0, decimals: 0, unit: "°") },
          direction.headingDegrees.map { "heading " + QuantityText.number($0, decimals: 0, unit: "°") },
          direction.verticalAccuracyMeters.map { "altitude ±" + units.elevation(meters: $0) },
          direction.speedAccuracyMetersPerSecond.map { "speed ±" + Self.speed($0, units) },
        ], first: isShort ? 1 : nil)
    case .motion: ""
    }
  }

  /// What is known of several parts, of which in short only the first ones are said.
  private static func joined(_ parts: [String?], first count: Int?) -> String {
    let known = parts.compactMap(\.self)
    return known.prefix(count ?? known.count).joined(separator: ", ")
  }
}

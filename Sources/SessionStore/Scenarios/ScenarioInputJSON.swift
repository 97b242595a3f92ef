internal import Recordings
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Reads the `input` of a scenario: parts in any order, each a segment, a list of samples, a command or a CSV file.
struct ScenarioInputReader {
  /// The longest session that a scenario can describe: a week.
  static let longestSeconds: Int64 = 604_800
  /// The most parts that an input may have.
  static let largestPartCount = 10_000

  private static let streams: KeyValuePairs<String, SampleStream> = [
    "heartRate": .heartRate, "steps": .steps, "cadence": .cadence, "distance": .distance, "speed": .speed,
    "location": .location, "altitude": .altitude,
  ]

  /// The folder in which CSV files are looked for.
  let folder: String
  /// The zones that targets are read in.
  let zones: HeartRateZones
  private(set) var queue = ScenarioQueue()

  init(folder: String, zones: HeartRateZones) {
    self.folder = folder
    self.zones = zones
  }

  /// Reads every part.
  mutating func read(_ parts: [JSONValue], at path: JSONPath) throws(JSONError) {
    for (index, part) in parts.enumerated() {
      var reader = try JSONObjectReader(part, path: path.appending(index: index))
      if reader.has("command") {
        let command = try command(&reader)
        queue.add(command, at: try reader.required("atSeconds", .seconds(0, Self.longestSeconds)))
      } else if reader.has("csv") {
        try readCSV(&reader)
      } else {
        try readStream(&reader)
      }
      try reader.finish()
      guard queue.count <= ScenarioQueue.largestCount else { throw Self.tooMany(reader, about: "csv") }
    }
  }

  private func command(_ reader: inout JSONObjectReader) throws(JSONError) -> SessionCommand {
    let command = try SessionCommand(members: &reader, isStarted: true)
    guard let problem = command.problem(in: zones) else { return command }
    throw reader.error(problem, expected: "a target in the zones", about: "target")
  }

  private static func tooMany(_ reader: JSONObjectReader, about key: String) -> JSONError {
    reader.error(
      .notAllowed("more"), expected: "at most \(ScenarioQueue.largestCount) samples and commands in all", about: key)
  }

  private mutating func readStream(_ reader: inout JSONObjectReader) throws(JSONError) {
    let stream = try reader.required("stream", .word(Self.streams))
    let source = stream == .heartRate ? try reader.optional("source", .nonEmptyString) : nil
    let deliveredAfter = try reader.optional("arrivesAfterSeconds", .seconds(0, Self.longestSeconds))
    if reader.has("samples") {
      let field = JSONField<[Sample]>.array(
        of: Self.sample(of: stream, source: source), count: 1...ScenarioQueue.largestCount)
      for sample in try reader.required("samples", field) { queue.add(sample, deliveredAfter: deliveredAfter) }
      return
    }
    let times = try ScenarioSegmentTimes(&reader)
    guard times.count <= ScenarioQueue.largestCount - queue.count else {
      throw Self.tooMany(reader, about: "everySeconds")
    }
    let reading = try Self.readings(of: stream, over: times, &reader)
    for index in 0..<times.count {
      guard let value = reading(index) else {
        throw reader.error(.notAllowed("a place beyond it"), expected: "a course on the map", about: "start")
      }
      queue.add(Sample(value, at: times.time(index), source: source), deliveredAfter: deliveredAfter)
    }
  }

  // MARK: - Readings

  private static let heartRate = JSONField<Double>.double(in: -1_000...1_000)
  private static let steps = JSONField<Int>.int(in: 0...1_000_000)
  private static let cadence = JSONField<Double>.double(in: 0...1_000)
  private static let meters = JSONField<Double>.double(in: 0...10_000_000)
  private static let metersPerSecond = JSONField<Double>.double(in: 0...100)
  private static let altitude = JSONField<Double>.double(in: -500...9_000)
  private static let latitude = JSONField<Double>.double(in: -90...90)
  private static let longitude = JSONField<Double>.double(in: -180...180)
  private static let accuracy = JSONField<Double>.double(in: -1...100_000)

  /// The readings of a segment by their number; `nil` for one that is impossible.
  private static func readings(
    of stream: SampleStream, over times: ScenarioSegmentTimes, _ reader: inout JSONObjectReader
  ) throws(JSONError) -> (Int) -> Reading? {
    switch stream {
    case .heartRate:
      let ramp = try reader.required("beatsPerMinute", ScenarioRamp.field(of: heartRate))
      return { .heartRate(ramp.value(at: times.fraction($0))) }
    case .cadence:
      let ramp = try reader.required("stepsPerMinute", ScenarioRamp.field(of: cadence))
      return { .cadence(ramp.value(at: times.fraction($0))) }
    case .distance:
      let ramp = try reader.required("meters", ScenarioRamp.field(of: meters))
      return { .distance(ramp.value(at: times.fraction($0))) }
    case .speed:
      let ramp = try reader.required("metersPerSecond", ScenarioRamp.field(of: metersPerSecond))
      return { .speed(ramp.value(at: times.fraction($0))) }
    case .altitude:
      let ramp = try reader.required("altitudeMeters", ScenarioRamp.field(of: altitude))
      return { .altitude(ramp.value(at: times.fraction($0))) }
    case .steps:
      let count = try reader.required("count", steps)
      return { _ in .steps(count) }
    case .location:
      let start = try reader.required("start", Self.coordinate)
      let bearing = try reader.optional("bearingDegrees", .double(in: 0...360)) ?? 0
      let speed = try reader.required("speedMetersPerSecond", .double(in: 0...100))
      let startMeters = try reader.optional("startMeters", meters) ?? 0
      let radius = try reader.optional("horizontalAccuracyMeters", accuracy)
      let altitude = try reader.optional("altitudeMeters", ScenarioRamp.field(of: altitude))
      guard let route = ScenarioRoute(start: start, bearingDegrees: bearing) else {
        throw reader.error(.notAllowed("one at a pole"), expected: "a start within 89.9° of latitude", about: "start")
      }
      return { index in
        route.coordinate(atMeters: startMeters + speed * times.elapsedSeconds(index)).map {
          .location(
            LocationFix(
              coordinate: $0, altitudeMeters: altitude?.value(at: times.fraction(index)),
              horizontalAccuracyMeters: radius))
        }
      }
    case .motion, .rrInterval, .direction: return { _ in nil }
    }
  }

  private static let coordinate = JSONField<Coordinate>.object { (reader) throws(JSONError) in
    let degreesNorth = try reader.required("latitudeDegrees", latitude)
    let degreesEast = try reader.required("longitudeDegrees", longitude)
    guard let coordinate = Coordinate(latitudeDegrees: degreesNorth, longitudeDegrees: degreesEast) else {
      throw reader.error(.notAllowed("another"), expected: "a place on the Earth", about: "latitudeDegrees")
    }
    return coordinate
  }

  /// One written sample: `[seconds, value]`, for a position `[seconds, latitude, longitude]` and, where known, the
  /// radius of uncertainty.
  private static func sample(of stream: SampleStream, source: String?) -> JSONField<Sample> {
    let expected =
      stream == .location ? "[seconds, latitude, longitude] or with the accuracy" : "[seconds, value]"
    return JSONField(expected) { (value, path) throws(JSONError) in
      let numbers = try JSONField<[JSONValue]>.array(of: .any, count: stream == .location ? 3...4 : 2...2)
        .read(value, at: path)
      let time = try JSONField<SessionTime>.seconds(0, longestSeconds).read(numbers[0], at: path.appending(index: 0))
      let second = path.appending(index: 1)
      let reading: Reading
      switch stream {
      case .heartRate: reading = .heartRate(try heartRate.read(numbers[1], at: second))
      case .steps: reading = .steps(try steps.read(numbers[1], at: second))
      case .cadence: reading = .cadence(try cadence.read(numbers[1], at: second))
      case .speed: reading = .speed(try metersPerSecond.read(numbers[1], at: second))
      case .altitude: reading = .altitude(try altitude.read(numbers[1], at: second))
      case .distance, .motion, .rrInterval, .direction:
        reading = .distance(try meters.read(numbers[1], at: second))
      case .location:
        let north = try latitude.read(numbers[1], at: second)
        let east = try longitude.read(numbers[2], at: path.appending(index: 2))
        let radius = numbers.count > 3 ? try accuracy.read(numbers[3], at: path.appending(index: 3)) : nil
        guard let coordinate = Coordinate(latitudeDegrees: north, longitudeDegrees: east) else {
          throw JSONError(.notAllowed("another"), expected: "a place on the Earth", at: value.position, path: path)
        }
        reading = .location(LocationFix(coordinate: coordinate, horizontalAccuracyMeters: radius))
      }
      return Sample(reading, at: time, source: source)
    }
  }

  // MARK: - CSV

  private mutating func readCSV(_ reader: inout JSONObjectReader) throws(JSONError) {
    let name = try reader.required(
      "csv",
      JSONField<String>.nonEmptyString.mapped(to: "the name of a CSV file beside the scenario, such as noise.csv") {
        $0.hasSuffix(".csv") && !$0.hasPrefix(".") && !$0.utf8.contains(UInt8(ascii: "/")) ? $0 : nil
      })
    func refuse(_ problem: String) -> JSONError {
      reader.error(.notAllowed(problem), expected: "a CSV recording without a fault", about: "csv")
    }
    do {
      let recording = try CSVRecording(path: folder + "/" + name)
      if let warning = recording.facts.oddities.first {
        throw refuse("\(warning.kind.rawValue) at \(warning.position)\(warning.detail.map { ": " + $0 } ?? "")")
      }
      guard recording.facts.sampleCount <= ScenarioQueue.largestCount - queue.count else {
        throw Self.tooMany(reader, about: "csv")
      }
      try recording.forEachSample { queue.add($0, deliveredAfter: nil) }
    } catch let error as JSONError {
      throw error
    } catch {
      throw refuse("\(error)")
    }
  }
}

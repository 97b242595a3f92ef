package import TextFormats
package import ZoneEngine

/// When something happened, on the clock that its sender used.
package enum Stamp: Hashable, Sendable {
  /// A time of day.
  case wall(WallClockTime)
  /// Seconds since the start of the session.
  case session(SessionTime)

  /// Before it no sender had a clock that was set: 2000-01-01.
  private static let earliestLikely: Int64 = 946_684_800_000_000_000

  /// Whether a session may begin at it: a clock before 2000, or more than a day ahead, was never set.
  package func isLikely(arrival: WallClockTime) -> Bool {
    guard case .wall(let time) = self else { return true }
    let ahead = SessionTime(nanoseconds: time.nanoseconds) - SessionTime(nanoseconds: arrival.nanoseconds)
    return time.nanoseconds >= Self.earliestLikely && ahead <= .seconds(86_400)
  }
}

/// A reading as it is sent.
package struct LiveSample: Hashable, Sendable {
  /// What was measured.
  package let reading: Reading
  /// When, on the clock of the sender.
  package let stamp: Stamp
  /// The name of the device, where it is sent.
  package let source: String?
  /// What came beside it and decides nothing: the intervals between beats since the line before, oldest first, of a heart
  /// rate; the direction of a position.
  package let beside: [Reading]
  /// All readings, where several are sent at once, of which `reading` is the first; only of motion.
  package let block: MotionBlock?

  /// Creates a sample.
  package init(
    _ reading: Reading, at stamp: Stamp, source: String?, beside: [Reading] = [], block: MotionBlock? = nil
  ) {
    self.block = block
    self.reading = reading
    self.stamp = stamp
    self.source = source
    self.beside = beside
  }

  /// The intervals between beats since the line before, in milliseconds, oldest first.
  package var rrMilliseconds: [Double] {
    beside.compactMap { if case .rrInterval(let milliseconds) = $0 { milliseconds } else { nil } }
  }

  /// The direction of a position; absent where the device does not say it.
  package var direction: DirectionReading? {
    for case .direction(let direction) in beside { return direction }
    return nil
  }
}

extension LiveSample {
  /// Whether the raw log holds all of it.
  var fitsLog: Bool {
    guard reading.fitsLog, beside.isEmpty || beside.allSatisfy(\.fitsLog) else { return false }
    return block?.readings.allSatisfy { Reading.motion($0).fitsLog } ?? true
  }

  /// What is wrong with one that the raw log does not hold.
  var logProblem: String { "\(reading.stream.name): expected finite numbers that a log holds, up to 1e15" }
}

/// One line of the live stream.
package enum LiveLine: Hashable, Sendable {
  /// A reading with its time and, where it is sent, its source.
  case sample(LiveSample)
  /// A command; without a time it is meant for now.
  case command(SessionCommand, id: String, issuedAt: Stamp?)
  /// A command that cannot be understood: its identity, where it has one, why, and what was expected.
  case refused(id: String?, CommandRefusal, problem: String)

  /// A reading without intervals between beats.
  package static func sample(_ reading: Reading, at stamp: Stamp, source: String?) -> LiveLine {
    .sample(LiveSample(reading, at: stamp, source: source))
  }

  /// The longest line that is read, in bytes.
  package static let longest = 64 << 10

  /// Reads a line. Members that are not known are read past, because a sender may send more than is used.
  ///
  /// - Throws: ``LiveLineProblem`` with what is wrong and what was expected, in the words of the protocol.
  package init(_ bytes: Span<UInt8>) throws(LiveLineProblem) {
    if let plain = PlainLiveLine.read(bytes) { self = plain } else { try self.init(carefully: bytes) }
  }

  /// Reads a line, whatever it looks like.
  init(carefully bytes: Span<UInt8>) throws(LiveLineProblem) {
    var kind: Kind?
    do throws(JSONError) {
      let value = try JSONValue.parse(bytes, limits: Self.limits)
      var reader = try JSONObjectReader(value)
      let type = try reader.required("type", Self.type)
      kind = type
      switch type {
      case .heartRate:
        let beatsPerMinute = try reader.required("beatsPerMinute", Self.number)
        let intervals = try reader.optional("rrMilliseconds", Self.intervals) ?? []
        self = try Self.sample(.heartRate(beatsPerMinute), &reader, beside: intervals.map { .rrInterval($0) })
      case .steps:
        let count = try reader.required("count", .int(in: Reading.stepCounts))
        self = try Self.sample(.steps(count), &reader)
      case .location where !reader.has("latitude") && !reader.has("longitude") && reader.has("altitudeMeters"),
        .altitude:
        let meters = try reader.required("altitudeMeters", Self.number)
        self = try Self.sample(.altitude(meters), &reader)
      case .location:
        let fix = try Self.fix(&reader)
        self = try Self.sample(.location(fix), &reader, beside: try Self.direction(&reader))
      case .motion:
        let (first, block) = try Self.motion(&reader)
        self = try Self.sample(.motion(first), &reader, block: block)
      case .cadence:
        let stepsPerMinute = try reader.required("stepsPerMinute", Self.number)
        self = try Self.sample(.cadence(stepsPerMinute), &reader)
      case .distance:
        let meters = try reader.required("meters", Self.number)
        self = try Self.sample(.distance(meters), &reader)
      case .speed:
        let metersPerSecond = try reader.required("metersPerSecond", Self.number)
        self = try Self.sample(.speed(metersPerSecond), &reader)
      case .rrInterval:
        let milliseconds = try reader.required("milliseconds", Self.interval)
        self = try Self.sample(.rrInterval(milliseconds), &reader)
      case .direction:
        guard let direction = try Self.direction(&reader).first else {
          throw reader.error(
            .missingKey, expected: "one of \(DirectionReading.names.joined(separator: ", "))", about: "courseDegrees")
        }
        self = try Self.sample(direction, &reader)
      case .command: self = Self.command(&reader)
      }
    } catch {
      guard kind == nil, let command = Self.commandOfBadLine(bytes, error) else {
        throw LiveLineProblem(error, in: kind)
      }
      self = command
    }
  }

  /// The types of a line.
  enum Kind: String, CaseIterable, Sendable {
    case heartRate, steps, location, altitude, motion, cadence, distance, speed, rrInterval, direction, command
  }

  /// The longest text or number in a line, in bytes.
  static let longestToken = 1_024
  /// How many intervals between beats a line may have, and how long they are.
  static let intervalCounts = 0...1_000
  static let intervalMilliseconds = 0.0...1_000_000.0
  /// The times since the start that a session may have, in nanoseconds. A sample beyond them is kept, and has no place.
  static let sessionNanoseconds: ClosedRange<Int64> = 0...864_000_000_000_000
  /// The times since the start that are kept of samples, in nanoseconds: 150 years, so that a log can show each as a time of day.
  static let keptNanoseconds: ClosedRange<Int64> = -4_733_640_000_000_000_000...4_733_640_000_000_000_000

  /// A number that the raw log holds.
  static let number = JSONField<Double>(
    anyNumber.expected,
    nested: { (value, path) throws(JSONError) in
      _ = try anyNumber.read(value, at: path)
      return try loggedNumber.read(value, at: path)
    })
  private static let anyNumber = JSONField<Double>.double
  private static let loggedNumber = JSONField<Double>.double(in: LoggedNumber.range)

  private static let limits = JSONLimits(textBytes: longest, tokenBytes: longestToken, depth: 8)
  private static let type = JSONField<Kind>("one of the types \(LiveLineProblem.types)") { value in
    value.string.flatMap { Kind(rawValue: $0) }
  }
  private static let identity = JSONField<String>("a text of 1 to 200 characters, or a whole number") { value in
    if let number = value.number?.int64 { return "\(number)" }
    return value.string.flatMap { (1...200).contains($0.count) ? $0 : nil }
  }
  private static let interval = JSONField<Double>.double(in: intervalMilliseconds)
  private static let intervals = JSONField<[Double]>.array(of: interval, count: intervalCounts)
    .mapped(to: "an array of milliseconds") { $0 }
  private static func sample(
    _ reading: Reading, _ reader: inout JSONObjectReader, beside: [Reading] = [], block: MotionBlock? = nil
  ) throws(JSONError) -> LiveLine {
    guard let stamp = try sampleStamp(&reader) else {
      throw reader.error(.missingKey, expected: "time or atSeconds", about: "time")
    }
    let source = try reader.optional("source", .nonEmptyString)
    return .sample(LiveSample(reading, at: stamp, source: source, beside: beside, block: block))
  }

  /// A command is answered whatever is wrong with it.
  private static func command(_ reader: inout JSONObjectReader) -> LiveLine {
    var id: String?
    var refusal = CommandRefusal.missingID
    do throws(JSONError) {
      let found = try reader.required("id", identity)
      id = found
      refusal = .unknownCommand
      try SessionCommand.requireWord(&reader)
      refusal = .impossibleValue
      let command = try SessionCommand(members: &reader)
      return .command(command, id: found, issuedAt: try commandStamp(&reader))
    } catch {
      return .refused(id: id, refusal, problem: LiveLineProblem(error, in: .command).description)
    }
  }

  /// The answer to a command of the form of JSON that holds more than a line may, such as an endless `id`, or what cannot be, such
  /// as a number of 1e400 or a key that is there twice; `nil` when it is no command.
  private static func commandOfBadLine(_ bytes: Span<UInt8>, _ error: JSONError) -> LiveLine? {
    switch error.problem {
    case .tooLong, .tooDeep, .notFinite, .loneSurrogate, .duplicateKey: break
    case .endOfText, .unexpectedByte, .invalidUTF8, .controlCharacter, .invalidEscape, .zerosInFront, .wrongType,
      .notAllowed, .missingKey, .unknownKey:
      return nil
    }
    let generous = JSONLimits(textBytes: longest, tokenBytes: longest, depth: 64)
    guard let value = try? JSONValue.parseForAnswer(bytes, limits: generous),
      var reader = try? JSONObjectReader(value), (try? reader.required("type", type)) == .command
    else { return nil }
    let problem = LiveLineProblem(error, in: .command).description
    return switch command(&reader) {
    case .refused(let id, let refusal, _): .refused(id: id, refusal, problem: problem)
    case .command(_, let id, _): .refused(id: id, .impossibleValue, problem: problem)
    case .sample: nil
    }
  }

  /// The time of a sample: an ISO 8601 time, or seconds since the start of the session, whatever they are.
  private static func sampleStamp(_ reader: inout JSONObjectReader) throws(JSONError) -> Stamp? {
    if reader.has("time") { return try reader.required("time", anyWall) }
    return reader.has("atSeconds") ? try reader.required("atSeconds", any) : nil
  }

  /// The first of the times of a command that is there, which is one that a session can have.
  private static func commandStamp(_ reader: inout JSONObjectReader) throws(JSONError) -> Stamp? {
    for key in ["issuedAt", "time", "atSeconds"] where reader.has(key) {
      return try reader.required(key, key == "time" ? wall : either)
    }
    return nil
  }

  private static let wall = JSONField<WallClockTimeText>.time.mapped(to: "an ISO 8601 time") { Stamp.wall($0.time) }
  private static let anyWall = JSONField<Stamp>("an ISO 8601 time such as 2026-11-20T07:00:00Z") { value in
    value.string.flatMap(nearest)
  }
  private static let secondsOrTime = "seconds from 0 to 864000, or an ISO 8601 time"
  private static let either = JSONField<Stamp>(secondsOrTime) { value in
    if let nanoseconds = value.number?.nanoseconds {
      return sessionNanoseconds.contains(nanoseconds) ? .session(SessionTime(nanoseconds: nanoseconds)) : nil
    }
    return value.string.flatMap { WallClockTimeText(iso8601: $0) }.map { .wall($0.time) }
  }
  private static let any = JSONField<Stamp>(secondsOrTime) { value in
    guard let seconds = value.number?.double else { return value.string.flatMap(nearest) }
    if let nanoseconds = value.number?.nanoseconds, keptNanoseconds.contains(nanoseconds) {
      return .session(SessionTime(nanoseconds: nanoseconds))
    }
    return .session(SessionTime(nanoseconds: seconds < 0 ? keptNanoseconds.lowerBound : keptNanoseconds.upperBound))
  }

  /// The first and the last time that a log can show.
  private static let outermost = (
    first: WallClockTime(nanoseconds: -9_214_560_000_000_000_000),
    last: WallClockTime(nanoseconds: 7_289_654_399_000_000_000)
  )

  /// A time as text; of one before the year 1678 or after 2200, as of a clock that was never set, the first or last that can be
  /// kept.
  private static func nearest(_ text: String) -> Stamp? {
    if let known = WallClockTimeText(iso8601: text) { return .wall(known.time) }
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, let year = Int(String(decoding: bytes[..<4], as: UTF8.self)),
      bytes[..<4].allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), !(1_678...2_200).contains(year)
    else { return nil }
    // The rest has to be a time of a year that has the same days.
    let sameDays = Array((CivilDate.isLeap(year) ? "2000" : "2001").utf8) + bytes[4...]
    guard WallClockTimeText(iso8601: sameDays.span) != nil else { return nil }
    return .wall(year < 1_678 ? outermost.first : outermost.last)
  }

  private static func fix(_ reader: inout JSONObjectReader) throws(JSONError) -> LocationFix {
    let latitude = try reader.required("latitude", .double(in: -90...90))
    let longitude = try reader.required("longitude", .double(in: -180...180))
    guard let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) else {
      throw reader.error(.notAllowed("\(latitude)"), expected: "a latitude and a longitude", about: "latitude")
    }
    return LocationFix(
      coordinate: coordinate, altitudeMeters: try reader.optional("altitudeMeters", number),
      horizontalAccuracyMeters: try reader.optional("horizontalAccuracyMeters", number),
      speedMetersPerSecond: try reader.optional("speedMetersPerSecond", number))
  }

  private static func direction(_ reader: inout JSONObjectReader) throws(JSONError) -> [Reading] {
    var values: [Double?] = []
    for name in DirectionReading.names { values.append(try reader.optional(name, number)) }
    return DirectionReading(values).map { [.direction($0)] } ?? []
  }
}

/// Why a line cannot be used, and what was expected, in the words of the protocol.
package struct LiveLineProblem: Error, Hashable, Sendable, CustomStringConvertible {
  private let error: JSONError
  private let kind: LiveLine.Kind?

  /// The types of a line, as words.
  static let types = LiveLine.Kind.allCases.map(\.rawValue).joined(separator: ", ")

  /// What is wrong with a line, of which the type may be known.
  init(_ error: JSONError, in kind: LiveLine.Kind?) { (self.error, self.kind) = (error, kind) }

  /// The words, which are made when somebody reads them: of a thousand bad lines nobody reads all.
  package var description: String {
    let path = "\(error.path)"
    let problem = path.isEmpty ? error.explanation : "\(path): \(error.explanation)"
    let expected =
      switch kind {
      case nil: "a line is one JSON object whose type is one of \(Self.types)"
      case .heartRate: "a heartRate line has time or atSeconds, beatsPerMinute, and may have source, rrMilliseconds"
      case .steps: "a steps line has time or atSeconds, and count, the steps since the steps line before"
      case .location:
        "a location line has time or atSeconds, latitude and longitude in degrees, and may have altitudeMeters, "
          + "horizontalAccuracyMeters, speedMetersPerSecond, "
          + DirectionReading.names.joined(separator: ", ")
      case .altitude: "an altitude line has time or atSeconds, and altitudeMeters, the metres above the sea"
      case .motion:
        "a motion line has time or atSeconds, and some of acceleration (g), rotationRate (rad/s), magneticField (µT), "
          + "each an array of three numbers, or with rateHz an array of such arrays"
      case .cadence: "a cadence line has time or atSeconds, and stepsPerMinute, the steps of both feet"
      case .distance: "a distance line has time or atSeconds, and meters, those since the start"
      case .speed: "a speed line has time or atSeconds, and metersPerSecond"
      case .rrInterval: "an rrInterval line has time or atSeconds, and milliseconds, the time between two beats"
      case .direction:
        "a direction line has time or atSeconds, and some of " + DirectionReading.names.joined(separator: ", ")
      case .command:
        "a command line has id, and command: start, pause, resume, lap, stop, target (with target) or strategy (with "
          + "strategy); it may have issuedAt"
      }
    return "\(problem); \(expected)"
  }
}

package import TextFormats
package import ZoneEngine

/// What was true on the day of a session: enough to judge its samples again in the same way, whatever changes later.
package struct SessionManifest: Sendable {
  /// The version of the format.
  package static let version = 1

  /// The identity of the session: the name of its folder.
  package let sessionID: String
  /// When the session began.
  package let start: WallClockTime
  /// How far the local clock was ahead of UTC.
  package let utcOffsetSeconds: Int
  /// What was asked for; the age is that of the day.
  package let request: CoachingRequest
  /// The streams that were recorded.
  package let streams: [SampleStream]
  /// The duration limit, where there was one.
  package let durationLimit: SessionTime?
  /// The version of the program that recorded.
  package let programVersion: String
  /// The person, as it was on the day; absent when nobody said who it is.
  package let who: SessionPerson?
  /// Where its samples came from; absent for a session of an older program that does not say so.
  package let origin: SessionOrigin?
  /// The file that the session was imported from; absent for one that was recorded here.
  package let source: Source?
  /// What was listened to while it was recorded, in the words of `--source`, a file without its folder; empty for one that
  /// was imported, or was recorded by an older program.
  package let inputs: [String]
  /// How its strategy was drawn; absent for one that was chosen.
  package let randomization: Randomization?
  /// With what activities were recognised; absent where they were not.
  package let recognition: RecognitionFacts?
  /// How motion is kept. A program that does not know of another way than text refuses the manifest, so that it does not take
  /// the session for one without motion.
  package let motionLog: MotionLogFormat

  /// Where an imported session comes from.
  package struct Source: Hashable, Sendable {
    /// The name of the file, without its folder.
    package let file: String
    /// Its format, such as `fit`.
    package let format: String
    /// The device that recorded, where the file states it.
    package let device: String?
    /// Kilocalories as the file states them, in whatever way its device came to them; absent where it states none.
    package let energyKilocalories: Double?
    /// The more precise kind of the sport, in words of the FIT profile (`treadmill`); absent where the file states none, or
    /// another sport than the session has.
    package let subSport: String?

    /// Creates a source.
    package init(
      file: String, format: String, device: String?, energyKilocalories: Double? = nil, subSport: String? = nil
    ) {
      self.file = file
      self.format = format
      self.device = device
      self.energyKilocalories = energyKilocalories
      self.subSport = subSport
    }
  }

  /// Creates a manifest; the birth date of the request becomes the age on the day. A session with a source is imported
  /// when nothing else is said.
  package init(
    sessionID: String, start: WallClockTime, utcOffsetSeconds: Int, request: CoachingRequest, streams: [SampleStream],
    durationLimit: SessionTime?, person: SessionPerson? = nil, origin: SessionOrigin? = nil, source: Source? = nil,
    inputs: [String] = [], randomization: Randomization? = nil, recognition: RecognitionFacts? = nil,
    motionLog: MotionLogFormat = .csv
  ) {
    self.motionLog = motionLog
    self.recognition = recognition
    self.sessionID = sessionID
    self.start = start
    self.utcOffsetSeconds = utcOffsetSeconds
    var request = request
    request.profile.ageYears = request.profile.age(on: start.civilDate(utcOffsetSeconds: utcOffsetSeconds))
    self.request = request
    self.streams = streams
    self.durationLimit = durationLimit
    who = person
    self.origin = origin ?? source.map { _ in .imported }
    self.source = source
    self.inputs = inputs
    self.randomization = randomization
    programVersion = Program.version
  }

  /// The name of the profile of the person on the day; absent when nobody said who it is.
  package var person: String? { who?.name }

  /// The settings of an engine, as they were.
  ///
  /// - Throws: `ZoneError` when the manifest was changed into something impossible.
  package func settings() throws(ZoneError) -> CoachingSettings {
    var settings = try request.settings(on: start.civilDate(utcOffsetSeconds: utcOffsetSeconds))
    settings.altitudesAreOfOneDevice = altitudesAreOfOneDevice
    return settings
  }

  /// Whether its altitudes are those of the points of a recording, which has one device for them, though its logs have two
  /// columns: that of a session that was made from one, whenever that was.
  package var altitudesAreOfOneDevice: Bool { source != nil || origin == .imported }

  /// The text of the file.
  ///
  /// - Throws: `ZoneError` when there are no zones.
  package func json() throws(ZoneError) -> [UInt8] {
    let zones = try settings().zones
    var writer = JSONWriter(.pretty)
    writer.object { writer in
      writer.member("version", Self.version)
      writer.member("type", "session")
      writer.member("sessionID", sessionID)
      writer.member("startTime", start)
      writer.member("utcOffsetSeconds", utcOffsetSeconds)
      if let who { who.writeMembers(to: &writer) }
      writeOrigin(to: &writer)
      if let randomization { writer.object("randomization") { randomization.write(to: &$0) } }
      if let recognition { writer.object("recognition") { recognition.write(to: &$0) } }
      if motionLog != .csv { writer.member("motionLog", motionLog.rawValue) }
      request.write(to: &writer)
      writer.object("zones") { ZoneRecords.members(of: zones, to: &$0) }
      writer.array("streams") { for stream in streams { $0.value(stream.name) } }
      writer.member("durationLimitSeconds", secondsFromNanoseconds: durationLimit?.nanoseconds)
      writer.object("program") { writer in
        writer.member("name", "coach")
        writer.member("version", programVersion)
      }
    }
    writer.endLine()
    return writer.bytes
  }

  /// Reads the text of the file.
  ///
  /// - Throws: `JSONError` with the path of what is wrong; a newer version is refused with both numbers.
  package init(json: Span<UInt8>) throws(JSONError) {
    var reader = try JSONObjectReader(try JSONValue.parse(json))
    try reader.requireVersion(Self.version)
    _ = try reader.required("type", .word(["session": true]))
    sessionID = try reader.required("sessionID", .nonEmptyString)
    start = try reader.required("startTime", .time).time
    utcOffsetSeconds = try reader.required("utcOffsetSeconds", .int(in: -86_400...86_400))
    who = try SessionPerson(members: &reader)
    let origin = try reader.optional(
      "origin", .word(["live": SessionOrigin.live, "imported": .imported, "simulated": .simulated]))
    let stated = try reader.optional("source", Self.source)
    (source, inputs) = (stated?.file, stated?.inputs ?? [])
    // What an older program imported names its file; of what it recorded nothing is known.
    self.origin = origin ?? source.map { _ in .imported }
    randomization = try reader.optional("randomization", Randomization.field(of: who))
    recognition = try reader.optional("recognition", RecognitionFacts.field)
    motionLog = try reader.optional("motionLog", .word(["csv": MotionLogFormat.csv, "binary": .binary])) ?? .csv
    request = try CoachingRequest(members: &reader, isRecorded: true)
    if let arm = randomization.map({ $0.design.arms[$0.arm] }), arm.strategy != request.strategy {
      throw reader.error(
        .notAllowed(request.strategy.specification), expected: "\(arm.strategy.specification), that of the arm",
        about: "strategy")
    }
    // The zones stand there for people and other programs; they follow from the request.
    reader.ignore("zones")
    let stream = JSONField<String>.string.mapped(to: "the name of a stream") { name in
      SampleStream.allCases.first { $0.name == name }
    }
    streams = try reader.required("streams", .array(of: stream))
    durationLimit = try reader.optional("durationLimitSeconds", .seconds(1, 864_000))
    programVersion = try reader.required(
      "program",
      .object { (reader) throws(JSONError) in
        _ = try reader.required("name", .nonEmptyString)
        return try reader.required("version", .nonEmptyString)
      })
    try reader.finish()
  }
}

extension SessionManifest {
  /// Writes where the samples came from, as far as it is known.
  package func writeOrigin(to writer: inout JSONWriter) {
    writer.member("origin", origin?.rawValue)
    guard source != nil || !inputs.isEmpty else { return }
    writer.object("source") { writer in
      writer.member("file", source?.file)
      writer.member("format", source?.format)
      writer.member("device", source?.device)
      writer.member("energyKilocalories", source?.energyKilocalories)
      writer.member("subSport", source?.subSport)
      if !inputs.isEmpty { writer.array("inputs") { for input in inputs { $0.value(input) } } }
    }
  }

  /// Where the samples came from, for people: `simulated`, `live from strap:Polar H10`; `nil` where it is not known, and of
  /// an import, whose file says it.
  package var originWords: String? {
    guard let origin, source == nil || origin == .simulated else { return nil }
    let word = origin == .simulated ? "simulated (no person was measured)" : origin.rawValue
    return inputs.isEmpty ? word : "\(word) from \(inputs.joined(separator: ", "))"
  }

  /// A file, or what was listened to.
  private static let source = JSONField<(file: Source?, inputs: [String])>.object { (reader) throws(JSONError) in
    if let inputs = try reader.optional("inputs", .array(of: .nonEmptyString)) { return (nil, inputs) }
    let file = Source(
      file: try reader.required("file", .nonEmptyString), format: try reader.required("format", .nonEmptyString),
      device: try reader.optional("device", .nonEmptyString),
      energyKilocalories: try reader.optional("energyKilocalories", .double(in: 0...1e15)),
      subSport: try reader.optional("subSport", .nonEmptyString))
    return (file, [])
  }
}

/// The program.
package enum Program {
  /// Its version, as in the change log.
  package static let version = "0.1.0"
}

/// The record of zones.
package enum ZoneRecords {
  /// Writes the record as one line.
  package static func write(_ zones: HeartRateZones, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "zones")
      members(of: zones, to: &writer)
    }
    writer.endLine()
  }

  package static func members(of zones: HeartRateZones, to writer: inout JSONWriter) {
    writer.member("maximumHeartRate", zones.maximum?.beatsPerMinute)
    writer.member("maximumHeartRateSource", zones.maximum?.source.name)
    writer.member("zoneModel", zones.model.name)
    writer.array("zones") { writer in
      for zone in zones.zones {
        writer.object { writer in
          writer.member("number", zone.number)
          if zone.label != "\(zone.number)" { writer.member("label", zone.label) }
          writer.member("name", zone.name)
          writer.member("color", zone.color)
          writer.member("lowerBPM", zone.lowerBPM)
          writer.member("upperBPM", zone.upperBPM)
        }
      }
    }
  }
}

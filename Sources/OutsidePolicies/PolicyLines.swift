internal import TextFormats
internal import ZoneEngine

/// The lines of the protocol, `docs/policies.md`: one JSON object each.
enum PolicyLines {
  static func hello(seed: UInt64, seconds: Double, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", "hello")
      writer.member("protocol", "coach-policy")
      writer.member("version", AskedStrategy.protocolVersion)
      writer.member("seed", Int64(seed & 0x1F_FFFF_FFFF_FFFF))
      writer.member("answerSeconds", seconds)
    }
    writer.endLine()
  }

  static func start(_ runner: Int, seed: UInt64, _ settings: CoachingSettings, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", "start")
      writer.member("runner", runner)
      writer.member("seed", Int64(seed & 0x1F_FFFF_FFFF_FFFF))
      writer.member("maximumHeartRateBPM", settings.zones.maximum?.beatsPerMinute)
      writer.array("zones") { writer in
        for zone in settings.zones.zones {
          writer.object { writer in
            writer.member("number", zone.number)
            writer.member("lowerBPM", zone.lowerBPM)
            writer.member("upperBPM", zone.upperBPM)
          }
        }
      }
      let first = CoachingEngine(settings: settings).target
      writer.member("targetLowerBPM", first?.lowerBPM)
      writer.member("targetUpperBPM", first?.upperBPM)
    }
    writer.endLine()
  }

  static func heartRate(_ bpm: Int?, at time: SessionTime, of runner: Int, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", "heartRate")
      writer.member("runner", runner)
      writer.member("atSeconds", secondsFromNanoseconds: time.nanoseconds)
      if let bpm { writer.member("beatsPerMinute", bpm) } else { writer.nullMember("beatsPerMinute") }
    }
    writer.endLine()
  }

  static func question(_ number: Int, of runner: Int, _ question: AskedQuestion, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", "question")
      writer.member("runner", runner)
      writer.member("question", number)
      writer.member("atSeconds", secondsFromNanoseconds: question.time.nanoseconds)
      writer.member("activeSeconds", secondsFromNanoseconds: question.active.nanoseconds)
      writer.member("heartRateBPM", question.heartRateBPM)
      writer.member("heartRateAgeSeconds", secondsFromNanoseconds: question.heartRateAge?.nanoseconds)
      writer.member("targetLowerBPM", question.target.lowerBPM)
      writer.member("targetUpperBPM", question.target.upperBPM)
      if let quantity = question.target.quantity {
        writer.member("quantity", quantity.quantity.rawValue)
        writer.member("value", question.measured)
        write(quantity, question.measured, to: &writer)
      }
      let side =
        switch question.side {
        case .under: "under"
        case .inside: "inside"
        case .over: "over"
        }
      writer.member("side", side)
    }
    writer.endLine()
  }

  /// What was measured of a quantity, and between which limits it is to be, in the unit that the names say.
  private static func write(_ band: QuantityBand, _ measured: Double?, to writer: inout JSONWriter) {
    let (unit, lower, upper, value): (String, Double, Double, Double?) =
      switch band.quantity {
      case .pace, .speed, .gradeAdjustedPace: ("MetersPerSecond", band.slowest, band.fastest, measured)
      case .cadence: ("StepsPerMinute", band.slowest, band.fastest, measured)
      // The harder the effort, the smaller α1.
      case .alpha1: ("Alpha1", 1 / band.fastest, 1 / band.slowest, measured.map { 1 / $0 })
      }
    writer.member(JSONKey("value" + unit), value)
    writer.member(JSONKey("targetLower" + unit), lower)
    writer.member(JSONKey("targetUpper" + unit), upper)
  }

  static func end(_ runner: Int, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", "end")
      writer.member("runner", runner)
    }
    writer.endLine()
  }

  /// The interval of the questions, from the answer to the hello.
  static func ready(_ line: [UInt8]) throws(JSONError) -> SessionTime {
    var reader = try JSONObjectReader(try JSONValue.parse(line.span))
    try reader.required("type", .word(["ready": ()]))
    _ = try reader.required("version", Self.version)
    let nanoseconds = try reader.required(
      "everySeconds", JSONField<Int64>.nanosecondsFromSeconds(in: 1...86_400))
    _ = try reader.optional("name", .string)
    try reader.finish()
    return SessionTime(nanoseconds: nanoseconds)
  }

  /// The one version of the protocol that there is.
  private static let version = JSONField<Int>(
    "\(AskedStrategy.protocolVersion), the version of the protocol that is supported"
  ) { $0.number?.int64 == Int64(AskedStrategy.protocolVersion) ? AskedStrategy.protocolVersion : nil }

  /// An answer, and to which question of whom.
  static func answer(_ line: [UInt8]) throws(JSONError) -> (runner: Int, question: Int, answer: AskedAnswer) {
    var reader = try JSONObjectReader(try JSONValue.parse(line.span))
    try reader.required("type", .word(["answer": ()]))
    let runner = try reader.required("runner", .int(in: 0...Int.max))
    let question = try reader.required("question", .int(in: 1...Int.max))
    let words: KeyValuePairs<String, AskedAnswer> = [
      "speedUp": .cue(.speedUp), "hold": .cue(.hold), "slowDown": .cue(.slowDown), "silence": .silence,
    ]
    let answer = try reader.required("say", .word(words))
    try reader.finish()
    return (runner, question, answer)
  }
}

package import TextFormats
package import ZoneEngine

/// The protocol of a micro-randomised trial, written down before the first session: how cues are drawn, what the outcome is and
/// how it is analysed. Its SHA-256 stands in every session that was made by it.
package struct TrialProtocol: Hashable, Sendable {
  /// The version of the format.
  package static let version = 1
  /// The largest protocol that is read, in bytes.
  package static let largestFile = 1 << 16

  /// Something that is in the record of a point, by which an effect is moderated or an outcome explained.
  package enum Covariate: String, CaseIterable, Hashable, Sendable {
    /// Seconds since the last cue; since the start of the session where there was none.
    case secondsSinceCue
    /// Seconds off the target since the point before.
    case secondsOffTarget
    /// How far the heart rate is off the target, in bpm, whichever way.
    case beatsOffTarget
    /// The number of the point in the session.
    case point
  }

  /// What the trial is called.
  package let name: String
  /// How likely an available cue is.
  package let probability: DrawProbability
  /// How long after a point its outcomes are taken, in seconds.
  package let outcomeSeconds: [Int]
  /// The one of them that decides.
  package let primaryOutcomeSeconds: Int
  /// The constant probability of the numerator of the weights.
  package let numerator: Double
  /// What the outcome is explained with.
  package let controls: [Covariate]
  /// What the effect is moderated by, in the planned analysis.
  package let moderators: [Covariate]
  /// Where the draws begin.
  package let seed: Int
  /// The document with its keys in order and without blanks: what is hashed and kept.
  package let canonical: String

  /// The SHA-256 of ``canonical``, in hexadecimal digits.
  package var hash: String { SHA256.hex(of: Array(canonical.utf8).span) }

  /// Reads a protocol file.
  ///
  /// - Throws: `JSONError` with the path of what is wrong.
  package init(json bytes: Span<UInt8>) throws(JSONError) { try self.init(json: bytes, isKept: false) }

  /// Reads a protocol.
  ///
  /// - Parameter isKept: whether it stands in a session. One that names a covariate twice, by which nothing can be estimated, was no
  ///   mistake to those who made it once, and the session is read all the same.
  /// - Throws: `JSONError` with the path of what is wrong.
  fileprivate init(json bytes: Span<UInt8>, isKept: Bool) throws(JSONError) {
    let value = try JSONValue.parse(bytes)
    var reader = try JSONObjectReader(value, path: .root)
    try reader.requireVersion(Self.version)
    try reader.required("type", .word(["microRandomizedTrial": ()]))
    name = try reader.required("name", .nonEmptyString)
    _ = try reader.optional("purpose", .string)
    probability = try reader.required("probability", Self.probabilityField)
    let spans = MicroRandomization.outcomeSpans
    outcomeSeconds = try reader.required(
      "outcomeSeconds", .array(of: .int(in: spans), count: MicroRandomization.outcomeCounts))
    guard zip(outcomeSeconds, outcomeSeconds.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw reader.error(.notAllowed("another order"), expected: "seconds that ascend", about: "outcomeSeconds")
    }
    let primary = try reader.optional("primaryOutcomeSeconds", .int(in: spans)) ?? outcomeSeconds[0]
    guard outcomeSeconds.contains(primary) else {
      throw reader.error(.notAllowed("\(primary)"), expected: "one of outcomeSeconds", about: "primaryOutcomeSeconds")
    }
    primaryOutcomeSeconds = primary
    let open = JSONField<Double>("a probability above 0 and below 1") { value in
      value.number.map(\.double).flatMap { $0 > 0 && $0 < 1 ? $0 : nil }
    }
    let steps = probability.steps
    numerator =
      try reader.optional("numeratorProbability", open)
      ?? steps.reduce(0) { $0 + $1.probability } / Double(steps.count)
    let covariates = JSONField<[Covariate]>.array(
      of: .word([
        "secondsSinceCue": .secondsSinceCue, "secondsOffTarget": .secondsOffTarget, "beatsOffTarget": .beatsOffTarget,
        "point": .point,
      ]), count: 0...4)
    controls = try reader.optional("controls", covariates) ?? []
    moderators = try reader.optional("moderators", covariates) ?? []
    for (key, named) in [("controls", controls), ("moderators", moderators)] where !isKept {
      guard let twice = named.firstRepeated else { continue }
      throw reader.error(.notAllowed("\(twice.rawValue) twice"), expected: "each of them once", about: key)
    }
    seed = try reader.required("seed", .int(in: 0...(1 << 53)))
    try reader.finish()
    canonical = Self.canonicalText(of: value)
  }

  /// How a session draws.
  ///
  /// - Parameter session: the number that stands for the session, below 2⁵³.
  package func randomization(ofSession session: Int) -> MicroRandomization {
    let word = hash.utf8.prefix(16).reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
    return MicroRandomization(
      probability: probability, draws: CounterRandom(seed: UInt64(seed), word, UInt64(session)),
      outcomeSeconds: outcomeSeconds)
  }

  /// A document without blanks, the keys of each object in the order of their bytes, numbers as they are written.
  package static func canonicalText(of value: JSONValue) -> String {
    var writer = JSONWriter()
    write(value, to: &writer)
    return writer.text
  }

  private static func write(_ value: JSONValue, to writer: inout JSONWriter) {
    switch value.content {
    case .array(let elements): writer.array { writer in for element in elements { write(element, to: &writer) } }
    case .object(let members):
      writer.object { writer in
        for member in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
          writer.key(JSONKey(member.key))
          write(member.value, to: &writer)
        }
      }
    case .null, .bool, .number, .string: writer.value(value)
    }
  }

  private static let probabilityField = JSONField<DrawProbability>.object { (reader) throws(JSONError) in
    let open = JSONField<Double>("a probability above 0 and below 1") { value in
      value.number.map(\.double).flatMap { $0 > 0 && $0 < 1 ? $0 : nil }
    }
    if let constant = try reader.optional("constant", open) {
      guard let rule = DrawProbability(of: nil, steps: [DrawProbability.Step(from: 0, probability: constant)]) else {
        throw reader.error(.notAllowed("that"), expected: "a probability", about: "constant")
      }
      return rule
    }
    let quantity = try reader.required(
      "of",
      .word(["secondsSinceCue": DrawProbability.Quantity.secondsSinceCue, "secondsOffTarget": .secondsOffTarget]))
    let steps = try reader.required(
      "steps",
      .array(
        of: JSONField<DrawProbability.Step>.object { (reader) throws(JSONError) in
          DrawProbability.Step(
            from: try reader.required("from", .double(in: 0...86_400)),
            probability: try reader.required("probability", open))
        }, count: 1...100))
    guard let rule = DrawProbability(of: quantity, steps: steps) else {
      throw reader.error(
        .notAllowed("another order"), expected: "steps that ascend, the first from 0", about: "steps")
    }
    return rule
  }
}

extension [TrialProtocol.Covariate] {
  /// The first that stood before already; `nil` where each is there once.
  package var firstRepeated: TrialProtocol.Covariate? {
    indices.first { self[..<$0].contains(self[$0]) }.map { self[$0] }
  }
}

/// The trial of a session: its protocol, and the number from which the session draws.
package struct TrialAssignment: Hashable, Sendable {
  /// The protocol.
  package let trial: TrialProtocol
  /// The number of the session.
  package let session: Int

  /// Creates an assignment.
  package init(_ trial: TrialProtocol, session: Int) {
    self.trial = trial
    self.session = session
  }

  /// How the session draws.
  package var randomization: MicroRandomization { trial.randomization(ofSession: session) }

  /// Writes the members that are read again, with the hash of the protocol for people.
  package func write(to writer: inout JSONWriter) {
    writer.member("name", trial.name)
    writer.member("protocolSHA256", trial.hash)
    writer.member("session", session)
    writer.member("protocol", trial.canonical)
  }

  /// What stands in a manifest; a protocol that does not have its hash is refused.
  static let field = JSONField<TrialAssignment>.object { (reader) throws(JSONError) in
    _ = try reader.required("name", .nonEmptyString)
    let hash = try reader.required("protocolSHA256", .nonEmptyString)
    let session = try reader.required("session", .int(in: 0...(1 << 53)))
    let text = Array(try reader.required("protocol", .nonEmptyString).utf8)
    let trial = try TrialProtocol(json: text.span, isKept: true)
    guard trial.hash == hash else {
      throw reader.error(.notAllowed(hash), expected: "\(trial.hash), that of the protocol", about: "protocolSHA256")
    }
    return TrialAssignment(trial, session: session)
  }
}

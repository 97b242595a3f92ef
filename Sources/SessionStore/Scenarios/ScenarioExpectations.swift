internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// What must come of a scenario.
struct ScenarioExpectations: Sendable {
  /// How many events of a kind a time must have.
  let counts: [ExpectedCount]
  /// What numbers of the summary must be.
  let metrics: [ExpectedMetric]
}

/// A closed span of time, both ends included.
struct ScenarioWindow: Hashable, Sendable {
  let from: SessionTime
  let until: SessionTime

  func contains(_ time: SessionTime) -> Bool { from <= time && time <= until }

  /// `at 120 s`, or `in 60…120 s`.
  var text: String {
    from == until
      ? "at \(CueWording.seconds(from))"
      : "in \(CueWording.seconds(from).dropLast(2))…\(CueWording.seconds(until))"
  }
}

/// How many events of a kind must lie in a time.
struct ExpectedCount: Sendable {
  /// Where the expectation stands, such as `expect.cues[0]`.
  let path: JSONPath
  let pattern: EventPattern
  let window: ScenarioWindow
  let count: Int
}

/// What a number of the summary must be.
struct ExpectedMetric: Sendable {
  /// What is asked of the number.
  enum Bound: Hashable, Sendable {
    /// The number, to nine decimals.
    case equals(Double)
    /// At least the first, at most the second, where they are given.
    case within(Double?, Double?)
    /// That the summary does not have it.
    case absent
  }

  let path: JSONPath
  let name: String
  let bound: Bound
}

/// Events that are alike in what an expectation asks for; what it does not ask for may be anything.
enum EventPattern: Hashable, Sendable {
  case cue(CueAction?, band: String?, heartRateBPM: Int?, reason: String?)
  case withheld(WithholdingReason)
  case signalLost
  case signalRestored(heartRateBPM: Int?)
  case quantityLost(TargetQuantity)
  case quantityRestored(TargetQuantity)
  case signalSuspect(SignalSuspicion?)
  case paused
  case resumed
  case stepChanged(number: Int?)
  case targetChanged(to: String?)
  case strategyChanged(to: String?)
  case sourceChanged(from: String?, to: String?)
  case lap(number: Int?)
  case countdown(remaining: SessionTime?)
  case ended(SessionEvent.EndReason?)

  func matches(_ event: SessionEvent) -> Bool {
    switch self {
    case .cue(let action, let band, let bpm, let reason):
      guard case .engine(.decision(let decision)) = event, case .cue(let given) = decision.outcome else { return false }
      return Self.agree(action, given) && Self.agree(band, decision.band?.description)
        && Self.agree(bpm, decision.evidence.heartRateBPM) && Self.agree(reason, decision.reason)
    case .withheld(let reason):
      guard case .engine(.decision(let decision)) = event else { return false }
      return decision.outcome == .withheld(reason)
    case .signalLost: if case .engine(.signalLost) = event { return true } else { return false }
    case .paused: if case .engine(.paused) = event { return true } else { return false }
    case .resumed: if case .engine(.resumed) = event { return true } else { return false }
    case .signalRestored(let bpm):
      guard case .engine(.signalRestored(_, let restored)) = event else { return false }
      return Self.agree(bpm, restored)
    case .quantityLost(let quantity):
      guard case .engine(.quantityLost(_, let band)) = event else { return false }
      return band.quantity == quantity
    case .quantityRestored(let quantity):
      guard case .engine(.quantityRestored(_, let band, _)) = event else { return false }
      return band.quantity == quantity
    case .signalSuspect(let suspicion):
      guard case .engine(.signalSuspect(_, let found, _)) = event else { return false }
      return Self.agree(suspicion, found)
    case .stepChanged(let number):
      guard case .engine(.stepChanged(_, let begun, _, _)) = event else { return false }
      return Self.agree(number, begun)
    case .targetChanged(let to):
      guard case .engine(.targetChanged(_, _, let target)) = event else { return false }
      return Self.agree(to, (target?.target ?? .open).description)
    case .strategyChanged(let to):
      guard case .engine(.strategyChanged(_, _, let strategy)) = event else { return false }
      return Self.agree(to, strategy.specification)
    case .sourceChanged(let from, let to):
      guard case .sourceChanged(_, let old, let new) = event else { return false }
      return Self.agree(from, old) && Self.agree(to, new)
    case .lap(let number):
      guard case .lap(_, let begun) = event else { return false }
      return Self.agree(number, begun)
    case .countdown(let remaining):
      guard case .countdown(_, let left) = event else { return false }
      return Self.agree(remaining, left)
    case .ended(let reason):
      guard case .ended(_, let found) = event else { return false }
      return Self.agree(reason, found)
    }
  }

  private static func agree<Value: Equatable>(_ wanted: Value?, _ found: Value?) -> Bool {
    wanted == nil || wanted == found
  }
}

// MARK: - Reading

extension ScenarioExpectations {
  /// The most expectations of a kind.
  private static let largestCount = 10_000

  /// The member `expect` of a scenario whose zones have `bands`.
  static func field(bands: [String]) -> JSONField<ScenarioExpectations> {
    .object { (reader) throws(JSONError) in
      var counts: [ExpectedCount] = []
      counts += try reader.optional("cues", list { reader throws(JSONError) in try cue(&reader, bands) }) ?? []
      counts += try reader.optional("noCues", list(noCues)) ?? []
      counts += try reader.optional("withheld", list(withheld)) ?? []
      counts += try reader.optional("events", list(event)) ?? []
      let metrics = try reader.optional("metrics", metrics(bands: bands)) ?? []
      guard !counts.isEmpty || !metrics.isEmpty else {
        throw JSONError(
          .notAllowed("none"), expected: "at least one expectation, because a check that cannot fail is none",
          at: reader.position, path: reader.path)
      }
      return ScenarioExpectations(counts: counts, metrics: metrics)
    }
  }

  private static func list(
    _ read: @escaping @Sendable (inout JSONObjectReader) throws(JSONError) -> ExpectedCount
  ) -> JSONField<[ExpectedCount]> {
    .array(of: .object(read), count: 1...largestCount)
  }

  private static let actions: KeyValuePairs<String, CueAction> = [
    "speedUp": .speedUp, "hold": .hold, "slowDown": .slowDown,
  ]
  private static let cueReasons: KeyValuePairs<String, String> = [
    "belowTarget": "belowTarget", "inTarget": "inTarget", "aboveTarget": "aboveTarget", "aboveCeiling": "aboveCeiling",
  ]
  private static let heartRate = JSONField<Int>.int(in: 0...300)
  private static let quantities: KeyValuePairs<String, TargetQuantity> = [
    "pace": .pace, "speed": .speed, "cadence": .cadence, "gradeAdjustedPace": .gradeAdjustedPace,
  ]
  private static let numbers = JSONField<Int>.int(in: 1...1_000_000)

  private static func cue(_ reader: inout JSONObjectReader, _ bands: [String]) throws(JSONError) -> ExpectedCount {
    let known = bands + TargetSide.allCases.map(\.rawValue)
    let band = JSONField<String>.string.mapped(to: "one of \(known.joined(separator: ", "))") {
      known.contains($0) ? $0 : nil
    }
    let pattern = EventPattern.cue(
      try reader.required("action", .word(actions)), band: try reader.optional("band", band),
      heartRateBPM: try reader.optional("heartRateBPM", heartRate),
      reason: try reader.optional("reason", .word(cueReasons)))
    return try counted(pattern, &reader, least: 1)
  }

  private static func noCues(_ reader: inout JSONObjectReader) throws(JSONError) -> ExpectedCount {
    let pattern = EventPattern.cue(
      try reader.optional("action", .word(actions)), band: nil, heartRateBPM: nil,
      reason: try reader.optional("reason", .word(cueReasons)))
    return ExpectedCount(path: reader.path, pattern: pattern, window: try window(&reader), count: 0)
  }

  private static func withheld(_ reader: inout JSONObjectReader) throws(JSONError) -> ExpectedCount {
    let reasons: KeyValuePairs<String, WithholdingReason> = [
      "paused": .paused, "noTarget": .noTarget, "signalLost": .signalLost, "noAltitude": .noAltitude,
      "artefacts": .artefacts,
      "lowCoverage": .lowCoverage,
      "aboveCeiling": .aboveCeiling, "warmUp": .warmUp, "grace": .grace, "minimumInterval": .minimumInterval,
      "returning": .returning, "notWorthACue": .notWorthACue, "inTarget": .inTarget, "silent": .silent,
      "unanswered": .unanswered, "drawn": .drawn,
    ]
    return try counted(.withheld(try reader.required("reason", .word(reasons))), &reader, least: 0)
  }

  private static func event(_ reader: inout JSONObjectReader) throws(JSONError) -> ExpectedCount {
    let kinds: KeyValuePairs<String, EventPattern> = [
      "signalLost": .signalLost, "signalRestored": .signalRestored(heartRateBPM: nil), "paused": .paused,
      "resumed": .resumed, "stepChanged": .stepChanged(number: nil), "signalSuspect": .signalSuspect(nil),
      "targetChanged": .targetChanged(to: nil), "strategyChanged": .strategyChanged(to: nil),
      "sourceChanged": .sourceChanged(from: nil, to: nil), "lap": .lap(number: nil),
      "countdown": .countdown(remaining: nil), "ended": .ended(nil),
    ]
    var pattern = try reader.required("type", .word(kinds))
    switch pattern {
    case .signalLost:
      if let quantity = try reader.optional("quantity", .word(quantities)) { pattern = .quantityLost(quantity) }
    case .signalRestored:
      if let quantity = try reader.optional("quantity", .word(quantities)) {
        pattern = .quantityRestored(quantity)
      } else {
        pattern = .signalRestored(heartRateBPM: try reader.optional("heartRateBPM", heartRate))
      }
    case .signalSuspect:
      pattern = .signalSuspect(
        try reader.optional("suspicion", .word(["stuck": .stuck, "cadenceLock": .cadenceLock])))
    case .stepChanged: pattern = .stepChanged(number: try reader.optional("step", numbers))
    case .targetChanged: pattern = .targetChanged(to: try reader.optional("to", .nonEmptyString))
    case .strategyChanged: pattern = .strategyChanged(to: try reader.optional("to", .nonEmptyString))
    case .sourceChanged:
      pattern = .sourceChanged(
        from: try reader.optional("from", .nonEmptyString), to: try reader.optional("to", .nonEmptyString))
    case .lap: pattern = .lap(number: try reader.optional("lap", numbers))
    case .countdown:
      pattern = .countdown(remaining: try reader.optional("remainingSeconds", .seconds(0, 604_800)))
    case .ended:
      pattern = .ended(
        try reader.optional(
          "reason",
          .word(["stop": .stop, "endOfInput": .endOfInput, "durationLimit": .durationLimit])))
    case .cue, .withheld, .quantityLost, .quantityRestored, .paused, .resumed: break
    }
    return try counted(pattern, &reader, least: 0)
  }

  private static func counted(
    _ pattern: EventPattern, _ reader: inout JSONObjectReader, least: Int
  ) throws(JSONError) -> ExpectedCount {
    let count = try reader.optional("count", .int(in: least...1_000_000)) ?? 1
    return ExpectedCount(path: reader.path, pattern: pattern, window: try window(&reader), count: count)
  }

  /// `fromSeconds` and `untilSeconds`, or `atSeconds` for both.
  private static func window(_ reader: inout JSONObjectReader) throws(JSONError) -> ScenarioWindow {
    let time = JSONField<SessionTime>.seconds(0, ScenarioInputReader.longestSeconds)
    if let at = try reader.optional("atSeconds", time) { return ScenarioWindow(from: at, until: at) }
    let from = try reader.required("fromSeconds", time)
    let until = try reader.required("untilSeconds", time)
    guard from <= until else {
      throw reader.error(
        .notAllowed("an earlier one"), expected: "an end that is not before fromSeconds", about: "untilSeconds")
    }
    return ScenarioWindow(from: from, until: until)
  }

  // MARK: Metrics

  private static func metrics(bands: [String]) -> JSONField<[ExpectedMetric]> {
    JSONField("an object with the names of metrics") { (value, path) throws(JSONError) in
      let known = ScenarioMetrics.names(bands: bands)
      // The reader refuses what is no object.
      _ = try JSONObjectReader(value, path: path)
      var metrics: [ExpectedMetric] = []
      for member in value.members ?? [] {
        let place = path.appending(key: member.key)
        guard known.contains(member.key) else {
          throw JSONError.unknownKey(member.key, known: known, at: member.keyPosition, path: place)
        }
        metrics.append(
          ExpectedMetric(path: place, name: member.key, bound: try bound.read(member.value, at: place)))
      }
      return metrics
    }
  }

  private static let bound = JSONField<ExpectedMetric.Bound>.object { (reader) throws(JSONError) in
    let equals = try reader.optional("equals", .double)
    let least = try reader.optional("atLeast", .double)
    let most = try reader.optional("atMost", .double)
    let absent = try reader.optional("absent", .bool)
    switch (equals, least, most, absent) {
    case (let number?, nil, nil, nil): return .equals(number)
    case (nil, nil, nil, true?): return .absent
    case (nil, let least?, let most?, nil):
      guard least <= most else {
        throw reader.error(
          .notAllowed("one below it"), expected: "a bound that is not below atLeast", about: "atMost")
      }
      return .within(least, most)
    case (nil, _?, nil, nil), (nil, nil, _?, nil): return .within(least, most)
    case (_?, _, _, _?), (_?, _?, _, nil), (_?, nil, _?, nil), (nil, _?, _, _?), (nil, nil, _?, _?),
      (nil, nil, nil, false?), (nil, nil, nil, nil):
      throw JSONError(
        .notAllowed("another combination"),
        expected: "\"equals\" alone, \"atLeast\" or \"atMost\" or both, or \"absent\": true", at: reader.position,
        path: reader.path)
    }
  }
}

package import TextFormats
package import ZoneEngine

extension JSONField where Value == SessionTime {
  /// Seconds from `lower` to `upper`, exact to the nanosecond.
  package static func seconds(_ lower: Int64, _ upper: Int64) -> JSONField {
    JSONField<Int64>.nanosecondsFromSeconds(in: lower...upper)
      .mapped(to: "seconds in \(lower)…\(upper)") { SessionTime(nanoseconds: $0) }
  }
}

extension CoachingRequest {
  /// Reads the members of a request from an object that may have further ones.
  ///
  /// - Parameter isRecorded: whether it is what a session of ours was recorded by, which may name a program that was asked;
  ///   nothing starts one because of it.
  package init(members reader: inout JSONObjectReader, isRecorded: Bool = false) throws(JSONError) {
    self.init()
    if let profile = try reader.optional("profile", AthleteProfile.field) { self.profile = profile }
    if let model = try reader.optional("zoneModel", ZoneModelChoice.field) { zoneModel = model }
    target = try reader.optional("target", TargetRequest.field)
    plan = try reader.optional("plan", PlanRequest.field)
    if target != nil, plan != nil {
      throw reader.error(.notAllowed("both"), expected: "a target or a plan, not both", about: "plan")
    }
    if let preset = try reader.optional("coach", CoachPreset.field) { follow(preset) }
    if let strategy = try reader.optional(
      "strategy", isRecorded ? FeedbackStrategy.recordedField : FeedbackStrategy.field)
    {
      self.strategy = strategy
    }
    if isRecorded { trial = try reader.optional("trial", TrialAssignment.field) }
    if let guardrails = try reader.optional("guardrails", Guardrails.field) { self.guardrails = guardrails }
    ceiling = try reader.optional("ceiling", SafetyCeiling.choice) ?? nil
    let label = JSONField<String>.nonEmptyString.mapped(
      to: "a label of up to 40 letters, digits, spaces and hyphens"
    ) { Activity($0) }
    if let activity = try reader.optional("activity", label) { self.activity = activity }
  }

  /// Refuses an age beside a day of birth, for who asks for something now: what was kept has the age of its day beside the day of birth.
  ///
  /// - Parameter reader: that of the members of a request.
  package static func requireOneAge(in reader: JSONObjectReader) throws(JSONError) {
    // A copy asks, so that what asks for the profile itself still finds it.
    var copy = reader
    guard let profile = try copy.optional("profile", .any), profile["ageYears"] != nil,
      let birthDate = profile["birthDate"]
    else { return }
    throw JSONError(
      .notAllowed("both"), expected: "ageYears or birthDate, not both", at: birthDate.position,
      path: reader.path.appending(key: "profile").appending(key: "birthDate"))
  }

  /// Writes the members that are read by ``init(members:)``.
  package func write(to writer: inout JSONWriter) {
    writer.object("profile") { profile.write(to: &$0) }
    writer.object("zoneModel") { zoneModel.write(to: &$0) }
    writer.member("target", plan == nil ? target?.text : nil)
    if let plan { writer.object("plan") { plan.write(to: &$0) } }
    writer.member("coach", coach?.rawValue)
    writer.object("strategy") { strategy.write(to: &$0) }
    if let trial { writer.object("trial") { trial.write(to: &$0) } }
    // The guardrails of a preset are written where they are off as well, because they would be read as its own.
    if guardrails != .off || coach != nil { writer.object("guardrails") { guardrails.write(to: &$0) } }
    if let ceiling { writer.object("ceiling") { ceiling.write(to: &$0) } }
    writer.member("activity", activity.label)
  }
}

extension TargetRequest {
  /// A target as a text that is not empty; whether the zones have it is seen when they are known.
  package static let field = JSONField<String>.nonEmptyString.mapped(to: "a target") { TargetRequest($0) }

  /// A target of a plan: one that the zones of somebody may have.
  fileprivate static let planned = JSONField<TargetRequest>(field.expected) { (value, path) throws(JSONError) in
    let target = try field.read(value, at: path)
    switch target.problem {
    case nil: return target
    case .target(let text, let expected)?:
      throw JSONError(.notAllowed(JSONError.quoted(text)), expected: expected, at: value.position, path: path)
    case let problem?:
      throw JSONError(
        .notAllowed("that \(problem)"), expected: "a target that is possible", at: value.position, path: path)
    }
  }
}

extension AthleteProfile {
  package static let field = JSONField<AthleteProfile>.object { (reader) throws(JSONError) in
    var profile = AthleteProfile()
    profile.ageYears = try reader.optional("ageYears", .int(in: Athlete.plausibleAges))
    profile.birthDate = try reader.optional("birthDate", .date)
    profile.sex = try reader.optional("sex", .word(["female": Sex.female, "male": .male]))
    profile.weightKilograms = try reader.optional("weightKilograms", .double(in: Athlete.plausibleWeights))
    profile.restingHeartRate = try reader.optional(
      "restingHeartRate", .int(in: Athlete.plausibleRestingHeartRates))
    profile.maximumHeartRate = try reader.optional("maximumHeartRate", .int(in: MaximumHeartRate.plausible))
    if let origin = try reader.optional("maximumHeartRateOrigin", ValueOrigin.field) { profile.maximumOrigin = origin }
    profile.thresholdHeartRate = try reader.optional(
      "thresholdHeartRate", .int(in: AthleteProfile.plausibleThresholdHeartRates))
    if let formula = try reader.optional("formula", formulaField) { profile.formula = formula }
    return profile
  }

  package static let formulaField = {
    let names = MaximumHeartRateFormula.allCases.map(\.recordName).joined(separator: ", ")
    return JSONField<String>.string.mapped(to: "one of \(names)") { name in
      MaximumHeartRateFormula.allCases.first { $0.recordName == name }
    }
  }()

  func write(to writer: inout JSONWriter) {
    writer.member("ageYears", ageYears)
    writer.member("birthDate", birthDate?.description)
    writer.member("sex", sex?.rawValue)
    writer.member("weightKilograms", weightKilograms)
    writer.member("restingHeartRate", restingHeartRate)
    writer.member("maximumHeartRate", maximumHeartRate)
    writer.member("maximumHeartRateOrigin", maximumOrigin == .measured ? nil : maximumOrigin.rawValue)
    writer.member("thresholdHeartRate", thresholdHeartRate)
    writer.member("formula", formula.recordName)
  }
}

extension ZoneModelChoice {
  private static let thresholds = JSONField<[Int]>.array(of: .int(in: 40...230), count: 2...2)

  /// The kinds of models, before their numbers are read.
  private enum Kind: Sendable {
    case percentOfMaximum, heartRateReserve, percentOfThreshold, threeZone, custom
  }

  private static let kinds: KeyValuePairs<String, Kind> = [
    "percentOfMaximum": .percentOfMaximum, "heartRateReserve": .heartRateReserve,
    "percentOfThreshold": .percentOfThreshold, "threeZone": .threeZone, "custom": .custom,
  ]

  package static let field = JSONField<ZoneModelChoice>.object { (reader) throws(JSONError) in
    switch try reader.required("kind", .word(kinds)) {
    case .percentOfMaximum: return .percentOfMaximum
    case .heartRateReserve: return .heartRateReserve
    case .percentOfThreshold:
      let names = ThresholdScheme.allCases.map(\.recordName).joined(separator: ", ")
      let scheme = JSONField<String>.string.mapped(to: "one of \(names)") { name in
        ThresholdScheme.allCases.first { $0.recordName == name }
      }
      return .percentOfThreshold(try reader.optional("scheme", scheme) ?? .frielRunning)
    case .threeZone:
      let thresholds = try reader.required("thresholdsBPM", thresholds)
      return .threeZone(first: thresholds[0], second: thresholds[1])
    case .custom:
      return .custom(try reader.required("boundsBPM", .array(of: .int(in: 20...250), count: 2...10)))
    }
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .percentOfMaximum: writer.member("kind", "percentOfMaximum")
    case .heartRateReserve: writer.member("kind", "heartRateReserve")
    case .percentOfThreshold(let scheme):
      writer.member("kind", "percentOfThreshold")
      writer.member("scheme", scheme.recordName)
    case .threeZone(let first, let second):
      writer.member("kind", "threeZone")
      writer.array("thresholdsBPM") {
        $0.value(first)
        $0.value(second)
      }
    case .custom(let bounds):
      writer.member("kind", "custom")
      writer.array("boundsBPM") { for bound in bounds { $0.value(bound) } }
    }
  }
}

extension PlanRequest {
  private static let step = JSONField<Step>.object { (reader) throws(JSONError) in
    let name = try reader.optional("name", .nonEmptyString)
    let duration = try reader.optional("durationSeconds", .seconds(1, 86_400))
    let meters = try reader.optional("distanceMeters", .double(in: StepLength.plausibleMeters))
    if duration != nil, meters != nil {
      throw reader.error(
        .notAllowed("both"), expected: "durationSeconds or distanceMeters, not both", about: "distanceMeters")
    }
    return Step(
      name: name, length: duration.map { .time($0) } ?? meters.map { .distance(meters: $0) } ?? .untilLap,
      target: try reader.optional("target", TargetRequest.planned),
      activity: try reader.optional("activity", .word(["walking": StepActivity.walking, "running": .running])),
      repetition: try repetition(&reader))
  }

  /// `repetition` and `repetitions`: which of how many.
  private static func repetition(_ reader: inout JSONObjectReader) throws(JSONError) -> StepRepetition? {
    let counts = JSONField<Int>.int(in: 1...TrainingPlan.largestCount)
    let number = try reader.optional("repetition", counts)
    let count = try reader.optional("repetitions", counts)
    guard number != nil || count != nil else { return nil }
    guard let number, let count, let repetition = StepRepetition(number: number, count: count) else {
      throw reader.error(
        .notAllowed("another"), expected: "repetition and repetitions, the number of one and how many there are",
        about: "repetition")
    }
    return repetition
  }

  /// A step, or `{"repeat":4,"steps":[…]}` for the same steps four times; one such group may stand in another.
  private static func group(depth: Int) -> JSONField<[Step]> {
    JSONField("a step, or steps with repeat") { (value, path) throws(JSONError) in
      guard value.members?.contains(where: { $0.key == "repeat" }) == true else {
        return [try step.read(value, at: path)]
      }
      var reader = try JSONObjectReader(value, path: path)
      let times = try reader.required("repeat", .int(in: 1...TrainingPlan.largestCount))
      guard depth < largestDepth else {
        throw reader.error(.notAllowed("a third time"), expected: "at most two groups in each other", about: "repeat")
      }
      let steps = try reader.required("steps", steps(depth: depth + 1))
      try reader.finish()
      guard times * steps.count <= TrainingPlan.largestCount else {
        throw reader.error(
          .notAllowed("\(times)"), expected: "at most \(TrainingPlan.largestCount) steps in all", about: "repeat")
      }
      return PlanRequest.repeated(steps, times: times)
    }
  }

  private static let largestDepth = 2

  private static func steps(depth: Int) -> JSONField<[Step]> {
    let groups = JSONField<[[Step]]>.array(of: group(depth: depth), count: 1...TrainingPlan.largestCount)
    return JSONField(groups.expected) { (value, path) throws(JSONError) in
      let steps = try groups.read(value, at: path).flatMap(\.self)
      guard steps.count <= TrainingPlan.largestCount else {
        throw JSONError(
          .notAllowed("\(steps.count) steps"), expected: "at most \(TrainingPlan.largestCount)", at: value.position,
          path: path)
      }
      return steps
    }
  }

  static let field = JSONField<PlanRequest>.object { (reader) throws(JSONError) in
    PlanRequest(steps: try reader.required("steps", steps(depth: 0)))
  }

  /// Where the targets of a plan that was read stand in its text, in the order of ``steps``; a step without one stands for its own.
  package static func targetPlaces(
    in plan: JSONValue, at path: JSONPath
  ) -> [(position: JSONPosition, path: JSONPath)] {
    (plan["steps"]?.array ?? []).enumerated().flatMap { index, step in
      let place = path.appending(key: "steps").appending(index: index)
      guard let times = step["repeat"]?.number?.int64 else {
        return [((step["target"] ?? step).position, place.appending(key: "target"))]
      }
      // A plan with more steps was refused before their places matter.
      let count = min(max(0, Int(clamping: times)), TrainingPlan.largestCount)
      return Array(repeatElement(targetPlaces(in: step, at: place), count: count).joined())
    }
  }

  /// Writes the steps as a member of an object.
  package func write(to writer: inout JSONWriter) {
    writer.array("steps") { writer in
      for step in steps {
        writer.object { writer in
          writer.member("name", step.name)
          writer.member("durationSeconds", secondsFromNanoseconds: step.length.duration?.nanoseconds)
          writer.member("distanceMeters", step.length.distanceMeters)
          writer.member("target", step.target?.text)
          writer.member("activity", step.activity?.rawValue)
          writer.member("repetition", step.repetition?.number)
          writer.member("repetitions", step.repetition?.count)
        }
      }
    }
  }

  /// Reads a plan file: `{"version":1,"steps":[…]}`.
  ///
  /// - Throws: `JSONError` with the path of what is wrong.
  package init(json text: Span<UInt8>) throws(JSONError) {
    var reader = try JSONObjectReader(try JSONValue.parse(text))
    try reader.requireVersion(1)
    steps = try reader.required("steps", Self.steps(depth: 0))
    _ = try reader.optional("name", .nonEmptyString)
    try reader.finish()
  }
}

extension FeedbackStrategy {
  /// A strategy of a session of ours, which may have asked a program.
  static let recordedField = JSONField<FeedbackStrategy>("a strategy") { (value, path) throws(JSONError) in
    guard value.members?.contains(where: { $0.key == "command" }) == true else {
      return try field.read(value, at: path)
    }
    var reader = try JSONObjectReader(value, path: path)
    _ = try reader.required("kind", .word(["exec": true]))
    let every = try reader.required("every", .seconds(1, 86_400))
    let command = try reader.required("command", .nonEmptyString)
    let hash = try reader.required("programSHA256", .nonEmptyString)
    _ = try reader.required("protocolVersion", .int(in: 1...Int(Int32.max)))
    try reader.finish()
    do throws(ZoneError) {
      return .asked(try AskedStrategy(every: every, specification: "exec:" + command, programHash: hash))
    } catch {
      throw JSONError(.notAllowed("\(error)"), expected: "a strategy that exists", at: value.position, path: path)
    }
  }

  static let field = JSONField<FeedbackStrategy>("a strategy") { (value, path) throws(JSONError) in
    var reader = try JSONObjectReader(value, path: path)
    guard let kind = try reader.optional("kind", .nonEmptyString) else {
      throw reader.error(.missingKey, expected: "the name of a strategy", about: "kind")
    }
    var parameters: [(key: String, value: Double)] = []
    // Of a strategy that nobody knows no parameter is known either.
    if let description = StrategyDescription.all.first(where: { $0.kind == kind }) {
      for parameter in description.parameters {
        guard let number = try reader.optional(parameter.key, parameter.field(of: kind)) else { continue }
        parameters.append((parameter.key, number))
      }
      try reader.finish()
    }
    do {
      return try FeedbackStrategy(kind: kind, parameters: parameters)
    } catch {
      throw JSONError(.notAllowed("\(error)"), expected: "a strategy that exists", at: value.position, path: path)
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.member("kind", kind)
    if case .asked(let asked) = self {
      writer.member("every", secondsFromNanoseconds: asked.schedule.every.nanoseconds)
      writer.member("command", String(asked.specification.dropFirst("exec:".count)))
      writer.member("programSHA256", asked.programHash)
      writer.member("protocolVersion", AskedStrategy.protocolVersion)
      return
    }
    for (key, value) in parameters { writer.member(JSONKey(key), value) }
  }
}

extension StrategyParameter {
  /// The parameter as a number that is possible.
  fileprivate func field(of kind: String) -> JSONField<Double> {
    JSONField<Double>("a number") { (value, path) throws(JSONError) in
      let number = try JSONField<Double>.double.read(value, at: path)
      do throws(ZoneError) { return try checked(number, of: kind) } catch {
        throw JSONError(
          .notAllowed(JSONNumber(number).text), expected: error.expectation, at: value.position, path: path)
      }
    }
  }
}

extension Guardrails {
  static let field = JSONField<Guardrails>("guardrails") { (value, path) throws(JSONError) in
    var reader = try JSONObjectReader(value, path: path)
    let warmUp = try reader.optional("warmUpSeconds", .seconds(0, 86_400)) ?? .zero
    let interval = try reader.optional("minimumIntervalSeconds", .seconds(0, 86_400)) ?? .zero
    let grace = try reader.optional("graceSeconds", .seconds(0, 86_400)) ?? .zero
    try reader.finish()
    do throws(ZoneError) {
      return try Guardrails(warmUp: warmUp, minimumInterval: interval, grace: grace)
    } catch {
      throw JSONError(.notAllowed("that \(error)"), expected: "spans that are possible", at: value.position, path: path)
    }
  }

  /// Writes the members that are read again.
  package func write(to writer: inout JSONWriter) {
    writer.member("warmUpSeconds", secondsFromNanoseconds: warmUp.nanoseconds)
    writer.member("minimumIntervalSeconds", secondsFromNanoseconds: minimumInterval.nanoseconds)
    if grace > .zero { writer.member("graceSeconds", secondsFromNanoseconds: grace.nanoseconds) }
  }
}

extension SafetyCeiling {
  /// A ceiling, or `off` for none, which differs from nothing said where a ceiling is usual.
  static let choice = JSONField<SafetyCeiling?>("a ceiling, or off") {
    (value, path) throws(JSONError) -> SafetyCeiling? in
    if value.string == "off" { return nil }
    return try field.read(value, at: path)
  }

  static let field = JSONField<SafetyCeiling>("a ceiling") { (value, path) throws(JSONError) in
    var reader = try JSONObjectReader(value, path: path)
    let beatsPerMinute = try reader.required("beatsPerMinute", .int(in: plausible))
    let after = try reader.optional("afterSeconds", .seconds(1, 600)) ?? usualTime
    try reader.finish()
    do throws(ZoneError) {
      return try SafetyCeiling(beatsPerMinute: beatsPerMinute, after: after)
    } catch {
      throw JSONError(.notAllowed("\(error)"), expected: "a ceiling", at: value.position, path: path)
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.member("beatsPerMinute", beatsPerMinute)
    writer.member("afterSeconds", secondsFromNanoseconds: after.nanoseconds)
  }
}

extension CoachPreset {
  static let field = JSONField<String>.string.mapped(
    to: "one of " + CoachPreset.allCases.map(\.rawValue).joined(separator: ", ")
  ) { CoachPreset(rawValue: $0) }
}

extension JSONObjectReader {
  /// Reads `version` and refuses one that is newer, with both numbers.
  package mutating func requireVersion(_ known: Int) throws(JSONError) { _ = try version(in: known...known) }

  /// The version of a format of which several are known.
  ///
  /// - Throws: `JSONError` when it is missing or another one.
  package mutating func version(in known: ClosedRange<Int>) throws(JSONError) -> Int {
    let version = try required("version", .int(in: 1...Int(Int32.max)))
    guard known.contains(version) else {
      throw error(
        .notAllowed("\(version)"), expected: "version \(known.upperBound), the newest that is known", about: "version")
    }
    return version
  }
}

package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

extension Study {
  /// The versions of the format of study files: 2 is the first that knows populations and gains, 3 the first that knows hearts, 4 the
  /// first that knows delays and changes of gait.
  package static let versions = 1...4
  /// The largest study file that is read, in bytes.
  package static let largestFile = 1 << 20

  /// Reads a study file.
  ///
  /// - Throws: `JSONError` with the path of what is wrong: an unknown key, a newer version, a value that is not possible.
  package init(json bytes: Span<UInt8>) throws(JSONError) {
    try self.init(try JSONValue.parse(bytes), at: .root)
  }

  /// Reads a study that stands in a document.
  ///
  /// - Throws: `JSONError` with the path of what is wrong.
  package init(_ value: JSONValue, at path: JSONPath) throws(JSONError) {
    var reader = try JSONObjectReader(value, path: path)
    let version = try reader.version(in: Self.versions)
    name = try reader.optional("name", .nonEmptyString)
    purpose = try reader.optional("purpose", .nonEmptyString)
    seed = UInt64(try reader.required("seed", .int(in: 0...Int.max)))
    runners = try reader.required("runners", .int(in: Self.runnerCounts))
    var person = AthleteProfile()
    person.ageYears = try reader.optional("ageYears", .int(in: Athlete.plausibleAges))
    person.maximumHeartRate = try reader.optional("maximumHeartRateBPM", .int(in: MaximumHeartRate.plausible))
    if let formula = try reader.optional("formula", .formula) { person.formula = formula }
    guard person.ageYears != nil || person.maximumHeartRate != nil else {
      throw reader.error(.missingKey, expected: "ageYears or maximumHeartRateBPM", about: "ageYears")
    }
    let profile = person
    courses = try reader.required(
      "courses",
      .array(
        of: JSONField("a course") { (value, path) throws(JSONError) in
          try StudyCourse(value, at: path, version: version, person: profile)
        }, count: 1...16))
    behaviours = try reader.required(
      "behaviours",
      .array(
        of: JSONField("a behaviour") { (value, path) throws(JSONError) in
          let text = try JSONField<String>.nonEmptyString.read(value, at: path)
          do throws(BehaviourError) {
            return try StudyBehaviour(text)
          } catch {
            throw JSONError(
              .notAllowed(JSONError.quoted(text)), expected: error.expected, at: value.position, path: path)
          }
        }, count: 1...64))
    try reader.finish()
  }
}

extension StudyCourse {
  fileprivate init(
    _ value: JSONValue, at path: JSONPath, version: Int, person: AthleteProfile
  ) throws(JSONError) {
    var reader = try JSONObjectReader(value, path: path)
    let gait = try reader.required("activity", .word(["walk": Gait.walk, "run": .run]))
    let target = try reader.required("target", TargetRequest.field)
    let seconds = try reader.optional("seconds", .int(in: StudyArm.durations))
    let arms = try reader.required(
      "arms",
      .array(
        of: JSONField("an arm") { (value, path) throws(JSONError) in
          try StudyArm(value, at: path, seconds: seconds)
        }, count: 1...32))
    for (index, arm) in arms.enumerated() {
      guard let other = arms[..<index].first(where: { $0.name == arm.name }), other != arm else { continue }
      throw reader.error(
        .notAllowed("\(JSONError.quoted(arm.name)) twice"), expected: "a name of its own for each arm", about: "arms")
    }
    let place = JSONField<Int>("the name of an arm, \(JSONError.oneOf(arms.map(\.name)))") { value in
      arms.firstIndex { $0.name == value.string }
    }
    let pair = JSONField<[Int]>.array(of: place, count: 2...2)
    let contrasts = try reader.optional("contrasts", .array(of: pair, count: 1...1_000))?
      .map { StudyContrast(a: $0[0], b: $0[1]) }
    let observed = try reader.optional(
      "observed",
      .object { (reader) throws(JSONError) in
        ObservedShares(
          arms: try reader.required("arms", .array(of: place, count: 3...3)),
          timeInTarget: try reader.required("timeInTarget", .array(of: .double(in: 0...1), count: 3...3)),
          source: try reader.required("source", .nonEmptyString))
      })
    let words: KeyValuePairs<String, RunnerPopulation> = ["wise": .wise, "hunt": .hunt]
    let population = version < 2 ? nil : try reader.optional("population", .word(words))
    let standard = RunnerModel.standard(gait, population ?? .wise)
    var model = try reader.optional("model", .model(standard, version: version)) ?? standard
    if version >= 3, let heart = try reader.optional("heart", .heart) { model.heart = heart }
    try reader.finish()
    do throws(ZoneError) {
      try self.init(
        person: person, target: target, arms: arms, model: model, contrasts: contrasts, observed: observed)
    } catch {
      throw reader.error(error, expected: "a target in the zones of the runners", about: "target")
    }
  }
}

extension StudyArm {
  /// A strategy as text, or an object with a name and a duration of its own.
  fileprivate init(_ value: JSONValue, at path: JSONPath, seconds: Int?) throws(JSONError) {
    if value.string != nil {
      guard let seconds else {
        throw JSONError(.missingKey, expected: "seconds of the course, or of the arm", at: value.position, path: path)
      }
      self.init(
        name: nil, strategy: try FeedbackStrategy.specificationField.read(value, at: path), seconds: seconds)
      return
    }
    var reader = try JSONObjectReader(value, path: path)
    let name = try reader.optional("name", .nonEmptyString)
    let strategy = try reader.required("strategy", FeedbackStrategy.specificationField)
    let own = try reader.optional("seconds", .int(in: Self.durations))
    try reader.finish()
    guard let lasting = own ?? seconds else {
      throw reader.error(.missingKey, expected: "seconds of the arm, or of the course", about: "seconds")
    }
    self.init(name: name, strategy: strategy, seconds: lasting)
  }
}

extension JSONField where Value == MaximumHeartRateFormula {
  fileprivate static var formula: JSONField {
    let names = MaximumHeartRateFormula.allCases.map(\.recordName).joined(separator: ", ")
    return JSONField("one of \(names)") { value in
      MaximumHeartRateFormula.allCases.first { $0.recordName == value.string }
    }
  }
}

extension JSONField where Value == HeartShape {
  /// How the hearts of runners follow.
  static var heart: JSONField {
    JSONField("one of \(HeartShape.allCases.map(\.rawValue).joined(separator: ", "))") { value in
      value.string.flatMap(HeartShape.init(rawValue:))
    }
  }
}

extension JSONField where Value == RunnerModel {
  /// The parameters that a study states; the others are at their defaults.
  static func model(_ standard: RunnerModel, version: Int) -> JSONField {
    JSONField("an object with parameters") { (value, path) throws(JSONError) in
      var reader = try JSONObjectReader(value, path: path)
      var model = standard
      for key in RunnerModel.Key.allCases {
        let isWhole = key == .sensorIntervalSeconds
        let field = JSONField<StudyParameter>.parameter(key.range, spreads: key.spreads, isWhole: isWhole)
        if let parameter = try reader.optional(key.rawValue, field) { model[key] = parameter }
      }
      let gains = RunnerModel.gains
      if version >= 2,
        let gain = try reader.optional(RunnerModel.gainName, .parameter(gains.values, spreads: gains.spreads))
      {
        model.gain = gain
      }
      if version >= 4 {
        let (delays, transitions) = (RunnerModel.delays, RunnerModel.transitions)
        model.delay = try reader.optional(
          RunnerModel.delayName, .parameter(delays.values, spreads: delays.spreads))
        model.transition = try reader.optional(
          RunnerModel.transitionName, .parameter(transitions.values, spreads: transitions.spreads))
      }
      try reader.finish()
      return model
    }
  }
}

extension JSONField where Value == StudyParameter {
  fileprivate static func parameter(
    _ values: ClosedRange<Double>, spreads: ClosedRange<Double>?, isWhole: Bool = false
  ) -> JSONField {
    .object { (reader) throws(JSONError) in
      let value = try reader.required("value", .double(in: values))
      if isWhole, value != value.rounded() {
        throw reader.error(.notAllowed("\(value)"), expected: "a whole number of seconds", about: "value")
      }
      var spread: Double?
      if let spreads { spread = try reader.required("spread", .double(in: spreads)) }
      if let source = try reader.optional("source", .nonEmptyString) {
        return StudyParameter(value, spread: spread, .source(source))
      }
      let assumption = JSONField<String>("true, or why") { value in
        value.bool == true ? "" : value.string.flatMap { $0.isEmpty ? nil : $0 }
      }
      return StudyParameter(value, spread: spread, .assumption(try reader.required("assumption", assumption)))
    }
  }
}

internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

extension ProfileEdit {
  private static let quantities: KeyValuePairs<String, ProfileQuantity> = [
    "weight": .weight, "restingHeartRate": .restingHeartRate, "maxHeartRate": .maximumHeartRate,
    "thresholdHeartRate": .thresholdHeartRate,
  ]

  /// Reads the members of a body: the options of `coach profile set` in camel case.
  init(members reader: inout JSONObjectReader) throws(JSONError) {
    self.init()
    let note = JSONField<String>.string.mapped(to: "one line of up to 100 characters") {
      DatedValue.isMethod($0) ? $0 : nil
    }
    birthDate = try reader.optional("birthDate", .date)
    sex = try reader.optional("sex", .word(["female": Sex.female, "male": .male]))
    values[.weight] = try reader.optional("weightKg", .double(in: Athlete.plausibleWeights))
    values[.restingHeartRate] = try reader.optional(
      "restingHeartRate", .int(in: Athlete.plausibleRestingHeartRates)
    ).map(Double.init)
    values[.maximumHeartRate] = try reader.optional("maxHeartRate", .int(in: MaximumHeartRate.plausible))
      .map(Double.init)
    values[.thresholdHeartRate] = try reader.optional(
      "thresholdHeartRate", .int(in: AthleteProfile.plausibleThresholdHeartRates)
    ).map(Double.init)
    date = try reader.optional("date", .date)
    let isMeasured = try reader.optional("measured", .bool) ?? false
    let isEstimated = try reader.optional("estimated", .bool) ?? false
    if isMeasured, isEstimated {
      throw reader.error(.notAllowed("both"), expected: "measured or estimated, not both", about: "estimated")
    }
    origin = isEstimated ? .estimated : isMeasured ? .measured : nil
    method = try reader.optional("method", note)
    formula = try reader.optional("formula", AthleteProfile.formulaField)
    zoneModel = try Self.model(&reader)
    isOfStudy = try reader.optional("study", .bool) ?? false
    studyName = try reader.optional("studyName", note)
    minimumAge = try reader.optional("minimumAge", .int(in: Athlete.plausibleAges))
    try preferences.read(&reader)
    forgetsLearned = try reader.optional("forgetLearned", .bool) ?? false
    removed = try reader.optional("remove", .array(of: .word(Self.quantities), count: 1...4)) ?? []
  }

  /// The zone model: its name as on a command line, with `thresholdScheme` and `bounds` beside it, or an object as in a
  /// scenario.
  private static func model(_ reader: inout JSONObjectReader) throws(JSONError) -> ZoneModelChoice? {
    let scheme = try reader.optional("thresholdScheme", .string)
    let bounds = try reader.optional("bounds", .array(of: .int, count: 2...11))
    var name: String?
    if let value = try reader.optional("zoneModel", .any) {
      let path = reader.path.appending(key: "zoneModel")
      guard value.string != nil else { return try ZoneModelChoice.field.read(value, at: path) }
      name = try JSONField<String>.string.read(value, at: path)
    }
    do throws(ZoneModelWords.Problem) {
      return try ZoneModelWords.choice(name, scheme: scheme, bounds: bounds)
    } catch {
      let key =
        switch error.word {
        case .model: "zoneModel"
        case .scheme: "thresholdScheme"
        case .bounds: "bounds"
        }
      throw JSONError(
        .notAllowed("another value"), expected: error.expected, at: reader.position,
        path: reader.path.appending(key: key))
    }
  }

  /// Writes it down in a profile that has to be whole then.
  ///
  /// - Throws: `ServiceProblem` for what contradicts itself, `ProfileError` when the profile cannot be so.
  func applied(to profile: inout StoredProfile, today: CivilDate) throws {
    let isSaid: Bool
    do throws(Problem) {
      isSaid = try apply(to: &profile, today: today)
    } catch {
      throw ServiceProblem(error)
    }
    guard isSaid || isAnything else {
      throw ServiceProblem(.impossible, "nothing to write down: expected a value, such as weightKg")
    }
    try profile.require(on: today)
  }
}

extension ServiceProblem {
  fileprivate init(_ problem: ProfileEdit.Problem) {
    self =
      switch problem {
      case .minimumAgeWithoutStudy: .member("/minimumAge", "minimumAge: expected study beside it")
      case .studyNameWithoutStudy: .member("/studyName", "studyName: expected study beside it")
      case .factsWithoutValue:
        ServiceProblem(
          .impossible, "date, measured, estimated, method: expected a value beside them, such as weightKg")
      case .removalWithoutDate: .member("/remove", "remove: expected date, the date of the values")
      case .nothingToRemove: .member("/remove", "remove: there is no value of the date")
      }
  }
}

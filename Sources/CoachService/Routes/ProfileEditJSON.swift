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
  /// - Throws: `ServiceProblem` with the member that contradicts another one, or with which the profile cannot be.
  func applied(to profile: inout StoredProfile, today: CivilDate) throws(ServiceProblem) {
    let isSaid: Bool
    do throws(Problem) {
      isSaid = try apply(to: &profile, today: today)
    } catch {
      throw ServiceProblem(error, in: self)
    }
    guard isSaid || isAnything else {
      throw ServiceProblem(.impossible, "nothing to write down: expected a value, such as weightKg")
    }
    do throws(ProfileError) {
      try profile.require(on: today)
    } catch {
      var problem = ServiceProblem(.impossible, "\(error)")
      problem.pointer = pointer(of: error)
      throw problem
    }
  }

  /// The member with which a profile cannot be; `nil` where it could not be before either.
  private func pointer(of error: ProfileError) -> String? {
    switch error {
    case .noBirthDateOrMaximum, .noBirthDateForStudy, .birthDate, .onlyAge:
      return removed.isEmpty ? "/birthDate" : "/remove"
    case .date(let quantity, let day, _):
      return day == date ? "/date" : pointer(of: quantity) ?? birthDate.map { _ in "/birthDate" }
    case .value(let quantity, _): return pointer(of: quantity)
    case .order(let quantity, _, let other, _, _): return pointer(of: quantity) ?? pointer(of: other)
    case .tooYoung:
      return minimumAge != nil ? "/minimumAge" : isOfStudy ? "/study" : birthDate.map { _ in "/birthDate" }
    }
  }

  /// The member that has a value of a quantity; `nil` where none has.
  private func pointer(of quantity: ProfileQuantity) -> String? {
    guard values[quantity] != nil else { return nil }
    return switch quantity {
    case .weight: "/weightKg"
    case .restingHeartRate: "/restingHeartRate"
    case .maximumHeartRate: "/maxHeartRate"
    case .thresholdHeartRate: "/thresholdHeartRate"
    }
  }

  /// The member that says something of values, where there are none.
  fileprivate var pointerOfFacts: String {
    if date != nil { return "/date" }
    if method != nil { return "/method" }
    return origin == .estimated ? "/estimated" : "/measured"
  }
}

extension ServiceProblem {
  fileprivate init(_ problem: ProfileEdit.Problem, in edit: ProfileEdit) {
    self =
      switch problem {
      case .minimumAgeWithoutStudy: .member("/minimumAge", "minimumAge: expected study beside it")
      case .studyNameWithoutStudy: .member("/studyName", "studyName: expected study beside it")
      case .factsWithoutValue:
        .member(
          edit.pointerOfFacts, "date, measured, estimated, method: expected a value beside them, such as weightKg")
      case .removalWithoutDate: .member("/remove", "remove: expected date, the date of the values")
      case .nothingToRemove: .member("/remove", "remove: there is no value of the date")
      }
  }
}

internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// What can be asked for: zones, strategies and plans.
enum GuidanceRoutes {
  static let all = [zones, strategies, plans]

  private static func number(_ range: ClosedRange<Int>) -> String {
    #"{"type":"integer","minimum":\#(range.lowerBound),"maximum":\#(range.upperBound)}"#
  }

  private static func names(_ names: [String]) -> String {
    #"{"enum":[\#(names.map { "\"\($0)\"" }.joined(separator: ","))]}"#
  }

  static let zones = Route(
    .get, "/v1/zones", .anybodyKnown, "The zones of a person, as by `coach zones`.",
    parameters: [
      QueryParameter(
        "profile", ServiceSchemas.name,
        "the name of a person, whose own token need not say it; what stands beside it goes before it"),
      QueryParameter("on", ServiceSchemas.day, "the day whose values are meant, instead of today"),
      QueryParameter("age", number(Athlete.plausibleAges), "the age in years"),
      QueryParameter("birth-date", ServiceSchemas.birthDate, "the day of birth, instead of the age"),
      QueryParameter("max-heart-rate", number(MaximumHeartRate.plausible), "the measured maximum heart rate"),
      QueryParameter("formula", names(ServiceSchemas.plainFormulas), "the formula for the maximum; more are known"),
      QueryParameter(
        "zone-model", names(["percent-of-maximum"]),
        "how they are laid out: one of " + ZoneModelWords.names.joined(separator: ", ")),
      QueryParameter(
        "resting-heart-rate", #"{"type":"string","pattern":"^[45][0-9]$"}"#, "the heart rate at rest, 20 to 220"),
      QueryParameter(
        "threshold-heart-rate", number(AthleteProfile.plausibleThresholdHeartRates),
        "the heart rate at the lactate threshold"),
      QueryParameter("threshold-scheme", names(ThresholdScheme.allCases.map(\.rawValue)), "the table of its zones"),
      QueryParameter(
        "bounds", #"{"type":"string","pattern":"^98,118,137,157,177,19[0-9]$"}"#,
        "the edges of zones, 2 to 11 ascending heart rates, for zone-model=custom"),
      QueryParameter("sex", names(["female", "male"]), "for the formulas that depend on it"),
      QueryParameter("weight-kg", #"{"type":"number","minimum":20,"maximum":300}"#, "the weight in kilograms"),
    ],
    answers: [
      RouteAnswer(
        200, "application/json", "The zones.", schema: AnswerSchemas.zones,
        example:
          #"{"version":1,"type":"zones","maximumHeartRate":197,"maximumHeartRateSource":"fox","zoneModel":"percentOfMaximum","zones":[{"number":1,"name":"Low intensity","color":"cyan","lowerBPM":98,"upperBPM":118}]}"#
      )
    ]
  ) { call in
    let zones = try await ZoneQuery(call).zones()
    var writer = JSONWriter()
    ZoneRecords.write(zones, to: &writer)
    return .json(200, writer.bytes)
  }

  static let strategies = Route(
    .get, "/v1/strategies", .anybodyKnown, "Every strategy with its parameters, as by `coach strategies`.",
    answers: [
      RouteAnswer(
        200, "application/json", "The strategies.", schema: AnswerSchemas.strategies,
        example: #"{"version":1,"type":"strategies","strategies":[],"coaches":[],"presets":[]}"#)
    ]
  ) { _ in
    var writer = JSONWriter()
    StrategyRecords.writeDocument(to: &writer)
    return .json(200, writer.bytes)
  }

  static let plans = Route(
    .get, "/v1/plans", .anybodyKnown, "Every ready plan with its steps, as by `coach plans`.",
    answers: [
      RouteAnswer(
        200, "application/json", "The plans.", schema: AnswerSchemas.plans,
        example: #"{"version":1,"type":"plans","plans":[]}"#)
    ]
  ) { _ in
    var writer = JSONWriter()
    try PlanRecords.writeDocument(to: &writer)
    return .json(200, writer.bytes)
  }
}

/// What a query says of a person, for the zones.
struct ZoneQuery {
  private let call: ServiceCall
  private let day: CivilDate

  init(_ call: ServiceCall) throws(ServiceProblem) {
    self.call = call
    guard let today = SystemWallClock.day(at: call.now) else {
      throw ServiceProblem.unavailable("the clock of this machine is not set")
    }
    day = try call.day("on") ?? today
  }

  /// The zones.
  ///
  /// - Throws: `ServiceProblem` for a value that cannot be, or when nothing says whose zones they are.
  func zones() async throws -> HeartRateZones {
    var request = CoachingRequest()
    if let name = call.parameter("profile") {
      guard let caller = call.caller, caller.session == nil, caller.group == nil,
        caller.acts(for: name), ProfileFileName.isStoredName(name)
      else { throw ServiceProblem.nobody(parameter: "profile") }
      try apply(try await profile(named: name), to: &request)
    } else if let own = try await ownProfile() {
      try apply(own, to: &request)
    }
    try apply(to: &request.profile)
    if let model = try model() { request.zoneModel = model }
    return try Self.zones(of: request, on: day)
  }

  private func apply(_ stored: StoredProfile, to request: inout CoachingRequest) throws {
    let profile = try stored.on(day)
    request.profile = profile.athlete
    if let model = profile.zoneModel { request.zoneModel = model }
  }

  /// The profile of whoever asks, where nothing in the query says whose zones are meant; `nil` for somebody without one.
  private func ownProfile() async throws -> StoredProfile? {
    guard let caller = call.caller, caller.session == nil, caller.group == nil, let name = caller.person,
      !Self.ofRunner.contains(where: { call.parameter($0) != nil }), ProfileFileName.isStoredName(name)
    else { return nil }
    do {
      return try await call.service.profiles.profile(named: name)
    } catch ProfileStoreError.missing {
      return nil
    }
  }

  /// The parameters that say something of whose zones are meant.
  private static let ofRunner = [
    "age", "birth-date", "max-heart-rate", "formula", "zone-model", "resting-heart-rate", "threshold-heart-rate",
    "threshold-scheme", "bounds", "sex", "weight-kg",
  ]

  private func profile(named name: String) async throws -> StoredProfile {
    do {
      return try await call.service.profiles.profile(named: name)
    } catch let error as ProfileStoreError {
      guard case .missing = error else { throw error }
      throw ServiceProblem.nobody(parameter: "profile")
    }
  }

  private static func zones(of request: CoachingRequest, on day: CivilDate) throws(ServiceProblem) -> HeartRateZones {
    do throws(ZoneError) {
      return try request.zones(on: day)
    } catch {
      throw problem(error, of: request, on: day)
    }
  }

  /// What is asked for cannot be, but for one thing: of somebody of whom nothing is known there are no zones, as there is nothing
  /// of somebody who is not there. The description cannot say that one of several parameters has to be there, so that a request
  /// without any is one that it allows.
  private static func problem(
    _ error: ZoneError, of request: CoachingRequest, on day: CivilDate
  ) -> ServiceProblem {
    let profile = request.profile
    let isSomebody = profile.maximumHeartRate != nil || profile.age(on: day) != nil
    switch error {
    case .missing where !isSomebody && request.zoneModel.needsMaximum: return ServiceProblem(.notFound, "\(error)")
    case .bounds: return .parameter("bounds", expected: error.expectation)
    case .restingNotBelowMaximum: return .parameter("resting-heart-rate", "\(error)")
    case .missing where profile.sex == nil && profile.formula == .sydo: return .parameter("formula", "\(error)")
    case .outOfRange: return .parameter("formula", "\(error)")
    case .missing, .target, .strategy, .plan: return .parameter("zone-model", "\(error)")
    }
  }

  private func apply(to profile: inout AthleteProfile) throws(ServiceProblem) {
    if let date = try call.day("birth-date") {
      guard let age = date.age(on: day), Athlete.plausibleAges.contains(age) else {
        throw .parameter("birth-date", expected: "a day 1 to 120 years before the day that is meant")
      }
      (profile.ageYears, profile.birthDate) = (nil, date)
    }
    if let age = try call.integer("age", Athlete.plausibleAges) { (profile.ageYears, profile.birthDate) = (age, nil) }
    if let maximum = try call.integer("max-heart-rate", MaximumHeartRate.plausible) {
      profile.maximumHeartRate = maximum
      profile.maximumOrigin = .measured
    }
    if let word = call.parameter("formula") {
      guard let formula = MaximumHeartRateFormula(rawValue: word) else {
        let names = MaximumHeartRateFormula.allCases.map(\.rawValue).joined(separator: ", ")
        throw .parameter("formula", expected: "one of " + names)
      }
      profile.formula = formula
    }
    if let resting = try call.integer("resting-heart-rate", Athlete.plausibleRestingHeartRates) {
      profile.restingHeartRate = resting
    }
    let thresholds = AthleteProfile.plausibleThresholdHeartRates
    if let threshold = try call.integer("threshold-heart-rate", thresholds) { profile.thresholdHeartRate = threshold }
    if let word = call.parameter("sex") {
      guard let sex = Sex(rawValue: word) else { throw .parameter("sex", expected: "female or male") }
      profile.sex = sex
    }
    if let text = call.parameter("weight-kg") {
      guard let weight = Double(text), Athlete.plausibleWeights.contains(weight) else {
        throw .parameter("weight-kg", expected: "kilograms from 20 to 300")
      }
      profile.weightKilograms = weight
    }
  }

  private func model() throws(ServiceProblem) -> ZoneModelChoice? {
    var bounds: [Int]?
    if let text = call.parameter("bounds") {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      bounds = parts.compactMap(\.self)
      guard bounds?.count == parts.count else { throw .parameter("bounds", expected: "heart rates with commas") }
    }
    do throws(ZoneModelWords.Problem) {
      return try ZoneModelWords.choice(
        call.parameter("zone-model"), scheme: call.parameter("threshold-scheme"), bounds: bounds)
    } catch {
      let name =
        switch error.word {
        case .model: "zone-model"
        case .scheme: "threshold-scheme"
        case .bounds: "bounds"
        }
      throw .parameter(name, expected: error.expected)
    }
  }
}

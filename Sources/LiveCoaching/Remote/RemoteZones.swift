package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// The zones by which a service coaches, as it answers them. Where a session is a person's, they are made of the stored profile of
/// that person, whatever was asked for.
package struct RemoteZones: Hashable, Sendable {
  /// The limits of a zone; absent where it has none.
  private struct Limits: Hashable, Sendable {
    let lowerBPM: Int?
    let upperBPM: Int?
  }

  /// Whose session it is; absent when it is nobody's.
  package let person: String?
  private let model: String
  private let maximum: Int?
  private let isMeasured: Bool
  private let limits: [Limits]

  /// Reads what a service answers of a session; `nil` where its zones are not in it.
  package init?(_ answer: JSONValue) {
    guard let model = answer["zoneModel"]?.string, let zones = answer["zones"]?.array, !zones.isEmpty else {
      return nil
    }
    self.model = model
    limits = zones.map { Limits(lowerBPM: Self.integer($0["lowerBPM"]), upperBPM: Self.integer($0["upperBPM"])) }
    maximum = Self.integer(answer["maximumHeartRate"])
    isMeasured = answer["maximumHeartRateSource"]?.string == MaximumHeartRate.Source.measured.name
    person = answer["person"]?.string
  }

  /// Asks a service for the zones of whoever the token is of; `nil` where it knows nobody, or too little of them for zones.
  ///
  /// - Throws: `RemoteFailure` when the service cannot be reached, refuses, or answers what are no zones.
  package init?(ofWhoAsks service: any RemoteService) async throws(RemoteFailure) {
    let answer = try await service.ask("/v1/zones", body: nil, type: "application/json", key: nil)
    switch answer.status {
    case 200: break
    // Nobody is known, or what is known of the person makes no zones: all else is said as it is.
    case 404, 422: return nil
    default: throw RemoteFailure(answer.problem, isRefusal: true)
    }
    guard let said = try? JSONValue.parse(answer.body.span), let zones = RemoteZones(said) else {
      throw RemoteFailure("answered what cannot be read", isRefusal: true)
    }
    self = zones
  }

  private static func integer(_ value: JSONValue?) -> Int? { value?.number?.int64.map { Int(clamping: $0) } }

  /// Whether they are the same as these, and of the same maximum.
  package func areSame(as zones: HeartRateZones) -> Bool {
    maximum == zones.maximum?.beatsPerMinute
      && limits == zones.zones.map { Limits(lowerBPM: $0.lowerBPM, upperBPM: $0.upperBPM) }
  }

  /// A request that leads to these zones on a day, and else asks for the same; `nil` where there is none.
  ///
  /// - Complexity: at most the zones of a few hundred people are made, where a model needs more of a person than its zones show.
  package func request(like request: CoachingRequest, on day: CivilDate?) -> CoachingRequest? {
    var request = request
    request.profile.maximumHeartRate = maximum
    request.profile.maximumOrigin = isMeasured ? .measured : .estimated
    if maximum == nil {
      // An age would make one.
      request.profile.ageYears = nil
      request.profile.birthDate = nil
    }
    let bounds = limits.compactMap(\.upperBPM)
    switch model {
    case ZoneModel.percentOfMaximum.name: return self.request(like: request, .percentOfMaximum, on: day)
    case ZoneModel.heartRateReserve(restingBPM: 0).name:
      return Athlete.plausibleRestingHeartRates.lazy.compactMap { resting in
        var person = request
        person.profile.restingHeartRate = resting
        return self.request(like: person, .heartRateReserve, on: day)
      }.first
    case ZoneModel.percentOfThreshold(thresholdBPM: 0, scheme: .coggan).name:
      return ThresholdScheme.allCases.lazy.compactMap { scheme in
        AthleteProfile.plausibleThresholdHeartRates.lazy.compactMap { threshold in
          var person = request
          person.profile.thresholdHeartRate = threshold
          return self.request(like: person, .percentOfThreshold(scheme), on: day)
        }.first
      }.first
    case ZoneModel.threeZone(firstThresholdBPM: 0, secondThresholdBPM: 0).name where bounds.count == 2:
      return self.request(like: request, .threeZone(first: bounds[0] + 1, second: bounds[1] + 1), on: day)
    case ZoneModel.custom(boundsBPM: []).name:
      guard let lowest = limits.first?.lowerBPM else { return nil }
      return self.request(like: request, .custom([lowest] + bounds), on: day)
    default: return nil
    }
  }

  /// The request with a model, where that leads to these zones.
  private func request(
    like request: CoachingRequest, _ model: ZoneModelChoice, on day: CivilDate?
  ) -> CoachingRequest? {
    var request = request
    request.zoneModel = model
    guard let zones = try? request.zones(on: day), areSame(as: zones) else { return nil }
    return request
  }

  /// `92–110, 111–128, 129–147`: the zones in one line.
  package var text: String {
    limits.map { limits in
      switch (limits.lowerBPM, limits.upperBPM) {
      case (let lower?, let upper?): "\(lower)–\(upper)"
      case (nil, let upper?): "\(upper) or less"
      case (let lower?, nil): "\(lower) or more"
      case (nil, nil): "any"
      }
    }.joined(separator: ", ")
  }
}

import TextFormats
import WorkoutSession
import ZoneEngine

extension CoachingRequest {
  /// Requests of every kind that can be asked for.
  static func examples() throws -> [CoachingRequest] {
    var full = try CoachingRequest.runner(
      "119-137", "period:every=61.5,window=59.25",
      guardrails: try Guardrails(warmUp: at(90.5), minimumInterval: .seconds(20)))
    full.profile.birthDate = CivilDate(year: 2003, month: 2, day: 28)
    full.profile.sex = .female
    full.profile.weightKilograms = 61.75
    full.profile.restingHeartRate = 52
    full.profile.maximumHeartRate = 196
    full.profile.thresholdHeartRate = 171
    full.profile.formula = .gellish
    full.activity = Activity("Müller's".replacing("'", with: "-")) ?? .unlabelled
    var result = [full]
    let models: [ZoneModelChoice] = [
      .percentOfMaximum, .heartRateReserve, .percentOfThreshold(.frielRunning), .percentOfThreshold(.frielCycling),
      .percentOfThreshold(.coggan), .threeZone(first: 145, second: 168), .custom([98, 118, 137]),
      .custom([60, 70, 80, 90, 100, 110, 120, 130, 140, 150]),
    ]
    for model in models {
      var request = full
      request.zoneModel = model
      request.target = "z1"
      result.append(request)
    }
    for formula in MaximumHeartRateFormula.allCases {
      var request = full
      request.profile.maximumHeartRate = nil
      request.profile.formula = formula
      result.append(request)
    }
    for preset in CoachPreset.allCases {
      var request = full
      request.follow(preset)
      request.ceiling = try SafetyCeiling(beatsPerMinute: 190, after: at(20.5))
      result.append(request)
      request.strategy = preset.seeded(9)
      request.guardrails = try Guardrails(warmUp: .zero, minimumInterval: .zero, grace: at(12.5))
      result.append(request)
      request.guardrails = .off
      result.append(request)
    }
    for specification in ["none", "moment", "moment:every=1", "period:every=86400,window=1"] {
      result.append(try runner("open", specification))
    }
    result.append(try runner(nil, "none"))
    result.append(
      try runner(
        nil, "period",
        plan: PlanRequest(steps: [
          .init(name: "warm-up", duration: at(600.125), target: "z1"), .init(name: nil, duration: nil, target: nil),
          .init(name: nil, duration: .seconds(1), target: "open"),
        ])))
    return result
  }
}

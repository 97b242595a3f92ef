import Testing
import ZoneEngine

@Suite("The maximum heart rate")
struct MaximumHeartRateTests {
  @Test("by every formula is that of the vectors")
  func formulas() throws {
    for row in try PhysiologyVectors.load().maximumByFormula {
      #expect(Set(row.estimate.keys) == Set(row.rounded.keys))
      for (key, estimate) in row.estimate {
        let words = key.split(separator: " ").map(String.init)
        let formula = try #require(MaximumHeartRateFormula.allCases.first { $0.recordName == words[0] })
        let sex = words.count > 1 ? Sex(rawValue: words[1]) : nil
        let thousandths = try formula.thousandths(ageYears: row.age, sex: sex)
        #expect(abs(Double(thousandths) / 1_000 - estimate) < 1e-9, "\(key) at \(row.age)")
        let maximum = try MaximumHeartRate(formula: formula, ageYears: row.age, sex: sex)
        #expect(maximum.beatsPerMinute == row.rounded[key], "\(key) at \(row.age)")
        #expect(maximum.source == .formula(formula))
      }
    }
  }

  @Test("by Zhu is a parabola that the vectors do not have")
  func zhu() throws {
    // 179 + 0.29·40 − 0.011·1600 = 173
    #expect(try MaximumHeartRate(formula: .zhu, ageYears: 40, sex: nil).beatsPerMinute == 173)
  }

  @Test("is the measured one whenever there is one")
  func measuredWins() throws {
    let measured = try MaximumHeartRate.resolve(measured: 188, ageYears: 23, sex: nil, formula: .fox)
    #expect(measured.beatsPerMinute == 188)
    #expect(measured.source == .measured)
    #expect(measured.source.name == "measured")
    let estimated = try MaximumHeartRate.resolve(measured: nil, ageYears: 23, sex: nil, formula: .tanaka)
    #expect(estimated.beatsPerMinute == 192)
    #expect(estimated.source.name == "tanaka")
    let unneeded = try MaximumHeartRate.resolve(measured: 188, ageYears: nil, sex: nil, formula: .sydo)
    #expect(unneeded.beatsPerMinute == 188)
    #expect(
      throws: ZoneError.missing(quantity: "an age or a measured maximum", neededFor: "the maximum heart rate")
    ) { try MaximumHeartRate.resolve(measured: nil, ageYears: nil, sex: .male, formula: .fox) }
  }

  @Test("is refused for what cannot be", arguments: [0, -1, 121, .min, .max])
  func impossibleAge(age: Int) {
    #expect(throws: ZoneError.outOfRange(quantity: "age in years", value: "\(age)", expected: "1…120")) {
      try MaximumHeartRate(formula: .fox, ageYears: age, sex: nil)
    }
  }

  @Test("is possible from the first year to the 120th by 220 − age")
  func possibleAges() throws {
    #expect(try MaximumHeartRate(formula: .fox, ageYears: 1, sex: nil).beatsPerMinute == 219)
    #expect(try MaximumHeartRate(formula: .fox, ageYears: 120, sex: nil).beatsPerMinute == 100)
  }

  @Test("by Sydó needs the sex")
  func sydo() {
    #expect(throws: ZoneError.missing(quantity: "the sex", neededFor: "the formula sydo")) {
      try MaximumHeartRate(formula: .sydo, ageYears: 50, sex: nil)
    }
  }

  @Test("is refused when a formula leaves what a heart can do")
  func impossibleEstimate() {
    #expect(
      throws: ZoneError.outOfRange(quantity: "maximum heart rate by zhu", value: "55", expected: "60…250")
    ) { try MaximumHeartRate(formula: .zhu, ageYears: 120, sex: nil) }
  }

  @Test("as measured is believed from 60 to 250")
  func measuredRange() throws {
    #expect(try MaximumHeartRate(measured: 60).beatsPerMinute == 60)
    #expect(try MaximumHeartRate(measured: 250).beatsPerMinute == 250)
    for bpm in [59, 251] {
      #expect(throws: ZoneError.outOfRange(quantity: "maximum heart rate", value: "\(bpm)", expected: "60…250")) {
        try MaximumHeartRate(measured: bpm)
      }
    }
  }

  @Test("has a formula for every name on a command line, and no other")
  func names() {
    #expect(MaximumHeartRateFormula(rawValue: "gellish-quadratic") == .gellishQuadratic)
    #expect(MaximumHeartRateFormula(rawValue: "gellishQuadratic") == nil)
    #expect(MaximumHeartRateFormula.gellishQuadratic.recordName == "gellishQuadratic")
    #expect(ThresholdScheme.allCases.map(\.rawValue) == ["friel-running", "friel-cycling", "coggan"])
    #expect(ThresholdScheme.allCases.map(\.recordName) == ["frielRunning", "frielCycling", "coggan"])
  }
}

@Suite("An athlete")
struct AthleteTests {
  @Test("may be unknown in everything")
  func unknown() throws {
    #expect(
      try Athlete(ageYears: nil, sex: nil, weightKilograms: nil, restingHeartRate: nil) == .unknown)
  }

  @Test("is refused with values that no person has")
  func impossible() {
    for age in [0, 121] {
      #expect(throws: ZoneError.outOfRange(quantity: "age in years", value: "\(age)", expected: "1…120")) {
        try Athlete(ageYears: age, sex: nil, weightKilograms: nil, restingHeartRate: nil)
      }
    }
    for (weight, text) in [(19.9, "19.9"), (300.5, "300.5"), (.nan, "nan"), (.infinity, "inf")] {
      #expect(throws: ZoneError.outOfRange(quantity: "weight in kilograms", value: text, expected: "20…300")) {
        try Athlete(ageYears: nil, sex: nil, weightKilograms: weight, restingHeartRate: nil)
      }
    }
    let plausible = Athlete.plausibleRestingHeartRates
    for resting in [plausible.lowerBound - 1, plausible.upperBound + 1] {
      let error = ZoneError.outOfRange(
        quantity: "resting heart rate", value: "\(resting)", expected: "\(plausible.lowerBound)…\(plausible.upperBound)"
      )
      #expect(throws: error) {
        try Athlete(ageYears: nil, sex: nil, weightKilograms: nil, restingHeartRate: resting)
      }
    }
  }
}

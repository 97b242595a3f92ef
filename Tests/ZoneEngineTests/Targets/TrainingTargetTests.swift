import Testing
import ZoneEngine

@Suite("A target")
struct TrainingTargetTests {
  private let zones: HeartRateZones

  init() throws {
    zones = try HeartRateZones(model: .percentOfMaximum, maximum: MaximumHeartRate(measured: 197))
  }

  @Test(
    "is read in every spelling of a zone",
    arguments: [
      "weight control", "weight-control", "Weight Control", "WEIGHT_CONTROL", "  weight   control ", "z2", "Z2", "2",
      "zone2", "zone 2", "zone-2", "Zone2",
    ])
  func zone(text: String) throws { #expect(try TrainingTarget(text, in: zones) == .zone(2)) }

  @Test(
    "is read as a range, with a hyphen, an en dash and spaces",
    arguments: ["119-137", "119–137", "119 - 137", " 119 – 137 "])
  func range(text: String) throws {
    #expect(try TrainingTarget(text, in: zones) == .range(lowerBPM: 119, upperBPM: 137))
  }

  @Test("is read as two zones and what lies between", arguments: ["z2-z3", "Z2 - Z3", "zone2–zone3", "z2–Z3"])
  func zoneSpan(text: String) throws {
    #expect(try TrainingTarget(text, in: zones) == .range(lowerBPM: 119, upperBPM: 157))
    #expect(try TrainingTarget("z2-z2", in: zones) == .range(lowerBPM: 119, upperBPM: 137))
    #expect(throws: ZoneError.self) { try TrainingTarget("z3-z2", in: zones) }
    #expect(throws: ZoneError.self) { try TrainingTarget("z2-z6", in: zones) }
  }

  @Test("is read as open")
  func open() throws {
    #expect(try TrainingTarget("open", in: zones) == .open)
    #expect(try TrainingTarget(" Open ", in: zones) == .open)
    #expect(try ResolvedTarget(.open, in: zones) == nil)
  }

  @Test("is read by the labels of the model")
  func labels() throws {
    let friel = try HeartRateZones(
      model: .percentOfThreshold(thresholdBPM: 170, scheme: .frielRunning), maximum: nil)
    #expect(try TrainingTarget("5a", in: friel) == .zone(5))
    #expect(try TrainingTarget("Z5C", in: friel) == .zone(7))
    #expect(try TrainingTarget("sub-threshold", in: friel) == .zone(4))
    #expect(throws: ZoneError.self) { try TrainingTarget("7", in: friel) }
    #expect(throws: ZoneError.self) { try TrainingTarget("5a", in: zones) }
  }

  @Test(
    "is refused with what would have been possible",
    arguments: [
      "", " ", "z0", "z6", "6", "weight", "119", "119-", "-119-137", "119-137-", "119--137", "a-b", "119-137-150", "-",
      "1e2-137", "119.5-137",
    ])
  func garbage(text: String) {
    let expected =
      "a zone (low-intensity, weight-control, aerobic, anaerobic, maximum, z1…z5), z2-z3, a range like 119-137, a pace like "
      + "5:30/km, a speed like 12km/h, a cadence like 170-180spm, a1:0.75-1.0, or open"
    #expect(throws: ZoneError.target(text: text, expected: expected)) { try TrainingTarget(text, in: zones) }
  }

  @Test("is refused when its limits descend or are no heart rates")
  func limits() throws {
    #expect(throws: ZoneError.target(text: "137-119", expected: "a lower limit that is not over the upper one")) {
      try TrainingTarget("137-119", in: zones)
    }
    #expect(throws: ZoneError.outOfRange(quantity: "lower limit of the target", value: "29", expected: "30…230")) {
      try TrainingTarget("29-137", in: zones)
    }
    #expect(throws: ZoneError.outOfRange(quantity: "upper limit of the target", value: "231", expected: "30…230")) {
      try TrainingTarget("119-231", in: zones)
    }
    #expect(try TrainingTarget.between(30, 230) == .range(lowerBPM: 30, upperBPM: 230))
    #expect(try TrainingTarget.between(120, 120) == .range(lowerBPM: 120, upperBPM: 120))
  }

  @Test("is resolved to limits that belong to it")
  func resolved() throws {
    let zone = try #require(try ResolvedTarget(.zone(2), in: zones))
    #expect(zone.lowerBPM == 119)
    #expect(zone.upperBPM == 137)
    #expect([118, 119, 137, 138].map { zone.side(ofDisplayedBPM: $0) } == [.under, .inside, .inside, .over])
    let range = try #require(try ResolvedTarget(.range(lowerBPM: 130, upperBPM: 130), in: zones))
    #expect([129, 130, 131].map { range.side(ofDisplayedBPM: $0) } == [.under, .inside, .over])
    let three = try HeartRateZones(model: .threeZone(firstThresholdBPM: 145, secondThresholdBPM: 168), maximum: nil)
    let lowest = try #require(try ResolvedTarget(.zone(1), in: three))
    #expect(lowest.lowerBPM == nil)
    #expect(lowest.side(ofDisplayedBPM: 30) == .inside)
    let highest = try #require(try ResolvedTarget(.zone(3), in: three))
    #expect(highest.upperBPM == nil)
    #expect(highest.side(ofDisplayedBPM: 230) == .inside)
  }

  @Test("cannot be a zone that the model does not have")
  func noSuchZone() {
    for number in [0, 6, -1] {
      #expect(throws: ZoneError.target(text: "zone \(number)", expected: "a zone from 1 to 5")) {
        try ResolvedTarget(.zone(number), in: zones)
      }
      #expect(throws: ZoneError.target(text: "zone \(number)", expected: "a zone from 1 to 5")) {
        try CoachingSettings(
          zones: zones, athlete: .unknown, plan: TrainingPlan(constant: .zone(number)), strategy: .none,
          guardrails: .off, fastestMetersPerSecond: 7)
      }
    }
  }
}

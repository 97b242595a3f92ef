import Testing
import ZoneEngine

@Suite("A target that is asked for")
struct TargetRequestTests {
  private let five: HeartRateZones
  private let friel: HeartRateZones

  init() throws {
    five = try HeartRateZones(model: .percentOfMaximum, maximum: MaximumHeartRate(measured: 190))
    friel = try HeartRateZones(
      model: .percentOfThreshold(thresholdBPM: 170, scheme: .frielRunning), maximum: nil)
  }

  @Test("needs zones, or a maximum, for all but beats and what is no heart rate")
  func needsZones() {
    for text in ["z2", "weight control", "2", "z2-z3", "70-80%", "nothing of the kind"] {
      #expect(TargetRequest(text).needsZones, "\(text)")
    }
    for text in ["open", "119-137", "5:30/km", "12km/h", "170-180spm", "a1:0.75-1.0"] {
      #expect(!TargetRequest(text).needsZones, "\(text)")
    }
  }

  @Test("keeps the text as it was written, blanks and capitals too")
  func text() {
    for text in ["z3", " Weight  Control", "119–137", "no target", ""] { #expect(TargetRequest(text).text == text) }
  }

  @Test("comes to what the zones make of it, which differs between models")
  func zones() throws {
    let span = TargetRequest("z2-z3")
    #expect(try span.target(in: five) == .range(lowerBPM: 115, upperBPM: 152))
    #expect(try span.target(in: friel) != span.target(in: five))
    let label = TargetRequest("Z5a")
    #expect(try label.target(in: friel) == .zone(5))
    #expect(throws: ZoneError.self) { try label.target(in: five) }
    #expect(try TargetRequest("weight control").target(in: five) == .zone(2))
  }

  @Test("is success without a value when it is open, and a failure with the text when the zones do not have it")
  func resolved() throws {
    #expect(TargetRequest("open").resolved(in: five) == .success(nil))
    #expect(try TargetRequest("2").resolved(in: five).get()?.lowerBPM == 115)
    guard case .failure(.target(let text, _)) = TargetRequest("Z9 ").resolved(in: five) else {
      Issue.record("a zone that is not there was resolved")
      return
    }
    #expect(text == "Z9 ")
  }

  @Test("is read the same whether two zones, one name with a hyphen or two numbers stand in it")
  func hyphens() throws {
    #expect(try TargetRequest("zone-2").target(in: five) == .zone(2))
    #expect(try TargetRequest("weight-control").target(in: five) == .zone(2))
    #expect(try TargetRequest("zone2 - zone2").target(in: five) == .range(lowerBPM: 115, upperBPM: 133))
    #expect(try TargetRequest("115 - 133").target(in: five) == .range(lowerBPM: 115, upperBPM: 133))
    #expect(throws: ZoneError.target(text: "z3-z2", expected: "a lower zone that is not over the upper one")) {
      try TargetRequest("z3-z2").target(in: five)
    }
    #expect(throws: ZoneError.target(text: "80-70%", expected: "a lower limit that is not over the upper one")) {
      try TargetRequest("80-70%").target(in: five)
    }
  }

  @Test("has a problem of its own where no zones have it, and none where those of somebody may")
  func problem() throws {
    for text in [
      "400", "z0", "z10", "5d", "z2 x y", "z1; 5min z2", "zz", "", "z2-", "z2-aerobic", "137-119", "1-2", "119-400",
      "10-70%", "70-200%", "80-70%", "5:99/km", "12-10km/h", "200w", "z3-z2", "zone5b-z5a",
    ] {
      #expect(TargetRequest(text).problem != nil, "\(text)")
      #expect(throws: ZoneError.self, "\(text)") { try TargetRequest(text).target(in: five) }
      #expect(throws: ZoneError.self, "\(text)") { try TargetRequest(text).target(in: friel) }
    }
    for text in [
      "z9", "5a", "zone-3", "Sub threshold", "z5a-z5c", "70-80%", "open", "119-137", "5:30/km", "a1:0.75-1.0",
    ] {
      #expect(TargetRequest(text).problem == nil, "\(text)")
    }
    #expect(TargetRequest("400").problem.map { "\($0)" }?.hasPrefix("target '400': expected a zone such as z2") == true)
    #expect(TargetRequest("200w").problem.map { "\($0)" }?.hasSuffix("power is not supported") == true)
  }

  @Test("has no problem of its own by any name of any zone of any model")
  func everyZone() throws {
    let maximum = try MaximumHeartRate(measured: 190)
    var models: [ZoneModel] = [
      .percentOfMaximum, .heartRateReserve(restingBPM: 60),
      .threeZone(firstThresholdBPM: 140, secondThresholdBPM: 165),
    ]
    models += ThresholdScheme.allCases.map { .percentOfThreshold(thresholdBPM: 170, scheme: $0) }
    models += (2...10).map { count in .custom(boundsBPM: (0..<count).map { 100 + 10 * $0 }) }
    for model in models {
      let zones = try HeartRateZones(model: model, maximum: maximum)
      for zone in zones.zones {
        for text in [zone.name, zone.label, "z\(zone.label)", "zone\(zone.label)", "Zone \(zone.label)"] {
          #expect(try TargetRequest(text).target(in: zones) == .zone(zone.number), "\(text) of \(model.name)")
          #expect(TargetRequest(text).problem == nil, "\(text) of \(model.name)")
        }
        let span = "z\(zones.zones[0].label)-z\(zone.label)"
        #expect(TargetRequest(span).problem == nil, "\(span) of \(model.name)")
      }
    }
  }
}

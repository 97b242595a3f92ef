import TestSupport
import Testing
import ZoneEngine

@Suite("Heart-rate zones")
struct HeartRateZonesTests {
  private static func zones(_ model: ZoneModel, maximum: Int? = nil) throws -> HeartRateZones {
    try HeartRateZones(model: model, maximum: maximum.map { try MaximumHeartRate(measured: $0) })
  }

  private static func limits(_ zones: HeartRateZones) -> [[Int?]] { zones.zones.map { [$0.lowerBPM, $0.upperBPM] } }

  @Test("at the age of 23 are Table 1 of the Wise paper")
  func wiseTable1() throws {
    let maximum = try MaximumHeartRate(formula: .fox, ageYears: 23, sex: nil)
    #expect(maximum.beatsPerMinute == 197)
    let zones = try HeartRateZones(model: .percentOfMaximum, maximum: maximum)
    let rows = zones.zones.map { "\($0.number) \($0.name) \($0.color) \($0.lowerBPM ?? 0)-\($0.upperBPM ?? 0)" }
    #expect(
      rows == [
        "1 Low intensity cyan 98-118", "2 Weight control blue 119-137", "3 Aerobic green 138-157",
        "4 Anaerobic orange 158-177", "5 Maximum red 178-197",
      ])
  }

  @Test("by 220 − age are those of the vectors at every age from 10 to 90")
  func everyAge() throws {
    let vectors = try PhysiologyVectors.load().zonesByAge
    #expect(vectors.count == 81)
    for row in vectors {
      let maximum = try MaximumHeartRate(formula: .fox, ageYears: row.age, sex: nil)
      #expect(maximum.beatsPerMinute == row.maximum, "age \(row.age)")
      let zones = try HeartRateZones(model: .percentOfMaximum, maximum: maximum)
      #expect(Self.limits(zones) == row.zones, "age \(row.age)")
    }
  }

  @Test("are cut by integers where floating-point numbers cut one too low")
  func floatTrap() throws {
    for row in try PhysiologyVectors.load().floatTrap {
      #expect(Int(0.7 * Double(row.maximum)) == row.wrong, "the trap is gone at \(row.maximum)")
      let zones = try Self.zones(.percentOfMaximum, maximum: row.maximum)
      #expect(zones.zones[1].upperBPM == row.right, "maximum \(row.maximum)")
      #expect(zones.zones[2].lowerBPM == row.right + 1, "maximum \(row.maximum)")
    }
  }

  @Test("take the heart rate as it is displayed")
  func classify() throws {
    let zones = try Self.zones(.percentOfMaximum, maximum: 197)
    for row in try PhysiologyVectors.load().classifyAge23 {
      #expect(HeartRateZones.displayed(row.beatsPerMinute) == row.displayed, "\(row.beatsPerMinute)")
      #expect(zones.band(of: row.beatsPerMinute)?.description == row.band, "\(row.beatsPerMinute)")
    }
  }

  @Test("have no band for what is no reading")
  func noReading() throws {
    let zones = try Self.zones(.percentOfMaximum, maximum: 197)
    for text in try PhysiologyVectors.load().noReading {
      let value = try #require(Double(text))
      #expect(zones.band(of: value) == nil, "\(text)")
      var filter = SignalFilter()
      let verdict = filter.admit(value, at: .zero)
      #expect(verdict == .noReading, "\(text)")
    }
    #expect(zones.band(of: -.leastNonzeroMagnitude) == nil)
    #expect(zones.band(of: .greatestFiniteMagnitude) == .aboveMaximum)
  }

  @Test("by heart-rate reserve have the edges of Karvonen")
  func karvonen() throws {
    for row in try PhysiologyVectors.load().karvonen {
      let zones = try Self.zones(.heartRateReserve(restingBPM: row.resting), maximum: row.maximum)
      #expect(zones.zones.map(\.upperBPM) == row.edges.dropFirst().map { $0 }, "\(row)")
      #expect(zones.zones.map(\.lowerBPM) == [row.edges[0]] + row.edges[1...4].map { $0 + 1 }, "\(row)")
    }
  }

  @Test("by threshold are those of Friel and of Coggan")
  func threshold() throws {
    let vectors = try PhysiologyVectors.load()
    let friel = try Self.zones(.percentOfThreshold(thresholdBPM: 170, scheme: .frielRunning))
    for row in vectors.frielRunning170 {
      #expect(Self.label(row.beatsPerMinute, in: friel) == row.label, "\(row)")
    }
    let coggan = try Self.zones(.percentOfThreshold(thresholdBPM: 175, scheme: .coggan))
    for row in vectors.coggan175 { #expect(Self.label(row.beatsPerMinute, in: coggan) == row.label, "\(row)") }
    #expect(friel.band(ofDisplayedBPM: 30) == .zone(1))
    #expect(friel.band(ofDisplayedBPM: 250) == .zone(7))
  }

  @Test("by Friel for cycling begin where the percentages say")
  func frielCycling() throws {
    let zones = try Self.zones(.percentOfThreshold(thresholdBPM: 200, scheme: .frielCycling))
    #expect(zones.zones.map(\.lowerBPM) == [nil, 162, 180, 188, 200, 206, 213])
    #expect(zones.zones.map(\.label) == ["1", "2", "3", "4", "5a", "5b", "5c"])
  }

  @Test("by two thresholds are three")
  func threeZone() throws {
    for row in try PhysiologyVectors.load().threeZone {
      let zones = try Self.zones(.threeZone(firstThresholdBPM: row.first, secondThresholdBPM: row.second))
      #expect(zones.band(ofDisplayedBPM: row.beatsPerMinute) == .zone(row.zone), "\(row)")
    }
  }

  @Test("of one's own have the limits that were given")
  func custom() throws {
    let two = try Self.zones(.custom(boundsBPM: [100, 120, 150]))
    #expect(Self.limits(two) == [[100, 120], [121, 150]])
    #expect(two.zones.map(\.name) == ["Zone 1", "Zone 2"])
    #expect(two.bands == [.below, .zone(1), .zone(2), .aboveMaximum])
    let five = try Self.zones(.custom(boundsBPM: [90, 110, 130, 150, 170, 190]))
    #expect(five.zones[1].name == "Weight control")
    let nine = try Self.zones(.custom(boundsBPM: Array(stride(from: 100, through: 190, by: 10))))
    #expect(nine.zones.count == 9)
  }

  @Test("cover every heart rate exactly once, in every model")
  func partition() throws {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<300 {
      let resting = generator.int(25...120)
      let maximum = generator.int(60...250)
      let first = generator.int(40...200)
      var models: [ZoneModel] = [
        .percentOfMaximum, .threeZone(firstThresholdBPM: first, secondThresholdBPM: first + generator.int(1...30)),
        .percentOfThreshold(
          thresholdBPM: generator.int(60...230), scheme: generator.pick(ThresholdScheme.allCases)),
      ]
      if maximum - resting >= 20 { models.append(.heartRateReserve(restingBPM: resting)) }
      for model in models {
        let zones = try Self.zones(model, maximum: maximum)
        for bpm in 0...260 {
          let holders = zones.zones.filter { ($0.lowerBPM ?? .min) <= bpm && bpm <= ($0.upperBPM ?? .max) }
          switch zones.band(ofDisplayedBPM: bpm) {
          case .zone(let number): #expect(holders.map(\.number) == [number], "\(bpm) in \(model), maximum \(maximum)")
          case .below:
            #expect(holders.isEmpty, "\(bpm) in \(model)")
            #expect(bpm < zones.zones[0].lowerBPM ?? .min, "\(bpm) in \(model)")
          case .aboveMaximum:
            #expect(holders.isEmpty, "\(bpm) in \(model)")
            #expect(bpm > zones.zones.last?.upperBPM ?? .max, "\(bpm) in \(model)")
          }
        }
      }
    }
  }

  @Test("say what is wrong with what they were given")
  func errors() {
    #expect(throws: ZoneError.restingNotBelowMaximum(resting: 100, maximum: 100)) {
      try Self.zones(.heartRateReserve(restingBPM: 100), maximum: 100)
    }
    #expect(throws: ZoneError.restingNotBelowMaximum(resting: 110, maximum: 100)) {
      try Self.zones(.heartRateReserve(restingBPM: 110), maximum: 100)
    }
    let plausible = Athlete.plausibleRestingHeartRates
    for resting in [plausible.lowerBound - 1, plausible.upperBound + 1] {
      let error = ZoneError.outOfRange(
        quantity: "resting heart rate", value: "\(resting)", expected: "\(plausible.lowerBound)…\(plausible.upperBound)"
      )
      #expect(throws: error) { try Self.zones(.heartRateReserve(restingBPM: resting), maximum: 250) }
    }
    let narrow = ZoneError.bounds(
      [94, 95, 95, 96, 96, 97], expected: "a heart-rate reserve wide enough for five zones")
    #expect(throws: narrow) {
      try Self.zones(.heartRateReserve(restingBPM: 92), maximum: 97)
    }
    #expect(throws: ZoneError.bounds([150, 140, 160], expected: "ascending bounds")) {
      try Self.zones(.custom(boundsBPM: [150, 140, 160]))
    }
    #expect(throws: ZoneError.bounds([150, 150], expected: "ascending bounds")) {
      try Self.zones(.custom(boundsBPM: [150, 150]))
    }
    for bounds in [[], [120], Array(100...110)] {
      #expect(throws: ZoneError.bounds(bounds, expected: "the lower limit of zone 1 and 1 to 9 upper limits")) {
        try Self.zones(.custom(boundsBPM: bounds))
      }
    }
    #expect(throws: ZoneError.outOfRange(quantity: "bound", value: "251", expected: "20…250")) {
      try Self.zones(.custom(boundsBPM: [100, 251]))
    }
    #expect(throws: ZoneError.bounds([160, 150], expected: "a first threshold below the second")) {
      try Self.zones(.threeZone(firstThresholdBPM: 160, secondThresholdBPM: 150))
    }
    #expect(throws: ZoneError.outOfRange(quantity: "second threshold", value: "231", expected: "40…230")) {
      try Self.zones(.threeZone(firstThresholdBPM: 160, secondThresholdBPM: 231))
    }
    #expect(throws: ZoneError.outOfRange(quantity: "threshold heart rate", value: "59", expected: "60…230")) {
      try Self.zones(.percentOfThreshold(thresholdBPM: 59, scheme: .coggan))
    }
    for (model, name) in [
      (ZoneModel.percentOfMaximum, "percent-of-maximum"), (.heartRateReserve(restingBPM: 60), "heart-rate-reserve"),
    ] {
      #expect(
        throws: ZoneError.missing(
          quantity: "an age or a measured maximum", neededFor: "the zone model \(name)")
      ) { try Self.zones(model) }
    }
  }

  @Test("have errors that read as one line with what was expected")
  func errorText() {
    let errors: [(ZoneError, String)] = [
      (
        .outOfRange(quantity: "age in years", value: "0", expected: "1…120"),
        "age in years 0 is not possible: expected 1…120"
      ),
      (
        .restingNotBelowMaximum(resting: 190, maximum: 180),
        "resting heart rate 190 is not below the maximum 180: expected a lower resting heart rate"
      ),
      (.bounds([150, 140], expected: "ascending bounds"), "bounds 150,140: expected ascending bounds"),
      (.missing(quantity: "the sex", neededFor: "the formula sydo"), "the formula sydo needs the sex"),
      (.target(text: "z9", expected: "a zone"), "target 'z9': expected a zone"),
      (.strategy(text: "guess", expected: "one of none"), "strategy 'guess': expected one of none"),
      (.plan("0 steps: expected 1 to 1000"), "plan: 0 steps: expected 1 to 1000"),
    ]
    for (error, text) in errors { #expect(error.description == text) }
  }

  private static func label(_ bpm: Int, in zones: HeartRateZones) -> String? {
    guard case .zone(let number) = zones.band(ofDisplayedBPM: bpm) else { return nil }
    return zones.zones[number - 1].label
  }
}

import TestSupport
import Testing
import ZoneEngine

@Suite("A target that is moved by a key")
struct TargetMoveTests {
  private static let zones = Result { try CoachingSettings.testing().zones }

  @Test("is the next zone, and none beyond the last")
  func zones() throws {
    let zones = try Self.zones.get()
    #expect(TrainingTarget.zone(2).moved(.up, in: zones) == .zone(3))
    #expect(TrainingTarget.zone(2).moved(.down, in: zones) == .zone(1))
    #expect(TrainingTarget.zone(1).moved(.down, in: zones) == nil)
    #expect(TrainingTarget.zone(5).moved(.up, in: zones) == nil)
    #expect(TrainingTarget.open.moved(.up, in: zones) == nil)
    #expect(TrainingTarget.zone(4).moved(.up, in: zones, under: 177) == nil)
    #expect(TrainingTarget.zone(4).moved(.up, in: zones, under: 178) == .zone(5))
    #expect(TrainingTarget.zone(5).moved(.down, in: zones, under: 100) == .zone(4))
  }

  @Test("is the range 5 bpm further, of the same width, within what is plausible and under the ceiling")
  func ranges() throws {
    let zones = try Self.zones.get()
    let range = TrainingTarget.range(lowerBPM: 119, upperBPM: 137)
    #expect(range.moved(.up, in: zones) == .range(lowerBPM: 124, upperBPM: 142))
    #expect(range.moved(.down, in: zones) == .range(lowerBPM: 114, upperBPM: 132))
    #expect(range.moved(.up, in: zones, under: 140) == .range(lowerBPM: 122, upperBPM: 140))
    #expect(range.moved(.up, in: zones, under: 137) == nil)
    #expect(range.moved(.down, in: zones, under: 120) == .range(lowerBPM: 114, upperBPM: 132))
    #expect(
      TrainingTarget.range(lowerBPM: 32, upperBPM: 40).moved(.down, in: zones) == .range(lowerBPM: 30, upperBPM: 38))
    #expect(TrainingTarget.range(lowerBPM: 30, upperBPM: 40).moved(.down, in: zones) == nil)
    #expect(TrainingTarget.range(lowerBPM: 200, upperBPM: 230).moved(.up, in: zones) == nil)
  }

  @Test("is read again from its text in the same zones, also where zones have letters")
  func text() throws {
    let friel = try HeartRateZones(model: .percentOfThreshold(thresholdBPM: 170, scheme: .frielRunning), maximum: nil)
    for zones in [try Self.zones.get(), friel] {
      let targets = zones.zones.map { TrainingTarget.zone($0.number) } + [.open, .range(lowerBPM: 99, upperBPM: 120)]
      for target in targets { #expect(try TrainingTarget(target.text(in: zones), in: zones) == target) }
    }
    #expect(TrainingTarget.zone(6).text(in: friel) == "z5b")
    #expect("\(TrainingTarget.zone(3)), \(TrainingTarget.range(lowerBPM: 99, upperBPM: 120))" == "zone3, 99-120")
  }
}

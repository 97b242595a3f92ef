import TestSupport
import Testing

@testable import ZoneEngine

@Suite("The time with a target")
struct TargetTotalTests {
  @Test("is what adding every span up comes to, whatever targets begin", arguments: 0..<50)
  func sums(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let zones = try HeartRateZones(model: .percentOfMaximum, maximum: MaximumHeartRate(measured: 190))
    // A pace is asked for and covered by no heart rate.
    let targets: [ResolvedTarget?] = try [
      nil, ResolvedTarget(.zone(2), in: zones), ResolvedTarget(TrainingTarget("5:30/km", in: zones), in: zones),
    ]
    var place = generator.int(0...2)
    var total = TargetTotal(targets[place])
    var (active, covered) = (SessionTime.zero, SessionTime.zero)
    var (activeAsked, coveredAsked) = (SessionTime.zero, SessionTime.zero)
    for _ in 0..<200 {
      let span = SessionTime(nanoseconds: Int64(generator.int(0...5_000_000_000)))
      let held = generator.chance(0.7) ? span : SessionTime(nanoseconds: span.nanoseconds / 3)
      active += span
      covered += held
      if place > 0 { activeAsked += span }
      if place == 1 { coveredAsked += held }
      #expect(total.active(at: active) == activeAsked)
      #expect(total.covered(ofAll: covered) == coveredAsked)
      if generator.chance(0.2) {
        place = generator.int(0...2)
        total.begin(targets[place], active: active, covered: covered)
      }
    }
  }
}

import TestSupport
import Testing

@testable import ZoneEngine

@Suite("The time with a target")
struct TargetTotalTests {
  @Test("is what adding every span up comes to, whatever targets begin", arguments: 0..<50)
  func sums(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    var isAsked = generator.chance(0.5)
    var total = TargetTotal(isAsked: isAsked)
    var (active, covered) = (SessionTime.zero, SessionTime.zero)
    var (activeAsked, coveredAsked) = (SessionTime.zero, SessionTime.zero)
    for _ in 0..<200 {
      let span = SessionTime(nanoseconds: Int64(generator.int(0...5_000_000_000)))
      let held = generator.chance(0.7) ? span : SessionTime(nanoseconds: span.nanoseconds / 3)
      active += span
      covered += held
      if isAsked {
        activeAsked += span
        coveredAsked += held
      }
      #expect(total.active(at: active) == activeAsked)
      #expect(total.covered(ofAll: covered) == coveredAsked)
      if generator.chance(0.2) {
        isAsked = generator.chance(0.5)
        total.begin(isAsked: isAsked, active: active, covered: covered)
      }
    }
  }
}

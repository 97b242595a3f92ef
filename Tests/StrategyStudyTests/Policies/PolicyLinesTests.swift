import Testing
import TextFormats
import WorkoutSession
@testable import OutsidePolicies
@testable import ZoneEngine

@Suite("The lines to a program")
struct PolicyLinesTests {
  /// A question about a target, with what was measured.
  private func question(_ target: TargetRequest, _ measured: Double?) throws -> String {
    let zones = try AskedRun.settings(.none).zones
    let resolved = try #require(try ResolvedTarget(target.target(in: zones), in: zones))
    var writer = JSONWriter()
    PolicyLines.question(
      1, of: 0,
      AskedQuestion(
        time: .seconds(60), active: .seconds(60), heartRateBPM: 140, heartRateAge: .zero, target: resolved,
        side: .under, measured: measured, held: []), to: &writer)
    return writer.text
  }

  @Test("A question about a quantity has its value and its limits with the unit in the names")
  func units() throws {
    let pace = try question("5:20-5:40/km", 2.5)
    #expect(pace.contains(#""quantity":"pace","value":2.5,"valueMetersPerSecond":2.5,"#))
    #expect(pace.contains(#""targetLowerMetersPerSecond":2.94"#))
    #expect(pace.contains(#""targetUpperMetersPerSecond":3.125,"side":"under""#))
    let cadence = try question("170-180spm", 160)
    #expect(cadence.contains(#""value":160,"valueStepsPerMinute":160,"targetLowerStepsPerMinute":170,"#))
    #expect(cadence.contains(#""targetUpperStepsPerMinute":180,"side""#))
    let alpha = try question("a1:0.75-1.0", 0.8)
    #expect(alpha.contains(#""valueAlpha1":1.25,"targetLowerAlpha1":0.75,"targetUpperAlpha1":1,"side""#), "\(alpha)")
    #expect(!(try question("5:20-5:40/km", nil)).contains("valueMetersPerSecond"))
    #expect(!(try question("119-137", nil)).contains("quantity"))
  }
}

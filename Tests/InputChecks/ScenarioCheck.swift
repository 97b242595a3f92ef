internal import SessionStore
internal import TextFormats
internal import ZoneEngine

extension InputCheck {
  /// Scenarios of the name `t`: read, and run when they are small.
  package static let scenario = InputCheck(
    name: "scenario", longestInput: 4_096, seeds: ScenarioSeeds.all,
    violation: { bytes in
      do throws(JSONError) {
        let scenario = try read(bytes)
        guard scenario.arrivals.count <= 2_000, (scenario.arrivals.last?.time ?? .zero) <= .seconds(86_400) else {
          return nil
        }
        return ScenarioVerification.failures(of: scenario).first { $0.hasPrefix("invariant") || $0.contains("\n") }
      } catch {
        return ErrorLine.fault(of: error.description)
      }
    },
    isUsable: { bytes in (try? read(bytes)) != nil })

  /// CSV files beside it are looked for where none can be.
  private static func read(_ bytes: [UInt8]) throws(JSONError) -> Scenario {
    try Scenario(json: bytes.span, name: "t", folder: "/dev/null")
  }
}

import OutsidePolicies
import TextFormats
import ZoneEngine

/// Starts the programs that a command line names in place of strategies. Nothing else names one: no file, and nobody who is
/// connected, also where a service runs a verb for a request (`ProgramStart.isAllowed`).
enum PolicyRequest {
  /// The programs of some texts of the command line.
  ///
  /// - Parameter seed: what they may draw from, where no option says it.
  /// - Throws: `PolicyError` when one cannot be started.
  static func policies(_ texts: [String], _ parsed: ParsedArguments, seed: UInt64 = 1) throws -> Policies {
    try Policies(
      texts, seed: parsed.declares(PolicyOptions.seed) ? parsed[PolicyOptions.seed].map { UInt64($0) } ?? seed : seed,
      seconds: parsed[PolicyOptions.seconds] ?? PolicyProgram.usualSeconds)
  }

  /// The program of `--strategy`, where it names one.
  ///
  /// - Throws: `PolicyError` when it cannot be started.
  static func policies(_ parsed: ParsedArguments) throws -> Policies {
    try policies([parsed[GuidanceOptions.strategy]].compactMap { $0 }, parsed)
  }

  /// The strategy of a text of the command line: a program of these, a built-in one, or a preset.
  ///
  /// - Parameter mayBeProgram: whether the option takes programs, so that an error names them.
  /// - Throws: `ZoneError` when it is none of them, with all that may stand there.
  static func strategy(
    _ text: String, of policies: Policies?, mayBeProgram: Bool
  ) throws(ZoneError) -> FeedbackStrategy {
    do throws(ZoneError) {
      if let policies { return try policies.strategy(text) }
      return try FeedbackStrategy(specification: text)
    } catch .strategy(let kind, let expected) {
      let name = kind.prefix { $0 != ":" }
      guard name != "exec", !StrategyDescription.all.contains(where: { $0.kind == name }) else {
        throw .strategy(text: kind, expected: expected)
      }
      let presets = StrategyPreset.all.map(\.name).joined(separator: ", ")
      let program = mayBeProgram && ProgramStart.isAllowed ? ", or exec:PROGRAM" : ""
      throw .strategy(text: kind, expected: "\(expected), of the presets \(presets)\(program)")
    }
  }

  /// The session of a program, where the settings ask one.
  static func session(_ policies: Policies, _ settings: CoachingSettings) -> PolicySession? {
    policies.session(of: 0, settings)
  }
}

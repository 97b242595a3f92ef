internal import Synchronization
package import ZoneEngine

/// The programs that a command line names, each once.
package final class Policies: Hashable, Sendable {
  private let programs: [String: PolicyProgram]
  private let seed: UInt64
  private let first = Mutex<(runner: Int, error: PolicyError)?>(nil)

  /// Starts the programs that some texts name; what does not begin with `exec:` is left to others.
  ///
  /// - Parameters:
  ///   - seed: what they may draw from.
  ///   - seconds: how long an answer may take.
  /// - Throws: ``PolicyError`` when one cannot be started.
  package init(_ specifications: [String], seed: UInt64, seconds: Double) throws(PolicyError) {
    var programs: [String: PolicyProgram] = [:]
    for text in specifications where text.hasPrefix(PolicyCommand.prefix) && programs[text] == nil {
      do throws(PolicyError) {
        programs[text] = try PolicyProgram(text, seed: seed, seconds: seconds)
      } catch {
        for program in programs.values { program.end() }
        throw error
      }
    }
    self.programs = programs
    self.seed = seed
  }

  /// The strategy of a text: one that asks a program, or a built-in one.
  ///
  /// - Throws: `ZoneError` when it is neither.
  package func strategy(_ text: String) throws(ZoneError) -> FeedbackStrategy {
    if let program = programs[text] { return .asked(program.strategy) }
    return try FeedbackStrategy(specification: text)
  }

  /// A session of a runner, with a seed of its own that its number decides; `nil` for a strategy that asks none of these programs.
  package func session(of runner: Int, _ settings: CoachingSettings) -> PolicySession? {
    session(of: runner, drawingFrom: UInt64(runner), settings)
  }

  /// A session of a runner whose seed does not depend on its number; `nil` for a strategy that asks none of these programs.
  ///
  /// - Parameter content: what decides the seed of the runner, beside the seed of all of them.
  package func session(
    of runner: Int, drawingFrom content: UInt64, _ settings: CoachingSettings
  ) -> PolicySession? {
    guard case .asked(let asked) = settings.strategy else { return nil }
    let own = CounterRandom(seed: seed, content, 0x504F_4C49).bits(at: 0)
    return programs[asked.specification]?.session(of: runner, seed: own, settings)
  }

  /// Why a program was given up, of the first runner where there are several; absent while all answer.
  package var failure: (runner: Int, error: PolicyError)? { first.withLock { $0 } }

  /// Ends the session of a runner, and keeps why its program was given up.
  package func end(_ session: PolicySession, of runner: Int) {
    do throws(PolicyError) {
      try session.end()
    } catch {
      // A line behind the session before is that one's.
      let runner = min(runner, error.place?.runner ?? runner)
      first.withLock { first in
        if first.map({ runner < $0.runner }) ?? true { first = (runner, error) }
      }
    }
  }

  /// Ends all programs that nobody uses when all sessions are over, and finds what they wrote behind their last one.
  ///
  /// - Returns: why a program was given up, as ``failure``; the first session of those in which the last line was not asked for.
  package func finish() -> (runner: Int, error: PolicyError)? {
    if let failure { return failure }
    let errors = programs.sorted { $0.key < $1.key }.flatMap { $0.value.finish() }
    return first.withLock { first in
      for error in errors {
        let runner = error.place?.runner ?? 0
        if first.map({ runner < $0.runner }) ?? true { first = (runner, error) }
      }
      return first
    }
  }

  /// Ends all programs that nobody uses.
  package func end() { for program in programs.values { program.end() } }

  package static func == (left: Policies, right: Policies) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

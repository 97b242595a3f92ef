internal import Synchronization
internal import TextFormats
package import ZoneEngine

/// A program of somebody else that says when to cue. Only a command line can name one, and none that a service makes of a request.
///
/// There are as many processes of it as sessions that are asked for at once, each for one session after another: a thread of a
/// study has one to itself, so that no thread waits for the program of another, and memory and starts do not grow with the
/// runners. The answers to a runner may depend on nothing but the lines about that runner and the hello, so that it does not
/// matter which process has them, or what it had before.
package final class PolicyProgram: Sendable {
  /// How long an answer may take, in seconds, when nothing is said.
  package static let usualSeconds = 2.0
  /// How long a program may take to start at least, in seconds: an interpreter reads its libraries first.
  private static let startSeconds = 20.0

  /// When questions are asked, by whom they are answered.
  package let strategy: AskedStrategy
  let command: PolicyCommand
  let seed: UInt64
  let seconds: Double
  private let idle: Mutex<[Held]>

  /// A process on its way from one session to the next. It is used by one thread at a time.
  private struct Held: @unchecked Sendable {
    let process: PolicyProcess
    /// The last session of it; absent before the first.
    let last: EarlierSession?
  }

  /// A session that a process had.
  struct EarlierSession {
    /// Whose it was, and the second of its last question.
    let place: PolicyError.Place
    /// How many questions it had.
    let asked: Int
  }

  /// Starts a program, so that what is wrong with it is known before anything is read.
  ///
  /// - Parameters:
  ///   - specification: `exec:PROGRAM ARGUMENTS`.
  ///   - seed: what it may draw from.
  ///   - seconds: how long an answer may take.
  /// - Throws: ``PolicyError``.
  package init(_ specification: String, seed: UInt64, seconds: Double) throws(PolicyError) {
    guard ProgramStart.isAllowed else {
      throw PolicyError(specification, .notStarted("what a service has asked for starts no program"))
    }
    command = try PolicyCommand(specification)
    self.seed = seed
    self.seconds = seconds
    let hash = try command.programHash()
    let (process, every) = try Self.start(command, seed: seed, seconds: seconds)
    do throws(ZoneError) {
      strategy = try AskedStrategy(every: every, specification: specification, programHash: hash)
    } catch {
      throw PolicyError(specification, .protocolBroken("\(error)"))
    }
    idle = Mutex([Held(process: process, last: nil)])
  }

  /// A session of a runner, whose questions it answers.
  ///
  /// - Parameters:
  ///   - runner: its number; what is asked for at once has different ones.
  ///   - seed: what the program may draw from for this runner.
  package func session(of runner: Int, seed: UInt64, _ settings: CoachingSettings) -> PolicySession {
    PolicySession(self, runner: runner, seed: seed, settings)
  }

  /// Ends all processes that nobody uses.
  package func end() {
    let all = idle.withLock { idle in
      defer { idle = [] }
      return idle.map { $0.process }
    }
    for process in all { process.end() }
  }

  /// Ends all processes that nobody uses, and says which of them wrote what nobody asked for behind their last session. Each has the
  /// time of an answer to end by itself, all of them together, since what it writes at the end of its input comes after that.
  func finish() -> [PolicyError] {
    let all = idle.withLock { idle in
      defer { idle = [] }
      return idle
    }
    for held in all { held.process.endInput() }
    let deadline = MonotonicClock.now + endNanoseconds
    var errors: [PolicyError] = []
    for held in all {
      if held.process.writesMore(until: deadline) { errors.append(unasked(at: held.last?.place)) }
      held.process.end()
    }
    return errors
  }

  /// How long a program has to end by itself.
  var endNanoseconds: Int64 { Int64(min(seconds, Self.usualSeconds) * 1e9) }

  /// That a line was written that nobody asked for.
  func unasked(at place: PolicyError.Place?) -> PolicyError {
    PolicyError(command.specification, .protocolBroken("it wrote a line that nobody asked for"), at: place)
  }

  /// A process, a new one where all are in use, with the last session of it.
  func take() throws(PolicyError) -> (process: PolicyProcess, last: EarlierSession?) {
    if let held = idle.withLock({ $0.popLast() }) { return (held.process, held.last) }
    let (process, every) = try Self.start(command, seed: seed, seconds: seconds)
    guard every == strategy.schedule.every else {
      process.end()
      throw PolicyError(
        command.specification, .protocolBroken("another everySeconds than when it was started first"))
    }
    return (process, nil)
  }

  /// Takes a process back that can go on, with the session that it had.
  func give(back process: PolicyProcess, after last: EarlierSession) {
    let held = Held(process: process, last: last)
    idle.withLock { $0.append(held) }
  }

  private static func start(
    _ command: PolicyCommand, seed: UInt64, seconds: Double
  ) throws(PolicyError) -> (PolicyProcess, SessionTime) {
    let process: PolicyProcess
    do throws(PolicyProcess.StartFailure) {
      process = try PolicyProcess(command.path, command.words)
    } catch {
      throw PolicyError(command.specification, .notStarted(error.words))
    }
    var writer = JSONWriter()
    PolicyLines.hello(seed: seed, seconds: seconds, to: &writer)
    let wait = max(seconds, startSeconds)
    let line: [UInt8]
    do throws(PolicyProcess.Failure) {
      let deadline = MonotonicClock.now + Int64(wait * 1e9)
      try process.write(writer.bytes, until: deadline)
      line = try process.line(until: deadline)
    } catch {
      defer { process.end() }
      throw PolicyError(
        command.specification,
        PolicySession.problem(error, process, what: "no answer to the hello", seconds: wait))
    }
    do throws(JSONError) {
      return (process, try PolicyLines.ready(line))
    } catch {
      process.end()
      throw PolicyError(command.specification, .protocolBroken("its answer to the hello: \(error)"))
    }
  }
}

internal import Synchronization
internal import TextFormats
package import ZoneEngine

/// A session of one runner for which a program is asked.
package final class PolicySession: AskedJudge {
  private struct State {
    var process: Process?
    /// The session that the process had before.
    var before: PolicyProgram.EarlierSession?
    var asked = 0
    /// Up to where heart rates were sent, and the last one.
    var sent = SessionTime(nanoseconds: -1)
    var last: Int?
    var failure: PolicyError?
    var isOver = false
  }

  /// A process of this session. It is used under the lock of the session.
  private struct Process: @unchecked Sendable { let process: PolicyProcess }

  private let program: PolicyProgram
  private let runner: Int
  private let seed: UInt64
  private let settings: CoachingSettings
  private let state = Mutex(State())

  init(_ program: PolicyProgram, runner: Int, seed: UInt64, _ settings: CoachingSettings) {
    self.program = program
    self.runner = runner
    self.seed = seed
    self.settings = settings
  }

  /// Why the program was given up; absent while it answers.
  package var failure: PolicyError? { state.withLock { $0.failure } }

  /// The answer of the program; missing after it was given up.
  package func answer(_ question: AskedQuestion) -> AskedAnswer {
    state.withLock { state in
      guard state.failure == nil, !state.isOver else { return .missing }
      do throws(PolicyError) {
        return try ask(question, &state)
      } catch {
        state.failure = error
        state.process?.process.end()
        state.process = nil
        return .missing
      }
    }
  }

  /// Ends the session, so that the process is free for another one.
  ///
  /// - Parameter isLast: whether nothing else is asked of the process: it ends, and what it writes until then is found.
  /// - Throws: ``PolicyError`` when the program was given up, and when it wrote what nobody asked for.
  package func end(isLast: Bool = false) throws(PolicyError) {
    let (process, failure, asked, second) = state.withLock { state in
      defer {
        state.process = nil
        state.isOver = true
      }
      return (state.process, state.failure, state.asked, max(state.sent, .zero).seconds)
    }
    if let failure { throw failure }
    guard let process = process?.process else {
      // One that was never asked anything ends with its input too.
      if isLast, let error = program.finish().first { throw error }
      return
    }
    let place = PolicyError.Place(runner: runner, second: second)
    var writer = JSONWriter()
    PolicyLines.end(runner, to: &writer)
    // One that does not read this is found out by the next question.
    let isRead = (try? process.write(writer.bytes, until: MonotonicClock.now + Int64(program.seconds * 1e9))) != nil
    if isLast { process.endInput() }
    let isUnasked =
      isLast ? process.writesMore(until: MonotonicClock.now + program.endNanoseconds) : process.hasUnread()
    guard !isUnasked, isRead, !isLast else {
      process.end()
      if isUnasked { throw program.unasked(at: place) }
      return
    }
    program.give(back: process, after: .init(place: place, asked: asked))
  }

  private func ask(_ question: AskedQuestion, _ state: inout State) throws(PolicyError) -> AskedAnswer {
    func problem(_ problem: PolicyError.Problem) -> PolicyError {
      PolicyError(
        program.command.specification, problem, at: .init(runner: runner, second: question.time.seconds))
    }
    var writer = JSONWriter()
    let process: PolicyProcess
    if let held = state.process {
      process = held.process
    } else {
      do throws(PolicyError) {
        (process, state.before) = try program.take()
      } catch {
        throw problem(error.problem)
      }
      state.process = Process(process: process)
      // It was written behind the session before.
      if let before = state.before, process.hasUnread() { throw program.unasked(at: before.place) }
      PolicyLines.start(runner, seed: seed, settings, to: &writer)
    }
    guard !process.hasUnread() else { throw problem(.protocolBroken("it wrote a line that nobody asked for")) }
    state.asked += 1
    send(question.held, until: question.time, &state, to: &writer)
    PolicyLines.question(state.asked, of: runner, question, to: &writer)
    let line: [UInt8]
    do throws(PolicyProcess.Failure) {
      let deadline = MonotonicClock.now + Int64(program.seconds * 1e9)
      try process.write(writer.bytes, until: deadline)
      line = try process.line(until: deadline)
    } catch {
      throw problem(Self.problem(error, process, what: "no answer", seconds: program.seconds))
    }
    let answer: (runner: Int, question: Int, answer: AskedAnswer)
    do throws(JSONError) {
      answer = try PolicyLines.answer(line)
    } catch {
      // A line without a runner may be anybody's.
      let before = state.asked == 1 ? state.before?.place.runner : nil
      let doubt = before.map { ", or a line behind the last of runner \($0)" } ?? ""
      throw problem(.protocolBroken("its answer\(doubt): \(error)"))
    }
    guard answer.runner == runner, answer.question == state.asked else {
      if state.asked == 1, let before = state.before, answer.runner == before.place.runner,
        answer.question <= before.asked
      {
        let words = "another answer to question \(answer.question), found when runner \(runner) was asked"
        throw PolicyError(program.command.specification, .protocolBroken(words), at: before.place)
      }
      throw problem(
        .protocolBroken(
          "an answer to question \(answer.question) of runner \(answer.runner): expected one to question \(state.asked) "
            + "of runner \(runner)"))
    }
    return answer.answer
  }

  /// Sends the heart rates that were held since the last question, each when it changes.
  private func send(
    _ held: [AskedQuestion.HeldRun], until time: SessionTime, _ state: inout State, to writer: inout JSONWriter
  ) {
    var end = state.sent
    for run in held {
      if run.start > end, state.last != nil, end > SessionTime(nanoseconds: -1) {
        PolicyLines.heartRate(nil, at: end, of: runner, to: &writer)
        state.last = nil
      }
      if run.beatsPerMinute != state.last || run.start > end {
        PolicyLines.heartRate(run.beatsPerMinute, at: max(run.start, end), of: runner, to: &writer)
        state.last = run.beatsPerMinute
      }
      end = max(end, run.end)
    }
    if end < time, state.last != nil {
      PolicyLines.heartRate(nil, at: max(end, state.sent), of: runner, to: &writer)
      state.last = nil
    }
    state.sent = time
  }

  static func problem(
    _ failure: PolicyProcess.Failure, _ process: PolicyProcess, what: String, seconds: Double
  ) -> PolicyError.Problem {
    switch failure {
    case .interrupted: .gone("\(what) before the signal that ends coach")
    case .late: .gone("\(what) within \(seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)") s")
    case .tooLong: .protocolBroken("a line of more than \(PolicyProcess.longestLine) bytes")
    case .ended: .gone(process.lastWords())
    case .closedInput: .gone(process.lastWords(closed: "its standard input"))
    }
  }
}

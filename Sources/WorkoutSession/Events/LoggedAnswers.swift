internal import Synchronization
internal import TextFormats
package import ZoneEngine

/// What a program answered in a session: asked while it is live, read from the log in a replay, which so needs no program.
package final class LoggedAnswers: AskedJudge {
  private struct State {
    var foreseen: [SessionTime: AskedAnswer] = [:]
    var given: [(answer: AskedAnswer, time: SessionTime)] = []
    var judge: (any AskedJudge)?
  }

  private let state = Mutex(State())

  /// Nothing is answered yet; `nil` for a strategy that asks nobody.
  init?(_ strategy: FeedbackStrategy) {
    guard case .asked = strategy else { return nil }
  }

  /// Asks somebody from now on whatever the log does not answer.
  package func ask(_ judge: any AskedJudge) { state.withLock { $0.judge = judge } }

  /// Takes what the log says was answered to the question of a time.
  package func foresee(_ answer: AskedAnswer, at time: SessionTime) { state.withLock { $0.foreseen[time] = answer } }

  /// What was answered since the last call and stands in no log, in order of time.
  package func takeGiven() -> [(answer: AskedAnswer, time: SessionTime)] {
    state.withLock { state in
      defer { state.given.removeAll() }
      return state.given
    }
  }

  /// The answer of the log, else of whoever is asked.
  package func answer(_ question: AskedQuestion) -> AskedAnswer {
    let (logged, judge) = state.withLock { ($0.foreseen.removeValue(forKey: question.time), $0.judge) }
    if let logged { return logged }
    guard let judge else { return .missing }
    let answer = judge.answer(question)
    state.withLock { $0.given.append((answer, question.time)) }
    return answer
  }

  /// A time as it is logged, in seconds.
  static func text(of time: SessionTime) -> String {
    var bytes: [UInt8] = []
    DecimalFormat.append(seconds: time.nanoseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What is logged by a text such as `120 slowDown`; `nil` for anything else.
  static func read(_ text: String) -> (AskedAnswer, SessionTime)? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 2, let answer = AskedAnswer(word: words[1]),
      let seconds = Double(words[0]), seconds >= 0, let time = SessionTime(seconds: seconds)
    else { return nil }
    return (answer, time)
  }
}

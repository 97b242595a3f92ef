package import ZoneEngine

extension SessionPipeline {
  /// What a program answered; absent where none is asked.
  var answers: LoggedAnswers? { engine.asks as? LoggedAnswers }

  /// Takes what a log says was answered. It moves nothing: it waits for its question.
  func foresee(_ answer: AskedAnswer, at time: SessionTime) { answers?.foresee(answer, at: time) }

  /// Asks somebody from now on what a log does not answer; nothing where the strategy asks nobody.
  package func ask(_ judge: (any AskedJudge)?) {
    if let judge { answers?.ask(judge) }
  }
}

extension LiveSession {
  /// Logs what a program answered before the input that it was asked at, so that a replay has the answer when it asks.
  ///
  /// It changes nothing; it may, so that a session is asked where it stands and no copy of it.
  mutating func logAnswers(to log: inout [RawEntry]) {
    guard let answers = pipeline.answers else { return }
    for (answer, time) in answers.takeGiven() { log.append(.command(.answered(answer, at: time), at: time, id: "")) }
  }
}

/// The answers to the commands of a session, so that one that is repeated is answered again and carried out once.
struct CommandAnswers: Sendable {
  /// How many are remembered; the oldest is forgotten first.
  static let largestCount = 4_096

  /// What was answered to a command.
  struct Answer: Sendable {
    /// Why it was refused; absent for one that was carried out.
    let refusal: CommandRefusal?
  }

  private var answers: [String: Answer] = [:]
  private var identities: [String] = []
  private var oldest = 0

  /// The answer to a command, by its identity; `nil` when it was not answered.
  subscript(id: String) -> Answer? { answers[id] }

  /// Remembers an answer.
  mutating func remember(_ id: String, _ refusal: CommandRefusal?) {
    if identities.count < Self.largestCount {
      identities.append(id)
    } else {
      answers[identities[oldest]] = nil
      identities[oldest] = id
      oldest = (oldest + 1) % Self.largestCount
    }
    answers[id] = Answer(refusal: refusal)
  }
}

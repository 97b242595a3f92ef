/// The answers to the commands of a session, so that one that is repeated is answered again and carried out once.
struct CommandAnswers: Sendable {
  /// How many are remembered; the oldest is forgotten first.
  static let largestCount = 4_096

  private var answers: [String: CommandRefusal?] = [:]
  private var identities: [String] = []
  private var oldest = 0

  /// The answer to a command, by its identity: why it was refused, or nothing; `nil` when it was not answered.
  subscript(id: String) -> CommandRefusal?? { answers[id] }

  /// Remembers an answer.
  mutating func remember(_ id: String, _ refusal: CommandRefusal?) {
    if identities.count < Self.largestCount {
      identities.append(id)
    } else {
      answers[identities[oldest]] = nil
      identities[oldest] = id
      oldest = (oldest + 1) % Self.largestCount
    }
    answers[id] = .some(refusal)
  }
}

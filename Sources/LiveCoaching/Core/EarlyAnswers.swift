internal import WorkoutSession

/// What came of lines with a name before their session began: answers to commands, which are no records of it, so that nothing else has
/// them for who sends the same lines again. What a session remembers of them is bounded.
struct EarlyAnswers {
  /// How many are kept, of the newest batches; those of a single one are kept whatever their number.
  static let most = 8_192

  /// By the numbers of their names, the oldest first.
  private var batches: [(name: UInt64, events: [SessionEvent])] = []
  private var count = 0

  /// What came of a batch; nothing for another one.
  func events(of name: UInt64) -> [SessionEvent] { batches.first { $0.name == name }?.events ?? [] }

  /// Keeps what came of a batch that was not sent before.
  mutating func keep(_ events: [SessionEvent], of name: UInt64) {
    guard !events.isEmpty else { return }
    batches.append((name, events))
    count += events.count
    while count > Self.most, batches.count > 1 { count -= batches.removeFirst().events.count }
  }
}

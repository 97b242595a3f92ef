/// How it stands with what is kept of a session.
enum SessionKeeping: Hashable, Sendable {
  /// What was taken is written, or on its way.
  case well
  /// It waits, because it cannot be written now.
  case interrupted
  /// Nothing is written of it any more.
  case lost
  /// Its folder has all of it, as far as its shard knows.
  case finished

  /// Whether what is taken is to be kept.
  var goesOn: Bool {
    switch self {
    case .well, .interrupted: true
    case .lost, .finished: false
    }
  }

  /// Takes note of what came of something that was to be kept, and has the report of it say what changed.
  ///
  /// - Parameter isOver: whether it was the end of the session.
  mutating func note(_ outcome: JournalOutcome, isOver: Bool, _ report: inout LiveReport) {
    // Of several that wait at once each is notified, not only the first.
    if case .lost = outcome { report.isLost = true }
    guard goesOn else { return }
    let wasInterrupted = self == .interrupted
    switch outcome {
    case .kept:
      if wasInterrupted { report.recording = .resumed }
      self = isOver ? .finished : .well
    case .unfinished:
      // The journal has it, so that what was interrupted goes on.
      if wasInterrupted { report.recording = .resumed }
      self = .well
      report.isUnfinished = true
    case .waiting(let error):
      if !wasInterrupted { report.recording = .interrupted(error) }
      self = .interrupted
    case .lost(let error):
      report.recording = .lost(error)
      self = .lost
    }
  }
}

/// What came of something that was appended to a journal.
enum JournalOutcome: Sendable {
  /// It is written, or committed.
  case kept
  /// It is committed, and the folder of a session that is over cannot be written now: that is tried again, and else done by the next
  /// start.
  case unfinished
  /// It waits in memory, because it cannot be written.
  case waiting(any Error)
  /// Nothing is written of the session any more.
  case lost(any Error)
}

/// What many who wait are answered in one turn.
struct JournalAnswers {
  private var reports: [(pending: PendingReport, outcome: JournalOutcome)] = []

  /// Answers somebody; a report is delivered with all others.
  mutating func add(_ waiter: JournalWaiter, _ outcome: JournalOutcome) {
    switch waiter.receiver {
    case .continuation(let continuation): continuation.resume(returning: outcome)
    case .report(let pending): reports.append((pending, outcome))
    }
  }

  /// Gives all reports back to their shard, which is the same for all of them.
  func deliver() { reports.first?.pending.shard.settle(reports) }
}

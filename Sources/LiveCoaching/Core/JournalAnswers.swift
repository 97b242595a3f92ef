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

/// Somebody who waits until a journal has what was appended of a session.
struct JournalWaiter: Sendable {
  /// How it is answered.
  enum Receiver: Sendable {
    case continuation(CheckedContinuation<JournalOutcome, Never>)
    case report(PendingReport)
  }

  /// For how long it waits for a disk that fails, in a service.
  enum Patience: Sendable {
    /// Not at all: a reader sees what is there.
    case none
    /// For so many nanoseconds: who sends hears then that nobody knows.
    case bounded(Int64)
    /// Until the disk works.
    case unlimited
  }

  let session: JournaledSession
  /// Whether what cannot be written now is lost.
  let isFinal: Bool
  var patience = Patience.unlimited
  /// Since when it waits for a disk that fails, by the clock of the device; absent while it does not.
  var heldSince: Int64?
  let receiver: Receiver
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

/// When a journal is written and committed: at most one commit in a while, and after a failure one try a second.
///
/// Times are nanoseconds by the clock of the device.
struct CommitSchedule {
  private static let retryNanoseconds: Int64 = 1_000_000_000

  private let policy: JournalPolicy
  private var lastCommit: Int64?
  private var lastFailure: Int64?
  /// Why the last try failed; `nil` when it did not.
  private(set) var problem: (any Error)?

  /// Nothing was committed yet.
  init(_ policy: JournalPolicy) { self.policy = policy }

  /// How long what comes now waits for its turn; 0 or less when the turn may be at once.
  func wait(at now: Int64) -> Int64 {
    guard policy.answersAfterCommit, let lastCommit else { return 0 }
    return lastCommit + policy.commitNanoseconds - now
  }

  /// How long it is until the next turn that nothing brings about: what is written is committed in time, what is not is tried again.
  func waitForTimer(at now: Int64) -> Int64 {
    let due =
      problem == nil ? (lastCommit ?? 0) + policy.commitNanoseconds : (lastFailure ?? 0) + Self.retryNanoseconds
    return max(0, due - now)
  }

  /// Whether what waits is written now: always but after a failure, which is followed by one try a second, and by one for an answer
  /// after which nobody asks any more.
  ///
  /// - Parameter isAskedFinally: whether somebody waits for such an answer.
  func isTried(at now: Int64, isAskedFinally: @autoclosure () -> Bool) -> Bool {
    guard problem != nil, let lastFailure else { return true }
    return !policy.answersAfterCommit && isAskedFinally() || now - lastFailure >= Self.retryNanoseconds
  }

  /// Whether what is written is committed now: before each answer that says so, else in time, and as soon as a disk works again.
  func isCommitDue(at now: Int64) -> Bool {
    guard !policy.answersAfterCommit, problem == nil, let lastCommit else { return true }
    return now - lastCommit >= policy.commitNanoseconds
  }

  mutating func noteCommit(at now: Int64) { lastCommit = now }

  mutating func noteFailure(_ error: any Error, at now: Int64) {
    problem = error
    lastFailure = now
  }

  /// What waited is written.
  mutating func noteSuccess() { problem = nil }
}

private import Dispatch
internal import SessionStore
internal import Synchronization
internal import TextFormats

/// Who waits for the folder of a session that is over: each is answered when it is whole, or cannot become so, and after some seconds in
/// any case, because the journal has all of it anyway.
final class FolderWaiters: Sendable {
  /// How long somebody waits for a folder that could not be written when a session was over, in nanoseconds. It is the time of who waits,
  /// not of the device.
  private static let longestFailure: Int64 = 3_000_000_000
  /// The same for one that nobody has said anything bad of: the disk may be busy, or hang.
  private static let longestWait: Int64 = 8_000_000_000

  private struct State {
    /// In the order in which they came, with the time since which they wait.
    var waiting: [(waiter: JournalWaiter, number: Int, since: Int64)] = []
    var last = 0
    /// The number of the last for whose session everything has come to the queue of the folders.
    var reached = 0
  }

  private let state = Mutex(State())
  /// Where they get the answer that it lasts: a folder may hold up the queue that writes it.
  private let patience: DispatchQueue

  /// Nobody waits.
  init(shard: Int) { patience = DispatchQueue(label: "coach.patience.\(shard)") }

  /// Takes somebody in, who is answered from now on.
  ///
  /// - Returns: their number, which ``reach(_:)`` has to be given.
  func add(_ waiter: JournalWaiter) -> Int {
    let number = state.withLock { state in
      state.last += 1
      state.waiting.append((waiter, state.last, MonotonicClock.now))
      return state.last
    }
    for span in [Self.longestFailure, Self.longestWait] {
      patience.asyncAfter(deadline: .now() + .nanoseconds(Int(span) + 10_000_000)) { [weak self] in self?.answerLate() }
    }
    return number
  }

  /// Everything that somebody waits for has come to the queue of the folders, which comes there before they do.
  func reach(_ number: Int) { state.withLock { $0.reached = number } }

  /// Answers those whose sessions are finished, or cannot be.
  ///
  /// - Parameter isUnfinished: whether a session is to be finished still.
  func answerFinished(_ isUnfinished: (JournaledSession) -> Bool) {
    answerEach { waiter, isReached, _ in
      guard isReached else { return nil }
      if let failure = waiter.session.failure { return Self.outcome(of: failure) }
      return isUnfinished(waiter.session) ? nil : .kept
    }
  }

  /// Answers those who have waited for long enough that the journal has what the folders lack; from any thread.
  ///
  /// - Parameter isClosing: whether nobody waits any longer.
  func answerLate(isClosing: Bool = false) {
    let now = MonotonicClock.now
    answerEach { waiter, _, since in
      let longest = waiter.session.folderProblem == nil ? Self.longestWait : Self.longestFailure
      guard isClosing || now - since >= longest else { return nil }
      if let failure = waiter.session.failure { return Self.outcome(of: failure) }
      return waiter.session.isFinished ? .kept : .unfinished
    }
  }

  /// What came of an end that is committed, and whose folder cannot be written any more. Where the session was let go, who has it by now
  /// finishes it from what is shared.
  private static func outcome(of failure: any Error) -> JournalOutcome {
    failure is SharedSessionProblem ? .unfinished : .lost(failure)
  }

  /// Answers those who wait; `outcome` says what, and `nil` of who waits on.
  private func answerEach(_ outcome: (JournalWaiter, _ isReached: Bool, _ since: Int64) -> JournalOutcome?) {
    var answers = JournalAnswers()
    state.withLock { state in
      let reached = state.reached
      state.waiting.removeAll { entry in
        guard let outcome = outcome(entry.waiter, entry.number <= reached, entry.since) else { return false }
        answers.add(entry.waiter, outcome)
        return true
      }
    }
    answers.deliver()
  }
}

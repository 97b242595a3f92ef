/// Somebody who waits until a journal has what was appended of a session.
struct JournalWaiter: Sendable {
  /// How it is answered.
  enum Receiver: Sendable {
    case continuation(CheckedContinuation<JournalOutcome, Never>)
    case report(PendingReport)
  }

  /// How long it waits for a disk that fails, in a service.
  enum Patience: Hashable, Sendable {
    /// Until the disk works: an answer has to say that something is kept.
    case unlimited
    /// For 30 s at most: who sends lines without a name again may have them twice.
    case long
    /// For 5 s at most: lines that have a name, and commands, may be sent again.
    case limited
    /// Not at all: a reader sees what is kept by now.
    case without

    /// How long that is at most, in nanoseconds: after that they hear that nobody knows, and send the same again; absent for no limit.
    fileprivate var longestHold: Int64? {
      switch self {
      case .unlimited: nil
      case .long: 30_000_000_000
      case .limited: 5_000_000_000
      case .without: 0
      }
    }
  }

  /// What comes of it at the end of a turn of the writer.
  enum Step: Sendable {
    case answer(JournalOutcome)
    /// It waits on, for a disk that has failed since then.
    case hold(since: Int64)
    /// The folder of its session is to be whole first, which another queue knows.
    case waitForFolder
  }

  let session: JournaledSession
  /// Whether what cannot be written now is lost.
  let isFinal: Bool
  let patience: Patience
  /// Since when it waits for a disk that fails, by the clock of the device; absent while it does not.
  fileprivate var heldSince: Int64?
  let receiver: Receiver

  init(_ session: JournaledSession, isFinal: Bool, _ patience: Patience, _ receiver: Receiver) {
    self.session = session
    self.isFinal = isFinal
    self.patience = patience
    self.receiver = receiver
  }

  /// What comes of it now.
  func step(_ turn: JournalWaiters.Turn) -> Step {
    if let failure = session.failure { return .answer(.lost(failure)) }
    if let problem = turn.problem ?? (turn.hasImmediateFolders ? session.folderProblem : nil), !session.isFinished {
      guard turn.mayHold else { return .answer(isFinal ? .lost(problem) : .waiting(problem)) }
      let since = heldSince ?? turn.now
      guard let longest = patience.longestHold, turn.now - since >= longest else { return .hold(since: since) }
      return .answer(.waiting(problem))
    }
    return isFinal && !turn.hasImmediateFolders ? .waitForFolder : .answer(.kept)
  }
}

/// Those who wait for the writer of a journal: each is answered at the end of the turn that has written, or committed, what it waits for.
struct JournalWaiters {
  /// What a turn of the writer came to.
  struct Turn {
    /// Why not everything is written; `nil` when it is.
    let problem: (any Error)?
    /// Whether folders are written in the same turn, so that they are whole, or cannot be, at its end.
    let hasImmediateFolders: Bool
    /// Whether somebody may wait on for a disk that fails: in a service, and not any more when the journal is let go of.
    let mayHold: Bool
    /// The time by the clock of the device, in nanoseconds.
    let now: Int64
  }

  private var waiting: [JournalWaiter] = []

  /// Whether somebody waits after whom nobody asks any more, so that what cannot be written for them is lost.
  var hasFinal: Bool { waiting.contains(where: \.isFinal) }

  /// Takes those in who have come.
  mutating func take(_ news: [JournalWaiter]) {
    if waiting.isEmpty { waiting = news } else { waiting += news }
  }

  /// Answers those who can be answered, in the order in which they came; the others wait on.
  ///
  /// - Parameter waitForFolder: takes somebody who is answered when a folder is whole.
  mutating func answer(_ turn: Turn, waitForFolder: (JournalWaiter) -> Void) {
    let all = waiting
    waiting = []
    var answers = JournalAnswers()
    for waiter in all {
      switch waiter.step(turn) {
      case .answer(let outcome): answers.add(waiter, outcome)
      case .hold(let since):
        var held = waiter
        held.heldSince = since
        waiting.append(held)
      case .waitForFolder: waitForFolder(waiter)
      }
    }
    answers.deliver()
  }
}

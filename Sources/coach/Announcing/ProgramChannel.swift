private import Dispatch
private import Glibc
import Synchronization
import TextFormats

/// Runs programs one after another, away from the session: it never waits for them, and never hears of them again but for
/// a failure, which is reported once.
final class ProgramChannel: Sendable {
  /// What happens to what waits when something newer comes.
  enum Waiting: Hashable, Sendable {
    /// It is dropped for something newer of its kind: a cue that was overtaken helps nobody. See ``WaitingRuns``.
    case newestOnly
    /// It is kept, in order, as much as that many.
    case all(Int)
  }

  /// One run of a program.
  struct Run: Sendable {
    /// The program and its arguments.
    let arguments: [String]
    /// What it gets on standard input.
    let input: [UInt8]
  }

  private struct State {
    /// What waits in its order.
    var queue: [Run] = []
    /// What waits by its rank.
    var newest = WaitingRuns<Run>()
    var isRunning = false
    var dropped = 0
    var failure: String?
    var isReported = false
  }

  /// How long somebody waits without a word.
  private static let silentNanoseconds: Int64 = 1_000_000_000

  private let name: String
  private let policy: Waiting
  private let secondsEach: Double
  private let guardian: ChildGuardian
  private let state = Mutex(State())
  private let queue: DispatchQueue

  /// Creates a channel; a program that takes longer than that is ended, and so is one that runs when the coach is gone.
  init(_ name: String, _ policy: Waiting, secondsEach: Double, guardedBy guardian: ChildGuardian) {
    self.name = name
    self.guardian = guardian
    self.policy = policy
    self.secondsEach = secondsEach
    queue = DispatchQueue(label: "coach.\(name)")
  }

  /// Runs a program when those before it have ended.
  ///
  /// - Parameters:
  ///   - urgency: what it goes before, and how long it may wait, where not all of them are run.
  ///   - late: what is run in its place when it has waited for longer; `nil` for nothing.
  func send(_ run: Run, _ urgency: Urgency = Urgency(.other), late: Run? = nil) {
    let isIdle = state.withLock { state in
      switch policy {
      case .newestOnly: state.newest.add(run, urgency, late: late, now: MonotonicClock.now)
      case .all(let limit):
        if state.queue.count < limit { state.queue.append(run) } else { state.dropped += 1 }
      }
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isIdle { queue.async { self.work() } }
  }

  /// Why the channel failed, once.
  func takeFailure() -> String? {
    state.withLock { state in
      guard let failure = state.failure, !state.isReported else { return nil }
      state.isReported = true
      return failure
    }
  }

  /// How many runs wait for those before them.
  var waitingCount: Int { state.withLock { $0.queue.count + $0.newest.count } }

  /// Waits until everything was sent, at most some seconds, so that the last cue of a session is heard.
  ///
  /// - Parameters:
  ///   - isGivenUp: whether somebody wants to wait no longer.
  ///   - sayWait: gets, once, a line that says what is waited for and how long at most, when that takes longer than a moment.
  func finish(
    seconds: Double, unless isGivenUp: () -> Bool = { false }, _ sayWait: (String) -> Void = { _ in }
  ) {
    let begin = MonotonicClock.now
    let deadline = begin + Int64(seconds * 1e9)
    var isSaid = false
    finish {
      let now = MonotonicClock.now
      guard now < deadline, !isGivenUp() else { return true }
      if !isSaid, now >= begin + Self.silentNanoseconds {
        isSaid = true
        let program = name.hasPrefix("--") ? "the program of \(name)" : name
        sayWait("waiting up to \(Int(seconds)) s for \(program) to end: Ctrl-C ends that")
      }
      return false
    }
  }

  /// Waits until everything was sent, or nobody wants to wait any more.
  func finish(unless isGivenUp: () -> Bool) {
    while state.withLock({ $0.isRunning }), !isGivenUp() { Self.pause() }
  }

  private func work() {
    while let run = next() {
      do throws(FileError) {
        let program = try ChildProcess(run.arguments, input: run.input)
        guardian.watch(program)
        let status = program.wait(seconds: secondsEach)
        guardian.release(program)
        switch status {
        case 0: break
        case nil: fail("took longer than \(Int(secondsEach)) s and was ended")
        case let status?: fail("failed with status \(status)")
        }
      } catch {
        fail(error.reason)
      }
    }
  }

  private func next() -> Run? {
    state.withLock { state in
      if !state.queue.isEmpty { return state.queue.removeFirst() }
      if let run = state.newest.next(now: MonotonicClock.now) { return run }
      state.isRunning = false
      return nil
    }
  }

  private func fail(_ problem: String) {
    state.withLock { $0.failure = $0.failure ?? "\(name): \(problem)" }
  }

  private static func pause() { usleep(10_000) }
}

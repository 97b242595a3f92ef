private import Synchronization
internal import TextFormats

/// Counts epochs that are over, on any thread.
final class EpochCounter: Sendable {
  private let done = Mutex(0)
  private let total: Int
  private let progress: @Sendable (WorkProgress) -> Void

  init(total: Int, _ progress: @escaping @Sendable (WorkProgress) -> Void) {
    self.total = total
    self.progress = progress
  }

  /// One more is over.
  func count() {
    let count = done.withLock { done in
      done += 1
      return done
    }
    progress(WorkProgress(done: count, total: max(total, count)))
  }
}

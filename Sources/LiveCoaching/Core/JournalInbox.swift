internal import SessionStore
internal import Synchronization
internal import TextFormats

/// What waits for the writer of a journal: its shard adds, and the queue of the writer takes all of it at once.
///
/// The lock is held by the shard alone, but for the moment in which the writer takes what there is.
final class JournalInbox: Sendable {
  /// What has come since the writer took something last.
  struct Content {
    /// The frames of the entries, one after another.
    var frames: [UInt8] = []
    var entries: [JournalEntry] = []
    var waiters: [JournalWaiter] = []
    /// The version that a segment has to have for the frames.
    var version = LiveJournal.Version.first
  }

  private struct State {
    var content = Content()
    var isScheduled = false
    /// When the first of the entries came, by the monotonic clock; `nil` while there is none.
    var since: Int64?
    /// What the writer has taken, and not committed.
    var held = CommitQueue()

    /// All that is not committed.
    var uncommitted: CommitQueue {
      var queue = held
      queue.add(CommitQueue(count: content.entries.count, since: since))
      return queue
    }

    /// Says that the writer is to come; whether nobody has said so.
    mutating func schedule() -> Bool {
      defer { isScheduled = true }
      return !isScheduled
    }
  }

  private let state = Mutex(State())
  /// Since when the first waits that is not committed, by the monotonic clock; 0 when nothing waits.
  private let since = Atomic<Int64>(0)

  /// What was added and is not committed.
  var uncommitted: CommitQueue { state.withLock { $0.uncommitted } }

  /// Since when the first waits that is not committed, by the monotonic clock, without waiting for the lock; `nil` when nothing does.
  var waitingSince: Int64? {
    let since = since.load(ordering: .relaxed)
    return since == 0 ? nil : since
  }

  /// Adds an entry.
  ///
  /// - Parameter frame: appends its frame, and returns where the content of that is; nothing is added of rows without any.
  /// - Returns: whether the writer has to be called.
  func add(
    _ entry: JournalEntry, _ version: LiveJournal.Version, _ frame: (inout [UInt8]) -> Range<Int>?
  ) -> Bool {
    state.withLock { state in
      var entry = entry
      let begin = state.content.frames.count
      let content = frame(&state.content.frames)
      if case .rows = entry.action, content == nil { return false }
      if state.content.entries.isEmpty { noteFirst(&state) }
      entry.frame = begin..<state.content.frames.count
      entry.content = content ?? entry.frame
      state.content.entries.append(entry)
      state.content.version = max(state.content.version, version)
      return state.schedule()
    }
  }

  /// Adds somebody who waits; whether the writer has to be called.
  func add(_ waiter: JournalWaiter) -> Bool {
    state.withLock { state in
      state.content.waiters.append(waiter)
      return state.schedule()
    }
  }

  /// Takes everything out, and leaves what `content` has: nothing, with memory for what comes next.
  func exchange(_ content: inout Content) {
    state.withLock { state in
      state.held = state.uncommitted
      swap(&state.content, &content)
      state.since = nil
      state.isScheduled = false
    }
  }

  /// Notes how many entries of those that were taken out are not committed.
  func noteHeld(_ count: Int) {
    state.withLock { state in
      state.held = CommitQueue(count: count, since: count > 0 ? state.held.since : nil)
      since.store(state.uncommitted.since ?? 0, ordering: .relaxed)
    }
  }

  /// Notes when the first of the entries came that follow.
  private func noteFirst(_ state: inout State) {
    let now = MonotonicClock.now
    state.since = now
    if state.held.since == nil { since.store(now, ordering: .relaxed) }
  }
}

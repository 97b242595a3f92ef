/// What was taken and is not on the disk yet, or not in the log that is shared.
package struct CommitQueue: Hashable, Sendable {
  /// How many pieces wait: what came of the lines of one request, or of time, is one.
  package private(set) var count: Int
  /// Since when the first of them waits, in nanoseconds of the monotonic clock; `nil` when none does.
  package private(set) var since: Int64?

  /// A queue.
  init(count: Int = 0, since: Int64? = nil) {
    self.count = count
    self.since = since
  }

  /// Takes in another one.
  mutating func add(_ other: CommitQueue) {
    count += other.count
    since = [since, other.since].compactMap(\.self).min()
  }

  /// How long the first has waited, in nanoseconds; 0 when none waits.
  package func age(at now: Int64) -> Int64 { since.map { max(0, now - $0) } ?? 0 }
}

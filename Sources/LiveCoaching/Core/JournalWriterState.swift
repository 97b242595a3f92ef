/// What only the queue of a writer uses.
final class JournalWriterState: @unchecked Sendable {
  let segments: JournalSegments
  /// Frames since the last commit, and their entries.
  var frames: [UInt8] = []
  var entries: [JournalEntry] = []
  /// How many of those bytes the segment has.
  var written = 0
  /// How many of those entries were given to the folders.
  var delivered = 0
  var waiters: [JournalWaiter] = []
  var problem: (any Error)?
  var lastCommit: Int64?
  /// The sessions that are not closed.
  var sessions: [String: JournaledSession] = [:]
  var isTimerSet = false
  /// Whether the segments have something of sessions that are closed, and may be deleted.
  var hasClosed = false

  init(_ segments: JournalSegments) { self.segments = segments }
}

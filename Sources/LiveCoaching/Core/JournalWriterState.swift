internal import SessionStore

/// What only the queue of a writer uses.
final class JournalWriterState: @unchecked Sendable {
  let segments: JournalSegments
  /// What is not committed.
  var batch = JournalBatch()
  var waiters = JournalWaiters()
  var schedule: CommitSchedule
  /// Segments that were given up since the last commit: folders may still need what was committed in them before.
  var abandoned: [Int] = []
  /// The sessions that are not closed.
  var sessions: [String: JournaledSession] = [:]
  var isTimerSet = false
  /// Whether nothing happens by time any more: the journal is let go of.
  var isClosed = false
  /// How many entries, and how many who wait, came the last time.
  var usualEntries = 0
  var usualWaiters = 0
  /// Whether the segments have something of sessions that are closed, and may be deleted.
  var hasClosed = false

  init(_ segments: JournalSegments, _ schedule: CommitSchedule) {
    self.segments = segments
    self.schedule = schedule
  }
}

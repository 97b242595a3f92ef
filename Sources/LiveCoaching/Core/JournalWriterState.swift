internal import SessionStore

/// What only the queue of a writer uses.
final class JournalWriterState: @unchecked Sendable {
  let segments: JournalSegments
  /// Frames since the last commit, and their entries.
  var frames: [UInt8] = []
  var entries: [JournalEntry] = []
  /// The version that a segment has to have for the frames so far.
  var version = LiveJournal.Version.first
  /// How many of those bytes the segment has.
  var written = 0
  /// How many of those entries were given to the folders.
  var delivered = 0
  var waiters: [JournalWaiter] = []
  var problem: (any Error)?
  /// When writing failed the last time.
  var lastFailure: Int64?
  /// Segments that were given up since the last commit: folders may still need what was committed in them before.
  var abandoned: [Int] = []
  var lastCommit: Int64?
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

  /// Memory of frames that are committed, for the next ones: made anew for each commit, it would be cleared by the system each time.
  private var spare: [UInt8] = []
  private static let mostSpare = 4 << 20

  init(_ segments: JournalSegments) { self.segments = segments }

  /// Forgets what is committed, or given up.
  func empty() {
    if frames.capacity <= Self.mostSpare {
      frames.removeAll(keepingCapacity: true)
      swap(&spare, &frames)
    }
    frames = []
    entries = []
    written = 0
    delivered = 0
  }

  /// Empty memory for frames.
  func takeSpare() -> [UInt8] {
    defer { spare = [] }
    return spare
  }
}

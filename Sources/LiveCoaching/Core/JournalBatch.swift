internal import SessionStore

/// What the writer of a journal has taken and not committed: frames, the entries that they are of, and how far each is written, and
/// given to the folders.
struct JournalBatch {
  /// The frames since the last commit, one after another.
  private(set) var frames: [UInt8] = []
  /// Their entries, and those without a frame.
  private(set) var entries: [JournalEntry] = []
  /// The version that a segment has to have for the frames so far.
  private(set) var version = LiveJournal.Version.first
  /// How many bytes of the frames the segment has.
  private(set) var written = 0
  /// How many of the entries were given to the folders.
  private var delivered = 0

  /// Memory of frames that are committed, for the next ones: made anew for each commit, it would be cleared by the system each time.
  private var spare: [UInt8] = []
  private static let mostSpare = 4 << 20

  /// Whether there is nothing to commit.
  var isEmpty: Bool { entries.isEmpty && written == 0 }
  /// Whether the segment lacks some of the frames.
  var hasUnwritten: Bool { written < frames.count }
  /// Whether the folders were not given all entries.
  var hasUndelivered: Bool { delivered < entries.count }

  /// Takes in what has come.
  mutating func take(_ news: JournalInbox.Content) {
    version = max(version, news.version)
    let begin = frames.count
    if begin == 0 { frames = news.frames } else { frames += news.frames }
    if entries.isEmpty, begin == 0 {
      entries = news.entries
    } else {
      for var entry in news.entries {
        entry.move(by: begin)
        entries.append(entry)
      }
    }
    dropFailed()
  }

  /// Takes out what belongs to sessions of which nothing is kept, and is not written yet.
  mutating func dropFailed() {
    guard entries.contains(where: { $0.session.failure != nil }) else { return }
    var keptFrames = Array(frames[..<written])
    var kept: [JournalEntry] = []
    let given = delivered
    for (index, var entry) in entries.enumerated() {
      let isWritten = entry.frame.upperBound <= written
      if entry.session.failure != nil, !isWritten || entry.frame.isEmpty {
        if index < given { delivered -= 1 }
        continue
      }
      if !isWritten {
        let begin = keptFrames.count
        keptFrames += frames[entry.frame]
        entry.move(by: begin - entry.frame.lowerBound)
      }
      kept.append(entry)
    }
    frames = keptFrames
    entries = kept
  }

  /// Notes that a segment has all frames.
  ///
  /// - Parameters:
  ///   - begin: where the first of those that it did not have came in the segment.
  ///   - isForFolders: whether folders are written at once, maybe before the journal could take it.
  mutating func noteWritten(in segment: Int, from begin: Int, isForFolders: Bool) {
    for index in entries.indices where entries[index].frame.lowerBound >= written {
      entries[index].place = JournalPlace(
        segment: segment, offset: begin - written + entries[index].content.lowerBound,
        count: entries[index].content.count)
      if isForFolders { entries[index].session.note(segment: segment) }
    }
    written = frames.count
  }

  /// Notes that nobody knows what the disk has of the segment, so that all of it goes into the next one.
  mutating func writeAgain() { written = 0 }

  /// The entries that the folders were not given, which they are now.
  mutating func takeUndelivered() -> [JournalEntry] {
    defer { delivered = entries.count }
    return delivered == 0 ? entries : Array(entries[delivered...])
  }

  /// Writes everything to a shared log.
  ///
  /// - Returns: the sessions that another process has by now, or that the log has otherwise.
  /// - Throws: `SharedLogFailure` when nobody knows what was written.
  mutating func share(_ log: any SharedLog) throws(SharedLogFailure) -> [JournaledSession] {
    try SharedLogFailure.append(&entries, of: frames, to: log)
  }

  /// Has nobody read what a session has decided and is not given away yet.
  mutating func forgetRecords(of session: JournaledSession) {
    for index in entries.indices where entries[index].session === session { entries[index].records = [] }
  }

  /// Forgets what is committed, or given up.
  mutating func empty() {
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
  mutating func takeSpare() -> [UInt8] {
    defer { spare = [] }
    return spare
  }
}

/// What a shard appends to a journal.
struct JournalEntry {
  /// What happens to the session.
  enum Action {
    /// It begins, with the text of its manifest.
    case begin(manifest: [UInt8])
    /// It adds to its files.
    case rows
    /// Its folder ends with the text of its summary.
    case finish(summary: [UInt8])
    /// It is in the history.
    case closed
  }

  let session: JournaledSession
  let action: Action
  /// Its frame among those that were appended with it.
  var frame = 0..<0
  /// What the frame holds.
  var content = 0..<0
  /// Where the journal has that; absent until it is written.
  var place: JournalPlace?
  /// The number of the first of `records`.
  var firstRecord = 0
  /// Records that somebody reads as they come, one a line.
  var records: [UInt8] = []
  /// The numbers in a shared log of its row and of its first decision; absent until they are given.
  var sharedNumbers: (row: Int, decision: Int)?
}

extension JournalEntry {
  /// Says that its frame is elsewhere among the frames.
  mutating func move(by shift: Int) {
    frame = frame.lowerBound + shift..<frame.upperBound + shift
    content = content.lowerBound + shift..<content.upperBound + shift
  }
}

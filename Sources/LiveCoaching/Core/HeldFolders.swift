internal import SessionStore
internal import TextFormats

/// The sessions of a shard whose folders could not be written, or brought to the disk, the last time: when each is tried again, and
/// which get a segment of their own, so that they do not keep those of all others. Only the queue of a ``FolderDelivery`` uses it.
final class HeldFolders: @unchecked Sendable {
  /// For how many turns a folder may keep the segments of others when it cannot be written.
  private static let mostFailedTurns = 3
  /// How many sessions get a segment of their own in one go.
  private static let mostMoved = 64
  /// How much of a session may wait to be tried in each turn, in bytes; more is read and tried in one of many.
  private static let eachTurnBytes = 1 << 20
  private static let turnsOfMany = 16

  private let shard: Int
  private let journal: SharedJournal
  private let numbers: SegmentNumbers
  private let device: any JournalDevice
  private var sessions: [String: JournaledSession] = [:]

  /// Holds nothing yet.
  init(shard: Int, _ journal: SharedJournal, _ numbers: SegmentNumbers, _ device: any JournalDevice) {
    self.shard = shard
    self.journal = journal
    self.numbers = numbers
    self.device = device
  }

  /// The folder of a session could not be written.
  func note(_ session: JournaledSession) { sessions[session.sessionID] = session }

  /// The folder of a session could be written.
  func noteWritten(_ session: JournaledSession) {
    session.failedTurns = 0
    sessions[session.sessionID] = nil
  }

  /// Nothing is to be done for a session any more.
  func forget(_ session: JournaledSession) {
    if sessions[session.sessionID] === session { sessions[session.sessionID] = nil }
  }

  /// Takes a turn: gives `retry` those that are tried in it and are not over, since these are finished.
  func takeTurn(_ retry: (JournaledSession) -> Void) {
    for session in sessions.values {
      session.failedTurns += 1
      if !session.isEnding, isTried(session) { retry(session) }
    }
  }

  /// Whether a folder that could not be written is tried in this turn.
  func isTried(_ session: JournaledSession) -> Bool {
    session.waitingBytes < Self.eachTurnBytes || session.failedTurns.isMultiple(of: Self.turnsOfMany)
  }

  /// Those of some sessions that have kept the segments of others for long enough, as many as are moved in one go.
  func overdue(_ sessions: [JournaledSession]) -> ArraySlice<JournaledSession> {
    sessions.filter { $0.failedTurns >= Self.mostFailedTurns }.prefix(Self.mostMoved)
  }

  /// Writes what waits of a session, and is in the segments of all, into one of its own.
  ///
  /// While both have it, a start reads it twice, which changes nothing: each piece knows its place.
  ///
  /// - Parameters:
  ///   - pieces: what waits.
  ///   - remove: removes a segment that one session had.
  /// - Throws: `FileError` when it cannot be brought to the disk there; all is as it was then.
  func moveToOwnSegment(
    _ session: JournaledSession, _ pieces: [UInt8], removing remove: (_ segment: Int) -> Void
  ) throws {
    var version = LiveJournal.Version.first
    SessionFileChunks.forEach(of: pieces.span) { piece in if piece.file == .binaryMotion { version = .binaryMotion } }
    var frame: [UInt8] = []
    let content = JournalFrame.append(.rows, of: session.sessionID, to: &frame) { bytes in
      bytes += pieces
      return !pieces.isEmpty
    }
    guard let content else { return }
    let journal = try journal.made()
    let number = numbers.next()
    let segment = try device.makeSegment(of: journal, shard: shard, number: number, version)
    do {
      try device.write(frame.span, to: segment)
      try device.sync(segment)
    } catch {
      try? segment.close()
      remove(number)
      throw error
    }
    try? segment.close()
    let before = session.own
    session.move(
      to: JournalPlace(
        segment: number, offset: LiveJournal.headBytes + content.lowerBound, count: content.count))
    if let before { remove(before.segment) }
  }
}

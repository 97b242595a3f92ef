@testable import LiveCoaching
import SessionStore
import Testing
import TextFormats

@Suite("What waits for a journal, and is not committed")
struct JournalBatchTests {
  private struct Broken: Error {}

  private func session(_ digit: Int) -> JournaledSession {
    JournaledSession("20261120T070000Z-running-0000000\(digit)", in: StoredPath(dataFolder: "/nowhere"))
  }

  /// Adds a frame of some bytes, whose content is all but the first.
  private func add(_ count: Int, of session: JournaledSession, _ byte: UInt8, to inbox: JournalInbox) -> Bool {
    inbox.add(JournalEntry(session: session, action: .rows), .first) { bytes in
      let begin = bytes.count
      bytes += Array(repeating: byte, count: count)
      return begin + 1..<begin + count
    }
  }

  private func take(_ inbox: JournalInbox, into batch: inout JournalBatch) {
    var news = JournalInbox.Content(frames: batch.takeSpare())
    inbox.exchange(&news)
    batch.take(news)
  }

  @Test("The writer is called once for what comes until it takes it; rows without anything are nothing")
  func calls() {
    let (inbox, one) = (JournalInbox(), session(1))
    #expect(!inbox.add(JournalEntry(session: one, action: .rows), .first) { _ in nil })
    #expect(inbox.uncommitted.count == 0)
    #expect(inbox.waitingSince == nil)
    #expect(add(3, of: one, 1, to: inbox))
    #expect(!add(3, of: one, 2, to: inbox))
    #expect(!inbox.add(JournalEntry(session: one, action: .finish(summary: [])), .first) { _ in nil })
    #expect(inbox.uncommitted.count == 3)
    let since = inbox.waitingSince
    #expect(since != nil)
    var batch = JournalBatch()
    take(inbox, into: &batch)
    #expect(batch.entries.count == 3)
    #expect(batch.frames == [1, 1, 1, 2, 2, 2])
    #expect(inbox.uncommitted.count == 3, "it is not committed")
    #expect(add(1, of: one, 3, to: inbox))
    #expect(inbox.uncommitted.count == 4)
    #expect(inbox.waitingSince == since)
    inbox.noteHeld(0)
    #expect(inbox.uncommitted.count == 1)
    #expect(inbox.waitingSince ?? 0 >= since ?? 0)
  }

  @Test("Entries keep their frames when more comes, and know their places in the segment")
  func places() {
    let (inbox, one, two) = (JournalInbox(), session(1), session(2))
    var batch = JournalBatch()
    _ = add(4, of: one, 1, to: inbox)
    take(inbox, into: &batch)
    batch.noteWritten(in: 7, from: 100, isForFolders: false)
    #expect(!batch.hasUnwritten)
    _ = add(5, of: two, 2, to: inbox)
    take(inbox, into: &batch)
    #expect(batch.hasUnwritten)
    #expect(batch.written == 4)
    batch.noteWritten(in: 7, from: 104, isForFolders: true)
    #expect(batch.entries.map { $0.place.map { [$0.segment, $0.offset, $0.count] } } == [[7, 101, 3], [7, 105, 4]])
    #expect(one.oldestSegment == nil)
    #expect(two.oldestSegment == 7)
    // The disk failed: all of it goes into the next segment.
    batch.writeAgain()
    batch.noteWritten(in: 8, from: 12, isForFolders: false)
    #expect(batch.entries.map { $0.place.map { [$0.segment, $0.offset, $0.count] } } == [[8, 13, 3], [8, 17, 4]])
  }

  @Test("What is given to the folders is given once, and all is forgotten after a commit")
  func delivered() {
    let (inbox, one) = (JournalInbox(), session(1))
    var batch = JournalBatch()
    #expect(batch.isEmpty)
    for byte in 1...2 as ClosedRange<UInt8> {
      _ = add(2, of: one, byte, to: inbox)
      take(inbox, into: &batch)
      #expect(batch.hasUndelivered)
      #expect(batch.takeUndelivered().map(\.frame) == [Int(byte - 1) * 2..<Int(byte) * 2])
      #expect(!batch.hasUndelivered)
    }
    #expect(!batch.isEmpty)
    batch.empty()
    #expect(batch.isEmpty)
    #expect(!batch.hasUndelivered)
    #expect(!batch.hasUnwritten)
    let spare = batch.takeSpare()
    #expect(spare.isEmpty)
    #expect(spare.capacity >= 4)
  }

  @Test("What belongs to a session of which nothing is kept goes, but for what is written already")
  func failed() {
    let (inbox, lost, kept) = (JournalInbox(), session(1), session(2))
    var batch = JournalBatch()
    _ = add(2, of: lost, 1, to: inbox)
    take(inbox, into: &batch)
    batch.noteWritten(in: 1, from: 50, isForFolders: false)
    _ = batch.takeUndelivered()
    _ = add(3, of: lost, 2, to: inbox)
    _ = add(4, of: kept, 3, to: inbox)
    lost.failure = Broken()
    take(inbox, into: &batch)
    #expect(batch.frames == [1, 1, 3, 3, 3, 3])
    #expect(batch.entries.map(\.frame) == [0..<2, 2..<6])
    #expect(batch.entries.map(\.content) == [1..<2, 3..<6])
    #expect(batch.takeUndelivered().map(\.session.sessionID) == [kept.sessionID])
  }
}

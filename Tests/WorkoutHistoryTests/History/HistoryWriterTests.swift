import Dispatch
@testable import SessionStore
import Synchronization
import Testing
@testable import TextFormats
@testable import WorkoutHistory
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("One who writes the history, and several who read it")
struct HistoryWriterTests {
  /// Counts, from any thread.
  private final class Counter: Sendable {
    let value = Mutex(0)
    func add() { value.withLock { $0 += 1 } }
    var count: Int { value.withLock { $0 } }
  }

  /// A data folder with many closed sessions that no index knows, copies of one but for their names.
  private struct Room {
    let folder: ScratchFolder
    let names: [String]
    var data: StoredPath { StoredPath(dataFolder: folder.path) }

    init(sessions count: Int) async throws {
      let recorded = try RecordedHistory()
      folder = recorded.folder
      let first = try await recorded.record(seed: 7, isClosed: false)
      await recorded.history.close()
      let original = recorded.path(first)
      let files = try FileSystem.list(original).map { ($0, try text(of: original + "/" + $0)) }
      names = (0..<count).map { number in
        let digits = String(number, radix: 16)
        return first.dropLast(8) + String(repeating: "0", count: 8 - digits.count) + digits
      }
      for name in names where name != first {
        try FileSystem.createFolder(recorded.path(name))
        for (file, content) in files {
          let lines = content.split(separator: first, omittingEmptySubsequences: false)
          try WorkoutTestSupport.write(lines.joined(separator: name), to: recorded.path(name) + "/" + file)
        }
      }
      try FileSystem.removeTree(folder.path + "/unfinished")
      if !names.contains(first) { try FileSystem.removeTree(original) }
    }

    func history(_ transactions: Counter = Counter()) -> History {
      History(dataFolder: data, busyMilliseconds: 60_000, onDelete: { _, _ in }, onTransaction: { transactions.add() })
    }

    func digests() throws -> [(name: String, digest: SessionDigest)] {
      try names.map { ($0, try SessionDigest(folder: SessionFolder.path(of: $0, in: data))) }
    }
  }

  @Test("Sessions that are closed at the same time share transactions, and the index equals one that is made anew")
  func together() async throws {
    let room = try await Room(sessions: 200)
    let transactions = Counter()
    let history = room.history(transactions)
    let digests = try room.digests()
    try await withThrowingTaskGroup(of: ClosedSession.self) { group in
      for (name, digest) in digests { group.addTask { try await history.close(name, digest: digest) } }
      for try await closed in group { #expect(closed.state == .complete) }
    }
    #expect(transactions.count <= 20, "\(transactions.count) transactions for 200 sessions")
    await history.close()
    let recorded = RecordedHistory(folder: room.folder, history: history)
    let index = try recorded.dump()
    #expect(index.count { $0.hasPrefix("session ") } == 200)
    for ending in ["", "-wal", "-shm"] { try FileSystem.removeTree(History.path(in: room.data).path + ending) }
    let (sessions, findings) = try await history.rebuild { _ in }
    #expect(sessions == 200)
    #expect(findings.isEmpty)
    await history.close()
    #expect(try recorded.dump() == index)
  }

  @Test("What fails of one session that is closed with others fails for it alone")
  func faultInOne() async throws {
    let room = try await Room(sessions: 24)
    let history = room.history()
    let bad = room.names[11]
    _ = try await history.writer.names()
    let other = try Database(path: History.path(in: room.data))
    try other.execute(
      "CREATE INDEX fault ON hour (abs(CASE session WHEN '\(bad)' THEN -9223372036854775808 ELSE 0 END))")
    let digests = try room.digests()
    let failed = await withTaskGroup(of: String?.self) { group in
      for (name, digest) in digests {
        group.addTask { (try? await history.close(name, digest: digest)) == nil ? name : nil }
      }
      return await group.reduce(into: [String]()) { failed, name in if let name { failed.append(name) } }
    }
    #expect(failed == [bad])
    #expect(try await Set(history.sessions(History.Filter()).map(\.sessionID)) == Set(room.names).subtracting([bad]))
    let rows = try other.query("SELECT count(*) FROM detail WHERE session = ?", .text(bad)) { $0.int(0) }
    #expect(rows == [0], "nothing of it stays")
    try other.execute("DROP INDEX fault")
    other.close()
    _ = try await history.close(bad)
    #expect(try await history.check { _ in }.isEmpty)
    await history.close()
  }

  @Test("A close does not wait for a long list, which shows what was there when it began")
  func closeBesideList() async throws {
    let room = try await Room(sessions: 3)
    let history = room.history()
    _ = try await history.close(room.names[0])
    _ = try await history.close(room.names[1])
    let (begun, closed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let list = Task {
      try await history.sessions(History.Filter(), into: [String]()) { names, entry in
        if names.isEmpty {
          begun.signal()
          _ = closed.wait(timeout: .now() + 60)
        }
        names.append(entry.sessionID)
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "waits").async {
        _ = begun.wait(timeout: .now() + 60)
        continuation.resume()
      }
    }
    _ = try await history.close(room.names[2])
    #expect(try await history.sessions(History.Filter()).count == 3)
    closed.signal()
    #expect(try await list.value.count == 2)
    await history.close()
  }

  @Test("Who reads does not wait for the one who writes, and cannot write")
  func listBesideWriter() async throws {
    let room = try await Room(sessions: 2)
    let history = room.history()
    for name in room.names { _ = try await history.close(name) }
    let answered = DispatchSemaphore(value: 0)
    let writer = history.writer
    let (stream, begun) = AsyncStream<Void>.makeStream()
    let isAnswered = Mutex(false)
    DispatchQueue(label: "writes").async {
      writer.wait { _ in
        begun.yield()
        _ = answered.wait(timeout: .now() + 60)
      }
      begun.finish()
    }
    for await _ in stream {
      let count = try await history.sessions(History.Filter()).count
      #expect(count == 2)
      isAnswered.withLock { $0 = true }
      answered.signal()
    }
    #expect(isAnswered.withLock { $0 })
    await #expect(throws: DatabaseError.self) {
      try await history.read { try $0.database().execute("DELETE FROM session") }
    }
    #expect(try await history.sessions(History.Filter()).count == 2)
    await history.close()
  }

  @Test("Who asks for one session that was cut off closes that one and no other")
  func recoverOne() async throws {
    let room = try await Room(sessions: 3)
    let history = room.history()
    for name in room.names {
      try FileSystem.remove(SessionFolder.path(of: name, in: room.data) + "/" + SessionFolder.summary)
      _ = try SessionMark.make(name, in: room.data)
    }
    let recorded = RecordedHistory(folder: room.folder, history: history)
    let recoveries = try await recorded.recover { try await history.recover(beginningWith: room.names[1]) }
    #expect(recoveries.count == 1)
    guard case .closed(let closed)? = recoveries.first else {
      Issue.record("\(recoveries)")
      return
    }
    #expect(closed == ClosedSession(sessionID: room.names[1], state: .recovered, tornLines: [:]))
    #expect(try SessionMark.all(in: room.data) == [room.names[0], room.names[2]])
    #expect(try await history.sessions(History.Filter()).map(\.sessionID) == [room.names[1]])
    let progress = Mutex<[WorkProgress]>([])
    let rest = try await recorded.recover {
      try await history.recover { done in progress.withLock { $0.append(done) } }
    }
    #expect(rest.count == 2)
    #expect(progress.withLock { $0.last } == WorkProgress(done: 2, total: 2))
    #expect(try await history.check { _ in }.isEmpty)
    await history.close()
  }
}

import Dispatch
@testable import LiveCoaching
@testable import Recordings
import Synchronization
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

/// Rebuilds, imports, live sessions and deletions beside each other: whatever the order of their steps, the index equals the
/// folders when all are done.
@Suite("Changes of the history at the same time")
struct HistoryInterleavingTests {
  /// A folder that several histories work in, and its path to recordings of workouts.
  private struct Room {
    let folder: ScratchFolder
    let recordings: [String]

    init(workouts: Int) throws {
      let folder = try ScratchFolder()
      self.folder = folder
      try FileSystem.createFolder(folder.path + "/data")
      recordings = try (0..<workouts).map { number in
        let rows = (0..<60).map { "\(1_700_000_000 + number * 1_000 + $0),\(110 + ($0 + number) % 25)\n" }
        return try folder.write("time,hr\n" + rows.joined(), "workout-\(number).csv")
      }
    }

    var data: String { folder.path + "/data" }

    /// Another history of the same folder, with a connection of its own.
    func history() -> History { History(dataFolder: data) }
  }

  private static func importing(_ person: String?) throws -> ImportRequest {
    ImportRequest(try .runner("z2", "moment:every=30"), person: person.map(SessionPerson.init(named:)))
  }

  /// Records a live session to its end.
  private static func live(seed: UInt64, _ data: String, _ history: History) async throws {
    let random = try RandomSession(seed: seed)
    let manager = SoleSession(
      LiveConfiguration(
        settings: try random.request.settings(on: nil), clock: .samples, streams: SampleStream.recordable,
        durationLimit: nil),
      recording: .init(
        dataFolder: data, request: SessionRequest(coaching: random.request, person: nil),
        random: UInt32(truncatingIfNeeded: seed)))
    _ = await manager.feed(Array((random.lines.joined(separator: "\n") + "\n").utf8), now: .morning(3))
    _ = await manager.end(.endOfInput, now: .morning(3))
    try await manager.closeRecording(in: history)
  }

  /// Everything in the tables of the index but when they were made, a line a row, sorted.
  private static func dump(_ data: String) throws -> [String] {
    let database = try Database(path: History.path(in: data))
    defer { database.close() }
    return try SessionRows.Table.allCases.flatMap { table in
      let columns = try database.query("SELECT name FROM pragma_table_info('\(table.rawValue)')") { $0.text(0) }
      let row = columns.map { "quote(\($0))" }.joined(separator: " || '|' || ")
      return try database.query("SELECT \(row) FROM \(table.rawValue)") { "\(table) " + $0.text(0) }
    }.sorted()
  }

  /// Holds the index against the folders: a check finds nothing, and an index that is made anew is the same.
  private static func expectAgreement(_ room: Room, _ what: String) async throws {
    let history = room.history()
    let recoveries = try await history.recover()
    #expect(recoveries.isEmpty, "\(what): nothing is left to do")
    let finished = try await history.finishDeletions()
    #expect(finished.isEmpty, "\(what): nothing is left to do")
    let findings = try await history.check { _ in }
    #expect(findings.isEmpty, "\(what): \(findings.map { "\($0.kind) \($0.subject) \($0.detail)" })")
    await history.close()
    let index = try dump(room.data)
    for suffix in ["", "-wal", "-shm"] { try FileSystem.removeTree(History.path(in: room.data).path + suffix) }
    let (sessions, unreadable) = try await history.rebuild { _ in }
    #expect(unreadable.isEmpty, "\(what)")
    let folders = try history.folders()
    #expect(sessions == folders.count, "\(what)")
    await history.close()
    let anew = try dump(room.data)
    let differences = Set(index).symmetricDifference(anew).sorted().prefix(3)
    #expect(index.count == anew.count, "\(what): the index equals one that is made anew")
    #expect(differences.isEmpty, "\(what): the index equals one that is made anew")
  }

  @Test("What is imported, recorded and deleted while a rebuild runs is in the index, or is not, as the folders are")
  func duringRebuild() async throws {
    for seed in UInt64(0)..<12 {
      let room = try Room(workouts: 80)
      let first = room.history()
      var random = SplitMix64(seed: seed)
      for path in room.recordings.prefix(70) { _ = try await first.add(Recording(path: path), Self.importing(nil)) }
      let other = room.history()
      let step = Mutex<Int>(0)
      let recordings = room.recordings
      let data = room.data
      let victims = try first.folders().shuffled(using: &random)
      _ = try await first.rebuild { _ in
        let turn = step.withLock { step in
          step += 1
          return step
        }
        onAnotherThread {
          _ = try await other.add(Recording(path: recordings[70 + turn % 10]), Self.importing(nil))
          try await other.delete(victims[turn])
          try await Self.live(seed: seed * 10 + UInt64(turn), data, other)
        }
      }
      await other.close()
      await first.close()
      try await Self.expectAgreement(room, "seed \(seed)")
    }
  }

  @Test("Random changes by several histories of one folder at once leave an index that equals the folders")
  func random() async throws {
    for seed in UInt64(0)..<20 {
      let room = try Room(workouts: 6)
      let data = room.data
      let recordings = room.recordings
      await withTaskGroup(of: Void.self) { group in
        for worker in UInt64(0)..<4 {
          group.addTask {
            var random = SplitMix64(seed: seed * 100 + worker)
            let history = History(dataFolder: data)
            for turn in 0..<12 {
              let (choice, pick) = (random.int(0...9), random.int(0...1_000))
              do {
                switch choice {
                case 0...3:
                  let person = ["anna", "ben", nil][pick % 3]
                  let recording = try Recording(path: recordings[pick % recordings.count])
                  _ = try await history.add(recording, Self.importing(person))
                case 4: try await Self.live(seed: seed * 10_000 + worker * 100 + UInt64(turn), data, history)
                case 5, 6:
                  let names = try history.folders()
                  if !names.isEmpty { try await history.delete(names[pick % names.count]) }
                case 7: _ = try await history.check { _ in }
                default:
                  let (_, findings) = try await history.rebuild { _ in }
                  #expect(findings.isEmpty, "seed \(seed), worker \(worker), turn \(turn)")
                }
              } catch is SessionInUse {
                // Another one is closing it.
              } catch {
                Issue.record("seed \(seed), worker \(worker), turn \(turn), choice \(choice): \(error)")
              }
            }
            await history.close()
          }
        }
      }
      try await Self.expectAgreement(room, "seed \(seed)")
    }
  }
}

/// Runs a piece of asynchronous work to its end while this thread waits, which must be none that the work needs.
private func onAnotherThread(_ body: @escaping @Sendable () async throws -> Void) {
  let isOver = DispatchSemaphore(value: 0)
  Task {
    do {
      try await body()
    } catch {
      Issue.record("\(error)")
    }
    isOver.signal()
  }
  isOver.wait()
}

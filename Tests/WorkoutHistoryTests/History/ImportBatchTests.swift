import Foundation
@testable import Recordings
@testable import SessionStore
import Synchronization
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Many workouts of one file")
struct ImportBatchTests {
  /// Counts the transactions that take sessions in.
  private final class Counter: Sendable {
    let value = Mutex(0)
    func add() { value.withLock { $0 += 1 } }
    var count: Int { value.withLock { $0 } }
  }

  private static func history(_ folder: ScratchFolder, _ transactions: Counter = Counter()) -> History {
    History(
      dataFolder: StoredPath(dataFolder: folder.path), busyMilliseconds: 60_000, onDelete: { _, _ in },
      onTransaction: { transactions.add() })
  }

  /// An export with readings on each of some days, the first of 2024 on.
  private static func days(_ count: Int) -> String {
    let records = (0..<count).flatMap { day in
      (0..<3).map { second in
        let date = CivilDate(year: 2024, month: 1, day: 1)?.adding(days: day).map { "\($0)" } ?? ""
        return "<Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"Watch\" unit=\"count/min\" "
          + "startDate=\"\(date) 08:00:0\(second) +0000\" endDate=\"\(date) 08:00:0\(second) +0000\" "
          + "value=\"\(100 + (day + second) % 60)\"/>"
      }
    }
    return "<HealthData>" + records.joined() + "</HealthData>"
  }

  private static func request() throws -> ImportRequest {
    ImportRequest(try .runner("z2", "moment:every=30"), person: nil)
  }

  private static func recording(_ text: String, in folder: ScratchFolder) throws -> Recording {
    try Recording(path: folder.write(text, "file"))
  }

  private static func names(_ outcomes: [ImportOutcome]) -> [String] {
    outcomes.compactMap { if case .added(let name) = $0 { name } else { nil } }
  }

  /// Every file of every session, by its path.
  private static func files(of history: History) throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileSystem.list(history.dataFolder + "/sessions") {
      let folder = SessionFolder.path(of: name, in: history.dataFolder)
      for file in try FileSystem.list(folder) { files["\(name)/\(file)"] = try text(of: (folder + "/" + file).path) }
    }
    return files
  }

  @Test("are written as each of them alone, and the index learns them in as few transactions as they have batches")
  func batches() async throws {
    let (folder, transactions) = (try ScratchFolder(), Counter())
    let history = Self.history(folder, transactions)
    let recording = try Self.recording(Self.days(300), in: folder)
    let outcomes = try await history.add(recording, Self.request(), withDays: true)
    let added = Self.names(outcomes)
    #expect(added.count == 300)
    #expect(Set(added).count == 300)
    #expect(transactions.count == 3)
    #expect(try await history.sessions(History.Filter()).count == 300)
    #expect(try await history.check { _ in } == [])
    #expect(try SessionMark.all(in: folder.path).isEmpty)
    #expect(try FileSystem.list(folder.path + "/importing") == ["lock", "turn"])
    let again = try await history.add(recording, Self.request(), withDays: true)
    #expect(again == added.map { .duplicate(sessionID: $0) })
    await history.close()

    let other = try ScratchFolder()
    let alone = Self.history(other)
    var parts: [Recording] = []
    try recording.forEachActivity(Array(recording.activities.prefix(20))) { parts.append($1) }
    for (part, name) in zip(parts, added) {
      #expect(try await alone.add(part, Self.request()) == .added(sessionID: name))
    }
    let (together, expected) = (try Self.files(of: history), try Self.files(of: alone))
    #expect(expected.count >= 20 * 4)
    for (path, content) in expected { #expect(together[path] == content, "\(path)") }
    await alone.close()
  }

  @Test("are there once, also where the file itself has one of them twice")
  func twiceInOneFile() async throws {
    let folder = try ScratchFolder()
    let history = Self.history(folder)
    let laps = ((0..<10).map { 100 * $0 } + [200]).map { start in
      XMLFixture.activity(
        "Running",
        XMLFixture.lap(
          at: start, seconds: "29", meters: "87",
          (0..<30).map { second in
            XMLFixture.tcxPoint(
              start + second, "<HeartRateBpm><Value>\(100 + (start / 100 + second) % 50)</Value></HeartRateBpm>")
          }.joined()))
    }
    let recording = try Self.recording(XMLFixture.tcx(laps.joined()), in: folder)
    #expect(recording.activities.count == 11)
    let outcomes = try await history.add(recording, Self.request(), withDays: false)
    let added = Self.names(outcomes)
    #expect(added.count == 10)
    #expect(outcomes.filter { if case .duplicate = $0 { true } else { false } }.count == 1)
    #expect(try await history.sessions(History.Filter()).count == 10)
    #expect(try await history.check { _ in } == [])
    await history.close()
  }

  private struct Refused: Error {}

  @Test("stay where they are when a later one cannot be taken")
  func later() async throws {
    let folder = try ScratchFolder()
    let history = Self.history(folder)
    let recording = try Self.recording(Self.days(30), in: folder)
    let coaching = try CoachingRequest.runner("z2", "moment:every=30")
    let request = ImportRequest { day in
      if day == CivilDate(year: 2024, month: 1, day: 20) { throw Refused() }
      return SessionRequest(coaching: coaching, person: nil)
    }
    await #expect(throws: Refused.self) { try await history.add(recording, request, withDays: true) }
    #expect(try await history.sessions(History.Filter()).count == 19)
    #expect(try await history.check { _ in } == [])
    #expect(try SessionMark.all(in: folder.path).isEmpty)
    #expect(Self.names(try await history.add(recording, Self.request(), withDays: true)).count == 11)
    await history.close()
  }

  @Test("are imported whatever somebody has put among those that are written, and a check names that")
  func strangers() async throws {
    let folder = try ScratchFolder()
    let history = History(dataFolder: folder.path + "/data")
    let importing = folder.path + "/data/importing/"
    try FileSystem.createFolder(importing)
    let names = (0..<4).map { "20260101T070000Z-running-0000000\($0)" }
    try write("mine", to: importing + names[0])
    try FileManager.default.createSymbolicLink(atPath: importing + names[1], withDestinationPath: folder.path)
    for name in names[2...] {
      try FileSystem.createFolder(importing + name)
      try write("left", to: importing + name + "/manifest.json")
    }
    try write("mine", to: importing + names[2] + "/photo.jpg")
    let recording = try Self.recording(Self.days(10), in: folder)
    #expect(Self.names(try await history.add(recording, Self.request(), withDays: true)).count == 10)
    #expect(try FileSystem.list(importing) == names[..<3] + ["lock", "turn"], "what coach left is gone")
    #expect(try FileSystem.list(importing + names[2]) == ["photo.jpg"])
    #expect(
      Set(try await history.check { _ in }.map { "\($0.kind) \($0.subject)" }) == [
        "foreign importing/\(names[0])", "foreign importing/\(names[1])", "foreign importing/\(names[2])/photo.jpg",
      ])
    await history.close()
  }

  @Test("that were written and never got their places are gone after the next import, and it adds them")
  func neverPublished() async throws {
    let folder = try ScratchFolder()
    let history = Self.history(folder)
    let recording = try Self.recording(Self.days(10), in: folder)
    try await history.change { worker in
      let lock = try ImportLock.take(worker.dataFolder, waitingMilliseconds: 0)
      defer { lock.release() }
      let batch = ImportBatch(lock, isSyncedTogether: true)
      try recording.forEachActivity(recording.activities) { _, alone in
        let workout = try ImportedWorkout.make(alone, Self.request()).get()
        _ = try worker.write(workout, workout.session, to: batch)
      }
      // Here the process dies.
    }
    #expect(try FileSystem.list(folder.path + "/importing").count == 12)
    #expect(try await history.sessions(History.Filter()).isEmpty)
    #expect(Self.names(try await history.add(recording, Self.request(), withDays: true)).count == 10)
    #expect(try FileSystem.list(folder.path + "/importing") == ["lock", "turn"])
    #expect(try await history.check { _ in } == [])
    await history.close()
  }
}

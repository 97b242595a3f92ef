import Dispatch
import Glibc
import Synchronization
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutTestSupport

@Suite("Opening a database")
struct DatabaseOpeningTests {
  @Test("Several that make the same new database at once all get it")
  func together() throws {
    for round in 0..<40 {
      let folder = try ScratchFolder()
      let path = folder.path + "/new.sqlite"
      let problems = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 6) { number in
        do {
          let database = try Database(path: path)
          try database.execute("CREATE TABLE IF NOT EXISTS written (number INTEGER)")
          try database.run("INSERT INTO written VALUES (?1)", .integer(Int64(number)))
          database.close()
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
      #expect(problems.withLock { $0 } == [], "round \(round)")
    }
  }

  @Test("One that is only read stays as it was, with nothing beside it, and can be read with changes beside it")
  func onlyRead() throws {
    let folder = try ScratchFolder()
    let place = StoredPath(dataFolder: folder.path) + "/a ?#%.sqlite"
    let database = try Database(path: place)
    try database.execute("CREATE TABLE written (number INTEGER); INSERT INTO written VALUES (1)")
    database.close()
    let reader = try Database(reading: place, busyMilliseconds: 1_000)
    #expect(try reader.query("SELECT number FROM written") { $0.int(0) } == [1])
    #expect(throws: DatabaseError.self) { try reader.execute("INSERT INTO written VALUES (2)") }
    reader.close()
    #expect(try FileSystem.list(StoredPath(dataFolder: folder.path)) == ["a ?#%.sqlite"])

    let writer = try Database(path: place)
    try writer.execute("INSERT INTO written VALUES (3)")
    let other = try Database(reading: place, busyMilliseconds: 1_000)
    #expect(try other.query("SELECT number FROM written ORDER BY number") { $0.int(0) } == [1, 3])
    other.close()
    writer.close()
    #expect(throws: DatabaseError.self) { try Database(reading: place + "-none", busyMilliseconds: 1_000) }
  }

  @Test("The index in a folder that cannot be written is read as it is, unless an older coach made it")
  func unwritableFolder() async throws {
    let recorded = try RecordedHistory()
    _ = try await recorded.record(seed: 3)
    await recorded.history.close()
    let data = recorded.history.dataFolder
    let refused = { throw FileError(.keepData, data.path, code: EROFS) } as () throws -> Database
    let (reader, isLasting) = try HistorySchema.openToRead(
      in: recorded.history, busyMilliseconds: 1_000, opening: refused)
    #expect(isLasting)
    #expect(try reader.query("SELECT count(*) FROM session") { $0.int(0) } == [1])
    reader.close()

    let database = try Database(path: History.path(in: data))
    try database.execute("PRAGMA user_version=1")
    database.close()
    let error = #expect(throws: DatabaseError.self) {
      try HistorySchema.openToRead(in: recorded.history, busyMilliseconds: 1_000, opening: refused)
    }
    #expect(error?.exitCode == 73)
    #expect(error?.reason.hasPrefix("version 1, made by an older coach, in a folder that cannot be written") == true)

    // One that a full disk did not let be made was made by no older coach.
    let unmade = try Database(path: History.path(in: data))
    try unmade.execute("PRAGMA user_version=0")
    unmade.close()
    let other = #expect(throws: DatabaseError.self) {
      try HistorySchema.openToRead(in: recorded.history, busyMilliseconds: 1_000, opening: refused)
    }
    #expect(other?.exitCode == 73)
    #expect(other?.reason.hasPrefix("not made to its end, in a folder that cannot be written") == true)
  }

  @Test(
    "A history whose folder cannot be written is read, checked and not changed",
    .enabled(if: geteuid() != 0, "root may write everywhere"))
  func historyWithoutRights() async throws {
    let recorded = try RecordedHistory()
    _ = try await recorded.record(seed: 4)
    await recorded.history.close()
    let data = recorded.history.dataFolder
    #expect(unsafe chmod(data.path.systemPath, 0o500) == 0)
    defer { _ = unsafe chmod(data.path.systemPath, 0o700) }
    let history = History(dataFolder: data.path)
    #expect(try await history.sessions(History.Filter()).count == 1)
    #expect(try await history.check { _ in }.isEmpty)
    let error = await #expect(throws: FileError.self) { try await history.rebuild { _ in } }
    #expect(error?.operation == .keepData)
    #expect(error?.exitCode == 73)
    await history.close()
  }
}

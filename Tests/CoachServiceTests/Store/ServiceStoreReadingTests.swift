@testable import CoachService
import Glibc
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("What a service keeps, for who only reads it")
struct ServiceStoreReadingTests {
  private func refused(_ data: StoredPath) -> () throws -> Database {
    { throw FileError(.keepData, data.path, code: EROFS) }
  }

  private func made(_ data: StoredPath) async throws {
    let store = ServiceStore(dataFolder: data)
    try await store.add(
      IssuedSecret.token([.watch], person: nil, session: nil, group: nil, days: 1, now: .init(nanoseconds: 0)).grant)
    await store.close()
  }

  @Test("Nothing is made where no service was ever set up, and there is nothing")
  func absent() async throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path + "/data")
    let store = ServiceStore(reading: data)
    #expect(try await store.grants().isEmpty)
    #expect(try await store.identities().isEmpty)
    #expect(try await store.openSessions(of: "anna").isEmpty)
    await store.close()
    #expect(try !FileSystem.has(data))
  }

  @Test("It is read as it is in a folder that cannot be written, with nothing beside it, unless an older coach made it")
  func unwritable() async throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path + "/data")
    try await made(data)
    let names = try FileSystem.list(data)
    let (reader, isLasting) = try ServiceStore.openToRead(in: data, opening: refused(data))
    #expect(isLasting)
    #expect(try reader.query("SELECT count(*) FROM grant_") { $0.int(0) } == [1])
    #expect(throws: DatabaseError.self) { try reader.execute("DELETE FROM grant_") }
    reader.close()
    #expect(try FileSystem.list(data) == names)

    for (version, words) in [(1, "version 1, made by an older coach"), (0, "not made to its end")] {
      let database = try Database(path: data + "/" + ServiceStore.fileName)
      try database.execute("PRAGMA user_version=\(version)")
      database.close()
      let error = #expect(throws: DatabaseError.self) {
        try ServiceStore.openToRead(in: data, opening: refused(data))
      }
      #expect(error?.exitCode == 73)
      #expect(error?.reason.hasPrefix(words + ", in a folder that cannot be written") == true)
    }
    let database = try Database(path: data + "/" + ServiceStore.fileName)
    try database.execute("PRAGMA user_version=\(ServiceStore.version + 1)")
    database.close()
    #expect(throws: ServiceStoreError.newer(ServiceStore.version + 1)) {
      try ServiceStore.openToRead(in: data, opening: refused(data))
    }
  }
}

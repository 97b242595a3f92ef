import Foundation
import Glibc
@testable import SessionStore
import Testing
@testable import TextFormats
@testable import WorkoutHistory
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Deleting a session")
struct HistoryDeletionTests {
  @Test("leaves nothing of it in the folder, the index and the write-ahead log, and the others as they were")
  func delete() async throws {
    let recorded = try RecordedHistory()
    for seed in UInt64(10)..<15 { try await recorded.record(seed: seed, person: "anna") }
    let before = try recorded.dump()
    let gone = try await recorded.record(seed: 1, person: "zacharias")
    #expect(try isAnywhere("zacharias", in: recorded.folder.path))
    #expect(try isAnywhere(gone, in: recorded.folder.path))
    try await recorded.history.delete(gone)
    // Looked at while the index is open, so that closing it does not do the work.
    #expect(try !isAnywhere("zacharias", in: recorded.folder.path))
    #expect(try !isAnywhere(gone, in: recorded.folder.path))
    #expect(try recorded.dump() == before)
    #expect(try FileSystem.list(recorded.folder.path).contains("deleted") == false)
    #expect(try await recorded.history.check { _ in } == [])
    await recorded.history.close()
  }

  @Test("that coach did not name is refused, and no data of its person are erased then")
  func foreignName() async throws {
    let recorded = try RecordedHistory()
    let session = try await recorded.record(seed: 2, person: "anna")
    let foreign = "20261101T070000Z-" + String(repeating: "r", count: 200)
    try FileSystem.rename(recorded.path(session), to: recorded.folder.path + "/sessions/" + foreign)
    let kept = try await recorded.record(seed: 3, person: "anna")
    let deleting = await #expect(throws: FileError.self) { try await recorded.history.delete(foreign) }
    #expect(deleting?.code == FileError.notOurs)
    let erasing = await #expect(throws: FileError.self) {
      _ = try await recorded.history.erase(personNamed: "anna") { _ in }
    }
    #expect(erasing?.code == FileError.notOurs)
    #expect(FileSystem.exists(recorded.path(kept)))
    #expect(FileSystem.exists(recorded.folder.path + "/sessions/" + foreign))
    #expect(!FileSystem.exists(recorded.folder.path + "/erasing/erasure"))
    await recorded.history.close()
  }

  /// Something that is no folder under the name by which a session goes.
  enum Obstacle: String, CaseIterable {
    case link = "a symbolic link"
    case file = "a file"
    case pipe = "a pipe"

    func plant(at path: String, linkingTo outside: String) throws {
      switch self {
      case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside)
      case .file: try FileSystem.writeAtomically(Array("mine".utf8).span, to: path)
      case .pipe: try #require(unsafe mkfifo(path, 0o600) == 0)
      }
    }
  }

  @Test(
    "is refused before anything is done where something that coach did not make is in its way",
    arguments: Obstacle.allCases)
  func obstacle(_ thing: Obstacle) async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 1, person: "anna")
    let before = try recorded.dump()
    let files = try FileSystem.list(recorded.path(name))
    let outside = try ScratchFolder()
    let photo = try outside.write("photo", "photo.jpg")
    let place = recorded.folder.path + "/deleted/" + name
    try FileSystem.createFolder(recorded.folder.path + "/deleted")
    try thing.plant(at: place, linkingTo: outside.path)
    let expected = DeletionObstacle(place, thing.rawValue)
    await #expect(throws: expected) { try await recorded.history.delete(name) }
    await #expect(throws: expected) {
      _ = try await recorded.history.erase(personNamed: "anna") { _ in }
    }
    #expect("\(expected)".contains("deleted/\(name): is \(thing.rawValue), which coach did not make"))
    #expect(try FileSystem.list(recorded.path(name)) == files)
    #expect(!FileSystem.exists(recorded.folder.path + "/erasing/erasure"))
    #expect(try recorded.dump() == before)
    #expect(try await recorded.history.finishDeletions() == [])
    #expect(FileSystem.exists(photo))
    try FileSystem.remove(place)
    try await recorded.history.delete(name)
    #expect(!FileSystem.exists(recorded.path(name)))
    await recorded.history.close()
  }

  @Test("is refused before anything is done where what is left of an older one holds what coach did not write")
  func strangerInTheWay() async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 1, person: "anna")
    try FileSystem.createFolder(recorded.folder.path + "/deleted/" + name)
    let photo = try recorded.folder.write("photo", "deleted/\(name)/photo.jpg")
    let deleting = await #expect(throws: FileError.self) { try await recorded.history.delete(name) }
    #expect(deleting?.code == FileError.notOurs)
    #expect(deleting?.path == photo)
    await #expect(throws: FileError.self) {
      _ = try await recorded.history.erase(personNamed: "anna") { _ in }
    }
    #expect(!FileSystem.exists(recorded.folder.path + "/erasing/erasure"))
    #expect(FileSystem.exists(recorded.path(name)))
    #expect(FileSystem.exists(photo))
    await recorded.history.close()
  }

  @Test(
    "is refused before anything is done where a file of the session belongs to another user",
    .enabled(if: geteuid() == 0, "only root can give a file away"))
  func fileOfOther() async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 1, person: "anna")
    let kept = try await recorded.record(seed: 2, person: "anna")
    let before = try recorded.dump()
    let files = try FileSystem.list(recorded.path(name))
    let log = recorded.path(name) + "/heart_rate.csv"
    try #require(unsafe chown(log, 65_534, 65_534) == 0)
    let expected = FileError(.remove, log, code: FileError.foreignOwner)
    await #expect(throws: expected) { try await recorded.history.delete(name) }
    await #expect(throws: expected) { _ = try await recorded.history.erase(personNamed: "anna") { _ in } }
    #expect(try FileSystem.list(recorded.path(name)) == files)
    #expect(FileSystem.exists(recorded.path(kept)))
    #expect(!FileSystem.exists(recorded.folder.path + "/erasing/erasure"))
    #expect(!FileSystem.exists(recorded.folder.path + "/deleted"))
    #expect(try recorded.dump() == before)
    try #require(unsafe chown(log, geteuid(), getegid()) == 0)
    _ = try await recorded.history.erase(personNamed: "anna") { _ in }
    #expect(!FileSystem.exists(recorded.path(name)))
    await recorded.history.close()
  }

  @Test(
    "that cannot be finished is named by a check with what is in its way, and others are finished",
    .enabled(if: geteuid() == 0, "only root can give a file away"))
  func unfinished() async throws {
    let recorded = try RecordedHistory()
    let (first, second) = (try await recorded.record(seed: 1), try await recorded.record(seed: 2))
    try FileSystem.createFolder(recorded.folder.path + "/deleted")
    for name in [first, second] {
      try FileSystem.rename(recorded.path(name), to: recorded.folder.path + "/deleted/" + name)
    }
    let stuck = min(first, second)
    let log = recorded.folder.path + "/deleted/\(stuck)/heart_rate.csv"
    try #require(unsafe chown(log, 65_534, 65_534) == 0)
    let expected = FileError(.remove, log, code: FileError.foreignOwner)
    await #expect(throws: expected) { try await recorded.history.finishDeletions() }
    #expect(try FileSystem.list(recorded.folder.path + "/deleted") == [stuck])
    let found = try await recorded.history.check { _ in }
    #expect(
      found == [
        HistoryFinding(
          kind: .foreign, subject: "deleted/\(stuck)/heart_rate.csv", detail: "it belongs to another user")
      ])
    try #require(unsafe chown(log, geteuid(), getegid()) == 0)
    #expect(try await recorded.history.finishDeletions() == [stuck])
    #expect(try await recorded.history.check { _ in } == [])
    await recorded.history.close()
  }

  @Test("A link with the name of a session in deleted/ decides nothing: the check names a session without a folder")
  func linkDecidesNothing() async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 1)
    try FileSystem.removeTree(recorded.path(name))
    try FileSystem.createFolder(recorded.folder.path + "/deleted")
    try FileManager.default.createSymbolicLink(
      atPath: recorded.folder.path + "/deleted/" + name, withDestinationPath: "/nowhere")
    let found = try await recorded.history.check { _ in }
    #expect(found.contains { $0.kind == .withoutFolder && $0.subject == name }, "\(found)")
    await recorded.history.close()
  }

  @Test("with labels works: they are a file of coach's own")
  func labels() async throws {
    let recorded = try RecordedHistory()
    let sessionID = try await recorded.record(seed: 2)
    _ = try recorded.folder.write(
      "time,at_s,label\n2026-11-20T07:00:00Z,0,walking\n", "sessions/\(sessionID)/labels.csv")
    try await recorded.history.delete(sessionID)
    #expect(!FileSystem.exists(recorded.path(sessionID)))
    #expect(try await recorded.history.check { _ in } == [])
    await recorded.history.close()
  }

  @Test("that was cut off after any step is finished by the next start", arguments: 0..<4)
  func cutOff(step: Int) async throws {
    let recorded = try RecordedHistory()
    let kept = try await recorded.record(seed: 2)
    let before = try recorded.dump()
    let gone = try await recorded.record(seed: 1)
    let deleted = recorded.folder.path + "/deleted"
    try FileSystem.createFolder(deleted)
    if step > 0 { try FileSystem.rename(recorded.path(gone), to: deleted + "/" + gone) }
    if step > 1 { try await recorded.history.forget(gone) }
    if step > 2 { try FileSystem.remove(deleted + "/" + gone + "/manifest.json") }
    let finished = try await recorded.history.finishDeletions()
    #expect(finished == (step > 0 ? [gone] : []))
    #expect(!FileSystem.exists(deleted))
    #expect(FileSystem.exists(recorded.path(kept)))
    #expect(FileSystem.exists(recorded.path(gone)) == (step == 0), "only the move decides it")
    if step > 0 { #expect(try recorded.dump() == before) }
    #expect(try await recorded.history.finishDeletions().isEmpty)
    await recorded.history.close()
  }

  @Test("is refused while a process records it, and works for one whose process is gone")
  func inUse() async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 1)
    var mark: SessionMark? = try SessionMark.make(name, in: recorded.folder.path)
    await #expect(throws: SessionInUse(sessionID: name)) { try await recorded.history.delete(name) }
    #expect(FileSystem.exists(recorded.path(name)))
    #expect(mark?.sessionID == name)
    mark = nil
    try await recorded.history.delete(name)
    #expect(!FileSystem.exists(recorded.path(name)))
    #expect(try SessionMark.all(in: recorded.folder.path).isEmpty)
    await recorded.history.close()
  }

  @Test("works without an index and without a folder, and follows no symbolic link")
  func halves() async throws {
    let recorded = try RecordedHistory()
    let first = try await recorded.record(seed: 1)
    let second = try await recorded.record(seed: 2)
    try FileSystem.removeTree(recorded.path(first))
    try await recorded.history.delete(first)
    #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [second])
    await recorded.history.close()
    try FileSystem.remove(History.path(in: recorded.folder.path))
    let elsewhere = try recorded.folder.write("kept", "elsewhere.txt")
    try FileManager.default.createSymbolicLink(
      atPath: recorded.path(second) + "/link", withDestinationPath: recorded.folder.path)
    try await recorded.history.delete(second)
    #expect(!FileSystem.exists(recorded.path(second)))
    #expect(FileSystem.exists(elsewhere))
    #expect(try !recorded.history.hasIndex, "none is made for it")
  }

  @Test("frees the files at once where the index cannot be written, and is finished by the next start")
  func noRoom() async throws {
    let recorded = try RecordedHistory()
    let (gone, kept) = (try await recorded.record(seed: 1), try await recorded.record(seed: 2))
    await recorded.history.close()
    let obstacle = recorded.folder.path + "/coach.sqlite-wal"
    try FileSystem.createFolder(obstacle)
    let error = await #expect(throws: DatabaseError.self) { try await recorded.history.delete(gone) }
    #expect(error?.mayBeOfSpace == true)
    #expect(!FileSystem.exists(recorded.path(gone)))
    #expect(try FileSystem.list(recorded.folder.path + "/deleted/" + gone) == [], "its folder says what is left to do")
    #expect(recorded.history.hasUnfinishedDeletions)
    try FileSystem.removeTree(obstacle)
    #expect(try await recorded.history.finishDeletions() == [gone])
    #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [kept])
    #expect(try await recorded.history.check { _ in } == [])
    await recorded.history.close()
  }

  @Test("takes the largest files first where room is needed, and nothing that coach did not write")
  func largestFirst() async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 1)
    _ = try recorded.folder.write("mine", "sessions/\(name)/mine.txt")
    let folder = SessionFolder.path(of: name, in: StoredPath(dataFolder: recorded.folder.path))
    let files = try SessionFolder.largestFirst(in: folder)
    let sizes = try files.map { try FileSystem.status($0)?.size ?? -1 }
    #expect(sizes == sizes.sorted(by: >))
    #expect(files.count == (try FileSystem.list(folder).count) - 1)
    #expect(!files.contains { $0.path.hasSuffix("/mine.txt") })
    await recorded.history.close()
  }

  @Test("says that the index is busy, and is finished when it is free again")
  func busy() async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 1)
    await recorded.history.close()
    let history = History(dataFolder: recorded.folder.path, busyMilliseconds: 0)
    let other = try Database(path: History.path(in: recorded.folder.path))
    try other.execute("BEGIN IMMEDIATE")
    let error = await #expect(throws: DatabaseError.self) { try await history.delete(name) }
    #expect(error?.isBusy == true)
    #expect(error?.exitCode == 69)
    #expect(!FileSystem.exists(recorded.path(name)))
    #expect(history.hasUnfinishedDeletions)
    try other.execute("ROLLBACK")
    #expect(try await history.finishDeletions() == [name])
    #expect(try await history.sessions(History.Filter()).isEmpty)

    let second = try await recorded.record(seed: 2)
    try other.execute("BEGIN")
    #expect(try other.query("SELECT count(*) FROM session") { $0.int(0) } == [1])
    // A reader keeps what was deleted in the write-ahead log.
    let held = await #expect(throws: DatabaseError.self) { try await history.delete(second) }
    #expect(held?.isBusy == true)
    #expect(history.hasUnfinishedDeletions)
    try other.execute("COMMIT")
    #expect(try await history.finishDeletions() == [second])
    #expect(try !isAnywhere(second, in: recorded.folder.path))
    await history.close()
  }
}

import Glibc
@testable import SessionUpload
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutTestSupport

@Suite("What is to be sent")
struct PendingUploadsTests {
  private let folder: ScratchFolder
  private let first: PendingUploads.Place
  private let second: PendingUploads.Place

  init() throws {
    folder = try ScratchFolder()
    first = PendingUploads.Place(.amazon, try #require(UploadDestination("s3://bucket/x")))
    second = PendingUploads.Place(
      try #require(StoreEndpoint("http://host:1")), try #require(UploadDestination("s3://bucket/x")))
  }

  private func objects(_ session: String) -> [UploadObject] {
    [.steps, .heartRate, .file("steps.csv"), .file("manifest.json")].map {
      UploadObject(sessionID: session, role: $0, key: "a secret person", path: StoredPath(folder: "/p"), size: 1)
    }
  }

  @Test("It is kept by place, session and file, outlives its process and holds no person")
  func kept() throws {
    let list = try PendingUploads(dataFolder: folder.path)
    try list.add(objects("a"), to: first)
    try list.add(objects("b") + objects("b"), to: first)
    try list.add(objects("a"), to: second)
    try list.remove(objects("a")[0], from: first)
    list.close()
    let again = try #require(try PendingUploads.existing(in: folder.path))
    defer { again.close() }
    #expect(try again.places() == [first, second])
    #expect(try again.count(to: first) == 7)
    #expect(try again.count(to: second) == 4)
    #expect(try again.sessions(to: first) == ["a", "b"])
    #expect(try again.sessions(to: second) == ["a"])
    #expect(try again.pending(among: objects("a"), of: "a", to: first) == Array(objects("a").dropFirst()))
    try again.remove("a")
    #expect(try again.places() == [first])
    #expect(try again.count(to: first) == 4)
    let bytes = try POSIXFile(reading: PendingUploads.path(in: folder.path)).readAll(maximumBytes: 1 << 20)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("person"))
  }

  @Test("Files that a session does not have any more are struck out")
  func gone() throws {
    let list = try PendingUploads(dataFolder: folder.path)
    defer { list.close() }
    try list.add(objects("a"), to: first)
    #expect(try list.pending(among: Array(objects("a").prefix(2)), of: "a", to: first).count == 2)
    #expect(try list.count(to: first) == 2)
  }

  @Test("A list that is damaged does not keep a session from being deleted")
  func damaged() throws {
    try FileSystem.createFolder(folder.path)
    let path = PendingUploads.path(in: folder.path)
    try FileSystem.writeAtomically([UInt8](repeating: 1, count: 5_000).span, to: path)
    #expect(throws: DatabaseError.self) { try PendingUploads(dataFolder: folder.path) }
    try PendingUploads.forget("a", in: folder.path)
    #expect(!FileSystem.exists(path))
  }

  @Test("Looking for a list makes none, and a newer one is refused")
  func versions() throws {
    #expect(try PendingUploads.existing(in: folder.path) == nil)
    #expect(!FileSystem.exists(PendingUploads.path(in: folder.path)))
    try PendingUploads(dataFolder: folder.path).close()
    let database = try Database(path: PendingUploads.path(in: folder.path))
    try database.execute("PRAGMA user_version = 2")
    database.close()
    let error = #expect(throws: DatabaseError.self) { try PendingUploads(dataFolder: folder.path) }
    #expect(error?.exitCode == 65)
  }

  @Test("A folder that cannot be looked at is none without a list")
  func unknown() throws {
    let loop = folder.path + "/loop"
    #expect(unsafe symlink(loop, loop) == 0)
    #expect(throws: FileError.self) { try PendingUploads.existing(in: StoredPath(dataFolder: loop)) }
  }
}

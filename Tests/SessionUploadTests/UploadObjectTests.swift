import Glibc
import SessionStore
@testable import SessionUpload
import Testing
import TextFormats
import WorkoutHistory
@testable import WorkoutTestSupport

@Suite("The objects of a session")
struct UploadObjectTests {
  @Test("are all regular files of its folder, the manifest last, and what is none is given beside them")
  func all() async throws {
    let recorded = try RecordedHistory()
    let id = try await recorded.record(seed: 1)
    await recorded.history.close()
    let folder = recorded.path(id)
    try FileSystem.createFolder(folder + "/my photos")
    _ = try recorded.folder.write("photo", "sessions/\(id)/my photos/%.jpg")
    try #require(unsafe symlink("/etc/hostname", folder + "/notes.txt") == 0)
    let (objects, leftOut) = try UploadObject.all(
      ofSession: id, in: StoredPath(dataFolder: recorded.folder.path),
      to: #require(UploadDestination("s3://bucket/x")))
    #expect(objects.last?.role == .file("manifest.json"))
    let photo = try #require(objects.first { $0.role == .file("my photos/%.jpg") })
    #expect(photo.key == "x/sessions/\(id)/my photos/%25.jpg")
    #expect(photo.size == 5)
    #expect(photo.path.path == folder + "/my photos/%.jpg")
    #expect(!objects.contains { $0.name == "notes.txt" || $0.name == "my photos" })
    #expect(leftOut.map(\.description) == ["notes.txt: a link or special file"])
  }
}

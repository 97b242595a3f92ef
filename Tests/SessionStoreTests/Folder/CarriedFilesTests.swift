import Glibc
@testable import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("What of a session's folder goes along")
struct CarriedFilesTests {
  private let folder: ScratchFolder
  private let session: StoredPath

  init() throws {
    folder = try ScratchFolder()
    session = StoredPath(dataFolder: folder.path) + "/sessions/20261120T070000Z-running-4f3a0b1c"
    try FileSystem.createFolder(session)
  }

  private func write(_ names: String...) throws {
    for name in names { try FileSystem.writeAtomically(Array("12345".utf8).span, to: session.path + "/" + name) }
  }

  @Test("Every regular file goes along, whoever wrote it, and so do folders with what is in them")
  func regular() throws {
    try FileSystem.createFolder(session + "/photos/night")
    try FileSystem.createFolder(session + "/empty")
    try write("manifest.json", "heart_rate.csv", "photo.jpg", "holiday.1.tmp", "photos/a.jpg", "photos/night/b.jpg")
    let carried = try CarriedFiles(in: session)
    #expect(
      carried.parts == [
        .init(name: "empty", size: nil), .init(name: "heart_rate.csv", size: 5), .init(name: "holiday.1.tmp", size: 5),
        .init(name: "manifest.json", size: 5), .init(name: "photo.jpg", size: 5), .init(name: "photos", size: nil),
        .init(name: "photos/a.jpg", size: 5), .init(name: "photos/night", size: nil),
        .init(name: "photos/night/b.jpg", size: 5),
      ])
    #expect(carried.leftOut.isEmpty)
  }

  @Test("Links and special files are left out by name, and what was being written without a word")
  func leftOut() throws {
    try FileSystem.createFolder(session + "/photos")
    try write("manifest.json", "summary.json.77.tmp", "steps.csv.4f3a0b1c99d2e7a5.tmp")
    for name in ["steps.csv", "photos/link"] {
      try #require(unsafe symlink("/etc/hostname", session.path + "/" + name) == 0)
    }
    try #require(unsafe symlink("/etc", session.path + "/elsewhere") == 0)
    try #require(unsafe mkfifo(session.path + "/speed.csv", 0o600) == 0)
    try #require(unsafe symlink("/etc/hostname", session.path + "/notes.json.77.tmp") == 0)
    let carried = try CarriedFiles(in: session)
    #expect(carried.parts.map(\.name) == ["manifest.json", "photos"])
    #expect(
      carried.leftOut.map(\.description)
        == ["elsewhere", "notes.json.77.tmp", "photos/link", "speed.csv", "steps.csv"]
        .map { $0 + ": a link or special file" })
    #expect(carried.leftOut.first?.below("sessions/x").path == "sessions/x/elsewhere")
  }

  @Test(
    "What belongs to another user is left out by name", .enabled(if: geteuid() == 0, "only root can give a file away"))
  func foreign() throws {
    try FileSystem.createFolder(session + "/photos")
    try write("manifest.json", "steps.csv", "photos/a.jpg")
    for name in ["steps.csv", "photos"] { try #require(unsafe chown(session.path + "/" + name, 65_534, 65_534) == 0) }
    let carried = try CarriedFiles(in: session)
    #expect(carried.parts.map(\.name) == ["manifest.json"])
    #expect(carried.leftOut.map(\.description) == ["photos", "steps.csv"].map { $0 + ": belongs to another user" })
  }

  @Test("A folder that is not there, or is none, is an error")
  func absent() throws {
    #expect(throws: FileError.self) { try CarriedFiles(in: session + "-gone") }
    try write("file")
    #expect(throws: FileError.self) { try CarriedFiles(in: session + "/file") }
  }
}

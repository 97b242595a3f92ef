@testable import CoachService
import Foundation
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("The right to serve a data folder")
struct ServiceFolderLockTests {
  @Test("One has it at a time; who is refused learns who has it, and whoever comes after it was given back gets it")
  func oneAtATime() throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path + "/data")
    let first = try ServiceFolderLock.take(data)
    let starting = #expect(throws: ServiceFolderLock.Held.self) { try ServiceFolderLock.take(data) }
    #expect(starting?.holder == nil)
    first.note(url: "http://127.0.0.1:8080")
    let refused = #expect(throws: ServiceFolderLock.Held.self) { try ServiceFolderLock.take(data) }
    #expect(
      refused?.description
        == "\(data.path): another coach serve has this folder (process \(getpid()), http://127.0.0.1:8080): "
        + "expected that one to end, or another --data-dir")
    first.release()
    let second = try ServiceFolderLock.take(data)
    // What the one before has noted is gone.
    let again = #expect(throws: ServiceFolderLock.Held.self) { try ServiceFolderLock.take(data) }
    #expect(again?.holder == nil)
    second.release()
  }

  @Test(
    "What is no note of a holder is passed over",
    arguments: [
      "", "12", "12 http://127.0.0.1:8080 more", "-3 http://127.0.0.1:8080", "x http://127.0.0.1:8080",
      "12 http://127.0.0.1:8080/path", "12 \u{1B}[31m",
    ])
  func otherNotes(_ note: String) { #expect(ServiceFolderLock.Holder(note) == nil) }

  @Test("A link in the place of the file is not followed")
  func link() throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path + "/data")
    try ServiceFolderLock.take(data).release()
    let place = data.path + "/" + ServiceFolderLock.fileName
    let other = try folder.write("mine\n", "other")
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: other)
    #expect(throws: FileError.self) { try ServiceFolderLock.take(data) }
    #expect(try text(of: other) == "mine\n")
  }
}

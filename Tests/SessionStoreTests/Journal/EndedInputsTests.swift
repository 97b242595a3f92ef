import Foundation
import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("What is kept of sessions that are over")
struct EndedInputsTests {
  private static let ids = (0..<3).map { "20261120T070000Z-running-0000000\($0)" }

  private let folder: ScratchFolder
  private var data: StoredPath { StoredPath(dataFolder: folder.path) }
  private var place: StoredPath { data + "/" + EndedInputs.folderName }
  private let now = SystemWallClock.now()

  init() throws { folder = try ScratchFolder() }

  private func inputs(of id: String) throws -> StoredPath {
    let session = SessionFolder.path(of: id, in: data)
    try FileSystem.createFolder(session)
    let inputs = session + "/" + SessionFolder.inputs
    try FileSystem.writeAtomically([1, 2, 3].span, to: inputs)
    return inputs
  }

  private func later(_ seconds: Int64) -> WallClockTime {
    WallClockTime(nanoseconds: now.nanoseconds + seconds * 1_000_000_000)
  }

  @Test("It leaves the folder of the session, and goes with the session")
  func keeps() throws {
    let inputs = try inputs(of: Self.ids[0])
    try EndedInputs.keep(Self.ids[0], in: data)
    #expect(!FileSystem.exists(inputs))
    #expect(try FileSystem.list(place) == [Self.ids[0]])
    #expect(try EndedInputs.reader(of: Self.ids[0], in: data) != nil)
    #expect(try EndedInputs.reader(of: Self.ids[1], in: data) == nil)
    // A session without inputs, and one that is over for the second time.
    try EndedInputs.keep(Self.ids[0], in: data)
    try EndedInputs.keep(Self.ids[1], in: data)
    #expect(try FileSystem.list(place) == [Self.ids[0]])
    try EndedInputs.remove(Self.ids[1], in: data)
    try EndedInputs.remove(Self.ids[0], in: data)
    #expect(!FileSystem.exists(place))
    try EndedInputs.remove(Self.ids[0], in: data)
  }

  @Test("It goes after ten minutes, and the oldest first; what coach did not name stays")
  func old() throws {
    for id in Self.ids {
      _ = try inputs(of: id)
      try EndedInputs.keep(id, in: data)
    }
    try FileSystem.writeAtomically([1].span, to: place + "/photo.jpg")
    try EndedInputs.removeOld(in: data, now: later(590))
    #expect(try FileSystem.list(place).count == 4)
    try EndedInputs.removeOld(in: data, atMost: 1, now: later(0))
    #expect(try FileSystem.list(place).count == 2)
    // A clock that was set back by days says nothing of how old it is.
    try EndedInputs.removeOld(in: data, now: later(-86_400))
    #expect(try FileSystem.list(place) == ["photo.jpg"])
    try FileSystem.remove(place + "/photo.jpg")
    try EndedInputs.removeOld(in: data, now: later(0))
    #expect(!FileSystem.exists(place))
    try EndedInputs.removeOld(in: data, now: later(0))
  }

  @Test("A session is over also where it cannot be kept")
  func cannotBeKept() throws {
    try FileSystem.createFolder(data)
    try FileSystem.writeAtomically([1].span, to: place)
    let inputs = try inputs(of: Self.ids[0])
    try EndedInputs.keep(Self.ids[0], in: data)
    #expect(!FileSystem.exists(inputs))
    #expect(try POSIXFile(reading: place).readAll(maximumBytes: 10) == [1])
  }

  @Test("A link that stands for it is not followed, and is left alone")
  func links() throws {
    let outside = folder.path + "-outside"
    try FileSystem.createFolder(StoredPath(folder: outside))
    defer { try? FileManager.default.removeItem(atPath: outside) }
    try Data("photo".utf8).write(to: URL(fileURLWithPath: outside + "/photo"))
    try FileSystem.createFolder(place)
    try FileManager.default.createSymbolicLink(
      atPath: place.path + "/" + Self.ids[0], withDestinationPath: outside + "/photo")
    #expect(throws: FileError.self) { try EndedInputs.reader(of: Self.ids[0], in: data) }
    try EndedInputs.remove(Self.ids[0], in: data)
    try EndedInputs.removeOld(in: data, now: later(86_400))
    #expect(try FileSystem.list(place) == [Self.ids[0]])
    #expect(try Data(contentsOf: URL(fileURLWithPath: outside + "/photo")) == Data("photo".utf8))
  }
}

import SessionStore
import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("Labelled recordings that are kept")
struct MotionFolderTests {
  private static let now = WallClockTime(nanoseconds: 1_767_254_400_000_000_000)

  private func keep(
    _ label: String, _ person: String = "anna", replacing: [StoredPath] = [], in folder: StoredPath
  ) throws -> StoredPath {
    try MotionFolder.keep(Array(label.utf8), of: person, label, at: Self.now, replacing: replacing, in: folder)
  }

  @Test("What is recorded of a label is found under it alone, however alike others are")
  func alike() throws {
    let scratch = try ScratchFolder()
    let folder = StoredPath(dataFolder: scratch.path + "/data")
    var kept: [String: StoredPath] = [:]
    for label in ["walk", "walk 2", "walk_2", "walk fast"] { kept[label] = try keep(label, in: folder) }
    _ = try keep("walk", "bo", in: folder)
    for (label, path) in kept {
      #expect(try MotionFolder.recordings(of: "anna", label, in: folder).map(\.path) == [path.path])
    }
  }

  @Test("Recordings go with their person to another name, and take the place of none that are there")
  func renaming() throws {
    let scratch = try ScratchFolder()
    let folder = StoredPath(dataFolder: scratch.path + "/data")
    _ = try keep("walk", in: folder)
    _ = try keep("run", in: folder)
    _ = try keep("walk", "bo", in: folder)
    for _ in 0..<2 { try MotionFolder.rename("anna", to: "bo", in: folder) }
    #expect(try MotionFolder.recordings(of: "bo", "walk", in: folder).count == 2)
    #expect(try MotionFolder.recordings(of: "bo", "run", in: folder).count == 1)
    #expect(try FileSystem.list(folder + "/motion") == ["bo"])
  }

  @Test("A recording in the place of earlier ones leaves it alone, and one of the same second has a name of its own")
  func replacing() throws {
    let scratch = try ScratchFolder()
    let folder = StoredPath(dataFolder: scratch.path + "/data")
    _ = try keep("walk", in: folder)
    _ = try keep("walk", in: folder)
    let other = try keep("run", in: folder)
    let earlier = try MotionFolder.recordings(of: "anna", "walk", in: folder)
    #expect(earlier.count == 2)
    let newest = try keep("walk", replacing: earlier, in: folder)
    #expect(try MotionFolder.recordings(of: "anna", "walk", in: folder).map(\.path) == [newest.path])
    #expect(try MotionFolder.recordings(of: "anna", "run", in: folder).map(\.path) == [other.path])
  }
}

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

  @Test("A person has a letter or a digit in the name: what a table reads as nothing, or as no value, is none")
  func people() {
    for name in ["anna", "7", "走る", "anna - b", "_a"] { #expect(MotionFolder.isName(name), "\(name)") }
    for name in ["", " ", "-", " - ", "_", "__", "a/b"] { #expect(!MotionFolder.isName(name), "\(name)") }
  }

  @Test("A label or a person with any characters has a path of its own, which is known as one of a recording")
  func anyCharacters() throws {
    let scratch = try ScratchFolder()
    let folder = StoredPath(dataFolder: scratch.path + "/data")
    let labels = [
      "a b", "a-b", "a--b", "a+b", "../a", "/", ".", "..", "a.b", #"running, "fast""#, "ab", "走る", "–",
      String(repeating: "x", count: 64), String(repeating: "x", count: 63), String(repeating: "走", count: 64),
    ]
    for person in ["anna", "anna-b", "anna b", "annab"] {
      var kept: [String: StoredPath] = [:]
      for label in labels { kept[label] = try keep(label, person, in: folder) }
      for (label, path) in kept {
        #expect(try MotionFolder.recordings(of: person, label, in: folder).map(\.path) == [path.path], "\(label)")
        #expect(MotionFolder.isRecording(FileSystem.name(of: path.path)), "\(path.path)")
      }
    }
    let people = try FileSystem.list(folder + "/motion")
    #expect(people.count == 4)
    #expect(people.allSatisfy { MotionFolder.isFolderName($0) }, "\(people)")
    #expect(try FileSystem.list(folder + "/motion/anna").count == labels.count)
    #expect(try MotionFolder.folders(in: folder).count == 4)
    try MotionFolder.removeAll(of: "anna-b", in: folder)
    #expect(try MotionFolder.recordings(of: "anna-b", "a b", in: folder).isEmpty)
    #expect(try MotionFolder.recordings(of: "anna b", "a b", in: folder).count == 1)
  }

  @Test("The names of before are those of now")
  func names() throws {
    let scratch = try ScratchFolder()
    let folder = StoredPath(dataFolder: scratch.path + "/data")
    let path = try keep("walk fast_2", "anna b", in: folder)
    #expect(path.path.hasSuffix("/motion/anna-b/walk-fast_2-20260101T080000Z.csv"), "\(path.path)")
    for name in ["a b", "", "+", "a+b", "a+0123456789abcdeg", "../x", "."] {
      #expect(!MotionFolder.isFolderName(name), "\(name)")
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

@testable import SessionStore
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The names that coach gives")
struct SessionFolderNamesTests {
  @Test(
    "to sessions are names of sessions, whatever the activity",
    arguments: ["running", "Nordic Walking", "ÖPNV 2", "a-b_c"])
  func sessions(_ label: String) throws {
    let activity = try #require(Activity(label))
    for (start, random) in [(WallClockTime(nanoseconds: 0), UInt32(0)), (.init(nanoseconds: .max), .max)] {
      #expect(SessionFolder.isName(SessionFolder.name(start: start, activity: activity, random: random)))
    }
  }

  @Test(
    "to sessions are those alone",
    arguments: [
      "", "photos", "..", "20261120T070000Z", "20261120T070000Z-running", "20261120T070000Z-running-4f3a0b1",
      "20261120T070000Z-running-4F3A0B1C", "20261120T070000Z-run/ning-4f3a0b1c", "20261120T070000Z--4f3a0b1c",
      "2026-11-20T07:00:00Z-running-4f3a0b1c", "20261120T070000Z-running-4f3a0b1c.tmp",
      ".20261120T070000Z-run-4f3a0b1c",
    ])
  func others(_ name: String) {
    #expect(!SessionFolder.isName(name))
  }

  @Test("to files of a session are all that a session has, also while they are written")
  func files() async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 7)
    for file in try FileSystem.list(recorded.path(name)) {
      #expect(SessionFolder.isOwn(file), "\(file)")
      #expect(SessionFolder.isOwn(file + ".4711.tmp"), "\(file)")
    }
    for stream in SampleStream.allCases { #expect(SessionFolder.isOwn(SessionFolder.log(of: stream))) }
    for name in [
      "photo.jpg", "notes.csv", "manifest.json.tmp", "manifest.json.4/2.tmp", ".tmp", "photo.jpg.42.tmp", "",
    ] {
      #expect(!SessionFolder.isOwn(name), "\(name)")
    }
    #expect(TemporaryName.final(of: TemporaryName.make(for: "a")) == "a")
    await recorded.history.close()
  }

  @Test("of a session are deleted with its folder, also while another process still mends a file in it")
  func mended() async throws {
    let scratch = try ScratchFolder()
    let data = StoredPath(dataFolder: scratch.path)
    for round in 0..<100 {
      let folder = data + "/20261120T070000Z-running-0000000\(round % 10)"
      try FileSystem.createFolder(folder)
      for name in [SessionFolder.manifest, SessionFolder.summary, SessionFolder.decisions] {
        try POSIXFile(writing: folder + "/" + name, .append).close()
      }
      // Fewer files than the folder is emptied times.
      let mending = Task.detached {
        for name in [SessionFolder.notes, SessionFolder.summary, SessionFolder.manifest] {
          try? POSIXFile(writing: folder + "/" + name, .append).close()
          await Task.yield()
        }
      }
      try SessionFolder.remove(folder)
      await mending.value
      #expect(try FileSystem.status(folder) == nil, "round \(round)")
    }
  }
}

import Glibc
import SessionStore
import TestSupport
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("Finding scenarios and reporting what came of them")
struct ScenarioFilesTests {
  @Test("There are enough scenarios, sorted, and none in a hidden folder")
  func folder() throws {
    #expect(ScenarioFolder.files.count >= 28)
    #expect(ScenarioFolder.files == ScenarioFolder.files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(ScenarioFolder.files.allSatisfy { $0.hasSuffix(".json") && !$0.contains("/.") })
    let one = try #require(ScenarioFolder.files.first)
    #expect(try ScenarioFiles.find(at: [one, one]) == [one, one])
  }

  @Test("A path with nothing there and a folder without scenarios are errors")
  func errors() throws {
    let missing = #expect(throws: ScenarioError.self) { try ScenarioFiles.find(at: "/no/such/place") }
    #expect(missing?.exitCode == 66)
    #expect(missing?.description == "/no/such/place: cannot read: No such file or directory")
    let folder = FileSystem.folder(of: #filePath)
    let empty = #expect(throws: ScenarioError.self) { try ScenarioFiles.find(at: folder) }
    #expect(empty?.cause == .noScenarios)
  }

  @Test("Links to folders lead nowhere, so that each scenario counts once, and a pipe is not waited for")
  func linksAndPipes() throws {
    let folder = try ScratchFolder()
    let file = try folder.write([UInt8]("{}".utf8), "one.json")
    for name in ["back", "again"] { try #require(unsafe symlink(".", folder.path + "/" + name) == 0) }
    try #require(unsafe mkfifo(folder.path + "/pipe.json", 0o600) == 0)
    try #require(unsafe symlink("one.json", folder.path + "/two.json") == 0)
    #expect(try ScenarioFiles.find(at: folder.path) == [file, folder.path + "/two.json"])
  }

  @Test("A file that cannot be read has failed and says where")
  func unreadable() {
    let verification = ScenarioVerification.verify("\(ScenarioFolder.path)/README.md")
    #expect(!verification.passed)
    #expect(verification.name == nil)
    #expect(verification.unreadable?.exitCode == 65)
    #expect(verification.failures == ["byte 0: line 1: expected a value, found \"#\""])
    #expect(ScenarioVerification.verify("/no/such.json").unreadable?.exitCode == 66)
  }

  @Test("A verification is one record and one line")
  func record() throws {
    let file = "\(ScenarioFolder.path)/first-run.json"
    var writer = JSONWriter()
    let verification = ScenarioVerification.verify(file)
    verification.write(to: &writer)
    #expect(
      writer.text == """
        {"version":1,"type":"verification","file":"\(file)","name":"first-run","passed":true,"failures":[]}

        """)
    #expect(verification.text == "passed  \(file)")
    #expect(ScenarioVerification.verify("none").text == "FAILED  none: cannot read: No such file or directory")
  }

  @Test("A run in steps emits the same as a whole one, and the next time comes before its events")
  func steps() throws {
    for file in ScenarioFolder.files {
      let scenario = try Scenario(path: file)
      var run = ScenarioRun(scenario)
      var events: [SessionEvent] = []
      while run.next(into: &events) {}
      #expect(events == ScenarioRun.whole(scenario).events)
      #expect(run.pipeline.isOver)
      #expect(run.nextTime == nil)
      let goesOn = run.next(into: &events)
      #expect(!goesOn)
    }
  }
}

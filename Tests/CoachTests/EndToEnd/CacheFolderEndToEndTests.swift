import Foundation
import Testing

@Suite("The program: the cache of an instance of several")
struct CacheFolderEndToEndTests {
  private let program: CoachProgram
  private let workout: String

  init() throws {
    program = try CoachProgram()
    workout = try program.folder.write(risingCSV(seconds: 300), to: "workout.csv")
    let outcome = try program.run(["import", workout, "--age", "30", "--start", "2026-11-18T07:00:00Z"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    // What an instance puts there when it takes the folder.
    try #require(FileManager.default.createFile(atPath: program.data + "/cache.lock", contents: Data()))
  }

  private func state() throws -> [String: Data] {
    var state: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: program.data) where !name.contains(".sqlite") {
      state[name] = FileManager.default.contents(atPath: program.data + "/" + name) ?? Data()
    }
    return state
  }

  @Test("What would be thrown away with it is refused before it is taken: one line, and nothing is changed")
  func writing() throws {
    let session = try program.session().lastPathComponent
    let before = try state()
    let other = try program.folder.write(risingCSV(seconds: 200), to: "other.csv")
    let verbs: [[String]] = [
      ["live", "--age", "30", "--target", "z2", "--clock", "samples"],
      ["serve", "--listen", "127.0.0.1:0"],
      ["import", other, "--age", "30", "--start", "2026-11-19T07:00:00Z"],
      ["profile", "create", "anna", "--birth-date", "1990-05-01"],
      ["history", "label", session, "sport"], ["history", "note", session, "well"],
      ["history", "tag", session, "race"], ["history", "delete", session, "--yes"],
      ["token", "create", "--scope", "send"], ["token", "list"], ["key", "list"],
      ["motion", "record", "--person", "anna", "--label", "walking", "--seconds", "1"],
    ]
    for verb in verbs {
      let outcome = try program.run(verb, input: verb[0] == "live" ? risingLines(seconds: 20) : "", seconds: 60)
      #expect(outcome.status == 73, "\(verb): \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(verb): \(outcome.errors)")
      #expect(outcome.errors.contains("is the cache of an instance of several"), "\(verb): \(outcome.errors)")
      #expect(outcome.output == "", "\(verb)")
    }
    #expect(try state() == before)
  }

  @Test("What only reads it, or keeps nothing there, goes on")
  func reading() throws {
    let session = try program.session().lastPathComponent
    let verbs: [[String]] = [
      ["history", "list"], ["history", "show", session], ["history", "check"], ["profile", "list"],
      ["history", "export", session, "--as", "json", "--output", program.folder.url.path + "/out.json"],
      ["live", "--age", "30", "--target", "z2", "--clock", "samples", "--no-save"],
    ]
    for verb in verbs {
      let outcome = try program.run(verb, input: verb[0] == "live" ? risingLines(seconds: 20) : "", seconds: 60)
      #expect(outcome.status == 0, "\(verb): \(outcome.errors)")
    }
  }
}

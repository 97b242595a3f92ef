import Foundation
import Testing

@Suite("The program: one document of several records")
struct OneDocumentEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
  }

  /// The records in the list of a document of a type.
  private func list(_ type: String, _ outcome: CoachProgram.Outcome) throws -> [[String: Any]] {
    let document = try object(outcome.output)
    #expect(document["version"] as? Int == 1)
    #expect(document["type"] as? String == type)
    #expect(outcome.lines.count == 1)
    return try #require(document[type] as? [[String: Any]])
  }

  private func json(_ arguments: [String]) throws -> CoachProgram.Outcome {
    try program.run(arguments + ["--format", "json"])
  }

  private func recording(_ name: String, beat: Int, from start: Int = 1_772_359_200) throws -> String {
    let rows = (0...120).map { "\(start + $0),\(beat + $0 % 7)\n" }.joined()
    return try program.folder.write("time,hr\n" + rows, to: name)
  }

  private func activities(_ count: Int) throws -> String {
    let activities = (0..<count).map { number in
      let points = (10...50).map { second in
        "<Trackpoint><Time>2026-03-01T1\(number):00:\(second)Z</Time><HeartRateBpm><Value>\(110 + second)</Value>"
          + "</HeartRateBpm></Trackpoint>"
      }
      return "<Activity Sport=\"Running\"><Lap StartTime=\"2026-03-01T1\(number):00:10Z\"><Track>\(points.joined())"
        + "</Track></Lap></Activity>"
    }
    return try program.folder.write(
      "<?xml version=\"1.0\"?><TrainingCenterDatabase><Activities>\(activities.joined())</Activities>"
        + "</TrainingCenterDatabase>", to: "activities-\(count).tcx")
  }

  @Test("A single recording that is inspected is the document, several are the list of one, in order")
  func inspected() throws {
    let (first, second) = (try recording("a.csv", beat: 110), try recording("b.csv", beat: 130))
    let lines = try program.run(["inspect", first, second, "--format", "jsonl"]).lines
    let one = try json(["inspect", first])
    #expect(one.output == "\(lines[0])\n")
    let both = try json(["inspect", first, second])
    #expect(both.status == 0)
    #expect(
      both.output == "{\"version\":1,\"type\":\"recordings\",\"recordings\":[\(lines[0]),\(lines[1])]}\n")
    #expect(try list("recordings", both).compactMap { $0["file"] as? String } == [first, second])
  }

  @Test("A file of several that cannot be read is missing in the list, and the exit code is its own")
  func damaged() throws {
    let (first, second) = (try recording("a.csv", beat: 110), try recording("b.csv", beat: 130))
    let bad = try program.folder.write("nothing\n", to: "bad.csv")
    let some = try json(["inspect", first, bad, second])
    #expect(some.status == 65)
    #expect(some.isOneComplaint, "\(some.errors)")
    #expect(try list("recordings", some).compactMap { $0["file"] as? String } == [first, second])
    let last = try json(["inspect", first, program.folder.url.path + "/absent.csv"])
    #expect(last.status == 66)
    #expect(try list("recordings", last).count == 1)
    let none = try json(["inspect", bad, bad])
    #expect(none.status == 65)
    #expect(try list("recordings", none).isEmpty)
    // One file that cannot be read has no document, as ever.
    #expect(try json(["inspect", bad]).output.isEmpty)
  }

  @Test("A folder has a list where several recordings are in it")
  func folder() throws {
    let path = program.folder.url.path + "/rides"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    _ = try recording("rides/a.csv", beat: 110)
    #expect(try object(json(["inspect", path]).output)["type"] as? String == "recording")
    _ = try recording("rides/b.csv", beat: 130)
    #expect(try list("recordings", json(["inspect", path])).count == 2)
  }

  @Test("A single part is the document, several are the list of one, and none is an empty list")
  func parts() throws {
    let (single, two) = (try activities(1), try activities(2))
    let one = try json(["inspect", "--parts", single])
    #expect(try object(one.output)["type"] as? String == "part")
    #expect(one.output == (try program.run(["inspect", "--parts", single, "--format", "jsonl"]).output))
    #expect(try list("parts", json(["inspect", "--parts", two])).compactMap { $0["part"] as? String } == ["1", "2"])
    let both = try list("parts", json(["inspect", "--parts", two, single]))
    #expect(both.compactMap { $0["file"] as? String } == [two, two, single])
    #expect(try list("parts", json(["inspect", "--parts", recording("a.csv", beat: 110)])).isEmpty)
  }

  @Test("An import has one document, refusals in the middle too")
  func imported() throws {
    let (first, second) = (
      try recording("a.csv", beat: 110), try recording("b.csv", beat: 130, from: 1_772_445_600)
    )
    let bad = try program.folder.write("nothing\n", to: "bad.csv")
    let options = ["import", "--age", "30", "--target", "z2"]
    let all = try json(options + [first, bad, second])
    #expect(all.status == 65)
    let records = try list("imports", all)
    #expect(records.compactMap { $0["type"] as? String } == ["imported", "imported", "imported"])
    #expect(records.compactMap { $0["status"] as? String } == ["added", "refused", "added"])
    #expect(records.compactMap { $0["file"] as? String } == [first, bad, second])
    let again = try json(options + [first])
    #expect(try object(again.output)["status"] as? String == "duplicate")
    let refused = try json(options + [bad])
    #expect(refused.status == 65)
    #expect(try object(refused.output)["status"] as? String == "refused")
  }
}

import Foundation
import SessionStore
import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// A small scenario that is as it should be.
private let sound = """
  {"version":1,"name":"t","description":"d","source":"s","profile":{"ageYears":23},"target":"z2",
  "strategy":{"kind":"moment","every":60},
  "input":[{"stream":"heartRate","fromSeconds":0,"untilSeconds":61,"everySeconds":1,"beatsPerMinute":125}],
  "expect":{"cues":[{"action":"hold","atSeconds":60}],"metrics":{"cues.hold":{"equals":1}}}}
  """

@Suite("Reading scenarios strictly")
struct ScenarioReadingTests {
  @Test("The scenario that the other tests alter is sound")
  func soundness() throws {
    #expect(ScenarioFolder.problem(sound) == nil)
    #expect(try ScenarioFolder.failures(sound) == [])
  }

  @Test(
    "What is wrong is reported with its place and what was expected",
    arguments: [
      ("\"version\":1", "\"version\":2", "version: expected version 1, the newest that is known, found 2"),
      ("\"version\":1,", "", "version: missing"),
      ("\"name\":\"t\"", "\"name\":\"u\"", "name: expected the name of the file, \"t\", found \"u\""),
      ("\"description\":\"d\",", "", "description: missing"),
      ("\"description\":\"d\"", "\"description\":\"\"", "description: expected a string that is not empty"),
      ("\"source\":\"s\",", "", "source: missing"),
      ("\"source\":\"s\"", "\"source\":\"s\",\"sauce\":1", "sauce: unknown key, expected one of \""),
      ("\"source\":\"s\"", "\"source\":\"s\",\"durationLimitSecond\":1", "did you mean \"durationLimitSeconds\"?"),
      ("\"name\":\"t\"", "\"name\":\"t\",\"name\":\"t\"", "name: the key \"name\" is there twice"),
      ("\"target\":\"z2\"", "\"target\":\"z9\"", "target: expected a request that can be met: a zone"),
      ("\"target\":\"z2\"", "\"target\":\"z2\",\"plan\":{\"steps\":[{}]}", "plan: expected a target or a plan"),
      (
        "\"target\":\"z2\"", "\"plan\":{\"steps\":[{},{\"target\":\"z9\"}]}",
        "plan.steps[1].target: expected a target in the zones"
      ),
      (
        "{\"ageYears\":23}", "{\"ageYears\":23,\"birthDate\":\"2003-01-01\"}",
        "byte 92: line 1: profile.birthDate: expected ageYears or birthDate, not both, found both"
      ),
      ("{\"ageYears\":23}", "{}", "profile: expected zones that can be made"),
      ("\"every\":60", "\"evry\":60", "strategy"),
      ("\"fromSeconds\":0", "\"fromSeconds\":-1", "input[0].fromSeconds: expected seconds in 0…604800, found -1"),
      ("\"fromSeconds\":0", "\"fromSeconds\":61", "input[0].untilSeconds: expected an end after fromSeconds"),
      ("\"everySeconds\":1", "\"everySeconds\":0", "input[0].everySeconds: expected an interval above 0, found 0"),
      ("\"stream\":\"heartRate\"", "\"stream\":\"heartrate\"", "input[0].stream: expected one of \"heartRate\""),
      ("\"beatsPerMinute\":125", "\"beatsPerMinute\":[1,2,3]", "input[0].beatsPerMinute: expected an array with 2…2"),
      ("\"beatsPerMinute\":125", "\"beatsPerMinute\":1e9", "input[0].beatsPerMinute: expected a number in -1000…1000"),
      ("\"beatsPerMinute\":125", "\"beatsPerMinute\":125,\"sourse\":\"x\"", "input[0].sourse: unknown key"),
      (
        "\"beatsPerMinute\":125}", "\"beatsPerMinute\":125},{\"command\":\"start\",\"atSeconds\":1}", "input[1].command"
      ),
      (
        "\"beatsPerMinute\":125}", "\"beatsPerMinute\":125},{\"csv\":\"../x.csv\"}",
        "input[1].csv: expected the name of a CSV"
      ),
      ("\"beatsPerMinute\":125}", "\"beatsPerMinute\":125},{\"csv\":\"none.csv\"}", "none.csv: cannot read"),
      ("\"action\":\"hold\"", "\"action\":\"stop\"", "expect.cues[0].action: expected one of"),
      ("\"atSeconds\":60}", "\"fromSeconds\":60}", "expect.cues[0].untilSeconds: missing"),
      (
        "\"atSeconds\":60}", "\"fromSeconds\":60,\"untilSeconds\":59}",
        "expect.cues[0].untilSeconds: expected an end that is not before fromSeconds"
      ),
      ("\"atSeconds\":60}", "\"atSeconds\":60,\"untilSeconds\":61}", "expect.cues[0].untilSeconds: unknown key"),
      ("\"atSeconds\":60}", "\"atSeconds\":60,\"count\":0}", "expect.cues[0].count: expected a whole number in 1…"),
      (
        "\"atSeconds\":60}", "\"atSeconds\":60,\"band\":\"zone6\"}", "expect.cues[0].band: expected one of below, zone1"
      ),
      ("\"cues.hold\"", "\"cues.hodl\"", "more; did you mean \"cues.hold\"?"),
      ("\"cues.hold\"", "\"secondsInBand.zone6\"", "more; did you mean \"secondsInBand.zone"),
      ("{\"equals\":1}", "{\"equals\":1,\"atMost\":2}", "expected \"equals\" alone"),
      ("{\"equals\":1}", "{}", "expected \"equals\" alone"),
      ("{\"equals\":1}", "{\"absent\":false}", "expected \"equals\" alone"),
      ("{\"equals\":1}", "{\"atLeast\":2,\"atMost\":1}", "atMost: expected a bound that is not below atLeast"),
      (
        "{\"cues\":[{\"action\":\"hold\",\"atSeconds\":60}],\"metrics\":{\"cues.hold\":{\"equals\":1}}}", "{}",
        "expect: expected at least one expectation"
      ),
      ("\"cues\":[{\"action\":\"hold\",\"atSeconds\":60}]", "\"cues\":[]", "expect.cues: expected an array with 1…"),
    ])
  func strictness(old: String, new: String, problem: String) {
    let found = ScenarioFolder.problem(sound.with(new, for: old))
    #expect(found?.contains(problem) == true, "\(found ?? "no problem")")
  }

  @Test("A target that the zones have not is refused where it stands, also in a group, and by one expectation")
  func targetOfStep() throws {
    let plan = "\"plan\":{\"steps\":[{},\n{\"repeat\":2,\"steps\":[{\"target\":\"z1\"},{\"target\":\"z7\"}]}]}"
    let found = try #require(ScenarioFolder.problem(sound.with(plan, for: "\"target\":\"z2\"")))
    let place = "byte 149: line 2: plan.steps[1].steps[1].target: expected a target in the zones: a zone "
    #expect(found.contains(place), "\(found)")
    #expect(found.hasSuffix(", found target 'z7'"), "\(found)")
    #expect(found.split(separator: "expected").count == 2, "\(found)")
  }

  @Test(
    "Huge counts are refused before anything is made",
    arguments: [
      "\"untilSeconds\":604800,\"everySeconds\":0.000000001", "\"untilSeconds\":604800,\"everySeconds\":0.5",
      "\"untilSeconds\":1000.001,\"everySeconds\":0.001",
    ])
  func hugeCounts(times: String) {
    let found = ScenarioFolder.problem(sound.with(times, for: "\"untilSeconds\":61,\"everySeconds\":1"))
    #expect(found?.contains("input[0].everySeconds: expected at most 1000000 samples") == true, "\(found ?? "none")")
  }

  @Test("A scenario cut at any byte is refused and never crashes")
  func truncation() throws {
    for text in [sound, try ScenarioFolder.text("first-run.json")] {
      let bytes = Array(text.utf8)
      let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
      for count in 0...end {
        let cut = String(decoding: bytes[..<count], as: UTF8.self)
        #expect(ScenarioFolder.problem(cut, name: text == sound ? "t" : "first-run") != nil, "cut at byte \(count)")
      }
    }
  }

  @Test("A scenario with a damaged byte is refused in one line that says where and what is wrong, or read and run")
  func damage() {
    var random = SplitMix64(seed: 20)
    let bytes = Array(sound.utf8)
    var (refused, altered, unharmed) = (0, 0, 0)
    for _ in 0..<3_000 {
      var damaged = bytes
      let place = Int.random(in: 0..<bytes.count, using: &random)
      damaged[place] = UInt8.random(in: 0...255, using: &random)
      do throws(JSONError) {
        let scenario = try Scenario(json: damaged.span, name: "t", folder: ScenarioFolder.path)
        let failures = ScenarioVerification.failures(of: scenario)
        #expect(failures.filter { $0.hasPrefix("invariant") } == [], "byte \(place): \(damaged[place])")
        if failures.isEmpty { unharmed += 1 } else { altered += 1 }
      } catch {
        refused += 1
        let line = error.description
        #expect(line.hasPrefix("byte "), "byte \(place): \(damaged[place]): \(line)")
        #expect(line.contains("expected "), "byte \(place): \(damaged[place]): \(line)")
        #expect(!line.contains("\n"), "byte \(place): \(damaged[place]): \(line)")
        #expect(line.utf8.count < 1_000, "byte \(place): \(damaged[place])")
      }
    }
    // Most bytes are structure; those in words and numbers can become others.
    #expect(refused > 2_000)
    #expect(altered > 0)
    #expect(unharmed > 0)
  }

  @Test("The full example in the format's description is read and passes")
  func readme() throws {
    let readme = try ScenarioFolder.text("README.md")
    let blocks = readme.split(separator: "```")
    let example = try #require(blocks.first { $0.hasPrefix("json\n") }?.dropFirst("json\n".count))
    #expect(try ScenarioFolder.failures(String(example), name: "example") == [])
  }

  @Test("Whatever kinds, reasons, streams and steps scenarios have stand in the format's description")
  func described() throws {
    let readme = try ScenarioFolder.text("README.md")
    var words: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: ScenarioFolder.path) where name.hasSuffix(".json") {
      let text = try ScenarioFolder.text(name)
      let scenario = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(name)")
      if let kind = (scenario["strategy"] as? [String: Any])?["kind"] as? String { words.insert(kind) }
      let parts = scenario["input"] as? [[String: Any]] ?? []
      words.formUnion(parts.compactMap { $0["stream"] as? String })
      let expected = scenario["expect"] as? [String: Any] ?? [:]
      words.formUnion((expected["withheld"] as? [[String: Any]] ?? []).compactMap { $0["reason"] as? String })
      words.formUnion((expected["events"] as? [[String: Any]] ?? []).compactMap { $0["type"] as? String })
      let steps = (scenario["plan"] as? [String: Any])?["steps"] as? [[String: Any]] ?? []
      for step in steps { words.formUnion(step.keys) }
    }
    #expect(words.count > 30)
    for word in words.sorted() { #expect(readme.contains("`\(word)`"), "\(word)") }
  }

  @Test("The file made with the command in the format's description is that file")
  func madeRecording() throws {
    let lines = try ScenarioFolder.text("same-run.csv").split(separator: "\n")
    #expect(lines.count == 302)
    for second in 0...300 {
      let isLow = second > 0 && (second % 60 > 45 || second % 60 == 0)
      #expect(lines[second + 1] == "\(second),\(isLow ? 135 : 145)")
    }
  }
}

import Foundation
import Testing

@testable import coach

@Suite("The program: scenarios and profiles")
struct VerifyEndToEndTests {
  /// A minute of 120 beats per minute, in the target, judged at its end.
  private func scenario(_ name: String, action: String) -> String {
    """
    {"version": 1, "name": "\(name)", "description": "A minute in the target.", "source": "contract section 6",
     "profile": {"ageYears": 23}, "target": "weight-control", "strategy": {"kind": "moment", "every": 60},
     "input": [{"stream": "heartRate", "fromSeconds": 0, "untilSeconds": 61, "everySeconds": 1, "beatsPerMinute": 120}],
     "expect": {"cues": [{"action": "\(action)", "atSeconds": 60}]}}
    """
  }

  @Test("A scenario is one line, and the exit code says whether it passed, failed or cannot be read")
  func verify() throws {
    let program = try CoachProgram()
    let good = try program.folder.write(scenario("good", action: "hold"), to: "good.json")
    let wrong = try program.folder.write(scenario("wrong", action: "slowDown"), to: "wrong.json")
    let broken = try program.folder.write(scenario("other", action: "hold"), to: "broken.json")
    let passed = try program.run(["verify", good])
    #expect(passed.status == 0)
    #expect(passed.output == "passed  \(good)\n")
    #expect(passed.errors.isEmpty)
    let failed = try program.run(["verify", good, wrong, "--format", "jsonl"])
    #expect(failed.status == 1)
    #expect(failed.lines.count == 2)
    #expect(failed.errors.isEmpty)
    #expect(failed.lines.last?.contains(#""name":"wrong","passed":false,"failures":["expect.cues[0]"#) == true)
    let unreadable = try program.run(["verify", broken])
    #expect(unreadable.status == 65)
    #expect(unreadable.isOneComplaint)
    #expect(unreadable.errors.contains("name"))
    let missing = try program.run(["verify", program.folder.url.path + "/none.json"])
    #expect(missing.status == 66)
    #expect(missing.isOneComplaint)
    #expect(missing.output.isEmpty)
  }

  @Test("A scenario is replayed as it is, or with what the command line says before it")
  func replay() throws {
    let program = try CoachProgram()
    let file = try program.folder.write(scenario("good", action: "hold"), to: "good.json")
    let asItIs = try program.run(["replay", file, "--format", "jsonl"])
    #expect(asItIs.status == 0)
    #expect(asItIs.lines.filter { $0.contains(#""action":"hold""#) }.count == 1)
    let other = try program.run([
      "replay", file, "--format", "jsonl", "--target", "z1", "--strategy", "moment:every=30",
    ])
    #expect(other.lines.filter { $0.contains(#""action":"slowDown""#) }.count == 2)
  }

  @Test("A profile of the data folder gives the zones, and options go before it")
  func profile() throws {
    let program = try CoachProgram()
    let profiles = program.data + "/profiles"
    try FileManager.default.createDirectory(atPath: profiles, withIntermediateDirectories: true)
    let text = #"{"version":1,"name":"anna","profile":{"maximumHeartRate":190}}"#
    try Data(text.utf8).write(to: URL(fileURLWithPath: profiles + "/anna.json"))
    let stored = try program.run(["zones", "--profile", "anna", "--format", "json"])
    #expect(stored.status == 0)
    #expect(stored.output.contains(#""maximumHeartRate":190,"maximumHeartRateSource":"measured""#))
    let over = try program.run(["zones", "--profile", "anna", "--max-heart-rate", "180", "--format", "json"])
    #expect(over.output.contains(#""maximumHeartRate":180,"#))
    let missing = try program.run(["zones", "--profile", "bob"])
    #expect(missing.status == 66)
    #expect(missing.isOneComplaint)
  }
}

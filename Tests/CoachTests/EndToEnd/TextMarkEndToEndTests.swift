import Foundation
import Testing

@Suite("The program: files with a byte order mark in front")
struct TextMarkEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private static let mark = "\u{FEFF}"

  /// What is printed of a file as it is and with the mark before it, both under one name.
  private func outcomes(
    of text: String, named name: String, _ arguments: (String) -> [String]
  ) throws -> (plain: CoachProgram.Outcome, marked: CoachProgram.Outcome) {
    let path = try program.folder.write(text, to: name)
    let plain = try program.run(arguments(path))
    _ = try program.folder.write(Self.mark + text, to: name)
    return (plain, try program.run(arguments(path)))
  }

  @Test(
    "A plan is the same plan",
    arguments: [
      "10min z1, 4x(1min z4, 1min rest)\n", "warm-up: 10min z1\n2min z2\n",
      #"{"version":1,"name":"short","steps":[{"durationSeconds":60,"target":"z1"}]}"#,
    ])
  func plan(text: String) throws {
    let (plain, marked) = try outcomes(of: text, named: "plan.txt") { ["plan", "export", $0, "--as", "json"] }
    #expect(plain.status == 0, "\(plain.errors)")
    #expect(marked.status == 0, "\(marked.errors)")
    #expect(marked.output == plain.output)
  }

  @Test("What is wrong with a plan keeps its line and character, or its byte")
  func planProblem() throws {
    let (plain, marked) = try outcomes(of: "3furlongs z1", named: "plan.txt") {
      ["plan", "export", $0, "--as", "json"]
    }
    #expect(plain.status == 65)
    #expect(marked.status == 65)
    #expect(plain.errors.contains("character 1: "), "\(plain.errors)")
    #expect(marked.errors == plain.errors)
    let path = try program.folder.write(Self.mark + "[]", to: "trial.json")
    let trial = try program.run(["trial", "show", path])
    #expect(trial.errors.contains("byte 3: "), "\(trial.errors)")
  }

  @Test("A scenario, a protocol of a trial, a study and a profile are read")
  func json() throws {
    let scenario = """
      {"version": 1, "name": "good", "description": "A minute in the target.", "source": "contract section 6",
       "profile": {"ageYears": 23}, "target": "weight-control", "strategy": {"kind": "moment", "every": 60},
       "input": [{"stream": "heartRate", "fromSeconds": 0, "untilSeconds": 61, "everySeconds": 1, "beatsPerMinute": 120}],
       "expect": {"cues": [{"action": "hold", "atSeconds": 60}]}}
      """
    let verified = try outcomes(of: scenario, named: "good.json") { ["verify", $0] }
    #expect(verified.plain.status == 0, "\(verified.plain.errors)")
    #expect(verified.marked.status == 0, "\(verified.marked.errors)")
    let trial =
      #"{"version":1,"type":"microRandomizedTrial","name":"pilot","probability":{"constant":0.5},"#
      + #""outcomeSeconds":[60,120],"controls":["secondsOffTarget"],"seed":7}"#
    let shown = try outcomes(of: trial, named: "trial.json") { ["trial", "show", $0] }
    #expect(shown.plain.status == 0, "\(shown.plain.errors)")
    #expect(shown.marked.output == shown.plain.output, "\(shown.marked.errors)")
    let noStudy = try program.folder.write(Self.mark + #"{"version":99}"#, to: "study.json")
    let study = try program.run(["study", noStudy])
    #expect(study.status == 65)
    #expect(study.errors.contains("version: "), "\(study.errors)")
    #expect(try program.run(["profile", "create", "anna", "--max-heart-rate", "190"]).status == 0)
    let place = program.data + "/profiles/anna.json"
    let profile = try Data(contentsOf: URL(fileURLWithPath: place))
    try (Data(Self.mark.utf8) + profile).write(to: URL(fileURLWithPath: place))
    let zones = try program.run(["zones", "--profile", "anna"])
    #expect(zones.status == 0, "\(zones.errors)")
    #expect(zones.output.contains("190"), "\(zones.output)")
  }
}

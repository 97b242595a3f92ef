import Foundation
import TextFormats
import Testing
import WorkoutSession
import ZoneEngine

@testable import WorkoutTestSupport
@testable import coach

@Suite("Plans on a command line")
struct PlanExportTests {
  @Test("A plan whose targets have a slash is no path")
  func slashes() throws {
    let steps = try RequestOptions.plan("10min 5:30/km, 1km 12km/h, 4x(400m 8:30/mi \"effort\", 90s 3m/s)").steps
    #expect(steps.count == 10)
    #expect(steps[2].target == "8:30/mi")
    for name in ["\"w/u (easy)\": ", "w/u: "] {
      #expect(try RequestOptions.plan(name + "10min z1, 1km z2").steps.first?.name?.hasPrefix("w/u") == true)
    }
    let mistaken = #expect(throws: CommandFailure.self) { try RequestOptions.plan("\"w/u\": 10furlongs z1, 1km z2") }
    #expect(mistaken.map { "\($0)" }?.contains("10furlongs") == true)
    let failure = #expect(throws: FileError.self) { try RequestOptions.plan("/nowhere/a plan, of mine.txt") }
    #expect(failure?.description.contains("/nowhere/a plan, of mine.txt") == true)
  }

  @Test("A single length is a plan of one step, and any other word is a name")
  func oneWord() throws {
    for text in ["10min", "5km", "400meters", "90s", "open", "lap", "Lap", "until-lap"] {
      #expect(try RequestOptions.plan(text) == PlanRequest(text: text), "\(text)")
    }
    for text in ["10mints", "steady", "z2", "5", "until", "laps"] {
      let failure = #expect(throws: CommandFailure.self, "\(text)") { try RequestOptions.plan(text) }
      #expect(failure.map { "\($0)" }?.contains("expected a file, a ready plan") == true, "\(text)")
    }
  }

  @Test("A single length that is mistaken is a mistake of a plan, and no file that is missing")
  func mistakenLength() throws {
    for text in ["100m", "199m", "5x", "10mn", "0min"] {
      let failure = #expect(throws: CommandFailure.self, "\(text)") { try RequestOptions.plan(text) }
      #expect(failure?.exitCode == .usage, "\(text)")
      #expect(failure?.line.hasPrefix("--plan: ") == true, "\(text)")
    }
    #expect(throws: FileError.self) { try RequestOptions.plan("5x.txt") }
  }

  @Test("A workout of a plan with walk and run says that it has no place for them")
  func lost() throws {
    let program = try CoachProgram()
    let output = program.folder.url.path + "/workout.fit"
    let made = try program.run(["plan", "export", "3min walk, 2min run", "--as", "fit", "--output", output])
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.errors.contains("no place for whether to walk or to run: left out"), "\(made.errors)")
    let json = try program.run(["plan", "export", "3min walk, 2min run", "--as", "json"])
    #expect(json.errors.isEmpty, "\(json.errors)")
  }

  @Test("Percentages the wrong way round are a mistake of the command line, in the words of who wrote them")
  func reversedPercent() throws {
    let program = try CoachProgram()
    let made = try program.run(["plan", "export", "2min 80-70%", "--age", "30", "--as", "json"])
    #expect(made.status == 64, "\(made.errors)")
    #expect(made.errors.contains("'80-70%'"), "\(made.errors)")
  }

  @Test(
    "A workout needs a person only where its targets are zones of their heart rate",
    arguments: ["10min 5:00/km", "9min 119-137"])
  func withoutPerson(plan: String) throws {
    let program = try CoachProgram()
    let output = program.folder.url.path + "/workout.fit"
    let made = try program.run(["plan", "export", plan, "--as", "fit", "--output", output])
    #expect(made.status == 0, "\(made.errors)")
    let refused = try program.run(["plan", "export", "\(plan), 5min z2", "--as", "fit", "--output", output + "2"])
    #expect(refused.status == 64, "\(refused.errors)")
  }

  @Test("A target that no zones have is reported with its file and its place, whoever reads the plan")
  func badTargets() throws {
    let program = try CoachProgram()
    let recording = try program.folder.write(risingCSV(seconds: 60), to: "run.csv")
    let json = try program.folder.write(
      #"{"version":1,"steps":[{"durationSeconds":60,"target":"400"}]}"#, to: "plan.json")
    let text = try program.folder.write("10min z1\n1min z2 x y\n", to: "plan.txt")
    for arguments in [["replay", recording, "--age", "30", "--plan"], ["plan", "export", "--as", "json"]] {
      let ofJSON = try program.run(arguments + [json])
      #expect(ofJSON.status == 65, "\(arguments): \(ofJSON.errors)")
      #expect(ofJSON.isOneComplaint, "\(arguments): \(ofJSON.errors)")
      #expect(ofJSON.errors.hasPrefix("coach: \(json): byte 53: line 1: steps[0].target: "), "\(ofJSON.errors)")
      #expect(ofJSON.output.isEmpty, "\(arguments)")
      let ofText = try program.run(arguments + [text])
      #expect(ofText.status == 65, "\(arguments): \(ofText.errors)")
      #expect(ofText.isOneComplaint, "\(arguments): \(ofText.errors)")
      #expect(ofText.errors.hasPrefix("coach: \(text): line 2: character 6: target 'z2 x y': "), "\(ofText.errors)")
      let ofWords = try program.run(arguments + ["10min z1, 1min z0"])
      #expect(ofWords.status == 64, "\(arguments): \(ofWords.errors)")
      #expect(ofWords.errors.contains("character 16: target 'z0': "), "\(ofWords.errors)")
    }
  }

  @Test("Its help offers what it writes, and its errors name no option that it lacks")
  func formats() throws {
    let program = try CoachProgram()
    let help = try program.run(["plan", "export", "--help"])
    #expect(help.output.contains("--as fit|json"), "\(help.output)")
    #expect(!help.output.contains("tcx"), "\(help.output)")
    let tcx = try program.run(["plan", "export", "easy", "--as", "tcx"])
    #expect(tcx.status == 64)
    #expect(tcx.isOneComplaint, "\(tcx.errors)")
    #expect(tcx.errors.contains("fit"), "\(tcx.errors)")
    for text in ["nosuch", "10min z0 oops"] {
      let refused = try program.run(["plan", "export", text, "--as", "json"])
      #expect(refused.status == 64 || refused.status == 66, "\(text)")
      #expect(refused.errors.hasPrefix("coach: plan export"), "\(refused.errors)")
      #expect(!refused.errors.contains("--plan"), "\(refused.errors)")
    }
    // Where only a heart rate can be kept, no other target is offered.
    for verb in ["study", "compare"] {
      let target = try program.run([verb, "--help"]).output
      #expect(target.contains("119-137"), "\(target)")
      for other in ["spm", "5:30/km", "a1:"] { #expect(!target.contains(other), "\(verb): \(other)") }
    }
    let live = try program.run(["live", "--help"]).output
    #expect(live.contains("170-180spm"))
  }

  @Test("A strategy that is none is refused with what may stand there: presets and programs too")
  func strategies() throws {
    let program = try CoachProgram()
    for arguments in [
      ["study", "--age", "23", "--runners", "2", "--arm", "foo"], ["live", "--age", "23", "--strategy", "foo"],
      ["benchmark", "cues", "--policy", "foo"], ["study", "--age", "23", "--arm", "runnerup-like:every=5"],
    ] {
      let refused = try program.run(arguments, input: "")
      #expect(refused.status == 64, "\(arguments)")
      #expect(refused.isOneComplaint, "\(refused.errors)")
      for word in ["adaptive", "runnerup-like", "exec:PROGRAM"] {
        #expect(refused.errors.contains(word), "\(refused.errors)")
      }
    }
    // An import takes presets and starts no program.
    let run = try program.folder.write("time_s,heart_rate_bpm\n0,120\n1,121\n", to: "run.csv")
    let imported = try program.run(["import", run, "--age", "23", "--target", "z2", "--strategy", "foo"])
    #expect(imported.status == 64)
    #expect(imported.errors.contains("runnerup-like"), "\(imported.errors)")
    #expect(!imported.errors.contains("exec:"), "\(imported.errors)")
    let key = try program.run(["study", "--age", "23", "--runners", "2", "--arm", "moment:foo=1"])
    #expect(key.status == 64)
    #expect(!key.errors.contains("exec:"), "\(key.errors)")
  }

  @Test("A mistake in a plan with a slash is one of the plan, and no missing file")
  func mistakesWithSlashes() throws {
    let program = try CoachProgram()
    for text in [
      "3min z4/z5", "10min easy, 5x1km @ 4:10/km w/ 90s rest, 10min easy", "4x(1min z2/z3)", "5x1km w/ rest",
    ] {
      let refused = try program.run(["plan", "export", text, "--as", "json"])
      #expect(refused.status == 64, "\(text): \(refused.errors)")
      #expect(refused.errors.contains("character "), "\(text): \(refused.errors)")
    }
    for path in ["plans/my plan.txt", "10 runs/plan.json"] {
      #expect(try program.run(["plan", "export", path, "--as", "json"]).status == 66, "\(path)")
    }
    let open = try program.run(["plan", "export", "open", "--as", "json"])
    #expect(open.status == 0, "\(open.errors)")
  }

  @Test(
    "No plan file is written that nobody could run", arguments: ["10min z9", "5min z1, 10min z6", "10min 5a"])
  func unknownZone(plan: String) throws {
    let program = try CoachProgram()
    let output = program.folder.url.path + "/plan.json"
    for who in [[], ["--age", "30"], ["--max-heart-rate", "180"]] {
      let refused = try program.run(["plan", "export", plan, "--as", "json", "--output", output] + who)
      #expect(refused.status == 65, "\(who): \(refused.errors)")
      #expect(refused.isOneComplaint, "\(who): \(refused.errors)")
      #expect(refused.errors.contains("step \(plan.hasPrefix("5min") ? 2 : 1): target '"), "\(refused.errors)")
      #expect(!FileSystem.exists(output), "\(who)")
    }
    let friel = ["--zone-model", "percent-of-threshold", "--threshold-heart-rate", "170"]
    let known = try program.run(["plan", "export", "10min 5a", "--as", "json"] + friel)
    #expect(known.status == 0, "\(known.errors)")
    #expect(known.output.contains(#""target":"5a""#), "\(known.output)")
  }
}

import Foundation
import Testing
import TextFormats

@testable import coach

@Suite("The program: names of outputs under which nothing can be written")
struct OutputLinkEndToEndTests {
  private let program: CoachProgram
  private let recording: String
  private let part: String
  private let points: String
  private let pilot: String

  init() throws {
    program = try CoachProgram()
    recording = try program.folder.write(risingCSV(seconds: 60), to: "recording.csv")
    pilot = try program.folder.write(
      #"{"version":1,"type":"microRandomizedTrial","name":"pilot","probability":{"constant":0.5},"#
        + #""outcomeSeconds":[60],"seed":7}"#, to: "pilot.json")
    part = program.folder.url.path + "/part.json"
    points = program.folder.url.path + "/points.csv"
    for arguments in [
      ["profile", "create", "anna", "--birth-date", "1990-05-01"],
      ["import", "--profile", "anna", "--target", "z2", "--start", "2026-11-20T07:00:00Z", recording],
      ["study"] + Self.study + ["--shard", "1/1", "--output", part],
      ["study"] + Self.study + ["--trial", pilot, "--points", points],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
  }

  private static let study = [
    "--runners", "2", "--minutes", "5", "--age", "30", "--target", "z2", "--arm", "moment:hold=0", "--seed", "1",
  ]

  /// What stands before the name of the output, by verb and option. What is not looked at before the output need not be there.
  private var arguments: [String: [String]] {
    let zones = ["--age", "30", "--target", "z2"]
    return [
      "report --output": ["latest", "--force"], "export --output": [recording, "--as", "csv", "--force"],
      "history export --output": ["latest", "--as", "json", "--force"],
      "profile export --output": ["anna", "--force"], "plan export --output": ["easy", "--as", "json", "--force"],
      "compare --csv": [recording, "--strategy", "none", "--force"] + zones,
      "study --output": Self.study + ["--force"], "study --csv": Self.study + ["--force"],
      "study --points": Self.study + ["--trial", pilot, "--force"],
      "study merge --output": [part, "--force"], "study merge --csv": [part, "--force"],
      "study fit --output": [recording, "--force"],
      "trial analyse --csv": [points, "--protocol", pilot, "--force"],
      "benchmark cues --output": [
        "--policy", "none", "--signing-key", program.folder.url.path + "/key.pem", "--force",
      ],
      "motion evaluate --output": [recording, "--force"],
      "motion recognize --output": [recording, "--model", "none", "--force"],
      "motion tune --output": [recording, "--model", "none", "--force"],
      "motion export --output": ["none", "--as", "onnx", "--force"],
    ]
  }

  @Test("Every verb that writes a file refuses a link in its place, wherever that leads, and leaves nothing")
  func links() throws {
    let declared = CommandTable.coach.shownVerbs.flatMap { verb in
      verb.options.filter { ["output", "csv", "points"].contains($0.name) }.map { "\(verb.name) --\($0.name)" }
    }
    #expect(Set(declared) == Set(arguments.keys))
    let victim = try program.folder.write("precious", to: "victim")
    let nowhere = program.folder.url.path + "/nowhere"
    let link = program.folder.url.path + "/link"
    for (writer, given) in arguments.sorted(by: { $0.key < $1.key }) {
      let words = writer.split(separator: " ").map(String.init)
      for target in [victim, nowhere, "/dev/null"] {
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let before = try names()
        let outcome = try program.run(words.dropLast() + given + [words[words.count - 1], link])
        #expect(outcome.status == 73, "\(writer) \(target): \(outcome.errors)")
        #expect(outcome.isOneComplaint, "\(writer) \(target): \(outcome.errors)")
        #expect(outcome.errors.contains("link: "), "\(writer) \(target): \(outcome.errors)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target, "\(writer)")
        #expect(try names() == before, "\(writer) \(target)")
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious", "\(writer)")
        try FileManager.default.removeItem(atPath: link)
      }
    }
  }

  @Test("Every verb that writes a file refuses a folder that is missing or none before it does anything")
  func folders() throws {
    let before = try names()
    let places = [
      (program.folder.url.path + "/missing/out", "No such file or directory"), (recording + "/out", "Not a directory"),
    ]
    for (writer, given) in arguments.sorted(by: { $0.key < $1.key }) {
      let words = writer.split(separator: " ").map(String.init)
      for (place, reason) in places {
        let outcome = try program.run(words.dropLast() + given + [words[words.count - 1], place])
        #expect(outcome.status == 73, "\(writer) \(place): \(outcome.errors)")
        #expect(outcome.isOneComplaint, "\(writer) \(place): \(outcome.errors)")
        #expect(outcome.errors.contains("\(place): cannot create: \(reason)"), "\(writer): \(outcome.errors)")
        // A benchmark makes its key before it begins.
        #expect(try names() == before, "\(writer) \(place)")
      }
    }
  }

  @Test("A folder that cannot be written is refused before anything is simulated, also where a file is to be replaced")
  func lockedFolder() throws {
    let locked = program.folder.url.path + "/locked"
    try FileManager.default.createDirectory(atPath: locked, withIntermediateDirectories: false)
    _ = try program.folder.write("{}", to: "locked/there.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: locked)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: locked) }
    let before = try names()
    let given = ["benchmark", "cues"] + (arguments["benchmark cues --output"] ?? [])
    for name in ["new.json", "there.json"] {
      let outcome = try program.run(
        given + ["--output", "\(locked)/\(name)"], before: UnwritableFolderEndToEndTests.withoutPrivilege)
      #expect(outcome.status == 73, "\(name): \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(name): \(outcome.errors)")
      #expect(outcome.errors.contains("cannot create: Permission denied"), "\(name): \(outcome.errors)")
      #expect(try names() == before, "\(name)")
    }
  }

  @Test("Nothing is written into coach's own places of a data folder, whatever leads there, and all else is as ever")
  func dataFolder() throws {
    let data = program.data
    let session = try program.session().path
    let link = program.folder.url.path + "/elsewhere"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: session)
    let log = session + "/heart_rate.csv"
    let before = try String(contentsOfFile: log, encoding: .utf8)
    let places = [
      log, session + "/manifest.json", data + "/coach.sqlite", data + "/profiles/new", link + "/heart_rate.csv",
    ]
    let writers = arguments.merging(["history backup": ["--force"], "history export --all --output": []]) { $1 }
    for (writer, given) in writers.sorted(by: { $0.key < $1.key }) {
      let words = writer.split(separator: " ").map(String.init)
      let option = words.last.flatMap { $0.hasPrefix("--") ? $0 : nil }
      let verb = option == nil ? words : words.dropLast()
      for place in places {
        let kept = try names()
        let outcome = try program.run(verb + given + (option.map { [$0] } ?? []) + [place])
        #expect(outcome.status == 73, "\(writer) \(place): \(outcome.errors)")
        #expect(outcome.isOneComplaint, "\(writer) \(place): \(outcome.errors)")
        #expect(outcome.errors.contains("lies in the data folder"), "\(writer) \(place): \(outcome.errors)")
        #expect(try names() == kept, "\(writer) \(place)")
      }
    }
    #expect(try String(contentsOfFile: log, encoding: .utf8) == before)
    #expect(try program.run(["history", "check"]).status == 0)
    // From within, by a relative path.
    let inside = "cd '\(data)';"
    #expect(try program.run(["report", "latest", "--output", "sessions/page.html"], before: inside).status == 73)
    let above = try program.run(["report", "latest", "--output", "../page.html"], before: inside)
    #expect(above.status == 0, "\(above.errors)")
    #expect(try program.run(["history", "backup", "../backup.tgz"], before: inside).status == 0)
  }

  /// The outputs that can be the standard output.
  private static let ofStandardOutput: Set<String> = [
    "report --output", "export --output", "history export --output", "plan export --output", "compare --csv",
    "study --output", "study --csv", "study --points", "study merge --output", "study merge --csv",
    "trial analyse --csv", "motion evaluate --output", "motion recognize --output", "motion export --output",
  ]

  @Test("A hyphen is the standard output or is refused in one line, and never the name of a file")
  func hyphen() throws {
    let before = try names()
    for (writer, given) in arguments.sorted(by: { $0.key < $1.key }) {
      let words = writer.split(separator: " ").map(String.init)
      // Nothing is written where the program stands.
      let outcome = try program.run(
        words.dropLast() + given + [words[words.count - 1], "-"], before: "cd '\(program.folder.url.path)';")
      #expect(try names() == before, "\(writer)")
      guard !Self.ofStandardOutput.contains(writer) else { continue }
      #expect(outcome.status == 64, "\(writer): \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(writer): \(outcome.errors)")
      #expect(outcome.errors.contains("-"), "\(writer): \(outcome.errors)")
      #expect(outcome.output.isEmpty, "\(writer): \(outcome.output)")
    }
  }

  @Test(
    "A table on the standard output stands there alone, the same as in a file, and nothing else may be asked for there")
  func tables() throws {
    let file = program.folder.url.path + "/table.csv"
    for writer in ["compare --csv", "study --csv", "study --points", "study merge --csv", "trial analyse --csv"] {
      let words = writer.split(separator: " ").map(String.init)
      let given: [String] = words.dropLast() + (try #require(arguments[writer]))
      let option = words[words.count - 1]
      let written = try program.run(given + [option, file])
      let printed = try program.run(given + [option, "-"])
      #expect(printed.output == (try String(contentsOfFile: file, encoding: .utf8)), "\(writer)")
      #expect(printed.output.split(separator: "\n").count > 1, "\(writer)")
      #expect(written.output != printed.output, "\(writer)")
      let refused = try program.run(given + [option, "-", "--format", "json"])
      #expect(refused.status == 64, "\(writer): \(refused.errors)")
      #expect(refused.isOneComplaint, "\(writer): \(refused.errors)")
      #expect(refused.output.isEmpty, "\(writer)")
    }
    let beside = program.folder.url.path + "/study.json"
    let study = ["study"] + Self.study + ["--csv", "-"]
    let both = try program.run(study + ["--output", beside, "--format", "json"])
    #expect(both.status == 0, "\(both.errors)")
    #expect(both.output == (try program.run(study).output))
    #expect(try String(contentsOfFile: beside, encoding: .utf8).contains(#""type":"study""#))
    #expect(try program.run(study + ["--output", "-"]).status == 64)
    #expect(try program.run(study + ["--shard", "1/2"]).status == 64)
    #expect(try program.run(study + ["--trial", pilot, "--points", "-"]).status == 64)
  }

  /// What stands beside, but for what the harness of the tests puts there.
  private func names() throws -> [String] {
    try FileSystem.list(program.folder.url.path).filter { !$0.hasPrefix("std") }
  }
}

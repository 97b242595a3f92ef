import Foundation
import Testing
@testable import WorkoutTestSupport

@Suite("The program: input and output that cannot be used")
struct BadInputEndToEndTests {
  /// Bad content of a recording; the name is the case.
  static let contents: KeyValuePairs<String, [UInt8]> = [
    "empty": [], "blank": [0x0A, 0x0A], "header only": Array("time,heart_rate\n".utf8),
    "binary": [0x7F, 0x45, 0x4C, 0x46, 0x02, 0x00, 0x00, 0x01],
    "UTF-16": [0xFF, 0xFE, 0x74, 0x00, 0x69, 0x00], "garbage": Array("\u{1B}[31mhello\u{7}\nworld\n".utf8),
    "no time": Array("heart_rate\n120\n".utf8), "invalid UTF-8": [0xC3, 0x28, 0x0A, 0xFF, 0x0A],
    "unreadable rows": Array("time,hr\nx,y\n".utf8), "long": [UInt8](repeating: 0x61, count: 2 << 20),
    "clinical document": Array("<?xml version=\"1.0\"?>\n<ClinicalDocument/>\n".utf8),
    "archive cut off": Array("PK\u{3}\u{4}\u{14}".utf8),
    "empty archive": Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18),
    "export with an entity": Array("<!DOCTYPE HealthData [<!ENTITY a \"\u{1B}\">]><HealthData>&a;</HealthData>".utf8),
    "export of nothing": Array("<HealthData><Record type=\"HKQuantityTypeIdentifierHeartRate\"/></HealthData>".utf8),
  ]

  @Test("Content that is no recording is one line and exit code 65", arguments: ["replay", "inspect", "export"])
  func content(verb: String) throws {
    let program = try CoachProgram()
    for (name, bytes) in Self.contents {
      let path = program.folder.url.appendingPathComponent("bad.csv")
      try Data(bytes).write(to: path)
      for format in ["text", "jsonl", "json"] {
        let options =
          switch verb {
          case "replay": ["--age", "23", "--target", "z2", "--format", format]
          case "export": ["--as", "csv"]
          default: ["--format", format]
          }
        let outcome = try program.run([verb, path.path] + options)
        #expect(outcome.status == 65, "\(name)")
        #expect(outcome.isOneComplaint, "\(name): \(outcome.errors)")
        #expect(outcome.errors.hasPrefix("coach: \(path.path): "), "\(name): \(outcome.errors)")
        #expect(!outcome.errors.contains("\u{1B}"), "\(name)")
        #expect(!outcome.errors.contains("\u{7}"), "\(name)")
        #expect(outcome.output.isEmpty, "\(name): \(outcome.output)")
      }
    }
  }

  @Test("JSON of another program is called by its name, in a replay too, which reads scenarios in JSON")
  func otherPrograms() throws {
    let program = try CoachProgram()
    let options = ["--age", "23", "--target", "z2"]
    for (text, words) in [
      (#"{"exportVersion":"1.6","exercises":[]}"#, "a training session from the data export of Polar Flow"),
      (#"{"fitnessActivity":"running"}"#, "a session or measurements from Google Fit"),
      // What may be a scenario is one that lacks something.
      (#"{"name":"a"}"#, "version: missing"), (#"{"version":1,"name":"fitnessActivity"}"#, "line 1: "),
    ] {
      let path = program.folder.url.appendingPathComponent("other.json")
      try Data(text.utf8).write(to: path)
      let outcome = try program.run(["replay", path.path] + options)
      #expect(outcome.status == 65, "\(text)")
      #expect(outcome.isOneComplaint, "\(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test("A path that leads to no recording is one line and its exit code", arguments: ["replay", "inspect", "export"])
  func paths(verb: String) throws {
    let program = try CoachProgram()
    let options = ["replay": ["--age", "23", "--target", "z2"], "export": ["--as", "csv"]][verb] ?? []
    let folder = program.folder.url.path
    for (path, status) in [(folder + "/none.csv", 66), (folder, 65), ("/dev/null", 65)] {
      let outcome = try program.run([verb, path] + options)
      #expect(outcome.status == Int32(status), "\(path)")
      #expect(outcome.isOneComplaint, "\(path): \(outcome.errors)")
    }
  }

  @Test("A session folder that is damaged is one line and exit code 65 or 66")
  func damagedFolder() throws {
    let program = try CoachProgram()
    _ = try program.run(["live", "--age", "23"], input: risingLines(seconds: 5))
    let session = try program.session()
    let manifest = session.appendingPathComponent("manifest.json")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    for (changed, word) in [
      ("", "manifest.json"), ("{", "manifest.json"), (text.replacing(#""version": 1"#, with: #""version": 9"#), "9"),
      (text.replacing(#""activity""#, with: #""aktivity""#), "activity"),
    ] {
      try Data(changed.utf8).write(to: manifest)
      let outcome = try program.run(["replay", session.path])
      #expect(outcome.status == 65)
      #expect(outcome.isOneComplaint, "\(outcome.errors)")
      #expect(outcome.errors.contains(word), "\(outcome.errors)")
    }
    try Data(text.utf8).write(to: manifest)
    try Data([0x89, 0x00, 0x0A]).write(to: session.appendingPathComponent("heart_rate.csv"))
    let binary = try program.run(["replay", session.path])
    #expect(binary.status == 65)
    #expect(binary.isOneComplaint, "\(binary.errors)")
  }

  @Test(
    "A full or closed standard output is one line and exit code 74",
    arguments: [">/dev/full", ">&-"],
    ["zones", "replay", "replay-text", "inspect", "export", "live", "help", "completions"])
  func output(redirection: String, verb: String) throws {
    let program = try CoachProgram()
    let file = try program.folder.write(risingCSV(seconds: 300), to: "run.csv")
    let arguments =
      switch verb {
      case "zones": ["zones", "--age", "23"]
      case "replay": ["replay", file, "--age", "23", "--target", "z2", "--format", "jsonl"]
      case "replay-text": ["replay", file, "--age", "23", "--target", "z2"]
      case "inspect": ["inspect", file]
      case "export": ["export", file, "--as", "fit"]
      case "live": ["live", "--age", "23", "--target", "z2", "--format", "jsonl", "--activity", "running"]
      case "completions": ["completions", "bash"]
      default: ["help"]
      }
    let outcome = try program.run(
      arguments, input: verb == "live" ? risingLines(seconds: 300) : nil, redirection: redirection)
    #expect(outcome.status == 74)
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
  }

  @Test("A live run whose output fails leaves a complete session", arguments: [">/dev/full", ">&-", "| true"])
  func outputOfLive(redirection: String) throws {
    let program = try CoachProgram()
    // A shell whose own status is that of the program, not of the reader.
    let pipe = redirection == "| true"
    let input = risingLines(seconds: 20_000)
    let outcome = try program.run(
      ["live", "--age", "23", "--target", "z2", "--format", "jsonl"], input: input,
      redirection: pipe ? "| true" : redirection)
    if !pipe { #expect(outcome.status == 74) }
    let session = try program.session()
    let names = try FileManager.default.contentsOfDirectory(atPath: session.path).sorted()
    #expect(names == ["commands.csv", "decisions.jsonl", "heart_rate.csv", "manifest.json", "summary.json"])
    let log = try String(contentsOf: session.appendingPathComponent("heart_rate.csv"), encoding: .utf8)
    #expect(log.hasPrefix("time,at_s,heart_rate_bpm\n"))
    #expect(!log.contains("{"))
  }

  @Test("Closed standard input and error are no hang and no crash")
  func closedDescriptors() throws {
    let program = try CoachProgram()
    let input = try program.run(["live", "--age", "23"], redirection: "<&-")
    #expect(input.status == 74)
    #expect(input.errorLines.first == "coach: standard input: reading failed: Bad file descriptor")
    #expect(try program.run(["live", "--age", "23"], redirection: "<&- >&-").status == 74)
    let file = try program.folder.write(risingCSV(seconds: 10), to: "run.csv")
    #expect(try program.run(["replay", file, "--age", "23"], redirection: "2>&-").status == 0)
    #expect(try program.run(["replay", file + "x", "--age", "23"], redirection: "<&- >&- 2>&-").status == 66)
  }

  @Test("A name that cannot be looked at is no missing one: the reason is given, whoever was given it")
  func leadsToItself() throws {
    let program = try CoachProgram()
    let loop = program.folder.url.path + "/loop"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    for arguments in [
      ["history", "quality", loop], ["replay", loop, "--age", "23"], ["inspect", loop], ["verify", loop],
      ["live", "--age", "23", "--plan", loop], ["motion", "text", loop], ["export", loop, "--as", "csv"],
      ["compare", loop, "--age", "23", "--target", "z2", "--strategy", "moment"],
    ] {
      let outcome = try program.run(arguments, input: "")
      #expect(outcome.status == 66, "\(arguments): \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains("Too many levels of symbolic links"), "\(arguments): \(outcome.errors)")
    }
    // A text that is too long for a name is none.
    let steps = Array(repeating: "1min z1", count: 60).joined(separator: ", ")
    let plan = try program.run(["live", "--age", "23", "--plan", steps], input: "")
    #expect(!plan.errors.contains("too long"), "\(plan.errors)")
  }

  @Test("Where too few files may be open to begin, one line says so", arguments: 4...7)
  func fewestFiles(count: Int) throws {
    let program = try CoachProgram()
    for arguments in [["--help"], ["zones", "--age", "30"], ["history", "list"]] {
      let outcome = try program.run(arguments, before: "ulimit -c 0; ulimit -n \(count);")
      #expect(outcome.status == 74, "\(arguments): \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains("too few files may be open"), "\(arguments): \(outcome.errors)")
    }
  }

  @Test(
    "Where there is too little memory for threads, one line says so, and nothing waits for ever",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer reserves more"))
  func leastMemory() throws {
    let program = try CoachProgram()
    var refused = 0
    for kilobytes in stride(from: 50_000, through: 400_000, by: 20_000) {
      let outcome = try program.run(["zones", "--age", "30"], before: "ulimit -c 0; ulimit -v \(kilobytes);")
      // With less the libraries of the system cannot be loaded (127).
      #expect([0, 74, 127].contains(outcome.status), "\(kilobytes) KB: \(outcome.status) \(outcome.errors)")
      guard outcome.status == 74 else { continue }
      refused += 1
      #expect(outcome.isOneComplaint, "\(kilobytes) KB: \(outcome.errors)")
      #expect(outcome.errors.contains("too little memory"), "\(kilobytes) KB: \(outcome.errors)")
    }
    #expect(refused > 0)
  }
}

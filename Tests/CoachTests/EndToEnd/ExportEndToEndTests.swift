import Foundation
import Testing

@Suite("The program: export")
struct ExportEndToEndTests {
  private let program: CoachProgram
  private let run: String

  init() throws {
    program = try CoachProgram()
    let rows = (0..<60).map { "2026-11-20T07:00:\($0 < 10 ? "0" : "")\($0)Z,\(100 + $0),46.\(100 + $0),-15.5\n" }
    run = try program.folder.write("time,hr,lat,lon\n" + rows.joined(), to: "run.csv")
  }

  private func path(_ name: String) -> String { program.folder.url.appendingPathComponent(name).path }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.folder.url.path).filter { !$0.hasPrefix("std") }
      .sorted()
  }

  /// The members of an inspection that do not depend on the format.
  private func facts(_ path: String) throws -> String {
    let line = try program.run(["inspect", path, "--format", "jsonl"]).output
    let from = try #require(line.range(of: #""startTime""#)?.lowerBound)
    let until = try #require(line.range(of: #","location""#)?.lowerBound)
    return String(line[from..<until])
  }

  @Test(
    "Every format can be written, to a file and to the standard output, and read again",
    arguments: ["fit", "tcx", "gpx", "csv"])
  func formats(format: String) throws {
    let copy = path("copy")
    let written = try program.run(["export", run, "--as", format, "--output", copy])
    #expect(written.status == 0, "\(written.errors)")
    #expect(written.output.isEmpty, "\(written.errors)")
    #expect(try facts(copy) == facts(run))
    #expect(try program.run(["inspect", copy, "--format", "jsonl"]).output.contains(#""format":"\#(format)""#))
    let piped = path("piped")
    #expect(try program.run(["export", run, "--as", format], redirection: ">'\(piped)'").status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: piped)) == Data(contentsOf: URL(fileURLWithPath: copy)))
    let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("A file that is there is kept, unless it is to be replaced")
  func existing() throws {
    let taken = try program.folder.write("mine", to: "taken.csv")
    let refused = try program.run(["export", run, "--as", "csv", "--output", taken])
    #expect(refused.status == 73)
    #expect(refused.isOneComplaint)
    #expect(refused.errors.contains("--force"))
    #expect(try String(contentsOfFile: taken, encoding: .utf8) == "mine")
    #expect(try program.run(["export", run, "--as", "csv", "--output", taken, "--force"]).status == 0)
    #expect(try String(contentsOfFile: taken, encoding: .utf8).hasPrefix("time,"))
    // Not even so is the recording itself replaced.
    let before = try Data(contentsOf: URL(fileURLWithPath: run))
    let itself = try program.run(["export", run, "--as", "fit", "--output", run, "--force"])
    #expect(itself.status == 64)
    #expect(itself.isOneComplaint)
    #expect(itself.errors.contains("the same file"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: run)) == before)
    #expect(try names() == ["run.csv", "taken.csv"])
  }

  @Test("An output that cannot be created is one line and exit code 73, and nothing is left behind")
  func cannotCreate() throws {
    for output in [path("none/run.fit"), path("run.csv/run.fit"), path(""), "/dev/null", "/dev/full", "/proc/run.fit"] {
      for force in [[], ["--force"]] {
        let outcome = try program.run(["export", run, "--as", "fit", "--output", output] + force)
        #expect(outcome.status == 73, "\(output): \(outcome.status) \(outcome.errors)")
        #expect(outcome.isOneComplaint, "\(output): \(outcome.status) \(outcome.errors)")
      }
    }
    #expect(try names() == ["run.csv"])
    #expect(FileManager.default.fileExists(atPath: "/dev/null"))
  }

  @Test(
    "A disk that is full is one line and exit code 74, and nothing is left behind", arguments: ["csv", "tcx", "fit"])
  func full(format: String) throws {
    let rows = (0..<40_000).map { "\($0),\(100 + $0 % 50)\n" }.joined()
    let long = try program.folder.write("time_s,hr\n" + rows, to: "long.csv")
    // A file may not grow beyond some blocks, which a program that ignores the signal sees as an error.
    let outcome = try program.run(
      ["export", long, "--as", format, "--output", path("out"), "--start", "2026-11-20T07:00:00Z"],
      before: "trap '' XFSZ; ulimit -f 100;")
    #expect(outcome.status == 74, "\(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.errors.contains(path("out") + ": writing failed"), "\(outcome.errors)")
    #expect(try names() == ["long.csv", "run.csv"])
  }

  @Test("A command line that says too little or too much is one line and exit code 64")
  func usage() throws {
    let cases: [([String], String)] = [
      ([run], "--as"), ([run, "--as", "pdf"], "fit, tcx, gpx, csv"), (["--as", "csv"], "RECORDING"),
      ([run, "--as", "csv", "--start", "yesterday"], "date"),
      ([run, "--as", "csv", "--start", "2026-11-20T07:00:00Z"], "states when it began"),
    ]
    for (arguments, word) in cases {
      let outcome = try program.run(["export"] + arguments)
      #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(word), "\(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test("What cannot be written in a format is one line that names what can, and exit code 65")
  func refusals() throws {
    let relative = try program.folder.write("time_s,hr,mood\n0,120,good\n", to: "relative.csv")
    for (format, word) in [("tcx", "--start"), ("gpx", "fit, tcx or csv")] {
      let outcome = try program.run(["export", relative, "--as", format, "--output", path("out")])
      #expect(outcome.status == 65, "\(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(outcome.errors)")
      #expect(outcome.errors.contains(word), "\(outcome.errors)")
      #expect(outcome.errors.contains(relative), "\(outcome.errors)")
    }
    #expect(try names() == ["relative.csv", "run.csv"])
    let said = try program.run(["export", relative, "--as", "tcx", "--start", "2026-11-20T08:00:00+01:00"])
    #expect(said.status == 0)
    #expect(said.output.contains("<Id>2026-11-20T07:00:00Z</Id>"))
  }

  @Test("A loss that happened is one line on standard error with a count, and so is a warning about the recording")
  func losses() throws {
    let rows = "1700000000,120.4,3,46,15,x\n1700000000.5,121,4,,,x\n1700000001,122,5,46,15,x\n"
    let odd = try program.folder.write("time,hr,steps,lat,lon,mood\n" + rows, to: "odd.csv")
    let fit = try program.run(["export", odd, "--as", "fit", "--output", path("odd.fit")])
    #expect(
      fit.errorLines.map(String.init) == [
        "coach: \(odd): line 1: columns that are not known were left out (mood)",
        "coach: export: fit has steps only with a sport, which is not stated: running written",
        "coach: export: fit holds whole seconds: 1 time cut",
        "coach: export: fit holds whole seconds: 2 samples merged",
        "coach: export: fit holds whole beats: 1 heart rate rounded",
        "coach: export: fit counts strides of two steps: 2 odd counts rounded down",
        "coach: export: fit holds values in steps: 4 rounded",
      ])
    let gpx = try program.run(["export", odd, "--as", "gpx"])
    #expect(
      gpx.errorLines.dropFirst().map(String.init) == [
        "coach: export: gpx holds positions only: 1 heart rate without one left out",
        "coach: export: gpx holds whole beats: 1 heart rate rounded",
        "coach: export: gpx has no place for steps: 3 samples left out",
      ])
    let csv = try program.run(["export", odd, "--as", "csv"])
    #expect(csv.status == 0)
    #expect(csv.errorLines.count == 1)
  }

  @Test("A FIT is not written to a terminal, a text is")
  func terminal() throws {
    for (format, status) in [("fit", Int32(64)), ("csv", 0)] {
      let main = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
      defer { close(main) }
      var (locked, number): (Int32, Int32) = (0, 0)
      // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
      let answers = unsafe [ioctl(main, 0x4004_5431, &locked), ioctl(main, 0x8004_5430, &number)]
      try #require(main >= 0)
      try #require(answers == [0, 0])
      let side = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
      let process = program.process(["export", run, "--as", format])
      process.standardOutput = FileHandle(fileDescriptor: side, closeOnDealloc: true)
      let errors = try program.folder.write("", to: "stderr-terminal")
      process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
      try process.run()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      if status == 0 { #expect(unsafe read(main, &buffer, buffer.count) > 0) }
      process.waitUntilExit()
      #expect(process.terminationStatus == status)
      let line = try String(contentsOfFile: errors, encoding: .utf8)
      #expect(line.isEmpty == (status == 0), "\(line)")
      #expect(status == 0 || line.contains("--output FILE"), "\(line)")
    }
  }
}

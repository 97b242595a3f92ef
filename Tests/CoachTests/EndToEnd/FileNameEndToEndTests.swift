import Foundation
import Testing

@Suite("The program: names that are not UTF-8, or that would speak to a terminal")
struct FileNameEndToEndTests {
  private let program: CoachProgram
  /// `x`, the byte 255, `.csv`, as a shell writes it.
  private static let name = #"$(printf 'x\377.csv')"#

  init() throws {
    program = try CoachProgram()
    let recording = try program.folder.write(risingCSV(seconds: 20), to: "run.csv")
    try shell("mkdir many && cp '\(recording)' \"\(Self.name)\" && cp '\(recording)' \"many/\(Self.name)\"")
  }

  /// Runs a line of the shell in the folder of the test, in which `$COACH` is the program.
  @discardableResult
  private func shell(_ line: String) throws -> CoachProgram.Outcome {
    try program.run(
      ["-"], before: "cd '\(program.folder.url.path)' && { \(line)\n}; exit $?;",
      environment: ["COACH": program.path])
  }

  @Test("They are inspected, imported, exported and written, and shown escaped")
  func bytes() throws {
    let inspected = try shell("\"$COACH\" inspect \"\(Self.name)\" --format jsonl")
    #expect(inspected.status == 0, "\(inspected.errors)")
    #expect(inspected.output.contains(#""file":"x\\xff.csv""#), "\(inspected.output)")
    let imported = try shell("\"$COACH\" import many --age 30 --start 2026-10-01T07:00:00Z")
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(imported.output.contains(#"many/x\xff.csv"#), "\(imported.output)")
    let named = try shell("\"$COACH\" import \"\(Self.name)\" --age 30 --start 2026-10-01T07:00:00Z")
    #expect(named.output.hasPrefix("duplicate"), "\(named.output)\(named.errors)")
    #expect(named.output.contains(#"x\xff.csv"#), "\(named.output)")
    let missing = try shell(#""$COACH" replay "$(printf 'no\351.fit')" --age 30"#)
    #expect(missing.status == 66)
    #expect(missing.errors == #"coach: no\xe9.fit: cannot read: No such file or directory"# + "\n")
    let page = try shell(#""$COACH" report latest --output "$(printf 'p\374.html')" && ls -b"#)
    #expect(page.output.contains(#"p\xfc.html: the page of "#), "\(page.output)\(page.errors)")
    #expect(page.output.contains(#"p\374.html"# + "\n"), "\(page.output)")
    let option = try shell(#""$COACH" inspect run.csv "$(printf -- '--x\377')""#)
    #expect(option.errors.contains(#"unknown option "--x\xff""#), "\(option.errors)")
    let folder = try shell(
      #""$COACH" profile create anna --max-heart-rate 190 --data-dir "$(printf 'd\377')" && ls -b"#)
    #expect(folder.status == 0, "\(folder.errors)")
    #expect(folder.output.contains(#"d\377"# + "\n"), "\(folder.output)")
  }

  @Test("Controls, and marks of the direction, never reach the output raw")
  func controls() throws {
    let odd = "a\u{202E}b\u{2066}c\u{9B}31m\u{2028}\u{1B}]0;t\u{7}d"
    let shown = #"a\u{202e}b\u{2066}c\u{9b}31m\u{2028}\u{1b}]0;t\u{7}d"#
    let path = try program.folder.write(risingCSV(seconds: 20), to: odd + ".csv")
    let plan = "\"\(odd)\" 5min z2"
    for arguments in [
      ["inspect", path], ["inspect", path, "--format", "jsonl"], ["import", path, "--age", "30"],
      ["import", path, "--age", "30", "--start", "2026-10-01T07:00:00Z"], ["history", "show", "latest"],
      ["history", "list", "--person", odd], ["inspect", path + "x"], ["export", path, "--as", "gpx"],
      ["replay", path, "--age", "30", "--plan", plan],
      ["compare", path, "--age", "30", "--target", "z2", "--strategy", "none"],
      ["history", "backup", path + ".tar.gz"], [odd], ["live", "--source", odd],
      ["history", "show", "latest", "--format", "json"],
    ] {
      let outcome = try program.run(arguments)
      let raw = (outcome.output + outcome.errors).unicodeScalars.filter {
        [0x202E, 0x2066, 0x9B, 0x2028, 0x1B, 0x7].contains($0.value)
      }
      #expect(raw.isEmpty, "\(arguments.first ?? ""): \(raw.map { String($0.value, radix: 16) })")
    }
    #expect(try program.run(["inspect", path]).output.contains(shown))
    let record = try program.run(["inspect", path, "--format", "jsonl"]).output
    #expect(record.contains(#"a\u202eb\u2066c\u009b31m\u2028\u001b]0;t\u0007d"#), "\(record)")
  }
}

@Suite("The program: a file that is printed on a terminal", .serialized, .onOwnThread)
struct PrintedFileTerminalTests {
  @Test("An export shows what a label would hide")
  func export() async throws {
    let program = try CoachProgram()
    let rows = (0...3).map { "\($0),100,a\u{202E}b\u{9B}31mc\n" }
    _ = try program.folder.write("time_s,heart_rate,label\n" + rows.joined(), to: "run.csv")
    let terminal = try await program.terminal(running: "\"$COACH\" export $HOME/run.csv --as csv; echo \"status $?\"")
    try await terminal.expect("status 0")
    let screen = try terminal.capture()
    #expect(screen.contains(#"0,100,a\u{202e}b\u{9b}31mc"#), "\(screen)")
  }

  @Test("The tables of a study are no file: their colours are colours, and a file of them has none")
  func study() async throws {
    let program = try CoachProgram()
    let options = "--runners 2 --minutes 5 --age 30 --activity run --target z2 --arm none --arm moment:every=60"
    let study = "\"$COACH\" study \(options)"
    let terminal = try await program.terminal(
      rows: 60, running: "\(study); \(study) --output $HOME/study.txt; echo \"status $?\"")
    try await terminal.expect("status 0")
    let screen = try terminal.capture()
    #expect(screen.contains("moment:every=60 "), "\(screen)")
    #expect(!screen.contains("u{1b}"), "\(screen)")
    let file = try String(contentsOfFile: program.folder.url.path + "/study.txt", encoding: .utf8)
    #expect(file.hasPrefix("run, reflex\n"), "\(file)")
    #expect(!file.contains("\u{1B}"), "\(file)")
  }
}

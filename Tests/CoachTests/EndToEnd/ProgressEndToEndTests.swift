import Foundation
import Testing

@Suite("The program: progress of long work")
struct ProgressEndToEndTests {
  private static let hasPseudoTerminal = FileManager.default.isExecutableFile(atPath: "/usr/bin/script")
  private let program: CoachProgram
  private let files: [String]

  init() throws {
    let program = try CoachProgram()
    self.program = program
    files = try (0..<3).map { number in
      let rows = (0...600).map { "\(1_700_000_000 + number * 5_000 + $0),\(110 + $0 % 20)\n" }.joined()
      return try program.folder.write("time,heart_rate\n" + rows, to: "\(number).csv")
    }
    let profile = ["profile", "create", "anna", "--max-heart-rate", "190", "--date", "2020-01-01"]
    #expect(try program.run(profile).status == 0)
  }

  /// The verbs that show progress, with what they say.
  private var commands: [(arguments: [String], words: String)] {
    [
      (["import"] + files + ["--profile", "anna"], "importing  0 of 3"),
      (["history", "rebuild"], "rebuilding  3 of 3"),
      (["history", "check"], "checking  3 of 3"),
      (["history", "quality", files[0]], "measuring  "),
      (["profile", "export", "anna", "--output", program.folder.url.path + "/out"], "exporting  0 of 3"),
      (["profile", "delete", "anna", "--all-data", "--yes"], "deleting  1 of 3"),
    ]
  }

  @Test("It is shown on a terminal, and taken away", .enabled(if: hasPseudoTerminal, "needs script"))
  func terminal() throws {
    for (arguments, words) in commands {
      let process = program.process(arguments)
      let line = ([program.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
      process.path = "/usr/bin/script"
      process.arguments = ["-qec", line, "/dev/null"]
      let pipe = Pipe()
      process.standardOutput = pipe
      process.environment?["TERM"] = "xterm"
      try process.run()
      let shown = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(arguments): \(shown)")
      #expect(plain(shown).contains(words), "\(arguments): \(shown)")
      let end = try #require(shown.range(of: "\u{1B}[K", options: .backwards), "\(arguments)")
      #expect(!plain(String(shown[end.upperBound...])).contains(words), "\(arguments): \(shown)")
    }
  }

  @Test("Nothing of it is written to a pipe or a file")
  func piped() throws {
    for (arguments, _) in commands {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.isEmpty, "\(arguments): \(outcome.errors)")
      #expect(!outcome.output.contains("\u{1B}"), "\(arguments)")
      #expect(!outcome.output.contains(" of 3"), "\(arguments)")
    }
  }

  /// The text without colours.
  private func plain(_ text: String) -> String {
    text.replacing(#/\x1B\[[0-9;]*m/#, with: "")
  }
}

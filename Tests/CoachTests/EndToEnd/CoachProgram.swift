import Foundation
import Testing

/// The built executable, run as a process of its own.
struct CoachProgram {
  /// What came of a run.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String

    var lines: [Substring] { output.split(separator: "\n") }
    var errorLines: [Substring] { errors.split(separator: "\n") }
    /// Whether there is exactly one line of complaint, and no stack trace.
    var isOneComplaint: Bool {
      errorLines.count == 1 && errors.hasPrefix("coach: ") && errors.hasSuffix("\n") && !errors.contains("Fatal")
    }
  }

  /// The executable is not where the tests are.
  struct Absent: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path): there is no coach beside the tests: expected swift build before" }
  }

  /// A folder of its own: data, home and input files.
  let folder: TemporaryFolder
  /// The executable.
  let path: String

  init() throws {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    path = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("coach").path
    guard FileManager.default.isExecutableFile(atPath: path) else { throw Absent(path: path) }
    folder = try TemporaryFolder()
  }

  /// The folder of the data.
  var data: String { folder.url.appendingPathComponent("data").path }

  /// The only session that was recorded.
  func session() throws -> URL {
    let sessions = folder.url.appendingPathComponent("data/sessions")
    let names = try FileManager.default.contentsOfDirectory(atPath: sessions.path)
    #expect(names.count == 1)
    return sessions.appendingPathComponent(try #require(names.first))
  }

  /// A process that was not started yet; `redirection` is what a shell is given, such as `>&-`, and `before` what it does
  /// first, such as `ulimit -f 8;`.
  func process(
    _ arguments: [String], redirection: String = "", before: String = "", environment more: [String: String] = [:]
  ) -> ChildProgram {
    let process =
      redirection.isEmpty && before.isEmpty
      ? ChildProgram(path, arguments)
      : ChildProgram("/bin/sh", ["-c", before + " exec \"$0\" \"$@\" " + redirection, path] + arguments)
    var usual = [
      "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder.url.path, "COACH_DATA_DIR": data, "TZ": "UTC",
    ]
    // A program that counts its coverage writes a file where it stands, which tests would take for coach's.
    if ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"] != nil { usual["LLVM_PROFILE_FILE"] = "/dev/null" }
    process.environment = usual.merging(more) { $1 }
    return process
  }

  /// Runs to the end, which has to come in that many seconds; what it prints goes through files, so that nothing waits for
  /// a reader.
  func run(
    _ arguments: [String], input: String? = nil, redirection: String = "", before: String = "",
    environment: [String: String] = [:], seconds: Double = 300, at location: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let process = process(arguments, redirection: redirection, before: before, environment: environment)
    let names = ["stdin", "stdout", "stderr"].map { "\($0)-\(UUID().uuidString)" }
    let paths = try zip(names, [input ?? "", "", ""]).map { try folder.write($1, to: $0) }
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: paths[0]))
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: paths[1]))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: paths[2]))
    try process.run()
    process.waitUntilExit(seconds: seconds, at: location)
    // A program that counts its coverage says at its end that a full disk takes no counts: its own line, not coach's.
    let errors = try String(contentsOfFile: paths[2], encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .filter { !$0.hasPrefix("LLVM Profile Error: ") }.joined(separator: "\n")
    return Outcome(
      status: process.terminationStatus, output: try String(contentsOfFile: paths[1], encoding: .utf8), errors: errors)
  }
}

/// A recording of a heart rate each second that rises from 100.
func risingCSV(seconds: Int) -> String {
  "time_s,heart_rate\n" + (0...seconds).map { "\($0),\(100 + $0 / 10)\n" }.joined()
}

/// The same as lines of the live stream.
func risingLines(seconds: Int) -> String {
  (0...seconds).map { "{\"type\":\"heartRate\",\"atSeconds\":\($0),\"beatsPerMinute\":\(100 + $0 / 10)}\n" }.joined()
}

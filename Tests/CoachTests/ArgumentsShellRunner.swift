import Foundation
import Testing

@testable import coach

extension Shell {
  /// Where the shell is installed; nothing when it is not.
  var path: String? {
    ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(rawValue)" }
      .first(where: FileManager.default.isExecutableFile)
  }

  /// Why a test is skipped where the shell is not installed.
  var absence: String { "\(rawValue) is not installed" }

  /// Runs the shell without the user's own settings and gives what it printed and how it ended.
  func run(_ arguments: [String], in folder: URL? = nil) throws -> (output: String, errors: String, status: Int32) {
    guard let path else { throw ShellIsAbsent() }
    let inFolder = folder.map { ["-c", "cd \"$0\" && exec \"$@\"", $0.path, path] }
    let process = ChildProgram(inFolder == nil ? path : "/bin/sh", (inFolder ?? []) + arguments)
    let output = Pipe()
    let errors = Pipe()
    process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": NSTemporaryDirectory()]
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (printed, complaints, process.terminationStatus)
  }
}

/// The shell of a test is not installed.
struct ShellIsAbsent: Error {}

/// A folder that is removed with everything in it.
final class TemporaryFolder {
  let url: URL

  /// Makes an empty folder.
  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("coach-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file and gives its path.
  func write(_ text: String, to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}

import Foundation
import Testing

/// How a disk fails.
enum DiskFault: String, CaseIterable {
  /// One call fails and the next one too, so that a write that was cut short cannot go on; then all work.
  case once
  /// Every call from one on fails.
  case always
  /// The process dies in a call.
  case kill
}

extension CoachProgram {
  /// Runs the program with a fault at the call with a number, of those that change a file of the data folder; whether
  /// that call was reached.
  ///
  /// - Throws: when the library that makes calls fail was not built.
  func run(
    _ arguments: [String], input: String? = nil, fault: DiskFault, at number: Int
  ) throws -> (outcome: Outcome, isReached: Bool) {
    let library = URL(fileURLWithPath: path).deletingLastPathComponent().path + "/libFaultInjection.so"
    try #require(FileManager.default.fileExists(atPath: library))
    let report = folder.url.path + "/reached"
    try? FileManager.default.removeItem(atPath: report)
    let outcome = try run(
      arguments, input: input,
      environment: [
        "LD_PRELOAD": library, "FAULT_FOLDER": data, "FAULT_AT": "\(number)", "FAULT_KIND": fault.rawValue,
        "FAULT_REPORT": report,
      ])
    return (outcome, FileManager.default.fileExists(atPath: report))
  }
}

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
  /// - Throws: when the library that makes calls fail cannot be built.
  func run(
    _ arguments: [String], input: String? = nil, fault: DiskFault, at number: Int
  ) throws -> (outcome: Outcome, isReached: Bool) {
    let library = try FaultLibrary.path.get()
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

/// The library that makes the calls of a program fail. It is built beside coach, once for all tests.
private enum FaultLibrary {
  /// It cannot be built; the compiler has said why.
  struct CannotBuild: Error, CustomStringConvertible {
    let status: Int32
    var description: String { "scripts/fault-injection ended with \(status): no libFaultInjection.so beside coach" }
  }

  static let path = Result { try build() }

  private static func build() throws -> String {
    let folder = URL(fileURLWithPath: try CoachProgram().path).deletingLastPathComponent().path
    let checkout = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let builder = ChildProgram(checkout + "/scripts/fault-injection", [folder])
    try builder.run()
    builder.waitUntilExit()
    guard builder.terminationStatus == 0 else { throw CannotBuild(status: builder.terminationStatus) }
    return folder + "/libFaultInjection.so"
  }
}

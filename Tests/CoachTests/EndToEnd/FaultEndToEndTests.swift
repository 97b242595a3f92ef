import Foundation
import Testing
import WorkoutSession

@testable import coach

/// How a disk fails.
enum DiskFault: String, CaseIterable {
  /// One call fails and the next one too, so that a write that was cut short cannot go on; then all work.
  case once
  /// Every call from one on fails.
  case always
  /// The process dies in a call.
  case kill

  /// A sanitizer has to be the first library of a process, and so has the one that makes calls fail.
  static var isPossible: Bool {
    ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil
      && ProcessInfo.processInfo.environment["LSAN_OPTIONS"] == nil
  }
}

@Suite("The program on a disk that fails", .enabled(if: DiskFault.isPossible, "needs a build without sanitizer"))
struct FaultEndToEndTests {
  private static let seconds = 60
  /// Lines of a run in which every stream and a pause have their place.
  private static let input: String = {
    var lines: [String] = []
    for second in 0...seconds {
      lines.append(#"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(110 + second % 20)}"#)
      if second.isMultiple(of: 10) { lines.append(#"{"type":"steps","atSeconds":\#(second),"count":25}"#) }
      if second == 30 { lines.append(#"{"type":"command","id":"p","command":"pause"}"#) }
      if second == 40 { lines.append(#"{"type":"command","id":"r","command":"resume"}"#) }
    }
    return lines.joined(separator: "\n") + "\n"
  }()

  private static let rows = (0...seconds).map { "\($0),\(110 + $0 % 20)" }

  @Test("loses nothing that it had taken, whichever call fails or is its last", arguments: DiskFault.allCases)
  func everyCall(fault: DiskFault) async throws {
    var reached = 0
    for number in 1...1_000 {
      guard try await run(fault, at: number) else { break }
      reached = number
    }
    #expect((40...999).contains(reached), "\(fault): \(reached) calls that change files")
  }

  /// Records a session with a fault at the call with a number; whether that was reached.
  private func run(_ fault: DiskFault, at number: Int) async throws -> Bool {
    let program = try CoachProgram()
    let what = "\(fault) at call \(number)"
    let report = program.folder.url.path + "/reached"
    let library = URL(fileURLWithPath: program.path).deletingLastPathComponent().path + "/libFaultInjection.so"
    try #require(FileManager.default.fileExists(atPath: library))
    let outcome = try program.run(
      ["live", "--age", "23", "--target", "z2", "--strategy", "moment:every=10", "--format", "jsonl"],
      input: Self.input,
      environment: [
        "LD_PRELOAD": library, "FAULT_FOLDER": program.data, "FAULT_AT": "\(number)", "FAULT_KIND": fault.rawValue,
        "FAULT_REPORT": report,
      ])
    let isReached = FileManager.default.fileExists(atPath: report)
    #expect(
      (fault == .kill && isReached) == (outcome.status == SIGKILL), "\(what): \(outcome.status) \(outcome.errors)")
    if fault != .kill {
      #expect([0, 69, 73, 74].contains(outcome.status), "\(what): \(outcome.status)")
      // The runner is coached all the same.
      #expect(outcome.lines.last?.contains(#""type":"summary""#) == true, "\(what)")
      #expect(outcome.errorLines.allSatisfy { $0.hasPrefix("coach: ") }, "\(what): \(outcome.errors)")
      if outcome.status != 0 { #expect(!outcome.errors.isEmpty, "\(what)") }
    }
    let list = try program.run(["history", "list", "--format", "jsonl"])
    #expect(list.status == 0 && list.lines.count <= 1, "\(what): \(list.output) \(list.errors)")
    if list.lines.isEmpty {
      // Only where nothing could be recorded at all, which was told.
      #expect(fault == .kill ? !isRecorded(program) : outcome.status != 0, "\(what): nothing is kept")
    } else {
      try check(program, list, isWhole: outcome.status == 0, what)
    }
    let again = try program.run(["history", "list", "--format", "jsonl"])
    #expect(again.output == list.output && again.errors.isEmpty, "\(what): \(again.errors)")
    let history = History(dataFolder: program.data)
    let findings = try await history.check { _ in }
    await history.close()
    #expect(findings.isEmpty, "\(what): \(findings)")
    return isReached
  }

  private func isRecorded(_ program: CoachProgram) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions")) ?? []
    return names.contains { FileManager.default.fileExists(atPath: program.data + "/sessions/\($0)/heart_rate.csv") }
  }

  /// The log is the beginning of what was sent, and all of it where the program said that all went well.
  private func check(_ program: CoachProgram, _ list: CoachProgram.Outcome, isWhole: Bool, _ what: String) throws {
    let log = try program.session().appendingPathComponent("heart_rate.csv")
    let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    let rows = text.split(separator: "\n").dropFirst().map { $0.drop { $0 != "," }.dropFirst() }
    #expect(Self.rows.prefix(rows.count).elementsEqual(rows.map(String.init)), "\(what)")
    #expect(text.isEmpty || text.hasSuffix("\n"), "\(what)")
    let isComplete = list.output.contains(#""state":"complete""#)
    if isWhole { #expect(isComplete, "\(what): the program said that all went well") }
    if isComplete { #expect(rows.count == Self.rows.count, "\(what)") }
  }
}

import Foundation
import CoachService
import Testing
import TextFormats
import WorkoutHistory
@testable import coach
@testable import WorkoutTestSupport

@Suite("The program on a disk that fails", .enabled(if: !SanitizedBuild.isRunning, "needs a build without sanitizer"))
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

  @Test("lets everybody list and show what is there while it is full")
  func full() throws {
    let program = try CoachProgram()
    let recorded = try program.run(["live", "--age", "23", "--target", "z2"], input: Self.input)
    #expect(recorded.status == 0, "\(recorded.errors)")
    let name = try program.session().lastPathComponent
    for verb in [["list"], ["show", name], []] {
      let (outcome, isReached) = try program.run(["history"] + verb + ["--format", "json"], fault: .always, at: 1)
      #expect(isReached, "\(verb)")
      #expect(outcome.status == 0, "\(verb): \(outcome.errors)")
      #expect(outcome.output.contains(name), "\(verb): \(outcome.output)")
    }
    let (deleted, _) = try program.run(["history", "delete", name, "--yes"], fault: .always, at: 1)
    #expect([73, 74].contains(deleted.status), "\(deleted.errors)")
    #expect(deleted.isOneComplaint, "\(deleted.errors)")
    #expect(try program.run(["history", "check"]).status == 0)
    #expect(try program.run(["history", "delete", name, "--yes"]).status == 0)
  }

  /// Records a session with a fault at the call with a number; whether that was reached.
  private func run(_ fault: DiskFault, at number: Int) async throws -> Bool {
    let program = try CoachProgram()
    let what = "\(fault) at call \(number)"
    let (outcome, isReached) = try program.run(
      ["live", "--age", "23", "--target", "z2", "--strategy", "moment:every=10", "--format", "jsonl"],
      input: Self.input, fault: fault, at: number)
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
    #expect(list.status == 0, "\(what): \(list.output) \(list.errors)")
    #expect(list.lines.count <= 1, "\(what): \(list.output) \(list.errors)")
    if list.lines.isEmpty {
      // Only where nothing could be recorded at all, which was reported.
      #expect(fault == .kill ? !isRecorded(program) : outcome.status != 0, "\(what): nothing is kept")
    } else {
      try check(program, list, isWhole: outcome.status == 0, what)
    }
    // Nothing is left to do for another start, which is asked without one, because there are many calls.
    let history = History(dataFolder: StoredPath(dataFolder: program.data))
    let rest = try await history.recover()
    let findings = try await history.check { _ in }
    let count = try await history.sessions(History.Filter()).count
    await history.close()
    #expect(rest.isEmpty, "\(what): \(rest)")
    #expect(findings.isEmpty, "\(what): \(findings)")
    #expect(count == list.lines.count, "\(what)")
    return isReached
  }

  @Test("imports a workout or does not, whichever call fails or is its last", arguments: DiskFault.allCases)
  func everyCallOfAnImport(fault: DiskFault) async throws {
    let program = try CoachProgram()
    let files = try (1...2).map { day in
      let rows = (0..<60).map { "2026-03-0\(day)T08:00:\($0 < 10 ? "0" : "")\($0)Z,\(120 + $0 % 7)\n" }
      let url = program.folder.url.appendingPathComponent("day-\(day).csv")
      try Data(("time,heart_rate\n" + rows.joined()).utf8).write(to: url)
      return url.path
    }
    #expect(try program.run(Self.importing + [files[0]]).status == 0)
    let original = program.folder.url.appendingPathComponent("original").path
    try FileManager.default.moveItem(atPath: program.data, toPath: original)
    var reached = 0
    for number in 1...1_000 {
      try? FileManager.default.removeItem(atPath: program.data)
      try FileManager.default.copyItem(atPath: original, toPath: program.data)
      guard try await importWorkout(program, files[1], fault, at: number) else { break }
      reached = number
    }
    #expect((20...999).contains(reached), "\(fault): \(reached) calls that change files")
  }

  private static let importing = ["import", "--age", "23", "--target", "z2", "--format", "jsonl"]

  /// Imports a recording into a history of another one with a fault at the call with a number; whether that was reached.
  private func importWorkout(
    _ program: CoachProgram, _ file: String, _ fault: DiskFault, at number: Int
  ) async throws -> Bool {
    let what = "\(fault) at call \(number)"
    let (outcome, isReached) = try program.run(Self.importing + [file], fault: fault, at: number)
    #expect(
      (fault == .kill && isReached) == (outcome.status == SIGKILL), "\(what): \(outcome.status) \(outcome.errors)")
    if fault != .kill {
      #expect([0, 69, 73, 74].contains(outcome.status), "\(what): \(outcome.status)")
      #expect(outcome.errorLines.allSatisfy { $0.hasPrefix("coach: ") }, "\(what): \(outcome.errors)")
      #expect((outcome.status == 0) == outcome.errors.isEmpty, "\(what): \(outcome.errors)")
    }
    // The next start takes it, or knows that it is there.
    let kept = try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions").count
    #expect((1...2).contains(kept), "\(what): \(kept) folders")
    let again = try program.run(Self.importing + [file])
    let isKnown = again.output.contains(#""status":"duplicate""#)
    #expect(again.status == 0, "\(what): \(again.output) \(again.errors)")
    #expect(again.errors.isEmpty, "\(what): \(again.output) \(again.errors)")
    #expect(isKnown == (kept == 2), "\(what): \(again.output) \(again.errors)")
    if outcome.status == 0 { #expect(isKnown, "\(what): the program said that all went well") }
    let names = try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions")
    #expect(names.count == 2, "\(what): \(names)")
    for name in names {
      let log = URL(fileURLWithPath: program.data + "/sessions/\(name)/heart_rate.csv")
      #expect(try String(contentsOf: log, encoding: .utf8).split(separator: "\n").count == 61, "\(what)")
    }
    let history = History(dataFolder: StoredPath(dataFolder: program.data))
    let findings = try await history.check { _ in }
    let count = try await history.sessions(History.Filter()).count
    await history.close()
    #expect(findings.isEmpty, "\(what): \(findings)")
    #expect(count == 2, "\(what)")
    return isReached
  }

  @Test(
    "imports all workouts of a file or some of them, each as a whole, whichever call fails or is its last",
    arguments: DiskFault.allCases)
  func callsOfManyWorkouts(fault: DiskFault) async throws {
    let program = try CoachProgram()
    let count = 10
    let records = (1...count).flatMap { day in
      (0..<5).map { second in
        let time = "2026-03-\(day < 10 ? "0" : "")\(day) 08:00:0\(second) +0000"
        return "<Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"Watch\" unit=\"count/min\" "
          + "startDate=\"\(time)\" endDate=\"\(time)\" value=\"\(100 + day + second)\"/>"
      }
    }
    let file = try program.folder.write("<HealthData>" + records.joined() + "</HealthData>", to: "export.xml")
    var reached = 0
    for number in stride(from: 1, to: 2_000, by: 29) {
      try? FileManager.default.removeItem(atPath: program.data)
      guard try await importMany(program, file, of: count, fault, at: number) else { break }
      reached = number
    }
    #expect((100...1_900).contains(reached), "\(fault): \(reached) calls that change files")
  }

  /// Imports a file with many workouts with a fault at the call with a number; whether that was reached.
  private func importMany(
    _ program: CoachProgram, _ file: String, of count: Int, _ fault: DiskFault, at number: Int
  ) async throws -> Bool {
    let what = "\(fault) at call \(number)"
    let (outcome, isReached) = try program.run(Self.importing + [file], fault: fault, at: number)
    #expect(
      (fault == .kill && isReached) == (outcome.status == SIGKILL), "\(what): \(outcome.status) \(outcome.errors)")
    let kept = (try? FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions")) ?? []
    let reported = outcome.lines.filter { $0.contains(#""status":"added""#) }
    #expect(reported.allSatisfy { line in kept.contains { line.contains($0) } }, "\(what): \(outcome.output)")
    if outcome.status == 0 { #expect(reported.count == count, "\(what)") }
    let again = try program.run(Self.importing + [file])
    #expect(again.status == 0, "\(what): \(again.output) \(again.errors)")
    #expect(again.lines.count { $0.contains(#""status":"added""#) } == count - kept.count, "\(what): \(again.output)")
    #expect(again.lines.count { $0.contains(#""status":"duplicate""#) } == kept.count, "\(what): \(again.output)")
    let names = try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions")
    #expect(names.count == count, "\(what): \(names)")
    let left = try FileManager.default.contentsOfDirectory(atPath: program.data + "/importing").sorted()
    #expect(left == ["lock", "turn"], "\(what)")
    let history = History(dataFolder: StoredPath(dataFolder: program.data))
    let findings = try await history.check { _ in }
    let sessions = try await history.sessions(History.Filter()).count
    await history.close()
    #expect(findings.isEmpty, "\(what): \(findings)")
    #expect(sessions == count, "\(what)")
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

import CoachService
import Foundation
import Glibc
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
@testable import coach
@testable import WorkoutTestSupport

@Suite("The program: motion in binary")
struct MotionLogEndToEndTests {
  @Test("It is kept as text when nothing is said, and where text is said")
  func text() throws {
    for kind in [nil, "csv"] {
      let program = try MotionSession.recorded(kind)
      let names = try FileManager.default.contentsOfDirectory(atPath: program.session().path)
      #expect(names.contains("motion.csv"), "\(names)")
      #expect(!names.contains("motion.bin"), "\(names)")
      let manifest = String(decoding: try MotionSession.file("manifest.json", of: program), as: UTF8.self)
      #expect(!manifest.contains("motionLog"))
    }
  }

  @Test("The binary log has the very text, in a fraction of its bytes, and every verb prints the same of both")
  func everyVerb() throws {
    let (text, binary) = (try MotionSession.recorded("csv"), try MotionSession.recorded("binary"))
    let whole = try MotionSession.file("motion.csv", of: text)
    #expect(whole.split(separator: UInt8(ascii: "\n")).count == 1 + 30 * 50 + 10 + 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: binary.session().path)
    #expect(!names.contains("motion.csv"), "\(names)")
    let size = try MotionSession.file("motion.bin", of: binary).count
    #expect(size < whole.count / 3, "\(size) of \(whole.count) bytes")
    for path in [try binary.session().path, try binary.session().path + "/motion.bin"] {
      let printed = try binary.run(["motion", "text", path])
      #expect(printed.status == 0, "\(printed.errors)")
      #expect(printed.errors == "")
      #expect(Data(printed.output.utf8) == whole)
    }
    #expect(try MotionSession.file("commands.csv", of: binary) == MotionSession.file("commands.csv", of: text))
    let folder = "FOLDER"
    let verbs: [[String]] = [
      ["replay", folder, "--format", "jsonl"], ["inspect", folder, "--format", "jsonl"],
      ["history", "hourly", "--format", "jsonl"], ["history", "quality", "latest", "--format", "jsonl"],
      ["history", "export", "latest", "--as", "csv"], ["history", "export", "latest", "--as", "sensogather-csv"],
      ["history", "export", "latest", "--as", "tcx"], ["motion", "steps", folder, "--format", "jsonl"],
      ["history", "check"], ["history", "rebuild"], ["history", "check"],
      ["history", "show", "latest", "--format", "jsonl"],
    ]
    for verb in verbs {
      let printed = try MotionSession.printed(verb, of: [text, binary])
      let (one, other) = (printed[0], printed[1])
      #expect(!one.isEmpty, "\(verb)")
      #expect(one == other, "\(verb)")
    }
  }

  @Test("In a folder that is named no link is followed and no pipe waited for")
  func strangers() throws {
    let program = try MotionSession.recorded("binary")
    let session = try program.session()
    let log = session.appendingPathComponent("motion.bin").path
    let secret = try program.folder.write("secret", to: "secret.txt")
    for plant in [{ unsafe symlink(secret, log) }, { unsafe mkfifo(log, 0o600) }] {
      try FileManager.default.removeItem(atPath: log)
      try #require(plant() == 0)
      let printed = try program.run(["motion", "text", session.path], seconds: 60)
      #expect(printed.status == 65, "\(printed.errors)")
      #expect(printed.isOneComplaint, "\(printed.errors)")
      #expect(printed.output == "")
    }
  }

  @Test("Damage is named with its byte by those who read and by the check, and what is behind it counts")
  func damage() throws {
    let program = try MotionSession.recorded("binary")
    let session = try program.session()
    let log = session.appendingPathComponent("motion.bin")
    let whole = try program.run(["motion", "text", session.path])
    var bytes = try Data(contentsOf: log)
    bytes[200] ^= 1
    try bytes.write(to: log)
    let printed = try program.run(["motion", "text", session.path])
    #expect(printed.status == 0, "\(printed.errors)")
    #expect(printed.errorLines.count == 1, "\(printed.errors)")
    #expect(printed.errors.contains("motion.bin: byte "), "\(printed.errors)")
    let lost = whole.lines.count - printed.lines.count
    #expect(printed.errors.contains(" \(lost) rows are lost"), "\(printed.errors)")
    #expect((1...1_023).contains(lost))
    #expect(printed.lines.suffix(400) == whole.lines.suffix(400), "what is behind it")
    let replay = try program.run(["replay", session.path])
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(replay.errors.contains("motion.bin"), "\(replay.errors)")
    let check = try program.run(["history", "check"])
    #expect(check.status == 1, "\(check.errors)")
    #expect(check.output.contains("a log is damaged before its end: motion.bin: byte "), "\(check.output)")
    // Nothing has changed it.
    #expect(try Data(contentsOf: log) == bytes)
  }

  @Test("A service keeps the log where it keeps the session, which is said")
  func server() throws {
    let program = try CoachProgram()
    let outcome = try program.run(
      MotionSession.options + ["--motion-log", "binary", "--server", "http://127.0.0.1:1"], input: "")
    #expect(outcome.status == 64)
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.errors.contains("--motion-log"), "\(outcome.errors)")
  }
}

@Suite(
  "Motion in binary on a disk that fails", .enabled(if: !SanitizedBuild.isRunning, "needs a build without sanitizer"))
struct MotionLogFaultTests {
  @Test(
    "Whole blocks of all that was taken are kept, whichever call fails or is its last", arguments: DiskFault.allCases)
  func everyCall(fault: DiskFault) async throws {
    let whole = try MotionSession.file("motion.csv", of: MotionSession.recorded("csv"))
    var reached = 0
    for number in 1...1_000 {
      guard try await run(fault, at: number, whole) else { break }
      reached = number
    }
    #expect((10...999).contains(reached), "\(fault): \(reached) calls that change files")
  }

  private func run(_ fault: DiskFault, at number: Int, _ whole: Data) async throws -> Bool {
    let program = try CoachProgram()
    let what = "\(fault) at call \(number)"
    let (outcome, isReached) = try program.run(
      MotionSession.options + ["--motion-log", "binary"], input: MotionSession.input, fault: fault, at: number)
    // The next start closes what was left.
    let history = History(dataFolder: StoredPath(dataFolder: program.data))
    _ = try await history.recover()
    let findings = try await history.check { _ in }
    await history.close()
    #expect(findings.isEmpty, "\(what): \(findings)")
    let sessions = (try? FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions")) ?? []
    guard let name = sessions.first else { return isReached }
    let place = SessionFolder.path(of: name, in: StoredPath(dataFolder: program.data)) + "/motion.bin"
    guard FileSystem.exists(place) else {
      #expect(outcome.status != 0, "\(what): no log")
      return isReached
    }
    var log = try MotionLogReader(path: place)
    var text: [UInt8] = []
    try log.forEachPiece { text.append(span: $0) }
    #expect(log.problems.isEmpty, "\(what): \(log.problems)")
    #expect(whole.starts(with: text), "\(what)")
    #expect(text.last.map { $0 == UInt8(ascii: "\n") } ?? true, "\(what)")
    if outcome.status == 0 { #expect(text.count == whole.count, "\(what)") }
    return isReached
  }
}

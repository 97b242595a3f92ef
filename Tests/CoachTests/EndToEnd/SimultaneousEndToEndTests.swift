import Foundation
@testable import SessionStore
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutTestSupport

@Suite("The program: several processes on one data folder")
struct SimultaneousEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  /// A process that was started, and where its output goes.
  private struct Started {
    let what: String
    let child: ChildProgram
    let output: String
    let errors: String

    /// Waits for its end and gives what came of it.
    func outcome() throws -> CoachProgram.Outcome {
      child.waitUntilExit(seconds: 600)
      return CoachProgram.Outcome(
        status: child.terminationStatus, output: try String(contentsOfFile: output, encoding: .utf8),
        errors: try String(contentsOfFile: errors, encoding: .utf8))
    }
  }

  private func start(_ arguments: [String], input: String? = nil) throws -> Started {
    let child = program.process(arguments)
    let paths = try ["", "", input ?? ""].map { try program.folder.write($0, to: UUID().uuidString) }
    child.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: paths[0]))
    child.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: paths[1]))
    child.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: paths[2]))
    try child.run()
    return Started(what: arguments.joined(separator: " "), child: child, output: paths[0], errors: paths[1])
  }

  private static let importing = ["import", "--age", "30", "--target", "z2", "--format", "jsonl"]

  /// A recording of a minute; each number is another workout.
  private func workout(_ number: Int) throws -> String {
    // Somebody may be reading it already.
    let path = program.folder.url.path + "/workout-\(number).csv"
    if FileSystem.exists(path) { return path }
    let rows = (0..<60).map { "\(1_700_000_000 + number * 1_000 + $0),\(110 + ($0 + number) % 25)\n" }
    return try program.folder.write("time,hr\n" + rows.joined(), to: "workout-\(number).csv")
  }

  private static func live(_ number: Int) -> String {
    (0...60).map { second in
      let time = WallClockTime(secondsSinceEpoch: Int64(1_600_000_000 + number * 1_000 + second))
      return "{\"type\":\"heartRate\",\"time\":\"\(time?.description ?? "")\","
        + "\"beatsPerMinute\":\(110 + second % 20)}\n"
    }.joined()
  }

  private var dataFolder: StoredPath { StoredPath(dataFolder: program.data) }

  private func folders() throws -> [String] {
    let sessions = program.data + "/sessions"
    return FileSystem.isFolder(sessions) ? try FileSystem.list(sessions) : []
  }

  /// Holds the index against the folders: no finding, and an index that is made anew lists the same.
  private func expectAgreement(_ what: String) throws {
    let check = try program.run(["history", "check"])
    #expect(check.status == 0, "\(what): \(check.output)\(check.errors)")
    #expect(check.errors.isEmpty, "\(what): \(check.output)\(check.errors)")
    let list = try program.run(["history", "list", "--format", "jsonl"])
    #expect(list.status == 0, "\(what): \(list.errors)")
    let listed = list.lines.count
    let kept = try folders().count
    #expect(listed == kept, "\(what)")
    for suffix in ["", "-wal", "-shm"] { try FileSystem.removeTree(program.data + "/coach.sqlite" + suffix) }
    let anew = try program.run(["history", "list", "--format", "jsonl"])
    #expect(anew.output == list.output, "\(what): the index equals one that is made anew")
  }

  @Test("Twenty imports at once of different workouts all wait for their turn")
  func differentImports() throws {
    let started = try (0..<20).map { try start(Self.importing + [workout($0)]) }
    for one in started {
      let outcome = try one.outcome()
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.isEmpty, "\(outcome.errors)")
      #expect(outcome.output.contains("\"status\":\"added\""), "\(outcome.output)")
    }
    let kept = try folders().count
    #expect(kept == 20)
    try expectAgreement("twenty imports")
  }

  @Test("Of twenty imports at once of the same workout one adds it, and the others find it")
  func sameImports() throws {
    let path = try workout(1)
    let started = try (0..<20).map { _ in try start(Self.importing + [path]) }
    let outcomes = try started.map { try $0.outcome() }
    for outcome in outcomes {
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }
    #expect(outcomes.count { $0.output.contains("\"status\":\"added\"") } == 1)
    #expect(outcomes.count { $0.output.contains("\"status\":\"duplicate\"") } == 19)
    try expectAgreement("twenty imports of one workout")
  }

  @Test("Rebuilds, imports, live sessions, deletions and readers at once end well and leave an index like the folders")
  func everything() throws {
    for seed in UInt64(0)..<4 {
      var random = SplitMix64(seed: seed)
      for number in 0..<6 { _ = try program.run(Self.importing + [workout(number)]) }
      var started: [Started] = []
      let victims = try folders().shuffled(using: &random).prefix(3)
      for number in 0..<4 { started.append(try start(Self.importing + [workout(6 + random.int(0...5) + number)])) }
      for victim in victims { started.append(try start(["history", "delete", "--yes", victim])) }
      for number in 0..<2 {
        let lines = Self.live(Int(seed) * 10 + number)
        started.append(try start(["live", "--age", "30", "--target", "z2", "--clock", "samples"], input: lines))
      }
      let archive = program.folder.url.path + "/backup.tar.gz"
      for verb in [["rebuild"], ["rebuild"], ["check"], ["list"], ["backup", "--force", archive]] {
        started.append(try start(["history"] + verb))
      }
      for one in started {
        let outcome = try one.outcome()
        #expect(outcome.status == 0, "seed \(seed), \(one.what): \(outcome.output)\(outcome.errors)")
      }
      try expectAgreement("seed \(seed)")
    }
  }

  @Test("Pages that are written at once under a free name all succeed, and one is there", arguments: [["--force"], []])
  func pages(options: [String]) throws {
    _ = try program.run(Self.importing + [workout(0)])
    let page = program.folder.url.path + "/page.html"
    var roundsAtOnce = 0
    for round in 0..<8 {
      try FileSystem.removeTree(page)
      let started = try (0..<6).map { _ in try start(["report", "latest", "--output", page] + options) }
      var late = 0
      for one in started {
        let outcome = try one.outcome()
        // One that is so slow to start that another one has ended finds the name taken.
        if options.isEmpty, outcome.status == 73, outcome.errors.contains("is there already") {
          late += 1
          continue
        }
        #expect(outcome.status == 0, "round \(round): \(outcome.errors)")
      }
      #expect(late < started.count, "round \(round)")
      if late == 0 { roundsAtOnce += 1 }
      #expect(try FileSystem.status(page)?.isRegular == true, "round \(round)")
    }
    // A build that is slow to start may never have all of them at once.
    if !SanitizedBuild.isRunning { #expect(roundsAtOnce > 0) }
    let names = try FileSystem.list(program.folder.url.path)
    #expect(!names.contains { $0.hasPrefix("page.html") && $0 != "page.html" })
  }

  @Test("An erasure of a person beside an import of theirs leaves nothing of them")
  func erasedMeanwhile() throws {
    let profile = ["profile", "create", "anna", "--birth-date", "1990-05-17"]
    for round in 0..<4 {
      #expect(try program.run(profile).status == 0)
      let files = try (0..<12).map { try workout(100 * round + $0) }
      let importing = try start(["import", "--profile", "anna", "--target", "z2", "--format", "jsonl"] + files)
      let erasing = try start(["profile", "delete", "anna", "--all-data", "--yes"])
      let (erased, imported) = (try erasing.outcome(), try importing.outcome())
      #expect(erased.status == 0, "round \(round): \(erased.errors)")
      // What comes after it is refused.
      #expect([0, 66].contains(imported.status), "round \(round): \(imported.errors)")
      #expect(try folders().isEmpty, "round \(round)")
      try expectAgreement("round \(round)")
    }
  }

  @Test("A deletion that runs disturbs nobody, and one that was cut off is finished by the next start")
  func runningDeletion() throws {
    for number in 0..<3 { _ = try program.run(Self.importing + [workout(number)]) }
    let names = try folders()
    let gone = try #require(names.first)
    let held = try HeldFolder.take(dataFolder + "/sessions/" + gone, waitingMilliseconds: 0)
    guard case .held(let folder) = held else {
      Issue.record("\(held)")
      return
    }
    try FileSystem.createFolder(program.data + "/deleted")
    try FileSystem.rename(program.data + "/sessions/" + gone, to: program.data + "/deleted/" + gone)
    let archive = program.folder.url.path + "/backup.tar.gz"
    for arguments in [
      ["history", "check"], ["history", "list"], ["history", "backup", archive],
      ["report", "--days", "36500", "--output", "-"], ["history", "rebuild"], ["history", "check"],
      ["history", "delete", "--yes", names[1]],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.output)\(outcome.errors)")
      #expect(outcome.errors.isEmpty, "\(arguments): \(outcome.output)\(outcome.errors)")
    }
    #expect(FileSystem.isFolder(program.data + "/deleted/" + gone), "it is left to the process that is at it")
    folder.release()
    let next = try program.run(["history", "list"])
    #expect(next.status == 0)
    #expect(next.errors == "coach: \(gone): its deletion was cut off, and is finished now\n")
    #expect(!FileSystem.exists(program.data + "/deleted"))
    try expectAgreement("after the deletions")
  }

  @Test("An index whose making was cut off is made anew by the next start")
  func cutOffRebuild() throws {
    for number in 0..<3 { _ = try program.run(Self.importing + [workout(number)]) }
    for suffix in ["", "-wal", "-shm"] { try FileSystem.removeTree(program.data + "/coach.sqlite" + suffix) }
    // A check makes an empty index and fills it with nothing.
    let check = try program.run(["history", "check"])
    #expect(check.status == 1, "\(check.output)")
    #expect(check.lines.count == 3, "\(check.output)")
    let list = try program.run(["history", "list", "--format", "jsonl"])
    #expect(list.lines.count == 3)
    #expect(list.errors == "coach: \(program.data): the index was not whole and is made anew from 3 sessions\n")
    let again = try program.run(["history", "list", "--format", "jsonl"])
    #expect(again.output == list.output, "\(again.errors)")
    #expect(again.errors.isEmpty, "\(again.errors)")
  }

  @Test("A second live session says that there is one, and both are kept")
  func secondLive() throws {
    let first = program.process(["live", "--age", "30", "--target", "z2", "--clock", "samples"])
    let pipe = Pipe()
    first.standardInput = pipe
    first.standardOutput = FileHandle.nullDevice
    first.standardError = FileHandle.nullDevice
    try first.run()
    let lines = Self.live(1).split(separator: "\n").map { $0 + "\n" }
    // The stamps are not of now, so that the first one alone does not begin the session.
    try pipe.fileHandleForWriting.write(contentsOf: Data(lines[..<3].joined().utf8))
    var running: [String] = []
    for _ in 0..<3_000 where running.isEmpty {
      running = try FollowedSession.running(in: dataFolder)
      usleep(10_000)
    }
    let name = try #require(running.first)
    let second = try program.run(["live", "--age", "30", "--target", "z2", "--clock", "samples"], input: Self.live(2))
    #expect(second.status == 0)
    #expect(second.errors == "coach: \(name): is being recorded in \(program.data) too: both sessions are kept\n")
    let unsaved = try program.run(["live", "--age", "30", "--no-save", "--clock", "samples"], input: Self.live(3))
    #expect(unsaved.errors.isEmpty, "\(unsaved.errors)")
    try pipe.fileHandleForWriting.close()
    first.waitUntilExit()
    #expect(first.terminationStatus == 0)
    let third = try program.run(["live", "--age", "30", "--target", "z2", "--clock", "samples"], input: Self.live(4))
    #expect(third.status == 0, "\(third.errors)")
    #expect(third.errors.isEmpty, "\(third.errors)")
    let kept = try folders().count
    #expect(kept == 3)
    try expectAgreement("two live sessions")
  }
}

import Foundation
import Testing

@Suite("The program: live sessions with odd times, RR intervals and odd commands")
struct LiveClockEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private static let options = [
    "live", "--age", "23", "--target", "z2", "--strategy", "moment:every=30", "--activity", "running",
  ]

  private static func line(_ time: String, _ bpm: Int, _ more: String = "") -> String {
    #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":\#(bpm)\#(more)}"# + "\n"
  }

  private static func time(_ second: Int) -> String {
    String(format: "2026-03-20T%02d:%02d:%02dZ", 7 + second / 3_600, second / 60 % 60, second % 60)
  }

  private static func good(_ seconds: Range<Int>, shift: Int = 0) -> String {
    seconds.map { line(time($0 + shift), 125) }.joined()
  }

  private func decided(_ outcome: CoachProgram.Outcome) -> [Substring] {
    outcome.lines.filter { !$0.contains(#""type":"acknowledgement""#) && !$0.contains(#""type":"ended""#) }.dropLast()
  }

  @Test(
    "A lone bad time is kept, reported once, decides nothing, and costs no cue",
    arguments: ["1970-01-01T00:00:00Z", "2026-03-20T13:01:00Z", "2099-01-01T00:00:00Z", "2026-03-19T07:00:00Z"],
    [0, 61])
  func lone(time: String, place: Int) throws {
    let input = Self.good(0..<place) + Self.line(time, 90) + Self.good(place..<301)
    let outcome = try program.run(Self.options + ["--format", "jsonl"], input: input)
    #expect(outcome.status == 0)
    #expect(outcome.lines.filter { $0.contains(#""type":"cue""#) }.count == 10)
    #expect(outcome.lines.filter { $0.contains("implausibleTime") && $0.contains(#""type":"rejected""#) }.count == 1)
    #expect(outcome.errorLines.count == 1)
    #expect(
      outcome.errors.contains("heartRate of \(time): far from the time of the session: kept"), "\(outcome.errors)")
    let summary = try #require(outcome.lines.last)
    #expect(summary.contains(#""activeSeconds":300,"#), "\(summary)")
    #expect(summary.contains(#""accepted":301,"rejected":1,"late":0,"duplicate":0,"implausibleTime":1"#), "\(summary)")
    let session = try program.session()
    let rows = try String(contentsOf: session.appendingPathComponent("heart_rate.csv"), encoding: .utf8)
      .split(separator: "\n")
    #expect(rows.count == 303)
    #expect(rows[place + 1] == "\(time),,90")
    let manifest = try String(contentsOf: session.appendingPathComponent("manifest.json"), encoding: .utf8)
    #expect(manifest.contains(#""startTime": "2026-03-20T07:00:00Z""#))
    let replayed = try program.run(["replay", session.path, "--format", "jsonl"])
    #expect(replayed.errors.isEmpty)
    #expect(decided(replayed) == decided(outcome))
    #expect(try program.run(["history", "check"]).status == 0)
    for verb in [
      ["history", "quality", session.lastPathComponent], ["compare", session.path, "--strategy", "period"],
    ] {
      #expect(try program.run(verb).status == 0, "\(verb)")
    }
  }

  @Test("A clock that is set in a run is followed from the third sample on", arguments: [7_200, -180, -30])
  func clockSet(shift: Int) throws {
    let input = Self.good(0..<200) + Self.good(200..<400, shift: shift)
    let outcome = try program.run(Self.options + ["--format", "jsonl"], input: input)
    #expect(outcome.lines.filter { $0.contains(#""type":"cue""#) }.count == 13)
    let summary = try #require(outcome.lines.last)
    #expect(summary.contains(#""activeSeconds":399,"#), "\(summary)")
    let side = shift < 0 ? "behind" : "ahead of"
    #expect(outcome.errors.contains("the clock is \(abs(shift)) s \(side) what it was"), "\(outcome.errors)")
    let session = try program.session()
    let replayed = try program.run(["replay", session.path, "--format", "jsonl"])
    #expect(decided(replayed) == decided(outcome))
    let rows = try String(contentsOf: session.appendingPathComponent("heart_rate.csv"), encoding: .utf8)
      .split(separator: "\n")
    #expect(rows.count == 401)
    #expect(rows.last == "\(Self.time(399 + shift)),399,125")
  }

  @Test("The values of a profile are those of the day on which the good samples begin")
  func dayOfProfile() throws {
    _ = try program.run(["profile", "create", "anna", "--birth-date", "1990-05-17"])
    let outcome = try program.run(
      ["live", "--profile", "anna", "--target", "z2", "--format", "jsonl"],
      input: Self.line("1970-01-01T00:00:00Z", 90) + Self.good(0..<60))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let manifest = try String(contentsOf: program.session().appendingPathComponent("manifest.json"), encoding: .utf8)
    #expect(manifest.contains(#""ageYears": 35"#), "\(manifest)")
  }

  @Test("RR intervals are kept in a log of their own, decide nothing, and are written by the CSV export")
  func intervals() throws {
    func input(_ more: String) -> String {
      (0..<90).map { Self.line(Self.time($0), 120 + $0 / 3, more) }.joined()
    }
    let plain = try program.run(Self.options + ["--no-save", "--format", "jsonl"], input: input(""))
    let outcome = try program.run(
      Self.options + ["--format", "jsonl"],
      input: input(#","rrMilliseconds":[812,798.5]"#)
        + Self.line("1970-01-01T00:00:00Z", 90, #","rrMilliseconds":[700]"#))
    #expect(decided(outcome).filter { !$0.contains("rejected") } == decided(plain))
    let session = try program.session()
    let log = try String(contentsOf: session.appendingPathComponent("rr.csv"), encoding: .utf8).split(separator: "\n")
    #expect(log.count == 182)
    #expect(log[0] == "time,at_s,rr_ms")
    #expect(
      log[1...4] == [
        "2026-03-20T07:00:00Z,0,812", "2026-03-20T07:00:00Z,0,798.5", "2026-03-20T07:00:01Z,1,812",
        "2026-03-20T07:00:01Z,1,798.5",
      ])
    #expect(log.last == "1970-01-01T00:00:00Z,,700")
    let name = session.lastPathComponent
    let written = try program.run(["history", "export", name, "--as", "csv"])
    #expect(written.output.hasPrefix("time,heart_rate_bpm,rr_ms\n"), "\(written.errors)")
    #expect(written.output.contains("\n2026-03-20T07:00:01Z,,812\n2026-03-20T07:00:01Z,,798.5\n"))
    let path = try program.folder.write(written.output, to: "export.csv")
    let again = try program.run(["live", "--age", "23", "--source", "file:\(path)", "--speed", "max", "--no-save"])
    #expect(again.status == 0, "\(again.errors)")
    #expect(try program.run(["history", "check"]).status == 0)
    let quality = try program.run(["history", "quality", name, "--format", "jsonl"])
    #expect(quality.output.contains("rr.csv"), "\(quality.output)")
    #expect(try program.run(["replay", session.path]).status == 0)
  }

  @Test("A line that cannot be used is answered with what a line of its type has, a command is answered besides")
  func protocolWords() throws {
    let input =
      Self.good(0..<3) + """
        {"type":"heartrate","beatsPerMinute":1}
        {"type":"heartRate","beatsPerMinute":1}
        {"type":"steps","atSeconds":1}
        {"type":"command","id":"1","command":"jump"}
        {"type":"command","command":"pause"}

        """
    let outcome = try program.run(Self.options + ["--format", "jsonl", "--no-save"], input: input)
    #expect(
      outcome.lines.filter { $0.contains("acknowledgement") } == [
        #"{"version":1,"type":"acknowledgement","id":"1","accepted":false,"reason":"unknownCommand"}"#,
        #"{"version":1,"type":"acknowledgement","id":null,"accepted":false,"reason":"missingID"}"#,
      ])
    let errors = outcome.errorLines
    #expect(errors.count == 6)
    let words = [
      "line 4: type: expected one of the types heartRate, steps, location, altitude, motion, cadence, distance, speed, rrInterval, direction, command, found \"heartrate\"",
      "line 5: time: missing, expected time or atSeconds; a heartRate line has time or atSeconds, beatsPerMinute",
      "line 6: count: missing", "line 7: command: ", "line 8: id: missing",
    ]
    for (error, word) in zip(errors, words) { #expect(error.contains(word), "\(error)") }
    #expect(errors[3].contains("a command line has id, and command: start, pause, resume, lap, stop, target"))
  }

  @Test("What was started for a cue does not outlive the coach, however that ends", arguments: [SIGKILL, SIGTERM])
  func children(signal: Int32) async throws {
    let place = program.folder.url.path
    let run = try Running(
      program,
      [
        "--target", "z1", "--strategy", "moment:every=30", "--on-cue",
        "echo $$ >'\(place)/parent'; sleep 600 & echo $! >'\(place)/child'; wait",
      ])
    try run.send((0...70).map { #"{"type":"heartRate","atSeconds":\#($0),"beatsPerMinute":60}"# + "\n" }.joined())
    _ = run.wait(for: "cue")
    func number(_ name: String) -> pid_t? {
      (try? String(contentsOfFile: place + "/" + name, encoding: .utf8)).flatMap { pid_t($0.dropLast()) }
    }
    try await expectEventually("the program is started") { number("parent") != nil && number("child") != nil }
    let (parent, child) = (try #require(number("parent")), try #require(number("child")))
    #expect(kill(child, 0) == 0)
    run.process.send(signal)
    run.process.waitUntilExit()
    for process in [parent, child] {
      try await expectEventually("\(process) has ended") { kill(process, 0) != 0 || state(of: process) == "Z" }
    }
  }

  private func state(of process: pid_t) -> Substring? {
    (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?
      .split(separator: ")").last?.split(separator: " ").first
  }
}

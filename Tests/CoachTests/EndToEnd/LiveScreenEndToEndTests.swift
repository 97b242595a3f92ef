import Foundation
import Testing

@Suite("The program: a run in a terminal", .serialized, .onOwnThread)
struct LiveScreenEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private static let simulated = "\"$COACH\" live --age 23 --target z2 --strategy moment:every=30 --source simulated"

  private func sessions() throws -> [CoachedLine] {
    try program.run(["history", "list", "--format", "jsonl"]).lines.map { CoachedLine(text: String($0)) }
  }

  /// A line of the list of sessions.
  private struct CoachedLine {
    let text: String
    var isRecovered: Bool { text.contains(#""state":"recovered""#) }
  }

  /// The only session in the history, once it is there.
  private func session() async throws -> CoachedLine {
    let deadline = Date(timeIntervalSinceNow: 60)
    var lines = try sessions()
    while lines.isEmpty, Date() < deadline {
      try await Task.sleep(for: .milliseconds(100))
      lines = try sessions()
    }
    #expect(lines.count == 1)
    return try #require(lines.first)
  }

  @Test("A run of ten minutes, from the first sample to the history")
  func whole() async throws {
    let terminal = try await program.terminal(running: Self.simulated + " --speed 100 --duration 10m")
    try await terminal.expect("Saved in", "the summary comes when the time is up")
    #expect(try terminal.capture().contains("In the target (119–137 bpm)"))
    try await terminal.expectSane()
    #expect(try await session().text.contains(#""activeSeconds":600"#))
  }

  @Test("Each cue is seen, on the smallest screen too", arguments: [(80, 24), (40, 12)])
  func cues(columns: Int, rows: Int) async throws {
    // Below, in and above the target, a minute each, at ten times the speed.
    let levels = [100, 128, 150]
    let csv = "time_s,hr\n" + (0..<360).map { "\($0),\(levels[$0 / 60 % 3])\n" }.joined()
    _ = try program.folder.write(csv, to: "run.csv")
    let terminal = try await program.terminal(
      columns: columns, rows: rows,
      running: "\"$COACH\" live --age 23 --target z2 --strategy moment:every=30 --source file:$HOME/run.csv --speed 10")
    try await terminal.expect("▲ SPEED UP")
    try await terminal.expect("● HOLD")
    try await terminal.expect("▼ SLOW DOWN")
    try await terminal.expect("▲ SPEED UP")
    try terminal.type("C-c")
    try await terminal.expectSane()
  }

  @Test("A signal that is lost is reported, and reported when it is back")
  func loss() async throws {
    // Readings stop for half a minute of the wall clock, which shows the silence by itself.
    let line = #"printf '{"type":"heartRate","atSeconds":%s,"beatsPerMinute":128}\n' $i"#
    let terminal = try await program.terminal(
      running: "(for i in 0 1 2 3; do \(line); done; sleep 24; for i in 24 25 26; do \(line); done; sleep 60) | "
        + "\"$COACH\" live --age 23 --target z2 --strategy moment:every=5 --clock wall")
    try await terminal.expect("● HOLD")
    try await terminal.expect("check the strap")
    #expect(try !terminal.capture().contains("HOLD"), "no cue is shown any more")
    try await terminal.expect("signal restored: 128 bpm", "it is reported when it is back")
    try await terminal.expect("bpm  Z2 Weight control")
    try terminal.type("C-c")
    try await terminal.expect("Saved in")
    try await terminal.expectSane()
  }

  /// A run whose cues are counted by what is spoken.
  private static let spoken = simulated + " --speed 10 --say-command 'echo {} >>\"$HOME/said\"'"

  /// How many sentences were spoken.
  private var sentences: Int {
    let text = (try? String(contentsOfFile: program.folder.url.path + "/said", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").count
  }

  /// Waits until more is spoken.
  private func hearMore() async throws {
    let before = sentences
    try await expectEventually("cues are spoken") { sentences > before + 1 }
  }

  @Test("Ctrl-S, beside the key of the strategies, stops nothing")
  func unstopped() async throws {
    let terminal = try await program.terminal(running: Self.simulated + " --speed 10")
    try await terminal.expect("bpm  Z")
    try terminal.type("C-s")
    try terminal.type("Space")
    try await terminal.expect("space goes on")
    try terminal.type("q", "y")
    try await terminal.expect("Saved in")
    try await terminal.expectSane()
  }

  @Test("A terminal that takes nothing holds nothing up, and shows where the run is once it takes something again")
  func stalled() async throws {
    let terminal = try await program.terminal(running: Self.spoken)
    try await terminal.expect("bpm  Z")
    try terminal.take(false)
    try await hearMore()
    try terminal.take(true)
    try terminal.type("Space")
    try await terminal.expect("space goes on")
    let paused = try terminal.capture().split(separator: "\n").first ?? ""
    #expect(paused.contains("‖ paused"))
    try terminal.type("q", "y")
    try await terminal.expect("Saved in")
    try await terminal.expectSane()
    #expect(try await !session().isRecovered)
  }

  @Test("A run ends at a terminal that takes nothing, and that is as it was once it takes something again")
  func stalledEnd() async throws {
    let terminal = try await program.terminal(running: Self.simulated + " --speed 10; echo \"status $?\"")
    try await terminal.expect("bpm  Z")
    let process = try await terminal.coach()
    try terminal.take(false)
    kill(process, SIGTERM)
    try await expectEventually("it ends") { kill(process, 0) != 0 }
    #expect(try await !session().isRecovered)
    try terminal.take(true)
    try await terminal.expect("status 143")
    try await terminal.expectSane()
  }

  @Test("A terminal that takes nothing and is then closed loses nothing of the run")
  func stalledAndClosed() async throws {
    let terminal = try await program.terminal(running: Self.spoken)
    try await terminal.expect("bpm  Z")
    try terminal.take(false)
    try await hearMore()
    terminal.close()
    let kept = try await session()
    #expect(!kept.isRecovered)
    let decisions = try String(
      contentsOf: program.session().appendingPathComponent("decisions.jsonl"), encoding: .utf8)
    #expect(decisions.components(separatedBy: "\"type\":\"cue\"").count > 2)
  }

  @Test("Ctrl-S holds the lines of a run up, and not the run")
  func heldLines() async throws {
    let terminal = try await program.terminal(running: Self.spoken + " --view lines")
    try await expectEventually("a cue is spoken") { sentences > 0 }
    try terminal.type("C-s")
    try await hearMore()
    let held = try terminal.capture()
    try terminal.type("C-q")
    #expect(try await terminal.wait { $0 != held }, "the lines go on")
    try terminal.type("C-c")
    try await terminal.expect("Saved in")
    try await terminal.expectSane()
  }

  @Test("Keys pause, go on, mark a lap, help, and stop after a question")
  func keys() async throws {
    let terminal = try await program.terminal(running: Self.simulated + " --speed 10")
    try await terminal.expect("bpm  Z")
    try terminal.type("Space")
    try await terminal.expect("space goes on")
    let paused = try terminal.capture().split(separator: "\n").first ?? ""
    #expect(paused.contains("‖ paused"))
    try terminal.type("Space")
    #expect(try await terminal.wait { !$0.contains("space goes on") })
    try terminal.type("?")
    try await terminal.expect("q        stop and save, after a question")
    try terminal.type("x")
    try terminal.type("i")
    try await terminal.expect("times between beats  not there")
    try terminal.type("x")
    try terminal.type("q")
    try await terminal.expect("Stop and save the session?")
    try terminal.type("n")
    try await terminal.expect("? help")
    try terminal.type("l")
    try terminal.type("q", "y")
    try await terminal.expect("Saved in")
    try await terminal.expectSane()
    let decisions = try String(
      contentsOf: program.session().appendingPathComponent("decisions.jsonl"), encoding: .utf8)
    for kind in ["paused", "resumed", "lap"] { #expect(decisions.contains("\"type\":\"\(kind)\"")) }
    #expect(try await !session().isRecovered)
  }

  @Test("Target and strategy are changed by keys, and the changes are recorded")
  func changes() async throws {
    let terminal = try await program.terminal(
      running: "\"$COACH\" live --age 23 --target z4 --source simulated; echo \"status $?\"")
    try await terminal.expect("l lap")
    #expect(try await terminal.wait { !$0.contains("waiting for") }, "the session has begun")
    try terminal.type("?")
    try await terminal.expect("runner — speaks when", "how it decides is said")
    try terminal.type("x")
    try await terminal.expect("? help")
    try terminal.type("+")
    try await terminal.expect("target 178–197 bpm")
    // There is no higher one: nothing happens.
    try terminal.type("+")
    try terminal.type("Down")
    try await terminal.expect("target 158–177 bpm")
    try terminal.type("s")
    try await terminal.expect("1 paper-moment")
    try terminal.type("1")
    try await terminal.expect("next check in")
    try terminal.type("q", "y")
    try await terminal.expect("status 0")
    let decisions = try String(
      contentsOf: program.session().appendingPathComponent("decisions.jsonl"), encoding: .utf8)
    #expect(decisions.components(separatedBy: "\"type\":\"targetChanged\"").count == 3)
    #expect(decisions.components(separatedBy: "\"type\":\"strategyChanged\"").count == 2)
  }

  @Test("Another size of the window is drawn at once", arguments: [(60, 14), (40, 12), (120, 36), (20, 5)])
  func resize(columns: Int, rows: Int) async throws {
    let terminal = try await program.terminal(running: Self.simulated + " --speed 5")
    try await terminal.expect("bpm  Z")
    try terminal.resize(columns: columns, rows: rows)
    let isDrawn = try await terminal.wait { screen in
      let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
      let last = lines.last { !$0.isEmpty } ?? ""
      return lines.count <= rows + 1 && last.contains("help") && lines[0].contains(rows < 12 ? "♥" : "0:0")
    }
    let screen = try terminal.capture()
    #expect(isDrawn, "\(screen)")
    try terminal.resize(columns: 80, rows: 24)
    try await terminal.expect("target 119–137 bpm")
    try terminal.type("C-c")
    try await terminal.expectSane()
  }

  @Test("Ctrl-C saves and leaves the terminal as it was")
  func interrupt() async throws {
    let terminal = try await program.terminal(running: Self.simulated + " --speed 10; echo \"status $?\"")
    try await terminal.expect("bpm  Z")
    try terminal.type("C-c")
    try await terminal.expect("status 130")
    try await terminal.expectSane()
    #expect(try await !session().isRecovered)
  }

  @Test("Ctrl-Z gives the terminal back for a while, and fg takes it again")
  func suspend() async throws {
    let terminal = try await program.terminal(running: Self.simulated + " --speed 10")
    try await terminal.expect("bpm  Z")
    try terminal.type("C-z")
    try await terminal.expect("Stopped")
    try await terminal.expectSane()
    try terminal.command("clear; fg")
    try await terminal.expect("target 119–137 bpm", "fg draws it anew")
    try terminal.type("Space")
    try await terminal.expect("space goes on", "keys are read again")
    try terminal.type("q", "y")
    try await terminal.expect("Saved in")
    try await terminal.expectSane()
    #expect(try await !session().isRecovered)
  }

  @Test("A program that goes on in the background leaves the terminal alone")
  func background() async throws {
    let terminal = try await program.terminal(running: Self.simulated + " --speed 10")
    try await terminal.expect("bpm  Z")
    try terminal.type("C-z")
    try await terminal.expect("Stopped")
    try terminal.command("clear; bg")
    try await terminal.expectSane()
    #expect(try !terminal.capture().contains("target 119–137"))
    let state = try await String(contentsOfFile: "/proc/\(terminal.coach())/stat", encoding: .utf8)
    #expect(!state.contains(") T "), "keys of the shell do not stop it")
    try terminal.command("fg")
    try await terminal.expect("target 119–137 bpm")
    try terminal.type("C-c")
    try await terminal.expect("Saved in")
    try await terminal.expectSane()
  }

  @Test("A request to end saves and leaves the terminal as it was")
  func terminate() async throws {
    let terminal = try await program.terminal(running: Self.simulated + " --speed 10; echo \"status $?\"")
    try await terminal.expect("bpm  Z")
    kill(try await terminal.coach(), SIGTERM)
    try await terminal.expect("status 143")
    try await terminal.expectSane()
    #expect(try await !session().isRecovered)
  }

  @Test("A terminal that is closed ends the session, which is saved")
  func closed() async throws {
    let terminal = try await program.terminal(running: Self.simulated + " --speed 10")
    try await terminal.expect("bpm  Z")
    terminal.close()
    #expect(try await !session().isRecovered)
  }

  @Test(
    "Even SIGKILL leaves a terminal that works, and the session is found again",
    arguments: ["dash -i", "bash --norc -i"])
  func killed(shell: String) async throws {
    let terminal = try await program.terminal(shell: shell, running: Self.simulated + " --speed 10")
    try await terminal.expect("bpm  Z")
    kill(try await terminal.coach(), SIGKILL)
    try await terminal.expect("Killed")
    try await terminal.expectSane()
    #expect(try await session().isRecovered)
  }

  @Test("Samples may come through a pipe while the keys are those of the terminal")
  func pipe() async throws {
    let line = #"printf '{"type":"heartRate","atSeconds":%s,"beatsPerMinute":128}\n' $i"#
    let terminal = try await program.terminal(
      running:
        "i=0; while [ $i -lt 200 ]; do \(line); i=$((i+1)); sleep 0.1; done | \"$COACH\" live --age 23 --target z2")
    try await terminal.expect("bpm  Z2 Weight control")
    try terminal.type("q")
    try await terminal.expect("Stop and save the session?")
    try terminal.type("y")
    try await terminal.expect("Saved in")
    try await terminal.expectSane()
  }

  @Test("Without colour the screen has none, and loses nothing")
  func noColor() async throws {
    let terminal = try await program.terminal(
      environment: ["NO_COLOR": "1"], running: Self.simulated + " --speed 20 | tee $HOME/out; clear")
    // Into a pipe there is no screen at all.
    try await terminal.expect("SPEED UP")
    try terminal.type("C-c")
    let written = try await program.terminal(
      environment: ["NO_COLOR": "1"],
      running: "script -qc '\(Self.simulated) --speed 20 --duration 90s' $HOME/typescript")
    try await written.expect("▲ SPEED UP")
    try await written.expect("Saved in")
    // The program that writes it down may do so later than the terminal shows it.
    let path = URL(fileURLWithPath: program.folder.url.path + "/typescript")
    #expect(
      try await written.wait { _ in String(decoding: try Data(contentsOf: path), as: UTF8.self).contains("Saved in") }
    )
    let typescript = String(decoding: try Data(contentsOf: path), as: UTF8.self)
    #expect(typescript.contains("\u{1B}[?25l"), "it was a screen")
    let colors = typescript.components(separatedBy: "\u{1B}[").dropFirst().filter { piece in
      piece.prefix { $0.isNumber || $0 == ";" }.count > 1 && piece.drop { $0.isNumber || $0 == ";" }.first == "m"
    }
    #expect(colors.isEmpty, "\(colors.first ?? "")")
  }

  @Test("One line of state for a bar: a line for each change, no escapes in a pipe")
  func line() throws {
    let outcome = try program.run([
      "live", "--age", "23", "--target", "z2", "--strategy", "moment:every=30", "--source", "simulated", "--speed",
      "max",
      "--duration", "3m", "--view", "line", "--no-save",
    ])
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.lines.count > 60)
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(outcome.lines.contains { $0.hasPrefix("♥ ") && $0.contains("▲ speed up") && $0.contains("→ 119–137") })
  }

  @Test("A screen that is asked for and impossible is refused with a reason")
  func refused() throws {
    let outcome = try program.run(["live", "--age", "23", "--view", "screen", "--source", "simulated"])
    #expect(outcome.status == 64)
    #expect(outcome.isOneComplaint)
    #expect(outcome.errors.contains("standard output is no terminal"))
  }
}

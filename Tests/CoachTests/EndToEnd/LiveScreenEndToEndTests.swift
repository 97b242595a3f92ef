import Foundation
import Testing

@Suite("The program: a run in a terminal")
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
  private func session() throws -> CoachedLine {
    let deadline = Date(timeIntervalSinceNow: 60)
    var lines = try sessions()
    while lines.isEmpty, Date() < deadline {
      usleep(100_000)
      lines = try sessions()
    }
    #expect(lines.count == 1)
    return try #require(lines.first)
  }

  @Test("A run of ten minutes, from the first sample to the history")
  func whole() throws {
    let terminal = try TerminalSession(program)
    try terminal.command(Self.simulated + " --speed 100 --duration 10m")
    try terminal.expect("target 119–137 bpm")
    try terminal.expect("in target")
    try terminal.expect("Saved in", "the summary comes when the time is up")
    #expect(try terminal.capture().contains("In the target (119–137 bpm)"))
    try terminal.expectSane()
    #expect(try session().text.contains(#""activeSeconds":600"#))
  }

  @Test("Each cue is seen, on the smallest screen too", arguments: [(80, 24), (40, 12)])
  func cues(columns: Int, rows: Int) throws {
    // Below, in and above the target, a minute each, at ten times the speed.
    let levels = [100, 128, 150]
    let csv = "time_s,hr\n" + (0..<360).map { "\($0),\(levels[$0 / 60 % 3])\n" }.joined()
    _ = try program.folder.write(csv, to: "run.csv")
    let terminal = try TerminalSession(program, columns: columns, rows: rows)
    try terminal.command(
      "\"$COACH\" live --age 23 --target z2 --strategy moment:every=30 --source file:$HOME/run.csv --speed 10")
    try terminal.expect("▲ SPEED UP")
    try terminal.expect("● HOLD")
    try terminal.expect("▼ SLOW DOWN")
    try terminal.expect("▲ SPEED UP")
    try terminal.type("C-c")
    try terminal.expectSane()
  }

  @Test("A signal that is lost is told, and told when it is back")
  func loss() throws {
    // Readings stop for half a minute of the wall clock, which tells the silence by itself.
    let line = #"printf '{"type":"heartRate","atSeconds":%s,"beatsPerMinute":128}\n' $i"#
    let terminal = try TerminalSession(program)
    try terminal.command(
      "(for i in 0 1 2 3; do \(line); done; sleep 24; for i in 24 25 26; do \(line); done; sleep 60) | "
        + "\"$COACH\" live --age 23 --target z2 --strategy moment:every=5 --clock wall")
    try terminal.expect("● HOLD")
    try terminal.expect("check the strap")
    #expect(try !terminal.capture().contains("HOLD"), "no cue is shown any more")
    try terminal.expect("signal restored: 128 bpm", "it is told when it is back")
    try terminal.expect("bpm  Z2 Weight control")
    try terminal.type("C-c")
    try terminal.expect("Saved in")
    try terminal.expectSane()
  }

  @Test("Keys pause, go on, mark a lap, help, and stop after a question")
  func keys() throws {
    let terminal = try TerminalSession(program)
    try terminal.command(Self.simulated + " --speed 10")
    try terminal.expect("bpm  Z")
    try terminal.type("Space")
    try terminal.expect("space goes on")
    let paused = try terminal.capture().split(separator: "\n").first ?? ""
    #expect(paused.contains("‖ paused"))
    try terminal.type("Space")
    #expect(try terminal.wait { !$0.contains("space goes on") })
    try terminal.type("?")
    try terminal.expect("stop and save, after a question")
    try terminal.type("x")
    try terminal.type("q")
    try terminal.expect("Stop and save the session?")
    try terminal.type("n")
    try terminal.expect("? help")
    try terminal.type("l")
    try terminal.type("q", "y")
    try terminal.expect("Saved in")
    try terminal.expectSane()
    let decisions = try String(
      contentsOf: program.session().appendingPathComponent("decisions.jsonl"), encoding: .utf8)
    for kind in ["paused", "resumed", "lap"] { #expect(decisions.contains("\"type\":\"\(kind)\"")) }
    #expect(try !session().isRecovered)
  }

  @Test("Target and strategy are changed by keys, and the changes are recorded")
  func changes() throws {
    let terminal = try TerminalSession(program)
    try terminal.command(
      "\"$COACH\" live --age 23 --target z4 --source simulated --speed 10; echo \"status $?\"")
    try terminal.expect("runner — speaks when", "how it decides is said at the start")
    try terminal.expect("bpm  Z")
    try terminal.type("+")
    try terminal.expect("target 178–197 bpm")
    try terminal.type("+")
    try terminal.expect("there is no higher target")
    try terminal.type("Down")
    try terminal.expect("target 158–177 bpm")
    try terminal.type("s")
    try terminal.expect("1 paper-moment")
    try terminal.type("1")
    try terminal.expect("strategy now moment:every=120")
    try terminal.expect("next check in")
    try terminal.type("q", "y")
    try terminal.expect("status 0")
    let decisions = try String(
      contentsOf: program.session().appendingPathComponent("decisions.jsonl"), encoding: .utf8)
    #expect(decisions.components(separatedBy: "\"type\":\"targetChanged\"").count == 3)
    #expect(decisions.components(separatedBy: "\"type\":\"strategyChanged\"").count == 2)
  }

  @Test("Another size of the window is drawn at once", arguments: [(60, 14), (40, 12), (120, 36), (20, 5)])
  func resize(columns: Int, rows: Int) throws {
    let terminal = try TerminalSession(program)
    try terminal.command(Self.simulated + " --speed 5")
    try terminal.expect("bpm  Z")
    try terminal.resize(columns: columns, rows: rows)
    let isDrawn = try terminal.wait { screen in
      let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
      let last = lines.last { !$0.isEmpty } ?? ""
      return lines.count <= rows + 1 && last.contains("help") && lines[0].contains(rows < 12 ? "♥" : "0:0")
    }
    let screen = try terminal.capture()
    #expect(isDrawn, "\(screen)")
    try terminal.resize(columns: 80, rows: 24)
    try terminal.expect("target 119–137 bpm")
    try terminal.type("C-c")
    try terminal.expectSane()
  }

  @Test("Ctrl-C saves and leaves the terminal as it was")
  func interrupt() throws {
    let terminal = try TerminalSession(program)
    try terminal.command(Self.simulated + " --speed 10; echo \"status $?\"")
    try terminal.expect("bpm  Z")
    try terminal.type("C-c")
    try terminal.expect("status 130")
    try terminal.expectSane()
    #expect(try !session().isRecovered)
  }

  @Test("Ctrl-Z gives the terminal back for a while, and fg takes it again")
  func suspend() throws {
    let terminal = try TerminalSession(program)
    try terminal.command(Self.simulated + " --speed 10")
    try terminal.expect("bpm  Z")
    try terminal.type("C-z")
    try terminal.expect("Stopped")
    try terminal.expectSane()
    try terminal.command("clear; fg")
    try terminal.expect("target 119–137 bpm", "fg draws it anew")
    try terminal.type("Space")
    try terminal.expect("space goes on", "keys are read again")
    try terminal.type("q", "y")
    try terminal.expect("Saved in")
    try terminal.expectSane()
    #expect(try !session().isRecovered)
  }

  @Test("A program that goes on in the background leaves the terminal alone")
  func background() throws {
    let terminal = try TerminalSession(program)
    try terminal.command(Self.simulated + " --speed 10")
    try terminal.expect("bpm  Z")
    try terminal.type("C-z")
    try terminal.expect("Stopped")
    try terminal.command("clear; bg")
    try terminal.expectSane()
    #expect(try !terminal.capture().contains("target 119–137"))
    try terminal.command("fg")
    try terminal.expect("target 119–137 bpm")
    try terminal.type("C-c")
    try terminal.expect("Saved in")
    try terminal.expectSane()
  }

  @Test("A request to end saves and leaves the terminal as it was")
  func terminate() throws {
    let terminal = try TerminalSession(program)
    try terminal.command(Self.simulated + " --speed 10; echo \"status $?\"")
    try terminal.expect("bpm  Z")
    kill(try terminal.coach(), SIGTERM)
    try terminal.expect("status 143")
    try terminal.expectSane()
    #expect(try !session().isRecovered)
  }

  @Test("A terminal that is closed ends the session, which is saved")
  func closed() throws {
    let terminal = try TerminalSession(program)
    try terminal.command(Self.simulated + " --speed 10")
    try terminal.expect("bpm  Z")
    terminal.close()
    #expect(try !session().isRecovered)
  }

  @Test(
    "Even SIGKILL leaves a terminal that works, and the session is found again",
    arguments: ["dash -i", "bash --norc -i"])
  func killed(shell: String) throws {
    let terminal = try TerminalSession(program, shell: shell)
    try terminal.command(Self.simulated + " --speed 10")
    try terminal.expect("bpm  Z")
    kill(try terminal.coach(), SIGKILL)
    try terminal.expect("Killed")
    try terminal.expectSane()
    #expect(try session().isRecovered)
  }

  @Test("Samples may come through a pipe while the keys are those of the terminal")
  func pipe() throws {
    let terminal = try TerminalSession(program)
    let line = #"printf '{"type":"heartRate","atSeconds":%s,"beatsPerMinute":128}\n' $i"#
    try terminal.command(
      "i=0; while [ $i -lt 200 ]; do \(line); i=$((i+1)); sleep 0.1; done | \"$COACH\" live --age 23 --target z2")
    try terminal.expect("bpm  Z2 Weight control")
    try terminal.type("q")
    try terminal.expect("Stop and save the session?")
    try terminal.type("y")
    try terminal.expect("Saved in")
    try terminal.expectSane()
  }

  @Test("Without colour the screen has none, and loses nothing")
  func noColor() throws {
    let terminal = try TerminalSession(program, environment: ["NO_COLOR": "1"])
    try terminal.command(Self.simulated + " --speed 20 | tee $HOME/out; clear")
    // Into a pipe there is no screen at all.
    try terminal.expect("SPEED UP")
    try terminal.type("C-c")
    let terminal2 = try TerminalSession(program, environment: ["NO_COLOR": "1"])
    try terminal2.command("script -qc '\(Self.simulated) --speed 20 --duration 90s' $HOME/typescript")
    try terminal2.expect("▲ SPEED UP")
    try terminal2.expect("Saved in")
    let typescript = try String(contentsOfFile: program.folder.url.path + "/typescript", encoding: .utf8)
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
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.lines.count > 60 && !outcome.output.contains("\u{1B}"))
    #expect(outcome.lines.contains { $0.hasPrefix("♥ ") && $0.contains("▲ speed up") && $0.contains("→ 119–137") })
  }

  @Test("A screen that is asked for and impossible is refused with a reason")
  func refused() throws {
    let outcome = try program.run(["live", "--age", "23", "--view", "screen", "--source", "simulated"])
    #expect(outcome.status == 64 && outcome.isOneComplaint)
    #expect(outcome.errors.contains("standard output is no terminal"))
  }
}

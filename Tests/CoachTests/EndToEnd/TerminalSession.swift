import Foundation
import Testing

/// A terminal of its own, by tmux: a shell in which the program is run as a person runs it.
final class TerminalSession {
  private let socket: String
  private let environment: [String: String]

  /// Opens a terminal of some size with a shell whose prompt is `> `.
  init(
    _ program: CoachProgram, columns: Int, rows: Int, shell: String, environment more: [String: String]
  ) throws {
    // A path of a socket has at most 107 bytes.
    socket = "/tmp/coach-tmux-\(UUID().uuidString.prefix(8))"
    let usual = [
      "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": program.folder.url.path, "COACH_DATA_DIR": program.data,
      "TZ": "UTC", "COACH": program.path, "TERM": "xterm-256color",
    ]
    environment = usual.merging(more) { $1 }
    try tmux(["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "env PS1='> ' \(shell)"])
  }

  deinit { close() }

  /// Closes the terminal under whatever runs in it.
  func close() {
    _ = try? tmux(["kill-server"])
    for path in [socket, socket + ".out"] { try? FileManager.default.removeItem(atPath: path) }
  }

  /// What is on the screen.
  func capture() throws -> String { try tmux(["capture-pane", "-p"]) }

  /// Types keys, by tmux's names of them.
  func type(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

  /// Types a command line and a line end.
  func command(_ text: String) throws {
    try tmux(["send-keys", "-l", text])
    try type("Enter")
  }

  /// Gives the window another size.
  func resize(columns: Int, rows: Int) throws { try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"]) }

  /// Lets the terminal take nothing any more, as a connection that stalls does, or take it up again.
  func take(_ takesOutput: Bool) throws {
    let path = try tmux(["list-panes", "-F", "#{pane_tty}"]).trimmingCharacters(in: .whitespacesAndNewlines)
    let descriptor = unsafe open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    try #require(descriptor >= 0)
    let terminal = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    #expect(tcflow(terminal.fileDescriptor, takesOutput ? TCOON : TCOOFF) == 0)
  }

  /// Waits until the screen is as it should be; whether it came to be. The deadline is only for what never comes.
  @discardableResult
  func wait(seconds: Double = 120, until condition: (String) throws -> Bool) async throws -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while Date() < deadline {
      if try condition(capture()) { return true }
      // Not a thread that sleeps: tests share a few of them.
      try await Task.sleep(for: .milliseconds(50))
    }
    return false
  }

  /// Waits for a text on the screen.
  func expect(_ text: String, _ what: String = "", at location: SourceLocation = #_sourceLocation) async throws {
    let isThere = try await wait { $0.contains(text) }
    let screen = try capture()
    #expect(isThere, "\(text) does not come: \(what)\n\(screen)", sourceLocation: location)
  }

  /// The process of the program that runs in the terminal; waits until it is there.
  func coach() async throws -> pid_t {
    let shell = try tmux(["list-panes", "-F", "#{pane_pid}"]).trimmingCharacters(in: .whitespacesAndNewlines)
    let deadline = Date(timeIntervalSinceNow: 60)
    while Date() < deadline {
      let children = (try? String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)) ?? ""
      for child in children.split(separator: " ") {
        let name = (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)) ?? ""
        if name == "coach\n", let identifier = pid_t(child) { return identifier }
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw CoachProgram.Absent(path: "a coach in the terminal")
  }

  /// The group of processes that the terminal of a process belongs to now.
  private static func foreground(of process: String) -> String? {
    let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return stat?.split(separator: ")").last?.split(separator: " ").dropFirst(5).first.map(String.init)
  }

  /// Whether keys are shown, lines are edited and Ctrl-S stops the terminal as a shell left them, and the cursor can be seen.
  func expectSane(at location: SourceLocation = #_sourceLocation) async throws {
    // Keys that are typed while it still runs would be its own.
    let shell = try tmux(["list-panes", "-F", "#{pane_pid}"]).trimmingCharacters(in: .whitespacesAndNewlines)
    let deadline = Date(timeIntervalSinceNow: 60)
    while Self.foreground(of: shell) != shell, Date() < deadline { try await Task.sleep(for: .milliseconds(20)) }
    try command(
      "stty -a | tr ';' '\\n' | grep -wo -e '-*icanon' -e '-*echo' -e '-*isig' -e '-*ixon' | tr '\\n' ,")
    let isSane = try await wait { screen in
      screen.split(separator: "\n").contains { $0.hasPrefix("ixon,isig,icanon,echo,") }
    }
    let screen = try capture()
    #expect(isSane, "the terminal is not as it was:\n\(screen)", sourceLocation: location)
    let cursor = try tmux(["display-message", "-p", "#{cursor_flag}"])
    #expect(cursor == "1\n", "the cursor is hidden", sourceLocation: location)
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let file = socket + ".out"
    guard FileManager.default.createFile(atPath: file, contents: nil) else { throw CoachProgram.Absent(path: file) }
    let client = ChildProgram("/usr/bin/tmux", ["-S", socket] + arguments)
    client.environment = environment
    client.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    client.standardError = FileHandle.nullDevice
    try client.run()
    client.waitUntilExit()
    return String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
  }
}

extension CoachProgram {
  /// A terminal of its own with a shell that was given a command line.
  func terminal(
    columns: Int = 80, rows: Int = 24, shell: String = "dash -i", environment: [String: String] = [:],
    running command: String
  ) async throws -> TerminalSession {
    let terminal = try TerminalSession(self, columns: columns, rows: rows, shell: shell, environment: environment)
    #expect(try await terminal.wait { $0.contains(">") }, "the shell does not come")
    try terminal.command(command)
    return terminal
  }
}

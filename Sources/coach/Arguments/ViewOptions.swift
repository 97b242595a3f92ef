/// How a running session is shown, as it is typed.
enum LiveViewChoice: String, CaseIterable, Sendable {
  /// The screen where there is a terminal with room for it, else lines.
  case auto
  /// The whole terminal, with keys.
  case screen
  /// A line for each thing that happens, and the state under them.
  case lines
  /// The state alone, in one line.
  case line
}

/// How a running session is shown and heard.
enum ViewOptions {
  static let view = Option.choice(
    "view", "auto|screen|lines|line", of: LiveViewChoice.self, in: .output,
    help: "The whole terminal with keys, a line for each event, or one line of state for tmux, polybar and the like"
  ).otherwise(.auto, shown: "auto")

  static let quiet = Option.flag(
    "no-bell", in: .session,
    help: "Do not ring the bell of the terminal: once for hold, twice speed up, three times slow down")

  /// All of them, in the order of the help.
  static let all: [any DeclaredOption] = [view, quiet]
}

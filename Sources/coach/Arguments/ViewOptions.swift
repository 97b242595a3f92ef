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

/// Whether the bell rings, as it is typed.
enum BellChoice: String, CaseIterable, Sendable {
  case on, off
}

/// How a running session is shown and heard.
enum ViewOptions {
  static let view = Option.choice(
    "view", "VIEW", of: LiveViewChoice.self, in: .output,
    help: "The whole terminal with keys (screen), a line for each event (lines), or the state in one line for tmux, "
      + "polybar and the like (line); auto takes the screen where there is one"
  ).otherwise(.auto, shown: "auto")

  static let bell = Option.choice(
    "bell", "on|off", of: BellChoice.self, in: .session,
    help: "Ring the bell of the terminal for a cue: once hold, twice speed up, three times slow down"
  ).otherwise(.on, shown: "on")

  /// All of them, in the order of the help.
  static let all: [any DeclaredOption] = [view, PreferenceOptions.fields, PreferenceOptions.units, bell]
}

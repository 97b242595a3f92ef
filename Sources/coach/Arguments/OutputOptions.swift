/// How results are written, as it is typed.
enum OutputFormat: String, CaseIterable, Sendable {
  case text, json, jsonl
}

/// When colours are used, as it is typed.
enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never
}

/// What results look like and where the program keeps its data.
enum OutputOptions {
  static let format = Option.choice(
    "format", "text|json|jsonl", of: OutputFormat.self, in: .output, help: "How results are written"
  ).otherwise(.text, shown: "text")

  static let color = Option.choice(
    "color", "auto|always|never", of: ColorChoice.self, in: .output,
    help: "Whether to use colours; auto uses them on a terminal unless NO_COLOR is set"
  ).otherwise(.auto, shown: "auto")

  static let dataFolder = Option.folder(
    "data-dir", "DIR", in: .output,
    help: "Where sessions are kept, instead of COACH_DATA_DIR, $XDG_DATA_HOME/coach or ~/.local/share/coach")

  /// All of them, in the order of the help.
  static let all: [any DeclaredOption] = [format, color, dataFolder]
}

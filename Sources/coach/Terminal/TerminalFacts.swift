private import Glibc

/// What is known of a terminal, or of the pipe or file in its place.
struct TerminalFacts: Hashable, Sendable {
  /// Whether somebody looks at it now; what is written to a pipe or a file is read later.
  let isTerminal: Bool
  /// Columns.
  let width: Int
  /// Rows.
  let height: Int
  /// Whether colours are used.
  let usesColor: Bool
  /// The characters that can be shown.
  let glyphs: GlyphSet

  /// Facts that are decided elsewhere.
  init(isTerminal: Bool, width: Int, height: Int, usesColor: Bool, glyphs: GlyphSet) {
    self.isTerminal = isTerminal
    self.width = width
    self.height = height
    self.usesColor = usesColor
    self.glyphs = glyphs
  }

  /// The facts of an open descriptor, such as 1, as they are now: a window can be resized at any time.
  init(descriptor: Int32, color: ColorChoice) {
    let isTerminal = isatty(descriptor) == 1
    let environment = Self.environment
    var window = winsize()
    let answer = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window)
    let isKnown = isTerminal && answer == 0
    self.init(
      isTerminal: isTerminal,
      width: environment.width(ofWindow: isKnown ? Int(window.ws_col) : nil),
      height: isKnown && window.ws_row > 0 ? Int(window.ws_row) : 24,
      usesColor: environment.usesColor(color, isTerminal: isTerminal),
      glyphs: environment.glyphs)
  }

  /// Whether the terminal can do nothing but print.
  static var isDumb: Bool { environment.isDumb }

  private static var environment: TerminalEnvironment {
    TerminalEnvironment { name in
      guard let value = unsafe getenv(name) else { return nil }
      return unsafe String(cString: value)
    }
  }
}

/// What the environment of the process says about terminals.
struct TerminalEnvironment: Sendable {
  /// The width when nothing gives another.
  static let usualWidth = 80
  /// Columns that are believed.
  static let plausibleWidths = 10...10_000

  private let columns: String?
  private let noColor: String?
  private let terminalKind: String?
  private let characterLocale: String?

  /// Reads the variables through `variable`, which gives `nil` for one that is not set.
  init(variable: (String) -> String?) {
    columns = variable("COLUMNS")
    noColor = variable("NO_COLOR")
    terminalKind = variable("TERM")
    // The first that is set and not empty decides, as in setlocale.
    characterLocale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
  }

  /// The width of a window where the system knows one, else `COLUMNS`, else 80; never under 10.
  func width(ofWindow width: Int?) -> Int {
    if let width, width > 0 { return max(width, Self.plausibleWidths.lowerBound) }
    if let width = columns.flatMap({ Int($0) }), Self.plausibleWidths.contains(width) { return width }
    return Self.usualWidth
  }

  /// Whether colours are used: as asked for; `auto` means on a terminal that is not dumb, unless `NO_COLOR` is set to
  /// anything but the empty text.
  func usesColor(_ choice: ColorChoice, isTerminal: Bool) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto: isTerminal && (noColor ?? "").isEmpty && !isDumb
    }
  }

  /// Whether the terminal can do nothing but print.
  var isDumb: Bool { terminalKind == "dumb" }

  /// Unicode when the locale says UTF-8, except on the kernel's console, whose font has no braille.
  var glyphs: GlyphSet {
    guard terminalKind != "linux", let locale = characterLocale?.lowercased() else { return .ascii }
    let parts = locale.split(separator: ".")
    return parts.contains { $0.hasPrefix("utf-8") || $0.hasPrefix("utf8") } ? .unicode : .ascii
  }
}

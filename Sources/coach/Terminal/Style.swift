import ZoneEngine

/// A colour of text; the names are those of the zones' colours.
enum Ink: String, CaseIterable, Hashable, Sendable {
  case cyan, blue, green, orange, red, yellow, magenta, white, gray

  /// The parameters of the escape sequence that begins the colour: one of the 240 that every terminal with 256 colours shows
  /// the same, chosen so that it is seen on black and on white, and that those who see fewer colours distinguish the zones too.
  var parameters: String { index.map { "38;5;\($0)" } ?? "39" }

  /// The place of the colour among the 256; absent for white, which is the colour of the terminal's own letters: no white is seen
  /// on white.
  var index: Int? {
    switch self {
    case .cyan: 31
    case .blue: 63
    case .green: 65
    case .orange: 136
    case .red: 197
    case .yellow: 58
    case .magenta: 126
    case .white: nil
    case .gray: 246
    }
  }
}

/// How a piece of text looks.
struct Style: Hashable, Sendable {
  /// The colour; absent for that of the terminal.
  var ink: Ink?
  /// Whether it is bold.
  var isBold = false
  /// Whether it is dim.
  var isDim = false

  /// As the terminal shows text by itself.
  static let plain = Style()
  /// Bold, in the colour of the terminal.
  static let bold = Style(isBold: true)
  /// Dim, in the colour of the terminal.
  static let dim = Style(isDim: true)
  /// In a colour.
  static func ink(_ ink: Ink?) -> Style { Style(ink: ink) }
  /// Bold in a colour.
  static func bold(_ ink: Ink?) -> Style { Style(ink: ink, isBold: true) }

  /// The escape sequence that begins the style; empty for plain text.
  var escape: String {
    var parameters: [String] = []
    if isBold { parameters.append("1") }
    if isDim { parameters.append("2") }
    if let ink { parameters.append(ink.parameters) }
    return parameters.isEmpty ? "" : "\u{1B}[" + parameters.joined(separator: ";") + "m"
  }

  /// The escape sequence that ends every style.
  static let reset = "\u{1B}[0m"
}

import ZoneEngine

/// A colour of text; the names are those of the zones' and cues' colours.
enum Ink: String, CaseIterable, Hashable, Sendable {
  case cyan, blue, green, orange, red, yellow, magenta, white, gray

  /// The parameters of the escape sequence that begins the colour.
  ///
  /// Blue is the bright one, because the plain one can hardly be read on black; orange is one of the 256 colours.
  var parameters: String {
    switch self {
    case .cyan: "36"
    case .blue: "94"
    case .green: "32"
    case .orange: "38;5;208"
    case .red: "31"
    case .yellow: "33"
    case .magenta: "35"
    case .white: "37"
    case .gray: "90"
    }
  }

  /// The colour of a cue: yellow, blue or red.
  init?(of action: CueAction) { self.init(rawValue: action.indicator) }
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

/// The characters that can be shown.
///
/// Every view is written in Unicode; without it each character is replaced by one of the same width when the text is
/// written, so that nothing moves. Only the heart-rate curve is drawn in another way.
enum GlyphSet: Hashable, Sendable {
  /// Every character.
  case unicode
  /// The printable characters of ASCII.
  case ascii

  /// A text in these characters. One that has no likeness becomes question marks, as many as it is wide.
  func text(_ text: String) -> String {
    switch self {
    case .unicode: return text
    case .ascii:
      var result = ""
      for character in text {
        if character.isASCII {
          result.append(character)
        } else if let likeness = Self.likenesses[character] {
          result.append(likeness)
        } else {
          result += String(repeating: "?", count: character.columns)
        }
      }
      return result
    }
  }

  private static let likenesses: [Character: Character] = [
    "▲": "^", "●": "=", "▼": "v", "♥": "*", "▶": ">", "■": "#", "◆": "#", "◇": "+", "‖": "|", "⇄": "~", "≈": "~",
    "✓": "+", "✕": "x", "→": ">", "▸": ">", "…": ".", "·": "-", "–": "-", "−": "-", "×": "x", "₂": "2", "í": "i",
    "▁": ".", "▂": ".", "▃": ":", "▄": ":", "▅": "#", "▆": "#", "▇": "#", "├": "+",
    "█": "#", "▉": "#", "▊": "#", "▋": "#", "▌": "#", "▍": ":", "▎": ":", "▏": ":", "░": ".", "▒": ":", "▓": "%",
    "│": "|", "┤": "+", "┃": "#", "┫": "#", "└": "+", "─": "-", "┬": "+", "┄": ".", "¹": "1", "²": "2",
  ]
}

extension Character {
  /// Columns that the character takes on a terminal: 2 for East Asian wide ones and emoji, 0 for control characters and
  /// marks that stand alone, 1 for the rest.
  var columns: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    if scalar.properties.generalCategory == .control { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    case 0x0300...0x036F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF:
      return 0
    default:
      return unicodeScalars.contains { $0.value == 0xFE0F } ? 2 : 1
    }
  }
}

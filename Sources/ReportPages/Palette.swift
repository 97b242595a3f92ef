/// The colours of a page, each for light and for dark surroundings. Those of zones differ for people who see fewer colours
/// too, and stand for nothing else.
enum Palette: String, CaseIterable {
  case page, panel, band, line, ink, soft, link
  case gray, cyan, blue, green, yellow, orange, red, magenta

  /// What a colour is for, and so how much it has to differ from the page.
  enum Use {
    /// Behind something else.
    case surface
    /// Letters: a contrast of 4.5 at least.
    case text
    /// Shapes that carry a meaning: a contrast of 3 at least.
    case graphic

    /// The least contrast with the page. Source: WCAG 2.2, success criteria 1.4.3 and 1.4.11, level AA.
    var leastContrast: Double {
      switch self {
      case .surface: 1
      case .text: 4.5
      case .graphic: 3
      }
    }
  }

  /// What the colour is for.
  var use: Use {
    switch self {
    case .page, .panel, .band, .line: .surface
    case .ink, .soft, .link: .text
    case .gray, .cyan, .blue, .green, .yellow, .orange, .red, .magenta: .graphic
    }
  }

  /// The red, green and blue of the colour on white paper.
  var light: UInt32 {
    switch self {
    case .page: 0xFFFFFF
    case .panel: 0xF5F7FA
    case .band: 0xE4E9EE
    case .line: 0xD5DBE1
    case .ink: 0x1B1F24
    case .soft: 0x505A65
    case .link: 0x0B57A4
    case .gray: 0x778188
    case .cyan: 0x14687C
    case .blue: 0x2869E1
    case .green: 0x1D8F48
    case .yellow: 0x7E5C00
    case .orange: 0xD46215
    case .red: 0xD13C3B
    case .magenta: 0x9927A2
    }
  }

  /// The red, green and blue of the colour in the dark.
  var dark: UInt32 {
    switch self {
    case .page: 0x10151B
    case .panel: 0x181F27
    case .band: 0x2A333D
    case .line: 0x343D47
    case .ink: 0xE8EDF2
    case .soft: 0xA3AFBB
    case .link: 0x7DB9FF
    case .gray: 0x8E9DAA
    case .cyan: 0x58D6EA
    case .blue: 0x639FFB
    case .green: 0x0BB86F
    case .yellow: 0xDEB527
    case .orange: 0xFA954D
    case .red: 0xFF756B
    case .magenta: 0xCC72CA
    }
  }

  /// The colour of a zone by the name that its model gives it.
  init(zoneColor name: String) { self = Palette(rawValue: name).flatMap { $0.use == .graphic ? $0 : nil } ?? .gray }

  /// The definitions of all colours as a rule of a style sheet.
  static func rule(_ color: (Palette) -> UInt32) -> String {
    ":root{" + allCases.map { "--\($0.rawValue):\(hexadecimal(color($0)))" }.joined(separator: ";") + "}"
  }

  private static func hexadecimal(_ color: UInt32) -> String {
    let digits = String(color, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}

import Testing

import TestSupport

@testable import ReportPages

@Suite("The markup of a page")
struct MarkupTests {
  private static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='x", "]]>", "<!--", "-->", "&lt;",
    "&amp;amp;",
    "</style><script>", "\u{202E}txt.exe", "Zoë 🏃‍♀️ 走る", "\u{0}\u{1}\u{8}", "\u{FFFE}\u{FFFF}", "a\tb\nc", "𝔘𝔫𝔦",
    "\u{7F}",
  ]

  /// The text as a page can hold it: without what XML cannot, and with spaces for tabs and line breaks.
  private func kept(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.compactMap { scalar in
          switch scalar.value {
          case 9, 10, 11, 12, 13: " "
          case 0..<0x20, 0x7F, 0xFFFE, 0xFFFF: nil
          default: scalar
          }
        }))
  }

  private func roundTrip(_ text: String, _ comment: Comment) throws {
    var markup = Markup()
    markup.element(.div, [.id: text]) { div in
      div.name(text)
      div.empty(.rect, [.x: text])
    }
    let root = try PageTree.read(markup.bytes)
    #expect(root.all.map(\.name) == ["div", "bdi", "rect"], comment)
    #expect(root.text == kept(text), comment)
    #expect(root.attributes == ["id": kept(text)], comment)
    #expect(root.children.last?.attributes["x"] == kept(text), comment)
  }

  @Test("Hostile texts stay texts, in elements and in attributes")
  func hostileTexts() throws {
    for text in Self.hostile { try roundTrip(text, "\(text)") }
  }

  @Test("Random mixtures of hostile texts and letters of all kinds stay texts", arguments: UInt64(0)..<200)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var text = ""
    for _ in 0..<random.int(0...12) {
      if random.chance(0.5) {
        text += random.pick(Self.hostile)
      } else if let scalar = Unicode.Scalar(UInt32(random.int(0...0x10FFFF))) {
        text.unicodeScalars.append(scalar)
      }
    }
    try roundTrip(text, "seed \(seed)")
  }

  @Test("The style sheet reads the same as HTML and as XML, and fetches nothing")
  func stylesheet() throws {
    var markup = Markup()
    markup.stylesheet()
    #expect(try PageTree.read(markup.bytes).text == "\n\(Stylesheet.text)\n")
    for word in ["<", "&", "@import", "url(", "expression", "http"] {
      #expect(!Stylesheet.text.contains(word), "\(word)")
    }
  }
}

@Suite("The page on paper")
struct PrintTests {
  @Test("Nothing is cut off or scrolls, no rule makes a sheet begin, and no end of two lines can have one to itself")
  func rules() throws {
    let parts = Stylesheet.text.split(separator: "@media print{\n")
    try #require(parts.count == 2)
    #expect(parts[1].contains(".scroll,.across{max-height:none;overflow:visible;border:0}"))
    #expect(parts[1].contains("footer{display:none}"))
    #expect(parts[1].contains("dl.list>:nth-last-child(-n+5){break-before:avoid}"))
    #expect(parts[1].contains(".paper{display:block}"))
    #expect(parts[0].contains(".paper{display:none}"))
    for rule in ["before:page", "before:always", "after:page", "after:always", "100vh", "min-height"] {
      #expect(!Stylesheet.text.contains(rule), "\(rule)")
    }
  }
}

@Suite("The colours of a page")
struct PaletteTests {
  /// Source: WCAG 2.2, definition of relative luminance.
  private func luminance(_ color: UInt32) -> Double {
    let parts = [color >> 16, color >> 8 & 0xFF, color & 0xFF].map { part -> Double in
      let value = Double(part & 0xFF) / 255
      guard value > 0.040_45 else { return value / 12.92 }
      // x^2.4 as x² · x^0.4, where x^0.4 is the fifth root of x².
      var root = 1.0
      for _ in 0..<60 {
        let base = (value + 0.055) / 1.055
        root -= (root * root * root * root * root - base * base) / (5 * root * root * root * root)
      }
      let base = (value + 0.055) / 1.055
      return base * base * root
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  private func contrast(_ left: UInt32, _ right: UInt32) -> Double {
    let (high, low) = (max(luminance(left), luminance(right)), min(luminance(left), luminance(right)))
    return (high + 0.05) / (low + 0.05)
  }

  @Test("Black on white is 21, and every colour is distinct from what is behind it, in light and in dark")
  func contrasts() {
    #expect(abs(contrast(0, 0xFFFFFF) - 21) < 1e-9)
    #expect(abs(contrast(0x767676, 0xFFFFFF) - 4.54) < 0.005, "a grey that is known")
    for color in Palette.allCases {
      let least = color.use.leastContrast
      #expect(contrast(color.light, Palette.page.light) >= least, "\(color) in light")
      #expect(contrast(color.dark, Palette.page.dark) >= least, "\(color) in dark")
      guard color.use == .text else { continue }
      for surface in [Palette.panel, .band] {
        #expect(contrast(color.light, surface.light) >= least, "\(color) on \(surface) in light")
        #expect(contrast(color.dark, surface.dark) >= least, "\(color) on \(surface) in dark")
      }
    }
  }

  @Test("Every colour that is used is defined for light, for dark and for paper")
  func defined() {
    for color in Palette.allCases {
      #expect(Stylesheet.text.split(separator: "--\(color.rawValue):").count == 4, "\(color)")
    }
    for part in Stylesheet.text.split(separator: "var(--").dropFirst() {
      #expect(Palette(rawValue: String(part.prefix { $0 != ")" })) != nil, "\(part.prefix(20))")
    }
  }
}

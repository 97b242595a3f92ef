import Testing

@testable import coach

@Suite("What the environment says about terminals")
struct TerminalEnvironmentTests {
  static func environment(_ variables: [String: String]) -> TerminalEnvironment {
    TerminalEnvironment { variables[$0] }
  }

  @Test(
    "The width is that of the window, else COLUMNS, else 80",
    arguments: [
      (132, "40", 132), (nil, "40", 40), (0, "40", 40), (nil, nil, 80), (nil, "wide", 80), (nil, "0", 80),
      (nil, "-5", 80), (3, nil, 10), (nil, "99999999", 80),
    ] as [(Int?, String?, Int)])
  func width(window: Int?, columns: String?, expected: Int) {
    let environment = Self.environment(columns.map { ["COLUMNS": $0] } ?? [:])
    #expect(environment.width(ofWindow: window) == expected)
  }

  @Test(
    "Colours follow the option; auto needs a terminal that is not dumb, and no NO_COLOR",
    arguments: [
      (.auto, true, [:], true), (.auto, false, [:], false), (.auto, true, ["NO_COLOR": "1"], false),
      (.auto, true, ["NO_COLOR": ""], true), (.auto, true, ["TERM": "dumb"], false),
      (.auto, true, ["TERM": "xterm-256color"], true), (.never, true, [:], false), (.always, false, [:], true),
      (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
    ] as [(ColorChoice, Bool, [String: String], Bool)])
  func color(choice: ColorChoice, isTerminal: Bool, variables: [String: String], expected: Bool) {
    #expect(Self.environment(variables).usesColor(choice, isTerminal: isTerminal) == expected)
  }

  @Test(
    "Unicode needs a locale that says UTF-8; the first variable that is set and not empty decides",
    arguments: [
      (["LANG": "C.UTF-8"], .unicode), (["LANG": "en_US.utf8"], .unicode), ([:], .ascii), (["LANG": "C"], .ascii),
      (["LC_ALL": "C", "LANG": "en_US.UTF-8"], .ascii), (["LC_ALL": "", "LANG": "en_US.UTF-8"], .unicode),
      (["LC_CTYPE": "de_DE.ISO-8859-1", "LANG": "en_US.UTF-8"], .ascii),
      (["LANG": "en_US.UTF-8", "TERM": "linux"], .ascii),
    ] as [([String: String], GlyphSet)])
  func glyphs(variables: [String: String], expected: GlyphSet) {
    #expect(Self.environment(variables).glyphs == expected)
  }

  @Test("A descriptor that is no terminal has the usual size and no colours")
  func noTerminal() {
    let facts = TerminalFacts(descriptor: -1, color: .auto)
    #expect(!facts.isTerminal)
    #expect(!facts.usesColor)
    #expect(facts.height == 24)
    #expect(TerminalFacts(descriptor: -1, color: .always).usesColor)
  }
}

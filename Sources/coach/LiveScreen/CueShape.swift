import ZoneEngine

/// The blob of a cue: its colour and its form both say what to do, so that nobody has to see colours.
enum CueShape {
  /// Rows at scale 1.
  static let height = 5

  /// The columns at a scale.
  static func width(scale: Int) -> Int { pixels(of: .hold)[0].count * scale }

  /// The rows of a shape from the top, all equally wide.
  static func rows(of action: CueAction, scale: Int) -> [String] {
    rows(pixels(of: action), scale: scale)
  }

  /// The sign of a pause.
  static func pause(scale: Int) -> [String] {
    rows([String](repeating: ".###.###.", count: height), scale: scale)
  }

  /// The sign of a heart rate that is missing.
  static func missing(scale: Int) -> [String] {
    rows(["##.....##", ".##...##.", "...###...", ".##...##.", "##.....##"], scale: scale)
  }

  private static func pixels(of action: CueAction) -> [String] {
    let up = ["....#....", "...###...", "..#####..", ".#######.", "#########"]
    switch action {
    case .speedUp: return up
    case .hold: return ["..#####..", ".#######.", "#########", ".#######.", "..#####.."]
    case .slowDown: return up.reversed()
    }
  }

  private static func rows(_ pixels: [String], scale: Int) -> [String] {
    pixels.flatMap { row in
      let line = row.map { String(repeating: $0 == "#" ? "█" : " ", count: scale) }.joined()
      return [String](repeating: line, count: scale)
    }
  }
}

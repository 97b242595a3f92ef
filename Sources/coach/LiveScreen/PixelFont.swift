/// Large digits and words, five rows high, for somebody who runs two metres away.
///
/// A pixel is two columns wide and one row high, which is about square; every scale doubles both.
enum PixelFont {
  /// Rows of a text at scale 1.
  static let height = 5

  /// The rows of a text from the top, each as wide as ``width(_:scale:)``; a character without a glyph is left blank.
  static func rows(_ text: String, scale: Int) -> [String] {
    let letters = text.map { Self.glyphs[$0] ?? Self.blank }
    return (0..<height).flatMap { row in
      let pixels = letters.map { $0[row] }.joined(separator: ".")
      let line = pixels.map { String(repeating: $0 == "#" ? "█" : " ", count: 2 * scale) }.joined()
      return [String](repeating: line, count: scale)
    }
  }

  /// The columns that a text takes.
  static func width(_ text: String, scale: Int) -> Int {
    let pixels = text.map { (glyphs[$0] ?? blank)[0].count }.reduce(0, +) + max(0, text.count - 1)
    return pixels * 2 * scale
  }

  private static let blank = ["...", "...", "...", "...", "..."]

  private static let glyphs: [Character: [String]] = [
    "0": ["###", "#.#", "#.#", "#.#", "###"],
    "1": [".#.", "##.", ".#.", ".#.", "###"],
    "2": ["###", "..#", "###", "#..", "###"],
    "3": ["###", "..#", "###", "..#", "###"],
    "4": ["#.#", "#.#", "###", "..#", "..#"],
    "5": ["###", "#..", "###", "..#", "###"],
    "6": ["###", "#..", "###", "#.#", "###"],
    "7": ["###", "..#", "..#", ".#.", ".#."],
    "8": ["###", "#.#", "###", "#.#", "###"],
    "9": ["###", "#.#", "###", "..#", "###"],
    "-": ["...", "...", "###", "...", "..."],
    "A": [".#.", "#.#", "###", "#.#", "#.#"],
    "D": ["##.", "#.#", "#.#", "#.#", "##."],
    "E": ["###", "#..", "##.", "#..", "###"],
    "H": ["#.#", "#.#", "###", "#.#", "#.#"],
    "L": ["#..", "#..", "#..", "#..", "###"],
    "N": ["#..#", "##.#", "#.##", "#..#", "#..#"],
    "O": ["###", "#.#", "#.#", "#.#", "###"],
    "P": ["###", "#.#", "###", "#..", "#.."],
    "S": ["###", "#..", "###", "..#", "###"],
    "U": ["#.#", "#.#", "#.#", "#.#", "###"],
    "W": ["#...#", "#...#", "#.#.#", "##.##", "#...#"],
  ]
}

/// Large digits and words, five pixels high, for somebody who runs two metres away.
enum PixelFont {
  /// How many columns and rows a pixel takes.
  struct Pixel: Hashable, Sendable {
    /// Columns.
    let columns: Int
    /// Rows.
    let rows: Int

    /// Narrow letters, five rows high, for words beside a number.
    static let narrow = Pixel(columns: 1, rows: 1)
    /// About square on a terminal, five rows high.
    static let square = Pixel(columns: 2, rows: 1)
    /// Narrow letters, ten rows high.
    static let tall = Pixel(columns: 2, rows: 2)
    /// About square, ten rows high.
    static let huge = Pixel(columns: 4, rows: 2)
  }

  /// Pixels from top to bottom.
  static let height = 5

  /// The rows of a text from the top, each as wide as ``width(_:_:)``; a character without a glyph is left blank.
  ///
  /// - Parameter ink: the character of a pixel that is set.
  static func rows(_ text: String, _ pixel: Pixel, ink: Character) -> [String] {
    let letters = text.map { Self.glyphs[$0] ?? Self.blank }
    return (0..<height).flatMap { row in
      let pixels = letters.map { $0[row] }.joined(separator: ".")
      let line = pixels.map { String(repeating: $0 == "#" ? ink : " ", count: pixel.columns) }.joined()
      return [String](repeating: line, count: pixel.rows)
    }
  }

  /// The columns that a text takes.
  static func width(_ text: String, _ pixel: Pixel) -> Int {
    let pixels = text.map { (glyphs[$0] ?? blank)[0].count }.reduce(0, +) + max(0, text.count - 1)
    return pixels * pixel.columns
  }

  /// Whether every character of a text has a glyph.
  static func canWrite(_ text: String) -> Bool { text.allSatisfy { $0 == " " || glyphs[$0] != nil } }

  private static let blank = ["..", "..", "..", "..", ".."]

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
    ":": [".", "#", ".", "#", "."],
    ".": [".", ".", ".", ".", "#"],
    "/": ["..#", "..#", ".#.", "#..", "#.."],
    "A": [".##.", "#..#", "####", "#..#", "#..#"],
    "B": ["###.", "#..#", "###.", "#..#", "###."],
    "C": [".###", "#...", "#...", "#...", ".###"],
    "D": ["###.", "#..#", "#..#", "#..#", "###."],
    "E": ["###", "#..", "##.", "#..", "###"],
    "F": ["###", "#..", "##.", "#..", "#.."],
    "G": [".###", "#...", "#.##", "#..#", ".###"],
    "H": ["#..#", "#..#", "####", "#..#", "#..#"],
    "I": ["#", "#", "#", "#", "#"],
    "J": ["..#", "..#", "..#", "#.#", ".#."],
    "K": ["#..#", "#.#.", "##..", "#.#.", "#..#"],
    "L": ["#..", "#..", "#..", "#..", "###"],
    "M": ["#...#", "##.##", "#.#.#", "#...#", "#...#"],
    "N": ["#...#", "##..#", "#.#.#", "#..##", "#...#"],
    "O": [".##.", "#..#", "#..#", "#..#", ".##."],
    "P": ["###.", "#..#", "###.", "#...", "#..."],
    "Q": [".##.", "#..#", "#..#", "#.#.", ".#.#"],
    "R": ["###.", "#..#", "###.", "#.#.", "#..#"],
    "S": [".###", "#...", ".##.", "...#", "###."],
    "T": ["###", ".#.", ".#.", ".#.", ".#."],
    "U": ["#..#", "#..#", "#..#", "#..#", ".##."],
    "V": ["#...#", "#...#", ".#.#.", ".#.#.", "..#.."],
    "W": ["#...#", "#...#", "#.#.#", "#.#.#", ".#.#."],
    "X": ["#.#", "#.#", ".#.", "#.#", "#.#"],
    "Y": ["#.#", "#.#", ".#.", ".#.", ".#."],
    "Z": ["####", "...#", ".##.", "#...", "####"],
  ]
}

/// A grid of dots, two columns and four rows of them to a character.
struct BrailleCanvas: Sendable {
  /// Characters in a row.
  let columns: Int
  /// Rows of characters.
  let rows: Int
  private var cells: [UInt8]

  /// Columns of dots.
  var dotColumns: Int { columns * 2 }
  /// Rows of dots.
  var dotRows: Int { rows * 4 }

  /// An empty canvas.
  ///
  /// - Precondition: both counts are positive.
  init(columns: Int, rows: Int) {
    precondition(columns > 0 && rows > 0, "a canvas has columns and rows")
    self.columns = columns
    self.rows = rows
    cells = [UInt8](repeating: 0, count: columns * rows)
  }

  /// Sets a dot, counted from the left and from the top; one outside is left out.
  mutating func set(_ x: Int, _ y: Int) {
    guard (0..<dotColumns).contains(x), (0..<dotRows).contains(y) else { return }
    // Dots 1 2 3 7 are the left column of a braille character, 4 5 6 8 the right one.
    let bit = x % 2 == 0 ? [0, 1, 2, 6][y % 4] : [3, 4, 5, 7][y % 4]
    cells[y / 4 * columns + x / 2] |= 1 << UInt8(bit)
  }

  /// The character of a cell; `nil` for one without dots.
  func character(column: Int, row: Int) -> Character? {
    let bits = cells[row * columns + column]
    return bits == 0 ? nil : Character(Unicode.Scalar(UInt32(0x2800) + UInt32(bits)) ?? " ")
  }

  /// The row of the middle of the dots of a cell, in rows of characters from the top; `nil` for one without dots.
  func middle(column: Int, row: Int) -> Double? {
    let bits = cells[row * columns + column]
    var sum = 0
    var count = 0
    for (line, mask) in [UInt8(0b0000_1001), 0b0001_0010, 0b0010_0100, 0b1100_0000].enumerated() {
      guard bits & mask != 0 else { continue }
      sum += 2 * line + 1
      count += 1
    }
    return count > 0 ? Double(row) + Double(sum) / Double(count * 8) : nil
  }
}

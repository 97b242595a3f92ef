internal import TextFormats
internal import WorkoutSession

/// The cells of a table, row by row: their texts stand one after another in one piece of memory, because a list can have ten
/// thousand rows.
struct TableCells: Sendable {
  /// What is known of a cell.
  struct Cell: Sendable {
    /// Where its text ends; it begins where that of the cell before it ends.
    fileprivate let end: Int
    private let columns: Int32
    /// How it looks.
    let style: Style
    /// Whether it is a bar, which takes the room that it is given.
    let isBar: Bool

    fileprivate init(end: Int, width: Int, style: Style = .plain, isBar: Bool = false) {
      self.end = end
      columns = Int32(clamping: width)
      self.style = style
      self.isBar = isBar
    }

    /// The columns that the text takes; 0 for a bar.
    var width: Int { Int(columns) }
    /// Whether there is nothing to see.
    var isEmpty: Bool { columns == 0 && !isBar }
  }

  private var bytes: [UInt8] = []
  private var cells: [Cell] = []
  /// The parts of 1, by the place of the cell.
  private var bars: [Int: Double] = [:]

  /// How many there are.
  var count: Int { cells.count }

  subscript(index: Int) -> Cell { cells[index] }

  /// Adds a text; `nil` for what is not known. It is made visible, as in a ``StyledText``.
  mutating func append(_ text: String?, _ style: Style = .plain) {
    guard var text else { return cells.append(Cell(end: bytes.count, width: 0)) }
    // Most texts are numbers and words, which are as wide as they are long.
    var width = text.utf8.count
    if !text.isPrintableASCII {
      let safe = StyledText(text)
      text = safe.plain
      width = safe.width
    }
    text.withUTF8 { unsafe bytes.append(contentsOf: $0) }
    cells.append(Cell(end: bytes.count, width: width, style: style))
  }

  /// Adds what `write` appends, for what is known: printable ASCII, such as numbers and clocks.
  mutating func append<Value>(_ value: Value?, ascii write: (Value, inout [UInt8]) -> Void) {
    let start = bytes.count
    if let value { write(value, &bytes) }
    cells.append(Cell(end: bytes.count, width: bytes.count - start))
  }

  /// Adds a bar of a part of 1.
  mutating func append(bar share: Double, _ style: Style = .plain) {
    bars[cells.count] = share
    cells.append(Cell(end: bytes.count, width: 0, style: style, isBar: true))
  }

  /// The text of the cell at `index`.
  func text(at index: Int) -> ArraySlice<UInt8> { bytes[(index > 0 ? cells[index - 1].end : 0)..<cells[index].end] }

  /// The same as a string.
  func string(at index: Int) -> String { String(decoding: text(at: index), as: UTF8.self) }

  /// What is shown of the cell at `index` in `room` columns: as much of a bar, or the beginning of a text.
  func shown(at index: Int, in room: Int) -> StyledText {
    let style = cells[index].style
    if let share = bars[index] {
      return share > 0 ? StyledText(BandBars.bar(share, width: room), style) : .empty
    }
    return StyledText(String(decoding: text(at: index), as: UTF8.self), style).cut(to: room)
  }
}

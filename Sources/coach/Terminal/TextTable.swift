/// A table whose columns stand under their titles, with as many columns as there is room for.
///
/// Columns in which nothing stands are left out. Where there is no room the columns of the highest rank go first.
struct TextTable: Sendable {
  /// A column.
  struct Column: Sendable {
    /// What stands over it.
    let title: String
    /// Whether it stands at the right, as numbers do.
    var isNumber = false
    /// 0 for a column that always stays, more for one that goes sooner.
    var rank = 0
    /// The most columns of text that it takes; a longer text is cut.
    var limit = 40
    /// Whether the cells are parts of 1, drawn as bars in the room that is left.
    var isBar = false
  }

  /// What stands in a column of a row: a text of one style, or a bar.
  struct Cell: Sendable {
    fileprivate let text: String
    fileprivate let style: Style
    /// The columns that the text takes.
    fileprivate let width: Int
    fileprivate let share: Double

    /// A text; `nil` for what is not known.
    static func text(_ text: String?, _ style: Style = .plain) -> Cell {
      guard let text else { return Cell(text: "", style: .plain, width: 0, share: 0) }
      // Most texts are numbers, which are as wide as they are long.
      guard text.isPrintableASCII else {
        let safe = StyledText(text)
        return Cell(text: safe.plain, style: style, width: safe.width, share: 0)
      }
      return Cell(text: text, style: style, width: text.utf8.count, share: 0)
    }

    /// A bar of a part of 1.
    static func bar(_ share: Double, _ style: Style = .plain) -> Cell {
      Cell(text: "", style: style, width: 0, share: share)
    }

    fileprivate var isEmpty: Bool { width == 0 && share == 0 }

    /// What is shown in `room` columns.
    fileprivate func shown(in room: Int) -> StyledText {
      share > 0 ? StyledText(BandBars.bar(share, width: room), style) : StyledText(text, style).cut(to: room)
    }
  }

  private static let narrowestBar = 8
  private static let widestBar = 40

  private let columns: [Column]
  private let rows: [[Cell]]
  private let widths: [Int]

  /// A table; every row has a cell for every column.
  init(_ columns: [Column], _ rows: [[Cell]]) {
    self.columns = columns
    self.rows = rows
    widths = columns.indices.map { index in
      if columns[index].isBar { return rows.contains { !$0[index].isEmpty } ? Self.narrowestBar : 0 }
      let widest = rows.reduce(0) { max($0, $1[index].width) }
      return widest == 0 ? 0 : min(columns[index].limit, max(widest, StyledText(columns[index].title).width))
    }
  }

  /// The lines, each in at most `width` columns: the titles, then the rows.
  func lines(width: Int) -> [StyledText] {
    let gap = width >= 60 ? 2 : 1
    var widths = widths
    var shown = columns.indices.filter { widths[$0] > 0 }
    var room = width - 2 + gap - shown.reduce(0) { $0 + widths[$1] + gap }
    while room < 0 {
      let leaving = shown.filter { columns[$0].rank > 0 }.max { columns[$0].rank < columns[$1].rank }
      guard let leaving else { break }
      shown.removeAll { $0 == leaving }
      room += widths[leaving] + gap
    }
    if let bar = shown.first(where: { columns[$0].isBar }) {
      widths[bar] = min(Self.widestBar, Self.narrowestBar + max(0, room))
    }
    let titles = columns.map { Cell.text($0.title, .dim) }
    return ([titles] + rows).map { line($0, shown, widths, gap, width) }
  }

  private func line(_ cells: [Cell], _ shown: [Int], _ widths: [Int], _ gap: Int, _ width: Int) -> StyledText {
    var line = StyledText.empty
    guard let last = shown.last(where: { !cells[$0].isEmpty }) else { return line }
    // Most of a line has no style: it grows in one piece, as bytes, because a list can have ten thousand lines.
    var plain: [UInt8] = []
    plain.reserveCapacity(2 * width)
    var plainWidth = 0
    func space(_ count: Int) {
      guard count > 0 else { return }
      plain.append(contentsOf: repeatElement(UInt8(ascii: " "), count: count))
      plainWidth += count
    }
    func endPlain() {
      line.append(String(decoding: plain, as: UTF8.self), .plain, width: plainWidth)
      plain.removeAll(keepingCapacity: true)
      plainWidth = 0
    }
    space(2)
    for index in shown {
      let cell = cells[index]
      let room = widths[index]
      var taken = cell.width
      if columns[index].isNumber { space(room - taken) }
      if cell.style == .plain, cell.share == 0, taken <= room {
        plain.append(contentsOf: cell.text.utf8)
        plainWidth += taken
      } else {
        let shown = cell.shown(in: room)
        taken = shown.width
        endPlain()
        line += shown
      }
      guard index != last else { break }
      space((columns[index].isNumber ? 0 : room - taken) + gap)
    }
    endPlain()
    return line.cut(to: width)
  }
}

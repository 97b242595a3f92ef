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
    /// Whether the cells are names that must stay distinct when they are cut.
    var isLabel = false
  }

  /// What stands in a column of a row: a text of one style, or a bar.
  struct Cell: Sendable {
    fileprivate let text: String?
    fileprivate let style: Style
    fileprivate let share: Double

    /// A text; `nil` for what is not known.
    static func text(_ text: String?, _ style: Style = .plain) -> Cell { Cell(text: text, style: style, share: 0) }

    /// A bar of a part of 1.
    static func bar(_ share: Double, _ style: Style = .plain) -> Cell { Cell(text: nil, style: style, share: share) }
  }

  private static let narrowestBar = 8
  private static let narrowestLabel = 8
  private static let widestBar = 40
  /// How many rows one thread draws at a time.
  private static let rowsOfPiece = 512

  private let columns: [Column]
  /// The cells, some rows each: those of a table that was added stay together.
  private var parts = [TableCells()]
  /// The columns that the widest text of each column takes; 0 where nothing stands.
  private var widest: [Int]

  /// A table without rows.
  init(_ columns: [Column]) {
    self.columns = columns
    widest = Array(repeating: 0, count: columns.count)
  }

  /// A table; every row has a cell for every column.
  init(_ columns: [Column], _ rows: [[Cell]]) {
    self.init(columns)
    for row in rows {
      precondition(row.count == columns.count, "a row has a cell for every column")
      for (index, cell) in row.enumerated() { append(cell, at: index) }
    }
  }

  /// Adds a row; `fill` adds a cell for every column, from left to right.
  mutating func appendRow(_ fill: (inout TableCells) -> Void) {
    let (part, start) = (parts.count - 1, parts[parts.count - 1].count)
    fill(&parts[part])
    precondition(parts[part].count == start + columns.count, "a row has a cell for every column")
    for index in widest.indices { widest[index] = max(widest[index], parts[part][start + index].width) }
  }

  /// Adds the rows of a table with the same columns.
  mutating func append(_ other: TextTable) {
    precondition(columns.count == other.columns.count, "a row has a cell for every column")
    parts += other.parts
    for index in widest.indices { widest[index] = max(widest[index], other.widest[index]) }
  }

  private mutating func append(_ cell: Cell, at index: Int) {
    let part = parts.count - 1
    if cell.share == 0 {
      parts[part].append(cell.text, cell.style)
    } else {
      parts[part].append(bar: cell.share, cell.style)
      if columns[index].isBar { widest[index] = max(widest[index], 1) }
    }
    widest[index] = max(widest[index], parts[part][parts[part].count - 1].width)
  }

  /// The lines, each in at most `width` columns: the titles, then the rows.
  func lines(width: Int) -> [StyledText] {
    lines(Layout(self, width: width))
  }

  /// The lines, each in at most `width` columns, of all columns: those without room stand in further tables under the first,
  /// each of which begins with the columns of names at the left again, or else the first. Names are shortened for it, and have
  /// no limit where there is room. Ranks mean nothing here.
  func wrappedLines(width: Int) -> [StyledText] {
    let known = columns.indices.filter { widest[$0] > 0 }
    var layouts = [Layout(self, width: width, of: known, longestLabel: .max)]
    let keys = Array(known.prefix(max(1, known.prefix { columns[$0].isLabel }.count)))
    let longestLabel = max(Self.narrowestLabel, width / (3 * keys.count))
    // One table with names as long as there is room for goes before several.
    if !layouts[0].fits,
      let room = (longestLabel...max(longestLabel, width)).last(where: { self.room(in: width, of: known, $0) >= 0 })
    {
      layouts = [Layout(self, width: width, of: known, longestLabel: room)]
    }
    if !layouts[0].fits {
      func layout(_ group: [Int]) -> Layout { Layout(self, width: width, of: group, longestLabel: longestLabel) }
      layouts = []
      var rest = known.dropFirst(keys.count)
      repeat {
        var group = keys
        while let next = rest.first, group.count == keys.count || layout(group + [next]).fits {
          group.append(next)
          rest.removeFirst()
        }
        layouts.append(layout(group))
      } while !rest.isEmpty
    }
    return layouts.map(lines).joinedBlocks
  }

  /// How wide the columns are that a table has in a number of columns of the screen, with names as long as `longestLabel`.
  private func widths(in width: Int, longestLabel: Int?) -> [Int] {
    columns.indices.map { index in
      guard widest[index] > 0 else { return 0 }
      if columns[index].isBar { return Self.narrowestBar }
      let limit = columns[index].isLabel ? longestLabel ?? columns[index].limit : columns[index].limit
      return min(limit, max(widest[index], StyledText(columns[index].title).width))
    }
  }

  /// How many columns of the screen are left beside some columns; below 0 where there is no room for them.
  private func room(in width: Int, of shown: [Int], _ longestLabel: Int?) -> Int {
    let (gap, widths) = (Self.gap(in: width), widths(in: width, longestLabel: longestLabel))
    return width - 2 + gap - shown.reduce(0) { $0 + widths[$1] + gap }
  }

  private static func gap(in width: Int) -> Int { width >= 60 ? 2 : 1 }

  private func lines(_ layout: Layout) -> [StyledText] {
    [line(0, of: titles, layout)] + parts.flatMap { part in rows(of: part).map { line($0, of: part, layout) } }
  }

  /// The same lines as a terminal shows them, in pieces that several threads make: the titles, then some rows each.
  func rendered(width: Int, usingColor: Bool, in glyphs: GlyphSet) async -> [[UInt8]] {
    let layout = Layout(self, width: width)
    func rendered(_ rows: Range<Int>, of cells: TableCells) -> Task<[UInt8], Never> {
      Task.detached {
        var piece = RenderedLines(usesColor: usingColor, glyphs: glyphs)
        for row in rows {
          if layout.fits {
            draw(row, of: cells, layout, &piece)
          } else {
            piece.append(line(row, of: cells, layout))
          }
          piece.endLine()
        }
        return piece.bytes
      }
    }
    var drawn = [rendered(0..<1, of: titles)]
    for part in parts {
      let rows = rows(of: part)
      for first in stride(from: 0, to: rows.count, by: Self.rowsOfPiece) {
        drawn.append(rendered(first..<min(first + Self.rowsOfPiece, rows.count), of: part))
      }
    }
    var pieces: [[UInt8]] = []
    for piece in drawn { pieces.append(await piece.value) }
    return pieces
  }

  private func rows(of cells: TableCells) -> Range<Int> { 0..<(columns.isEmpty ? 0 : cells.count / columns.count) }

  private var titles: TableCells {
    var titles = TableCells()
    for column in columns { titles.append(column.title, .dim) }
    return titles
  }

  private func line(_ row: Int, of cells: TableCells, _ layout: Layout) -> StyledText {
    var line = StyledLine()
    draw(row, of: cells, layout, &line)
    return line.text.cut(to: layout.width)
  }

  private func draw(_ row: Int, of cells: TableCells, _ layout: Layout, _ line: inout some TableLine) {
    let start = row * columns.count
    guard let last = layout.shown.last(where: { !cells[start + $0].isEmpty }) else { return }
    line.append(spaces: 2)
    for index in layout.shown {
      let cell = cells[start + index]
      let room = layout.widths[index]
      let isNumber = columns[index].isNumber
      var taken = cell.width
      if isNumber { line.append(spaces: room - taken) }
      if !cell.isBar, taken <= room {
        line.append(cells.text(at: start + index), cell.style, width: taken)
      } else if !cell.isBar, let label = layout.labels[index]?[cells.string(at: start + index)] {
        let shown = StyledText(label, cell.style)
        taken = shown.width
        line.append(shown)
      } else {
        let shown = cells.shown(at: start + index, in: room)
        taken = shown.width
        line.append(shown)
      }
      guard index != last else { break }
      line.append(spaces: (isNumber ? 0 : room - taken) + layout.gap)
    }
  }

  /// Which columns there is room for, and how wide they are.
  private struct Layout {
    let width: Int
    let gap: Int
    let shown: [Int]
    let widths: [Int]
    /// Whether no line is too wide, and none has to be cut.
    let fits: Bool
    /// What names are called in columns of names with too little room for them.
    let labels: [Int: [String: String]]

    /// The columns that there is room for; `wanted` are those that stand there in any case, and `longestLabel` is how wide
    /// their names are at most, else their limit.
    init(_ table: TextTable, width: Int, of wanted: [Int]? = nil, longestLabel: Int? = nil) {
      self.width = width
      let columns = table.columns
      let gap = TextTable.gap(in: width)
      var widths = table.widths(in: width, longestLabel: longestLabel)
      var shown = columns.indices.filter { widths[$0] > 0 && wanted?.contains($0) ?? true }
      var room = table.room(in: width, of: shown, longestLabel)
      while room < 0, wanted == nil {
        let leaving = shown.filter { columns[$0].rank > 0 }.max { columns[$0].rank < columns[$1].rank }
        guard let leaving else { break }
        shown.removeAll { $0 == leaving }
        room += widths[leaving] + gap
      }
      if let bar = shown.first(where: { columns[$0].isBar }) {
        widths[bar] = min(TextTable.widestBar, TextTable.narrowestBar + max(0, room))
      }
      self.gap = gap
      self.shown = shown
      self.widths = widths
      fits = room >= 0
      var labels: [Int: [String: String]] = [:]
      let named = shown.filter { columns[$0].isLabel }
      let cut = named.filter { table.widest[$0] > widths[$0] }
      // Names of one column may stand in another, as of what is compared: they are told apart there, too.
      let names =
        cut.isEmpty
        ? []
        : table.parts.flatMap { part in
          table.rows(of: part).flatMap { row in named.map { part.string(at: row * columns.count + $0) } }
        }
      for index in cut { labels[index] = DistinctLabels.short(names, width: widths[index]) }
      self.labels = labels
    }
  }
}

/// What stands in the place of the curve: a menu, or lines that are to be read.
///
/// A menu is shown in the most readable way that has room: whole, then each of its lines in short, then beside each other. What has no
/// room even so is counted in the last line.
struct LivePanel: Hashable, Sendable {
  /// A line of a menu.
  struct Item: Hashable, Sendable {
    /// On a line of its own, from the longest wording to the shortest.
    let line: [String]
    /// Beside others, from the longest wording to the shortest.
    let cell: [String]
  }

  /// What the lines of a menu are.
  enum Kind: Hashable, Sendable {
    /// What keys do: each of them is seen, cut if need be.
    case keys
    /// The same in so few words that they stand beside each other wherever they have room.
    case words
    /// What was measured: a number is never cut so that others have room.
    case readings
  }

  /// What the lines of the menu are.
  let kind: Kind
  /// The lines of the menu; none where there is something to be read and nothing to be chosen.
  let items: [Item]
  /// What is read under them, which gives way first.
  let notes: [String]

  /// Lines that are to be read.
  static func text(_ lines: [String]) -> LivePanel { LivePanel(kind: .readings, items: [], notes: lines) }

  /// Whether it is a menu, which takes what room it needs from everything but the heart rate and what to do.
  var isMenu: Bool { !items.isEmpty }

  /// Between what stands side by side.
  private static let gap = 2
  /// The least columns in which a key and what it does are seen.
  private static let leastCell = 8

  /// All of it, at length; `nil` where that has no room.
  func whole(columns: Int, rows: Int) -> [StyledText]? {
    let lines = forms(columns)[0]
    let notes = wrappedNotes(columns)
    let all = lines + (lines.isEmpty || notes.isEmpty ? [] : [.empty]) + notes
    return all.count <= rows ? all : nil
  }

  /// What has room of it, at most `rows` lines; the last one says how many lines are left out.
  func lines(columns: Int, rows: Int) -> [StyledText] {
    if let whole = whole(columns: columns, rows: rows) { return whole }
    guard rows > 0 else { return [] }
    let notes = wrappedNotes(columns)
    let room = notes.isEmpty || items.isEmpty ? rows : rows - 1
    guard let lines = forms(columns).first(where: { $0.count <= room }) else { return cutItems(columns, rows) }
    return lines + Self.cut(notes, isUnderItems: !lines.isEmpty, columns, rows: rows - lines.count)
  }

  // MARK: - Forms

  /// The lines of the menu, from the most readable way to the shortest.
  private func forms(_ columns: Int) -> [[StyledText]] {
    switch kind {
    case .keys: [atLength(columns), single(columns), grid(items, 2, columns), grid(items, 3, columns)]
    case .words: [sideBySide(columns), grid(items, 3, columns), grid(items, 4, columns)]
    case .readings: [atLength(columns), single(columns), paired(columns)]
    }
  }

  private func atLength(_ columns: Int) -> [StyledText] { Self.wrap(items.map { $0.line.first ?? "" }, columns) }

  private func wrappedNotes(_ columns: Int) -> [StyledText] { Self.wrap(notes, columns) }

  /// What fits keeps its columns.
  private static func wrap(_ lines: [String], _ columns: Int) -> [StyledText] {
    lines.flatMap { $0.count <= columns ? [$0] : wrapped($0, width: columns, indent: 0, hanging: 3) }.map {
      StyledText($0).cut(to: columns)
    }
  }

  private func single(_ columns: Int) -> [StyledText] {
    items.map { $0.line.map { StyledText($0) }.fitting(columns) }
  }

  /// As many columns as leave every word whole.
  private func sideBySide(_ columns: Int) -> [StyledText] {
    let count = [3, 2].first { count in
      let width = Self.cell(count, of: columns)
      return items.allSatisfy { item in item.cell.contains { StyledText($0).width <= width } }
    }
    return grid(items, count ?? 1, columns)
  }

  private static func cell(_ count: Int, of columns: Int) -> Int { (columns - gap * (count - 1)) / count }

  /// In columns that are read from the top; fewer than `count` where a screen is too narrow for them. A word that has no room ends
  /// with its column.
  private func grid(_ items: [Item], _ count: Int, _ columns: Int) -> [StyledText] {
    let count = (1...count).last { Self.cell($0, of: columns) >= Self.leastCell } ?? 1
    let width = Self.cell(count, of: columns)
    let rows = (items.count + count - 1) / count
    let cells = items.map { item in
      let whole = item.cell.first { StyledText($0).width <= width }
      return StyledText(whole ?? String((item.cell.last ?? "").prefix(width))).padded(to: width)
    }
    return (0..<rows).map { row in
      stride(from: row, to: cells.count, by: rows).map { cells[$0] }.joined(by: .spaces(Self.gap))
    }
  }

  /// Two on a line where both are short, in their order.
  private func paired(_ columns: Int) -> [StyledText] {
    let width = Self.cell(2, of: columns)
    var (rows, first): ([StyledText], StyledText?) = ([], nil)
    for item in items {
      if let cell = item.cell.map({ StyledText($0) }).first(where: { $0.width <= width }) {
        guard let left = first else {
          first = cell
          continue
        }
        rows.append(left.padded(to: width) + .spaces(Self.gap) + cell)
      } else {
        if let left = first { rows.append(left) }
        rows.append(item.line.map { StyledText($0) }.fitting(columns))
      }
      first = nil
    }
    return rows + (first.map { [$0] } ?? [])
  }

  // MARK: - What has no room

  private static func more(_ count: Int, _ columns: Int) -> StyledText {
    StyledText("… and \(count) more", .dim).cut(to: columns)
  }

  /// The first lines of a menu that has no room in any form.
  private func cutItems(_ columns: Int, _ rows: Int) -> [StyledText] {
    func first(_ count: Int) -> [StyledText] {
      kind == .readings ? Array(single(columns).prefix(count)) : grid(Array(items.prefix(count)), 4, columns)
    }
    let shown = (0..<items.count).last { first($0).count < rows } ?? 0
    return first(shown) + [Self.more(items.count - shown, columns)]
  }

  /// The first of the lines that stand under a menu, or alone.
  private static func cut(_ notes: [StyledText], isUnderItems: Bool, _ columns: Int, rows: Int) -> [StyledText] {
    guard !notes.isEmpty, rows > 0 else { return [] }
    let gap = isUnderItems && (rows > notes.count || rows > 3) ? [StyledText.empty] : []
    let room = rows - gap.count
    if notes.count <= room { return gap + notes }
    // A line that goes on says so by itself.
    if room == 1, !isUnderItems { return [(notes[0] + StyledText(" …")).cut(to: columns)] }
    return gap + notes.prefix(room - 1) + [more(notes.count - (room - 1), columns)]
  }
}

internal import TextFormats
internal import WorkoutSession

/// One line of text whose pieces have styles. Escape sequences come in only when it is written, so its width is always
/// that of what is seen.
struct StyledText: Hashable, Sendable {
  /// A piece of one style.
  struct Run: Hashable, Sendable {
    /// The text, without control characters.
    fileprivate(set) var text: String
    /// How it looks.
    let style: Style
  }

  /// The pieces from left to right; none is empty.
  private(set) var runs: [Run]
  /// The columns that it takes.
  private(set) var width: Int

  /// No text.
  static let empty = StyledText("")

  /// One piece, as ``Swift/String/visible`` makes it: a name from a file can neither break the line nor speak to the
  /// terminal.
  init(_ text: String, _ style: Style = .plain) {
    if text.isPrintableASCII {
      runs = text.isEmpty ? [] : [Run(text: text, style: style)]
      width = text.utf8.count
      return
    }
    let safe = text.visible
    runs = safe.isEmpty ? [] : [Run(text: safe, style: style)]
    width = safe.reduce(0) { $0 + $1.columns }
  }

  /// Spaces; none for a count that is not positive.
  static func spaces(_ count: Int) -> StyledText { StyledText(String(repeating: " ", count: max(0, count))) }

  /// One line after another, on one line.
  static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    sum += right
    return sum
  }

  /// Adds a line at the end, on the same line.
  static func += (left: inout StyledText, right: StyledText) {
    if let style = left.runs.last?.style, let first = right.runs.first, style == first.style {
      left.runs[left.runs.count - 1].text += first.text
      if right.runs.count > 1 { left.runs += right.runs.dropFirst() }
    } else {
      left.runs += right.runs
    }
    left.width += right.width
  }

  /// Adds spaces at the end; none for a count that is not positive.
  mutating func append(spaces count: Int) {
    guard count > 0 else { return }
    append(String(repeating: " ", count: count), .plain, width: count)
  }

  /// Adds a text at the end that has no control characters and takes `width` columns.
  mutating func append(_ text: String, _ style: Style, width: Int) {
    guard !text.isEmpty else { return }
    if runs.last?.style == style {
      runs[runs.count - 1].text += text
    } else {
      runs.append(Run(text: text, style: style))
    }
    self.width += width
  }

  /// At least `width` columns, filled with spaces at the right.
  func padded(to width: Int) -> StyledText { self + .spaces(width - self.width) }

  /// At least `width` columns, filled with spaces at the left.
  func aligned(to width: Int) -> StyledText { .spaces(width - self.width) + self }

  /// At most `limit` columns: a longer text ends in an ellipsis.
  func cut(to limit: Int) -> StyledText {
    guard width > limit else { return self }
    var result = StyledText.empty
    var room = limit - 1
    var style = Style.plain
    pieces: for run in runs {
      style = run.style
      var kept = ""
      for character in run.text {
        guard character.columns <= room else {
          result += StyledText(kept, style)
          break pieces
        }
        kept.append(character)
        room -= character.columns
      }
      result += StyledText(kept, style)
    }
    return limit > 0 ? result + StyledText("…", style) : .empty
  }

  /// The text alone.
  var plain: String { runs.map(\.text).joined() }

  /// As it is written to a terminal.
  func rendered(usingColor: Bool, in glyphs: GlyphSet) -> String {
    var result = ""
    for run in runs {
      let text = glyphs.text(run.text)
      let escape = usingColor ? run.style.escape : ""
      result += escape.isEmpty ? text : escape + text + Style.reset
    }
    return result
  }
}

extension Sequence<StyledText> {
  /// All on one line, with `separator` between them.
  func joined(by separator: StyledText) -> StyledText {
    var result = StyledText.empty
    var isFirst = true
    for text in self {
      if !isFirst { result += separator }
      result += text
      isFirst = false
    }
    return result
  }
}

extension [[StyledText]] {
  /// The blocks under each other, an empty line between two; those without lines are left out.
  var joinedBlocks: [StyledText] {
    filter { !$0.isEmpty }.reduce(into: []) { lines, block in
      if !lines.isEmpty { lines.append(.empty) }
      lines += block
    }
  }
}

extension [StyledText] {
  /// The first that is not wider than `width`; where there is none the last one, cut.
  func fitting(_ width: Int) -> StyledText {
    first { $0.width <= width } ?? last?.cut(to: width) ?? .empty
  }
}

extension StyledText {
  /// The same without spaces at its end.
  var withoutTrailingSpaces: StyledText {
    var result = self
    while let last = result.runs.last, last.text.utf8.last == UInt8(ascii: " ") {
      let spaces = last.text.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
      result.runs.removeLast()
      result.width -= spaces
      let text = String(last.text.unicodeScalars.dropLast(spaces))
      if !text.isEmpty { result.runs.append(Run(text: text, style: last.style)) }
    }
    return result
  }
}

/// Where the pieces of a line of a table go, from left to right.
protocol TableLine {
  /// Adds spaces; none for a count that is not positive.
  mutating func append(spaces count: Int)
  /// Adds a text without control characters that takes `width` columns.
  mutating func append(_ text: ArraySlice<UInt8>, _ style: Style, width: Int)
  /// Adds a text that was made for its place.
  mutating func append(_ text: StyledText)
}

extension [UInt8] {
  /// Adds spaces; none for a count that is not positive.
  fileprivate mutating func append(spaces count: Int) {
    for _ in 0..<Swift.max(0, count) { append(UInt8(ascii: " ")) }
  }
}

/// A line that becomes a styled text.
struct StyledLine: TableLine {
  private var line = StyledText.empty
  /// Most of a line has no style: it grows in one piece, as bytes.
  private var plain: [UInt8] = []
  private var plainWidth = 0

  /// A line with nothing in it.
  init() {}

  mutating func append(spaces count: Int) {
    plain.append(spaces: count)
    plainWidth += max(0, count)
  }

  mutating func append(_ text: ArraySlice<UInt8>, _ style: Style, width: Int) {
    if style == .plain {
      plain.append(contentsOf: text)
      plainWidth += width
    } else {
      endPlain()
      line.append(String(decoding: text, as: UTF8.self), style, width: width)
    }
  }

  mutating func append(_ text: StyledText) {
    endPlain()
    line += text
  }

  /// The line.
  var text: StyledText {
    var whole = self
    whole.endPlain()
    return whole.line
  }

  private mutating func endPlain() {
    line.append(String(decoding: plain, as: UTF8.self), .plain, width: plainWidth)
    plain.removeAll(keepingCapacity: true)
    plainWidth = 0
  }
}

/// Lines as a terminal shows them, one after another.
struct RenderedLines: TableLine {
  /// The lines.
  private(set) var bytes: [UInt8] = []
  private let usesColor: Bool
  private let glyphs: GlyphSet
  /// The style that was used last, and what begins it: a column has one.
  private var last = (style: Style.plain, escape: "")

  /// No line.
  init(usesColor: Bool, glyphs: GlyphSet) {
    self.usesColor = usesColor
    self.glyphs = glyphs
  }

  /// Ends a line.
  mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

  mutating func append(spaces count: Int) { bytes.append(spaces: count) }

  mutating func append(_ text: ArraySlice<UInt8>, _ style: Style, width: Int) {
    guard !text.isEmpty else { return }
    let escape = usesColor && style != .plain ? self.escape(of: style) : ""
    bytes.append(contentsOf: escape.utf8)
    // What is as wide as it is long is ASCII.
    if glyphs == .unicode || text.count == width {
      bytes.append(contentsOf: text)
    } else {
      bytes.append(contentsOf: glyphs.text(String(decoding: text, as: UTF8.self)).utf8)
    }
    if !escape.isEmpty { bytes.append(contentsOf: Style.reset.utf8) }
  }

  mutating func append(_ text: StyledText) {
    bytes.append(contentsOf: text.rendered(usingColor: usesColor, in: glyphs).utf8)
  }

  private mutating func escape(of style: Style) -> String {
    if last.style != style { last = (style, style.escape) }
    return last.escape
  }
}

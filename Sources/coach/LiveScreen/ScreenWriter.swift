import TextFormats

/// Draws pictures over the whole terminal, line by line where something changed, each given in one piece. One that the terminal has no
/// room for is dropped, and the next one is drawn over what it has.
///
/// What stood there is scrolled away first and stays to be read; there is no second screen that could be left on.
final class ScreenWriter {
  private let output: any TerminalSink
  private var shown: [String] = []
  private var size: ScreenSize?

  /// A writer to an open terminal that nobody else writes to meanwhile.
  init(output: any TerminalSink) { self.output = output }

  /// Whether the terminal is taken.
  var isOpen: Bool { size != nil }

  /// Whether the terminal has yet to take what was drawn, so that a new picture would be dropped.
  var isBehind: Bool { output.isBehind }

  /// Draws a picture; the first one, and one of another size, anew. Returns whether the terminal has it, or will have.
  ///
  /// - Throws: `FileError` with `write` when the terminal is gone.
  @discardableResult
  func draw(_ lines: [String], size: ScreenSize) throws(FileError) -> Bool {
    guard !output.isBehind else { return false }
    var text = ""
    if self.size == nil {
      // As many line ends as there are rows scroll away what is above the cursor, and nothing else.
      text += "\u{1B}[?25l" + String(repeating: "\r\n", count: size.rows) + "\u{1B}[H\u{1B}[J"
    } else if self.size != size {
      text += "\u{1B}[H\u{1B}[J"
    }
    let known = self.size == size ? shown : []
    for row in 0..<size.rows {
      let line = row < lines.count ? lines[row] : ""
      let isKnown = row < known.count ? known[row] == line : line.isEmpty
      if !isKnown { text += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)" }
    }
    // Without wrapping, a line that is too long for a window that has just become narrower stays one line.
    if !text.isEmpty {
      guard try write("\u{1B}[?7l" + text + "\u{1B}[\(size.rows);1H\u{1B}[?7h") else { return false }
    }
    self.size = size
    shown = lines
    return true
  }

  /// Leaves the picture where it is and puts the cursor under it, and waits until the terminal has taken that, not for ever; whether it
  /// has.
  ///
  /// - Throws: `FileError` with `write`.
  @discardableResult
  func close() throws(FileError) -> Bool {
    guard let size else { return true }
    self.size = nil
    shown = []
    guard try write("\u{1B}[0m\u{1B}[?7h\u{1B}[\(size.rows);1H\u{1B}[?25h\r\n") else { return false }
    return output.drain()
  }

  private func write(_ text: String) throws(FileError) -> Bool {
    let bytes = Array(text.utf8)
    return try output.take(bytes.span)
  }
}

import TextFormats

/// Draws pictures over the whole terminal, line by line where something changed, each in one write.
///
/// What stood there is scrolled away first and stays to be read; there is no second screen that could be left on.
final class ScreenWriter {
  private let output: POSIXFile
  private var shown: [String] = []
  private var size: ScreenSize?

  /// A writer to an open terminal that nobody else writes to meanwhile.
  init(output: POSIXFile) { self.output = output }

  /// Whether the terminal is taken.
  var isOpen: Bool { size != nil }

  /// Draws a picture; the first one, and one of another size, anew.
  ///
  /// - Throws: `FileError` with `write` when the terminal is gone.
  func draw(_ lines: [String], size: ScreenSize) throws(FileError) {
    var text = ""
    if self.size == nil {
      // As many line ends as there are rows scroll away what is above the cursor, and nothing else.
      text += "\u{1B}[?25l" + String(repeating: "\r\n", count: size.rows) + "\u{1B}[H\u{1B}[J"
    } else if self.size != size {
      text += "\u{1B}[H\u{1B}[J"
    }
    if self.size != size { shown = [] }
    self.size = size
    for row in 0..<size.rows {
      let line = row < lines.count ? lines[row] : ""
      let isKnown = row < shown.count ? shown[row] == line : line.isEmpty
      if !isKnown { text += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)" }
    }
    shown = lines
    guard !text.isEmpty else { return }
    // Without wrapping, a line that is too long for a window that has just become narrower stays one line.
    try write("\u{1B}[?7l" + text + "\u{1B}[\(size.rows);1H\u{1B}[?7h")
  }

  /// Leaves the picture where it is and puts the cursor under it.
  ///
  /// - Throws: `FileError` with `write`.
  func close() throws(FileError) {
    guard let size else { return }
    self.size = nil
    shown = []
    try write("\u{1B}[0m\u{1B}[?7h\u{1B}[\(size.rows);1H\u{1B}[?25h\r\n")
  }

  private func write(_ text: String) throws(FileError) {
    let bytes = Array(text.utf8)
    try output.write(bytes.span)
  }
}

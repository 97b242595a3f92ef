import TextFormats

/// Owns an output: prints lines, and on a terminal keeps one status line under them that is drawn again in place.
///
/// It never takes the screen over and hides nothing, so a program that dies leaves a terminal that works. Where nobody
/// looks there is no status line. Every change is given in one piece; while a terminal takes nothing the status line stays as it is.
final class TerminalWriter {
  private let output: any TerminalSink
  /// The terminal as it was when it was last looked at.
  private(set) var facts: TerminalFacts
  private var status = StyledText.empty

  /// A writer to what nobody else writes to while there is a status line.
  init(output: any TerminalSink, facts: TerminalFacts) {
    self.output = output
    self.facts = facts
  }

  /// The columns for a status line. The last one of the terminal stays empty: one that has filled it may wrap before the
  /// next character.
  var statusWidth: Int { facts.width - 1 }

  /// Prints lines above the status line.
  ///
  /// - Throws: `FileError` with `write` when the reader is gone or the disk is full.
  func print(_ lines: [StyledText]) throws(FileError) {
    guard !lines.isEmpty else { return }
    try write(erased + lines.map { rendered($0) + "\n" }.joined() + rendered(status))
  }

  /// Shows a status line in place of the one before; too long a line is cut. Nothing without a terminal.
  ///
  /// - Throws: `FileError` with `write`.
  func show(status line: StyledText) throws(FileError) {
    guard facts.isTerminal else { return }
    let line = line.cut(to: statusWidth)
    guard line != status, !output.isBehind else { return }
    let erasure = erased
    status = line
    try write(erasure + rendered(line))
  }

  /// Takes the status line away, before the program ends or stops for a while.
  ///
  /// - Throws: `FileError` with `write`.
  func clearStatus() throws(FileError) {
    let erasure = erased
    status = .empty
    try write(erasure)
  }

  /// Takes a new size. The status line may have been broken into several when the window became narrower; all of them
  /// are erased.
  ///
  /// - Throws: `FileError` with `write`.
  func resize(to facts: TerminalFacts) throws(FileError) {
    guard facts != self.facts, !output.isBehind else { return }
    let rows = status.width > 0 ? (status.width - 1) / facts.width : 0
    let erasure = rows > 0 ? "\u{1B}[\(rows)A\r\u{1B}[J" : erased
    self.facts = facts
    status = facts.isTerminal ? status.cut(to: statusWidth) : .empty
    try write(erasure + rendered(status))
  }

  /// What erases the status line.
  private var erased: String { status == .empty ? "" : "\r\u{1B}[K" }

  private func rendered(_ line: StyledText) -> String {
    line.rendered(usingColor: facts.usesColor, in: facts.glyphs)
  }

  private func write(_ text: String) throws(FileError) {
    guard !text.isEmpty else { return }
    let bytes = Array(text.utf8)
    _ = try output.take(bytes.span)
  }
}

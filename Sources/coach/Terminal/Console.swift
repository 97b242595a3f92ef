import Glibc
import TextFormats

/// Standard output and standard error of a command.
///
/// Results are gathered and written in large pieces; complaints are written at once, after the results before them.
final class Console {
  private static let pieceBytes = 64 << 10

  /// What takes what is written to standard output, where it is written without being gathered.
  private(set) var output: any TerminalSink = POSIXFile(borrowing: 1, named: "standard output")
  /// What takes what is written to standard error.
  private(set) var complaints: any TerminalSink = POSIXFile(borrowing: 2, named: "standard error")
  private var buffer: [UInt8] = []
  private lazy var isTerminal = TerminalFacts(descriptor: 1, color: .auto).isTerminal
  /// The beginning of a line of a file that is shown on a terminal.
  private var begun: [UInt8] = []

  /// Gathers bytes of a result.
  ///
  /// - Throws: `FileError` when they cannot be written.
  func write(_ bytes: [UInt8]) throws(FileError) {
    if bytes.count >= Self.pieceBytes / 2 {
      // Long enough to be written by itself, without a copy.
      try flush()
      _ = try output.take(bytes.span)
      return
    }
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.pieceBytes { try flush() }
  }

  /// Gathers bytes of a result.
  ///
  /// - Throws: `FileError` when they cannot be written.
  func write(_ bytes: Span<UInt8>) throws(FileError) {
    for index in bytes.indices { buffer.append(bytes[index]) }
    if buffer.count >= Self.pieceBytes { try flush() }
  }

  /// Gathers bytes of a file that is made: as they are, but on a terminal line by line and visible.
  ///
  /// - Throws: `FileError` when they cannot be written.
  func write(ofFile bytes: Span<UInt8>) throws(FileError) {
    guard isTerminal else { return try write(bytes) }
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "\n") {
        if begun.last == UInt8(ascii: "\r") { begun.removeLast() }
        try endFile()
      } else {
        begun.append(bytes[index])
      }
    }
  }

  /// Ends a file, and its last line on a terminal.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func endFile() throws(FileError) {
    guard isTerminal else { return }
    let text = String(decoding: begun, as: UTF8.self)
    begun.removeAll(keepingCapacity: true)
    try line(text)
  }

  /// Gathers a line of a result, of which everything is visible.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func line(_ text: String) throws(FileError) { try write(Array((text.visible + "\n").utf8)) }

  /// Gathers lines as a terminal shows them.
  ///
  /// - Throws: `FileError` when they cannot be written.
  func print(_ lines: [StyledText], _ facts: TerminalFacts) throws(FileError) {
    for line in lines {
      try write(Array((line.rendered(usingColor: facts.usesColor, in: facts.glyphs) + "\n").utf8))
    }
  }

  /// Writes what was gathered.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func flush() throws(FileError) {
    guard !buffer.isEmpty else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    _ = try output.take(buffer.span)
  }

  /// Keeps a terminal that takes nothing from holding the program up, from now on: somebody runs meanwhile. A pipe and a file are waited
  /// for as before.
  ///
  /// - Parameter patience: how long one that takes nothing is waited for, in nanoseconds.
  func detachTerminals(patience: Int64 = TerminalOutlet.usualPatience) {
    let areTerminals = (isatty(1) == 1, isatty(2) == 1)
    if areTerminals.0 { output = TerminalOutlet(descriptor: 1, named: "standard output", patience: patience) }
    if areTerminals.0, areTerminals.1, Self.areSame {
      // What is written to both comes in its order.
      complaints = output
    } else if areTerminals.1 {
      complaints = TerminalOutlet(descriptor: 2, named: "standard error", patience: patience)
    }
  }

  /// Whether standard output and standard error are one terminal.
  private static var areSame: Bool {
    var (one, other) = (stat(), stat())
    return unsafe fstat(1, &one) == 0 && fstat(2, &other) == 0 && one.st_rdev == other.st_rdev
  }

  /// Waits until terminals have taken what was written; not for ever.
  func drain() {
    output.drain()
    complaints.drain()
  }

  /// Rings the bell of the terminal at standard output, unless it would come late; one that is gone is no reason to stop.
  func ring() {
    guard !output.isBehind else { return }
    let bell: [UInt8] = [0x07]
    _ = try? output.take(bell.span)
  }

  /// Writes one line to standard error; a terminal that is gone is no reason to stop.
  func complain(_ line: String) {
    try? flush()
    let bytes = Array("coach: \(line.visible)\n".utf8)
    _ = try? complaints.take(bytes.span)
  }
}

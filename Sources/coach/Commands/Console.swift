import WorkoutSession

/// Standard output and standard error of a command.
///
/// Results are gathered and written in large pieces; complaints are written at once, after the results before them.
final class Console {
  private static let pieceBytes = 64 << 10

  private let output = POSIXFile(borrowing: 1, named: "standard output")
  private let complaints = POSIXFile(borrowing: 2, named: "standard error")
  private var buffer: [UInt8] = []

  /// Gathers bytes of a result.
  ///
  /// - Throws: `FileError` when they cannot be written.
  func write(_ bytes: [UInt8]) throws(FileError) {
    if bytes.count >= Self.pieceBytes / 2 {
      // Long enough to be written by itself, without a copy.
      try flush()
      return try output.write(bytes.span)
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

  /// Gathers a line of a result.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func line(_ text: String) throws(FileError) { try write(Array((text + "\n").utf8)) }

  /// Writes what was gathered.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func flush() throws(FileError) {
    guard !buffer.isEmpty else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    try output.write(buffer.span)
  }

  /// Writes one line to standard error; a terminal that is gone is no reason to stop.
  func complain(_ line: String) {
    try? flush()
    let bytes = Array("coach: \(line.singleLine)\n".utf8)
    try? complaints.write(bytes.span)
  }
}

extension String {
  /// The text without control characters, so that what stands in a file cannot disturb a terminal.
  var singleLine: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}

import TextFormats

/// Where an export goes: a file that has its name only when it is whole, or the standard output.
struct ExportOutput {
  private let path: String?
  private let replaces: Bool
  private let console: Console

  /// Whether it is the standard output.
  var isStandardOutput: Bool { path == nil }

  /// Looks whether the output can be taken.
  ///
  /// - Parameters:
  ///   - format: the name of the format; `isBinary` when it is no text for a terminal.
  ///   - name: the name of the file in an output that is a folder; `nil` when a folder is refused.
  /// - Throws: `CommandFailure` or `FileError` when it cannot.
  init(
    _ parsed: ParsedArguments, _ console: Console, format: String, isBinary: Bool, nameInFolder name: String? = nil
  ) throws {
    self.console = console
    replaces = parsed[ExportOptions.force]
    // As everywhere, a hyphen is the standard output.
    guard let output = parsed[ExportOptions.output], output != "-" else {
      guard parsed[ExportOptions.output] != nil || !isBinary || !PrinterChoice.isTerminal else {
        throw CommandFailure("export: \(format) is no text for a terminal: expected --output FILE", .usage)
      }
      path = nil
      return
    }
    if let name, try FileSystem.hasFolder(output) {
      path = output.hasSuffix("/") ? output + name : output + "/" + name
    } else {
      path = output
    }
    if let path { try OutputFile.check(path, isReplaced: replaces) }
  }

  /// Gives a sink to `body` and returns what it returns, with the exit code: that of a signal which waited until the
  /// file was whole.
  ///
  /// - Throws: what `body` throws, or `FileError`; nothing is left behind then.
  func write<Value>(_ body: ((Span<UInt8>) throws -> Void) throws -> Value) throws -> (Value, Int32) {
    guard let path else {
      let value = try body { try console.write(ofFile: $0) }
      try console.endFile()
      try console.flush()
      return (value, 0)
    }
    let interrupts = Interrupts()
    let file = try PendingFile(path)
    let value = try body { try file.write($0) }
    try file.commit(replacing: replaces)
    return (value, interrupts.pending().map(Interrupts.exitStatus) ?? 0)
  }
}

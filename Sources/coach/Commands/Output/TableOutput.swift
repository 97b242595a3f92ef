import TextFormats

/// Where a table goes that is asked for beside the results: a file, or the standard output in their place.
struct TableOutput {
  private let path: String?
  private let replaces: Bool

  /// Whether it goes to the standard output, which has nothing else then.
  var isStandardOutput: Bool { path == nil }

  /// The table of an option; `nil` when none is asked for. As everywhere, a hyphen is the standard output.
  ///
  /// - Parameter resultsHaveFile: whether the results have a file of their own.
  /// - Throws: `CommandFailure` where its file cannot be written, or where the results are asked for on the same standard output;
  ///   `FileError` when that cannot be found out.
  init?(_ option: Option<String?>, _ parsed: ParsedArguments, resultsHaveFile: Bool = false) throws {
    guard let path = parsed[option] else { return nil }
    replaces = parsed[ExportOptions.force]
    guard path == "-" else {
      try OutputFile.check(path, isReplaced: replaces)
      self.path = path
      return
    }
    let flag = option.declaration.flag
    guard resultsHaveFile || !parsed.isGiven(OutputOptions.format) else {
      throw CommandFailure("\(flag) - and --format: both go to the standard output: expected one of both", .usage)
    }
    self.path = nil
  }

  /// Writes the table; its file has the name only when it is whole.
  ///
  /// - Throws: what `body` throws, or `FileError`; no file is left behind then.
  func write(to console: Console, _ body: ((Span<UInt8>) throws -> Void) throws -> Void) throws {
    guard let path else {
      try body { try console.write(ofFile: $0) }
      return try console.endFile()
    }
    let file = try PendingFile(path)
    try body { try file.write($0) }
    try file.commit(replacing: replaces)
  }
}

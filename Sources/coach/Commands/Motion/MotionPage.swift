import TextFormats

/// The page that a verb of motion writes in place of what it prints, where `--output` names one.
struct MotionPage {
  private let path: String

  /// Looks whether a page is asked for and can be written; `nil` when none is.
  ///
  /// - Throws: `CommandFailure` or `FileError` when its file cannot be written, or records are asked for as well.
  init?(_ parsed: ParsedArguments) throws {
    guard let path = parsed[ExportOptions.output] else { return nil }
    guard !parsed.isGiven(OutputOptions.format) else {
      throw CommandFailure("--format: --output is a page here: expected one of both", .usage)
    }
    try OutputFile.check(path, isReplaced: true)
    self.path = path
  }

  /// Writes the page, and says so in a line. A file that is there is replaced when the new one is whole.
  ///
  /// - Throws: `FileError` when it cannot be written; nothing is left behind then.
  func write(_ page: [UInt8], of subject: String, _ console: Console) throws {
    let file = try PendingFile(path)
    try file.write(page.span)
    try file.commit(replacing: true)
    try console.line("\(path): the page of \(subject), \((page.count + 999) / 1_000) kB")
  }
}

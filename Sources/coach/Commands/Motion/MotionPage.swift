import TextFormats

/// The page that a verb of motion writes in place of what it prints, where `--output` names one.
struct MotionPage {
  /// The file; absent where the page goes to the standard output.
  private let file: PageFile?

  /// Looks whether a page is asked for and can be written; `nil` when none is. As everywhere, a hyphen is the standard output.
  ///
  /// - Throws: `CommandFailure` or `FileError` when its file cannot be written, or records are asked for as well.
  init?(_ parsed: ParsedArguments) throws {
    guard let path = parsed[ExportOptions.output] else { return nil }
    guard !parsed.isGiven(OutputOptions.format) else {
      throw CommandFailure("--format: --output is a page here: expected one of both", .usage)
    }
    file = try path == "-" ? nil : PageFile(path, parsed)
  }

  /// Writes the page, and says so in a line where it has a file. A page that is there is replaced when the new one is whole.
  ///
  /// - Throws: `FileError` when it cannot be written, `CommandFailure` when something else has its name; nothing is left
  ///   behind then.
  func write(_ page: [UInt8], of subject: String, _ console: Console) throws {
    guard let file else {
      try console.write(ofFile: page.span)
      return try console.endFile()
    }
    try file.write(page)
    try console.line(file.line(page, of: subject))
  }
}

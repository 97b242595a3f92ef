import ReportPages
import TextFormats

/// The file of a page that a verb writes: its name is free, or that of a page that coach made before, or somebody says
/// that what is there may go.
struct PageFile {
  /// Where the page goes.
  let path: String
  private let isForced: Bool

  /// Looks whether the file can be written.
  ///
  /// - Throws: `CommandFailure` where something else than a page of coach's is there and `--force` is not said, or where no file
  ///   can be; `FileError` when that cannot be found out.
  init(_ path: String, _ parsed: ParsedArguments) throws {
    self.path = path
    isForced = parsed[ExportOptions.force]
    _ = try mayReplace()
  }

  /// Writes the page. What is there is looked at once more: somebody may have put it there meanwhile.
  ///
  /// - Throws: as the initialiser, and `FileError` when it cannot be written; nothing is left behind then.
  func write(_ page: [UInt8]) throws { while try !isWritten(page) {} }

  /// Tries to write the page; `false` where somebody was faster: what is there now may be a page, which goes, or something else, which
  /// is said.
  private func isWritten(_ page: [UInt8]) throws -> Bool {
    let file = try PendingFile(path)
    try file.write(page.span)
    let isReplaced = try mayReplace()
    do throws(FileError) {
      try file.commit(replacing: isReplaced)
    } catch {
      guard error.operation == .create, error.isExisting, !isReplaced else { throw error }
      return false
    }
    return true
  }

  /// What is said of a page that was written.
  func line(_ page: [UInt8], of subject: String) -> String {
    "\(path): the page of \(subject), \((page.count + 999) / 1_000) kB"
  }

  /// Whether what has the name by then may be replaced: somebody said so, or a page of coach's is there.
  private func mayReplace() throws -> Bool {
    let isReplaced = isForced || isPage()
    try OutputFile.check(path, isReplaced: isReplaced)
    return isReplaced
  }

  /// Whether a page of coach's is there; not where it cannot be read.
  private func isPage() -> Bool {
    guard let status = try? FileSystem.status(path), status.isRegular, !FileSystem.isLink(path),
      let file = try? POSIXFile(reading: path),
      let beginning = try? file.read(at: 0, count: PageMark.lookedAtBytes)
    else { return false }
    return PageMark.begins(beginning)
  }
}

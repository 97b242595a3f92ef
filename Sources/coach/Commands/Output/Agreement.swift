/// Whether somebody agrees to what cannot be undone.
enum Agreement {
  /// Shows what would be deleted and asks on a terminal.
  ///
  /// - Throws: `CommandFailure` when nobody is there to be asked, `FileError` when it cannot be shown.
  static func isGiven(_ verb: String, _ lines: [String], _ console: Console) throws -> Bool {
    guard TerminalFacts(descriptor: 0, color: .auto).isTerminal, PrinterChoice.isTerminal else {
      throw CommandFailure("\(verb): nobody is there to be asked: expected --yes", .usage)
    }
    for line in lines { try console.line(line) }
    try console.write(Array("Delete \(lines.count == 1 ? "it" : "them") for good? Type yes: ".utf8))
    try console.flush()
    guard readLine(strippingNewline: true)?.lowercased() == "yes" else {
      try console.line("Nothing was deleted.")
      return false
    }
    return true
  }
}

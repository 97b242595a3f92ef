import WorkoutSession
import ReportPages
import TextFormats
import WorkoutHistory

/// `coach report`: a session, or the sessions of some days, as a page that a browser shows.
enum ReportCommand {
  /// Writes the page. A file that is there is replaced when the new one is whole.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let output = parsed[ExportOptions.output].flatMap { $0 == "-" ? nil : $0 }
    if let output {
      try OutputFile.check(output, isReplaced: true)
    } else if parsed[ExportOptions.output] == nil, PrinterChoice.isTerminal {
      throw CommandFailure("report: a page is for a browser: expected --output FILE.html", .usage)
    }
    let (page, subject) = try await HistoryRequest.with(parsed) { try await written(parsed, in: $0, console) }
    guard let output else {
      try console.write(ofFile: page.span)
      try console.endFile()
      return 0
    }
    let interrupts = Interrupts()
    let file = try PendingFile(output)
    try file.write(page.span)
    try file.commit(replacing: true)
    try console.line("\(output): the page of \(subject), \((page.count + 999) / 1_000) kB")
    return interrupts.pending().map(Interrupts.exitStatus) ?? 0
  }

  /// The page, and what it is of.
  private static func written(
    _ parsed: ParsedArguments, in history: History, _ console: Console
  ) async throws -> (bytes: [UInt8], subject: String) {
    let clock = LocalClock.ofThisMachine()
    guard let name = parsed[Operands.reportedSession] else {
      if parsed.isGiven(ReportOptions.beside) {
        throw CommandFailure("report: --beside compares a session with another: expected a SESSION", .usage)
      }
      let spans: [any DeclaredOption] = [HistoryOptions.days, HistoryOptions.from, HistoryOptions.to]
      guard spans.contains(where: { parsed.isGiven($0) }) else {
        throw CommandFailure("report: expected a SESSION, or --days, --from or --to", .usage)
      }
      var filter = try await HistoryRequest.filter(parsed, in: history, clock)
      filter.includesSimulated = parsed[HistoryOptions.includeSimulated]
      try await HistoryRequest.reportSelection(filter, of: history, console)
      guard var report = try await history.report(of: filter, clock) else {
        throw CommandFailure("report: no session in this span: expected days of `coach history list`", .noInput)
      }
      report.units = UnitSystem(reading: parsed, of: nil)
      return (PeriodPage(report).bytes, report.sessions.count == 1 ? "1 session" : "\(report.sessions.count) sessions")
    }
    let isFiltered = HistoryOptions.filter.contains { parsed.isGiven($0) }
    guard !isFiltered, !parsed[HistoryOptions.includeSimulated] else {
      throw CommandFailure(
        "report: --days, --from, --to, --person and --include-simulated choose sessions: expected no SESSION", .usage)
    }
    let entry = try await HistoryRequest.session(name, in: history)
    guard
      var report = try await history.report(
        of: entry, hidingEndsWithin: ExportReport.privacy(parsed))
    else {
      throw CommandFailure("\(name): no such session: expected a name of `coach history list`", .noInput)
    }
    report.units = UnitSystem(reading: parsed, of: nil)
    var beside: SessionReport?
    if let other = parsed[ReportOptions.beside] {
      let entry = try await HistoryRequest.session(other, in: history)
      beside = try await history.report(of: entry, hidingEndsWithin: nil)
    }
    return (SessionPage(report, beside: beside, hasTrack: !parsed[ReportOptions.withoutTrack]).bytes, entry.sessionID)
  }
}

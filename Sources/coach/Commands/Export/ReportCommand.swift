import ReportPages
import TextFormats
import WorkoutHistory
import WorkoutSession

/// `coach report`: a session, or the sessions of some days, as a page that a browser shows.
enum ReportCommand {
  /// Writes the page. A page that is there is replaced when the new one is whole, anything else only with `--force`.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let output = parsed[ExportOptions.output].flatMap { $0 == "-" ? nil : $0 }
    guard output != nil || parsed[OutputOptions.format] == .text else {
      throw CommandFailure("--format: the page goes to the standard output: expected --output FILE beside it", .usage)
    }
    let file = try output.map { try PageFile($0, parsed) }
    if parsed[ExportOptions.output] == nil, PrinterChoice.isTerminal {
      throw CommandFailure("report: a page is for a browser: expected --output FILE.html", .usage)
    }
    let (page, subject) = try await HistoryRequest.with(parsed) { try await written(parsed, in: $0, console) }
    guard let file else {
      try console.write(ofFile: page.span)
      try console.endFile()
      return 0
    }
    let interrupts = Interrupts()
    try file.write(page)
    if parsed[OutputOptions.format] == .text {
      try console.line(file.line(page, of: subject.words))
    } else {
      try console.write(record(of: subject, bytes: page.count, file))
    }
    return interrupts.pending().map(Interrupts.exitStatus) ?? 0
  }

  /// What a page is of.
  private enum Subject {
    case session(String)
    case days(sessions: Int)

    var words: String {
      switch self {
      case .session(let name): name
      case .days(let sessions): sessions == 1 ? "1 session" : "\(sessions) sessions"
      }
    }
  }

  private static func record(of subject: Subject, bytes: Int, _ file: PageFile) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "reported")
      writer.member("output", file.path)
      switch subject {
      case .session(let name): writer.member("sessionID", name)
      case .days(let sessions): writer.member("sessions", sessions)
      }
      writer.member("bytes", bytes)
    }
    writer.endLine()
    return writer.bytes
  }

  /// The page, and what it is of.
  private static func written(
    _ parsed: ParsedArguments, in history: History, _ console: Console
  ) async throws -> (bytes: [UInt8], subject: Subject) {
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
      try await HistoryRequest.reportAhead(parsed, filter, of: history, clock, console)
      guard var report = try await history.report(of: filter, clock) else {
        // The list has simulated ones too.
        let isSimulated = try await history.simulatedLeftOut(filter) > 0
        throw CommandFailure(
          isSimulated
            ? "report: no session of a person in this span: expected --include-simulated, or other days of `coach history list`"
            : "report: no session in this span: expected days of `coach history list`", .noInput)
      }
      report.units = UnitSystem(reading: parsed, of: nil)
      return (PeriodPage(report).bytes, .days(sessions: report.sessions.count))
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
    return (
      SessionPage(report, beside: beside, hasTrack: !parsed[ReportOptions.withoutTrack]).bytes,
      .session(entry.sessionID)
    )
  }
}

/// The options of a report.
enum ReportOptions {
  static let beside = Option.text(
    "beside", "SESSION", offering: .session, in: .session,
    help: "Draw an earlier session on the same axes, and its figures beside these")
  static let withoutTrack = Option.flag(
    "without-track", in: .output, help: "Leave out the outline of the way, which shows where you were")
}

extension Operands {
  /// A session: its name, or the beginning of it, or `latest`; none for a report of some days.
  static let reportedSession = Operand.optional("SESSION", .name(.session))
}

extension Verb {
  static let report = Verb(
    .report, in: .history,
    summary: "Write a session, or the sessions of some days, as a page for a browser or for paper",
    example: "coach report latest --output run.html",
    operand: Operands.reportedSession.declaration,
    options: HistoryOptions.filter + [
      HistoryOptions.includeSimulated, ReportOptions.beside, ReportOptions.withoutTrack, ExportOptions.privacyRadius,
      ExportOptions.output, ExportOptions.force, PreferenceOptions.units, OutputOptions.format,
      OutputOptions.dataFolder,
    ],
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate, .interrupted])
}

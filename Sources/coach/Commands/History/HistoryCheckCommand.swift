import TextFormats
import WorkoutHistory
import WorkoutSession

/// `coach history check`: whether index and folders are as they should be.
enum HistoryCheckCommand {
  /// Prints a line a finding; 1 when there is any.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let progress = ProgressLine("checking")
      defer { progress.end() }
      let findings = try await history.check { progress.show($0) }
      progress.end()
      if parsed[OutputOptions.format] == .text {
        let facts = HistoryRequest.facts(parsed)
        if facts.usesColor {
          try console.print(findings.map(\.styledLine), facts)
        } else {
          for finding in findings { try console.line(finding.line) }
        }
        if findings.isEmpty { try console.line("The index and the folders agree.") }
      } else {
        try HistoryRequest.print(findings, as: "findings", parsed, console) { $0.writeObject(to: &$1) }
      }
      return findings.isEmpty ? ExitCode.done.rawValue : ExitCode.checkFailed.rawValue
    }
  }
}

extension HistoryFinding {
  /// The finding as a line: where, what, further words.
  var line: String { "\(subject): \(words)" }

  /// The same line for a terminal with colours: where stands out.
  fileprivate var styledLine: StyledText { StyledText(subject, .bold) + StyledText(": \(words)") }

  private var words: String {
    let what =
      switch kind {
      case .damagedIndex: "the index is damaged: coach history rebuild makes it anew"
      case .notInIndex: "has a folder and is not in the index"
      case .withoutFolder: "is in the index and has no folder"
      case .outOfDate: "the index does not say what the folder says"
      case .unreadable: "the folder cannot be read as it was written"
      case .tornLine: "a log ends in the middle of a line"
      case .damagedLog: "a log is damaged before its end"
      case .missingRows: "a log has fewer rows than when the session ended"
      case .wrongSummary: "the summary does not say what its logs come to"
      case .unfinished: "is not closed, and no process is at it"
      case .foreign: "is nothing that coach wrote"
      case .readableByOthers: "others than the owner may read it"
      }
    return detail.isEmpty ? what : "\(what): \(detail)"
  }

  /// Writes the record of the finding as a value.
  func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "finding")
      writer.member("kind", kind.rawValue)
      writer.member("subject", subject)
      writer.member("detail", detail.isEmpty ? nil : detail)
    }
  }
}

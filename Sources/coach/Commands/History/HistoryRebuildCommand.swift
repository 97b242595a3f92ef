import TextFormats
import WorkoutHistory
import WorkoutSession

/// `coach history rebuild`: the index anew.
enum HistoryRebuildCommand {
  /// Makes the index and says how many sessions are in it; folders that cannot be read are reported on standard error.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    try await HistoryRequest.with(parsed) { history in
      let progress = ProgressLine("rebuilding")
      defer { progress.end() }
      let (sessions, findings) = try await history.rebuild { progress.show($0) }
      progress.end()
      for finding in findings { console.complain(finding.line) }
      if parsed[OutputOptions.format] == .text {
        try console.line(sessions == 1 ? "1 session is in the index." : "\(sessions) sessions are in the index.")
      } else {
        var writer = JSONWriter()
        writer.object { writer in
          writer.member("version", SessionRecords.version)
          writer.member("type", "rebuilt")
          writer.member("sessions", sessions)
          writer.member("leftOut", findings.count)
        }
        writer.endLine()
        try console.write(writer.bytes)
      }
      return findings.isEmpty ? ExitCode.done.rawValue : ExitCode.unusableData.rawValue
    }
  }
}

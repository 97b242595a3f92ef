import WorkoutSession
import ZoneEngine

/// `coach import`: recordings of devices into the history.
struct ImportCommand {
  private let parsed: ParsedArguments
  private let console: Console

  init(_ parsed: ParsedArguments, _ console: Console) {
    self.parsed = parsed
    self.console = console
  }

  /// Imports every file, in order; the exit status is that of the worst.
  func run() async throws -> Int32 {
    var request = CoachingRequest()
    try RequestOptions.apply(parsed, to: &request)
    // What is missing is said once, and not for every file.
    if request.profile.birthDate == nil { _ = try RequestOptions.settings(request, on: nil) }
    var importing = ImportRequest(request)
    importing.person = parsed[ZoneOptions.profile]
    importing.start = parsed[ExportOptions.start]
    importing.takesSport = parsed[SessionOptions.activity] == nil
    return try await HistoryRequest.with(parsed) { try await add(importing, to: $0) }
  }

  private func add(_ importing: ImportRequest, to history: History) async throws -> Int32 {
    var worst: Int32 = 0
    for path in parsed[Operands.recordings] {
      do {
        let recording = try RecordingChoice.open(path, part: parsed[SessionOptions.part])
        try recording.requireOnePerson()
        for warning in recording.facts.oddities { console.complain("\(path): \(warning.sentence)") }
        for outcome in try await history.add(recording, importing, withDays: parsed[HistoryOptions.importedDays]) {
          if case .refused(let reason) = outcome {
            console.complain("\(path): \(reason)")
            worst = max(worst, ExitCode.unusableData.rawValue)
          }
          try tell(outcome, path)
        }
      } catch {
        let failure = CommandFailure(error)
        console.complain(failure.line)
        worst = max(worst, failure.exitCode.rawValue)
        try tell(.refused(reason: failure.line), path)
      }
    }
    return worst
  }

  private func tell(_ outcome: ImportOutcome, _ path: String) throws(FileError) {
    let status: String
    var (sessionID, reason): (String?, String?)
    switch outcome {
    case .added(let name): (status, sessionID) = ("added", name)
    case .duplicate(let name): (status, sessionID, reason) = ("duplicate", name, "the same workout is there")
    case .refused(let words): (status, reason) = ("refused", words)
    }
    guard parsed[OutputOptions.format] != .text else {
      // What was refused is on standard error already.
      guard let sessionID else { return }
      try console.line("\(StyledText(status).padded(to: 9).plain)  \(sessionID)  \(path.singleLine)")
      return
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "imported")
      writer.member("file", path)
      writer.member("sessionID", sessionID)
      writer.member("status", status)
      writer.member("reason", reason)
    }
    writer.endLine()
    try console.write(writer.bytes)
    if parsed[OutputOptions.format] == .jsonl { try console.flush() }
  }
}

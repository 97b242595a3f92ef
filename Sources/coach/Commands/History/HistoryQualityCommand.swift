import Recordings
import SessionStore
import TextFormats
import WorkoutHistory
import ZoneEngine

/// `coach history quality`: how well the streams of a session or a recording were sampled.
enum HistoryQualityCommand {
  /// Prints the streams.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let expectation = StreamQuality.Expectation(
      rateHz: parsed[HistoryOptions.rate], gap: parsed[HistoryOptions.gap].flatMap { SessionTime(seconds: $0) })
    let streams = try await streams(parsed, expectation, console)
    guard parsed[OutputOptions.format] == .text else {
      try HistoryRequest.print(streams, as: "streams", parsed, console) { $0.writeObject(to: &$1) }
      return 0
    }
    let facts = HistoryRequest.facts(parsed)
    try console.print(QualityView(streams, width: facts.width).lines, facts)
    return 0
  }

  /// What is at a path comes before a session of that name.
  private static func streams(
    _ parsed: ParsedArguments, _ expectation: StreamQuality.Expectation, _ console: Console
  ) async throws -> [StreamQuality] {
    let name = parsed[Operands.sessionOrRecording]
    let progress = ProgressLine("measuring", unit: .named("MB"))
    defer { progress.end() }
    if try FileSystem.has(name) {
      switch try RecordingKind(of: name) {
      case .session: return try RecordingQuality.ofSession(name, expectation) { progress.show($0) }
      case .recording:
        let streams = try RecordingQuality.ofRecording(name, expectation) { progress.show($0) }
        if let others = try ArchivedRecordings.leftOut(besideRecordingOf: name) {
          progress.end()
          console.complain("\(name): \(others.sentence)")
        }
        return streams
      case .scenario: throw CommandFailure("\(name): a scenario: expected a session or a recording", .unusableData)
      }
    }
    return try await HistoryRequest.with(parsed) { history in
      let entry = try await HistoryRequest.session(name, in: history)
      return try RecordingQuality.ofSession(
        SessionFolder.path(of: entry.sessionID, in: history.dataFolder), expectation
      ) { progress.show($0) }
    }
  }
}

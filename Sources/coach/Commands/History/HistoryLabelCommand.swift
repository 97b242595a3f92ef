import ActivityRecognition
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// `coach history label`: a label on a stretch of a session, afterwards.
enum HistoryLabelCommand {
  /// Puts the label on; no raw log is changed.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let words = parsed[Operands.labelled]
    guard words.count == 4 else {
      throw CommandFailure("history label: expected SESSION FROM UNTIL NAME", .usage)
    }
    let (from, until) = (try time(words[1]), try time(words[2]))
    guard from < until else {
      throw CommandFailure("\(words[1]) to \(words[2]): expected a stretch that ends after it begins", .usage)
    }
    guard let name = ActivityLabel(typed: words[3])?.text else {
      throw CommandFailure("\(words[3].visible): expected \(ActivityLabel.expected)", .usage)
    }
    return try await HistoryRequest.with(parsed) { history in
      let session = try await HistoryRequest.session(words[0], in: history).sessionID
      try await history.label(session, name, from: from, until: until)
      guard parsed[OutputOptions.format] == .text else {
        var writer = JSONWriter()
        writer.object { writer in
          writer.member("version", SessionRecords.version)
          writer.member("type", "labelled")
          writer.member("sessionID", session)
          writer.member("fromSeconds", secondsFromNanoseconds: from.nanoseconds)
          writer.member("untilSeconds", secondsFromNanoseconds: until.nanoseconds)
          writer.member("label", name)
        }
        writer.endLine()
        try console.write(writer.bytes)
        return 0
      }
      try console.line("\(session): \(name) from \(QuantityText.clock(from)) to \(QuantityText.clock(until))")
      return 0
    }
  }

  /// A time since the start: seconds, `1m30s`, `1:30` or `0:01:30`.
  private static func time(_ text: String) throws(CommandFailure) -> SessionTime {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { decimal($0) }
    let isClock =
      (2...3).contains(parts.count) && numbers.count == parts.count
      && numbers.dropFirst().allSatisfy { (0..<60).contains($0) }
    let clock = isClock ? numbers.reduce(0) { $0 * 60 + $1 } : nil
    guard let seconds = decimal(text) ?? DurationText.seconds(text).map(Double.init) ?? clock,
      (0...864_000).contains(seconds), let time = SessionTime(seconds: seconds)
    else {
      throw CommandFailure("\(text.visible): expected a time since the start: seconds, 1m30s, 1:30 or 0:01:30", .usage)
    }
    return time
  }
}

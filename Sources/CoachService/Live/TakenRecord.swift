internal import LiveCoaching
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutSession

/// Lines that were taken, and of which nothing came: no record, no bad line, no change of the session.
package struct TakenLines: Hashable, Sendable {
  /// How many.
  let accepted: Int
  /// The number of the last record of the session.
  let lastEvent: Int

  /// What a report says; `nil` for one that says more.
  init?(_ report: LiveReport) {
    guard !report.isLost, !report.isUnsettled, report.repeated == nil, !report.isOfOtherLines, report.events.isEmpty,
      report.badLines.isEmpty, report.state != .ended
    else { return nil }
    accepted = report.lineCount
    lastEvent = report.lastRecord
  }
}

/// The answers to lines of which nothing came. They are the same for many sessions, so that each is made once.
final class TakenAnswers: Sendable {
  private struct Key: Hashable {
    let lines: TakenLines
    let isStrict: Bool
  }

  /// How many are kept at most, about a kilobyte each.
  static let most = 2_048

  private struct State {
    var known: [Key: PreparedAnswer] = [:]
    /// What was asked for last, as it mostly is again.
    var last: (key: Key, answer: PreparedAnswer)?
  }

  private let state = Mutex(State())

  /// How many are kept.
  var count: Int { state.withLock { $0.known.count } }

  /// The answer to some lines.
  ///
  /// - Parameter make: makes it, where nobody had the same before.
  func answer(_ lines: TakenLines, isStrict: Bool, _ make: () -> HTTPResponse) -> PreparedAnswer {
    let key = Key(lines: lines, isStrict: isStrict)
    return state.withLock { state in
      if let last = state.last, last.key == key { return last.answer }
      if state.known[key] == nil, state.known.count >= Self.most { state.known.removeAll(keepingCapacity: true) }
      let answer = state.known[key] ?? PreparedAnswer(make())
      state.known[key] = answer
      state.last = (key, answer)
      return answer
    }
  }
}

/// The answer to lines that were taken: how many, which not and why, and the records that came of them.
enum TakenRecord {
  /// The record, as one line.
  ///
  /// - Throws: `FileError` when the records of lines that were sent again cannot be read.
  static func bytes(_ report: LiveReport, _ session: HostedSession, in dataFolder: StoredPath) async throws -> [UInt8] {
    guard let outcome = report.repeated else {
      var writer = JSONWriter()
      write(
        accepted: report.lineCount - report.badLineCount, report.badLines, more: report.moreBadLines,
        nextLine: report.nextLine, lastEvent: report.lastRecord, to: &writer
      ) { writer in
        for event in report.events { SessionRecords.writeObject(event, of: nil, to: &writer) }
      }
      return writer.bytes
    }
    return try bytes(
      ofRepeated: outcome,
      await session.records(after: outcome.recordBefore, through: outcome.lastRecord, in: dataFolder))
  }

  /// The record of lines that were sent before.
  ///
  /// - Parameter records: those that came of them.
  static func bytes(ofRepeated outcome: BatchOutcome, _ records: [LiveRecord]) throws -> [UInt8] {
    var writer = JSONWriter()
    let values = try records.map { try JSONValue.parse(Array($0.line).span) }
    write(
      accepted: outcome.accepted, outcome.rejected, more: outcome.moreRejected, nextLine: outcome.nextLine,
      lastEvent: outcome.lastRecord, to: &writer
    ) { writer in
      for event in outcome.early { SessionRecords.writeObject(event, of: nil, to: &writer) }
      for value in values { writer.value(value) }
    }
    return writer.bytes
  }

  /// The record of lines of which nothing came.
  static func bytes(_ lines: TakenLines) -> [UInt8] {
    var writer = JSONWriter()
    write(accepted: lines.accepted, [], more: 0, nextLine: nil, lastEvent: lines.lastEvent, to: &writer) { _ in }
    return writer.bytes
  }

  /// - Parameters:
  ///   - more: how many lines could not be used beside those in `rejected`.
  ///   - nextLine: the number of the first line that was not taken; absent where all were.
  private static func write(
    accepted: Int, _ rejected: [LiveReport.BadLine], more: Int, nextLine: Int?, lastEvent: Int,
    to writer: inout JSONWriter, events: (inout JSONWriter) -> Void
  ) {
    writer.object { writer in
      writeParts(accepted: accepted, rejected.map { ($0.number, $0.problem) }, named: "line", more: more, to: &writer)
      if let nextLine { writer.member("nextLine", nextLine) }
      writer.array("events") { events(&$0) }
      writer.member("lastEvent", lastEvent)
    }
    writer.endLine()
  }

  /// Writes the members of all that was taken in parts: how many, which not and why.
  ///
  /// - Parameters:
  ///   - rejected: the numbers of the first parts that could not be used, and why not.
  ///   - part: what a part is called.
  ///   - more: how many could not be used beside those.
  static func writeParts(
    accepted: Int, _ rejected: [(number: Int, problem: String)], named part: JSONKey, more: Int,
    to writer: inout JSONWriter
  ) {
    writer.member("version", SessionRecords.version)
    writer.member("type", "taken")
    writer.member("accepted", accepted)
    writer.array("rejected") { writer in
      for (number, problem) in rejected {
        writer.object { writer in
          writer.member(part, number)
          writer.member("problem", problem)
        }
      }
    }
    if more > 0 { writer.member("moreRejected", more) }
  }
}

extension HostedSession {
  /// Some records of the session, which are on the disk.
  fileprivate func records(after: Int, through last: Int, in dataFolder: StoredPath) async throws -> [LiveRecord] {
    guard last > after else { return [] }
    var records: [LiveRecord] = []
    while endedAt == nil, let page = try await running.page(after: records.last?.number ?? after, through: last) {
      await running.stopReading(page.reader)
      records += page.known
      if page.isWhole { return records }
      guard page.isFull else { throw ServiceProblem.unavailable("the records cannot be read now") }
    }
    return try SessionRecordFile.records(SessionFolder.path(of: id, in: dataFolder), after: after, through: last)
  }
}

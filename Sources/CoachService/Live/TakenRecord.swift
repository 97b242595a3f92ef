internal import LiveCoaching
internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// The answer to lines that were taken: how many, which not and why, and the records that came of them.
enum TakenRecord {
  /// The record, as one line.
  ///
  /// - Throws: `FileError` when the records of lines that were sent again cannot be read.
  static func bytes(_ report: LiveReport, _ session: HostedSession, in dataFolder: StoredPath) async throws -> [UInt8] {
    var writer = JSONWriter()
    guard let outcome = report.repeated else {
      write(
        accepted: report.lineCount - report.badLines.count, report.badLines, lastEvent: report.lastRecord, to: &writer
      ) { writer in
        for event in report.events { SessionRecords.writeObject(event, of: nil, to: &writer) }
      }
      return writer.bytes
    }
    let records = try await session.records(after: outcome.recordBefore, through: outcome.lastRecord, in: dataFolder)
    let values = try records.map { try JSONValue.parse(Array($0.line).span) }
    write(accepted: outcome.accepted, outcome.rejected, lastEvent: outcome.lastRecord, to: &writer) { writer in
      for value in values { writer.value(value) }
    }
    return writer.bytes
  }

  private static func write(
    accepted: Int, _ rejected: [LiveReport.BadLine], lastEvent: Int, to writer: inout JSONWriter,
    events: (inout JSONWriter) -> Void
  ) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "taken")
      writer.member("accepted", accepted)
      writer.array("rejected") { writer in
        for line in rejected {
          writer.object { writer in
            writer.member("line", line.number)
            writer.member("problem", line.problem)
          }
        }
      }
      writer.array("events") { events(&$0) }
      writer.member("lastEvent", lastEvent)
    }
    writer.endLine()
  }
}

extension HostedSession {
  /// Some records of the session, which are on the disk.
  fileprivate func records(after: Int, through last: Int, in dataFolder: StoredPath) async throws -> [LiveRecord] {
    guard last > after else { return [] }
    if endedAt == nil, let (known, reader) = try await running.records(after: after) {
      await running.stopReading(reader)
      return known.filter { $0.number <= last }
    }
    return try SessionRecordFile.records(SessionFolder.path(of: id, in: dataFolder), after: after, through: last)
  }
}

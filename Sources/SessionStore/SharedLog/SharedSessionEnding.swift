package import TextFormats
package import WorkoutSession

/// How a session of a shared log ends that nobody can go on with.
extension SharedSessionLog {
  /// When the newest came of what was taken; when it was asked for where nothing was.
  ///
  /// - Throws: `RecordingError` for a row that is damaged.
  package func newestArrival() throws(RecordingError) -> WallClockTime {
    var newest = session.createdAt
    let inputs = try inputs()
    SessionInput.forEach(of: inputs.span) { newest = max(newest, $0.arrival) }
    return newest
  }

  /// Ends it by its raw logs, as the session of a process that is gone is closed: what was decided stays, what the logs decide beside that and
  /// the end are added. Its folder has to be there as ``takePlace(in:)`` writes it, and gets its end too.
  ///
  /// - Parameter answer: the answer to the command that ends it; `nil` where time does.
  /// - Returns: what its log gains by that.
  /// - Throws: what `SessionHealing.heal(_:)` throws, `SharedSessionProblem.heldElsewhere` for a log that is only read.
  package func ending(in dataFolder: StoredPath, answering answer: Acknowledgement?) throws -> SharedLogBatch {
    guard let hold else { throw SharedSessionProblem.heldElsewhere(session.id) }
    let folder = SessionFolder.path(of: session.id, in: dataFolder)
    let journal = folder + "/" + SessionFolder.decisions
    if let answer {
      var writer = JSONWriter()
      SessionRecords.write(.acknowledgement(answer), to: &writer)
      let file = try POSIXFile(writing: journal, .append)
      try file.write(writer.bytes.span)
      try file.close()
    }
    _ = try SessionHealing.heal(folder)
    var batch = SharedLogBatch()
    var place = 0
    try ByteLineReader.forEachLine(of: POSIXFile(reading: journal)) { line, _ in
      place += 1
      guard place > decisions.count else { return }
      var bytes: [UInt8] = []
      bytes.append(span: line)
      batch.decisions.append(SharedLogBatch.Decision(hold, index: place, line: bytes + [UInt8(ascii: "\n")]))
    }
    let summary = try POSIXFile(reading: folder + "/" + SessionFolder.summary).readAll(maximumBytes: 1 << 24)
    batch.ends.append(SharedLogBatch.End(hold, summary: summary))
    return batch
  }
}

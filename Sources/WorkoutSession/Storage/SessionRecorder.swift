/// Writes the folder of a session as the run goes on: raw logs first, then the journal of decisions, the summary at the
/// end.
///
/// What was given to ``append(_:)`` and ``append(event:)`` is in the files after ``flush()``, in that order.
package final class SessionRecorder {
  /// The folder.
  package let folder: String
  /// The identity of the session.
  package let sessionID: String

  private let start: WallClockTime
  private var logs: [String: Log] = [:]
  private var rows: [SampleStream: Int] = [:]
  private let journal: POSIXFile
  private var journalLines = JSONWriter()

  private final class Log {
    let file: POSIXFile
    var buffer: [UInt8]

    init(file: POSIXFile, header: String) {
      self.file = file
      buffer = Array((header + "\n").utf8)
    }
  }

  /// Creates the folder of a session with its manifest.
  ///
  /// - Throws: `FileError` when it cannot be created, `ZoneError` when the request has no zones.
  package init(dataFolder: String, manifest: SessionManifest) throws {
    sessionID = manifest.sessionID
    start = manifest.start
    folder = dataFolder + "/sessions/" + manifest.sessionID
    guard !FileSystem.exists(folder) else { throw RecordingError(path: folder, problem: "is there already") }
    try FileSystem.createFolder(folder)
    let text = try manifest.json()
    try FileSystem.writeAtomically(text.span, to: folder + "/" + SessionFolder.manifest)
    journal = try POSIXFile(writing: folder + "/" + SessionFolder.decisions, .append)
  }

  /// Appends an entry of the raw log.
  ///
  /// - Throws: `FileError` when a log cannot be created.
  package func append(_ entry: LiveSession.RawEntry) throws(FileError) {
    switch entry {
    case .sample(let sample):
      let stream = sample.reading.stream
      try log(SessionFolder.log(of: stream), header: SessionFolder.header(of: stream)) {
        SampleRow.append(sample, start: start, to: &$0)
      }
      rows[stream, default: 0] += 1
    case .standby(let sample):
      guard case .heartRate(let beatsPerMinute) = sample.reading else { return }
      try log(SessionFolder.standbyHeartRate, header: SessionFolder.standbyHeader) {
        SampleRow.append(["\(beatsPerMinute)", sample.source ?? ""], at: sample.time, start: start, to: &$0)
      }
    case .command(let command, let time, let id):
      let before = SampleStream.recordable.map { "\(rows[$0] ?? 0)" }
      try log(SessionFolder.commands, header: SessionFolder.commandsHeader) {
        SampleRow.append([command.rawValue, id] + before, at: time, start: start, to: &$0)
      }
    }
  }

  /// Appends an event to the journal.
  package func append(event: SessionEvent) { SessionRecords.write(event, to: &journalLines) }

  /// Writes what was appended: raw logs, then the journal.
  ///
  /// - Throws: `FileError` when it cannot be written; the recorder is of no use afterwards.
  package func flush() throws(FileError) {
    for log in logs.values where !log.buffer.isEmpty {
      try log.file.write(log.buffer.span)
      log.buffer.removeAll(keepingCapacity: true)
    }
    let lines = journalLines.bytes
    guard !lines.isEmpty else { return }
    try journal.write(lines.span)
    journalLines.removeAll()
  }

  /// Writes what was appended and waits until it is on the disk.
  ///
  /// - Throws: `FileError` when that fails.
  package func sync() throws(FileError) {
    try flush()
    for log in logs.values { try log.file.sync() }
    try journal.sync()
  }

  /// Ends the recording with the summary of the session.
  ///
  /// - Throws: `FileError` when it cannot be written.
  package func finish(_ pipeline: SessionPipeline, badLines: Int) throws(FileError) {
    try sync()
    var writer = JSONWriter(.pretty)
    writer.object { writer in
      SessionRecords.writeSummaryMembers(of: pipeline, sessionID: sessionID, badLines: badLines, to: &writer)
      writer.member("startTime", start)
    }
    writer.endLine()
    let text = writer.bytes
    try FileSystem.writeAtomically(text.span, to: folder + "/" + SessionFolder.summary)
    for log in logs.values { try log.file.close() }
    try journal.close()
  }

  private func log(_ name: String, header: String, _ body: (inout [UInt8]) -> Void) throws(FileError) {
    if let log = logs[name] {
      body(&log.buffer)
      return
    }
    let log = Log(file: try POSIXFile(writing: folder + "/" + name, .append), header: header)
    logs[name] = log
    body(&log.buffer)
  }
}

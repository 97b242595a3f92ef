package import Recordings
package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// Writes the folder of a session as the run goes on: raw logs first, then the journal of decisions, the summary at the
/// end.
///
/// What was given to ``append(_:)`` and ``append(event:)`` is in the files after ``flush()``, in that order. What could
/// not be written is kept and written by the next ``flush()`` that can.
package final class SessionRecorder {
  /// How many bytes are kept while they cannot be written; a further failure then is final.
  package static let largestBacklog = 64 << 20

  /// The folder.
  package let folder: StoredPath
  /// The identity of the session.
  package let sessionID: String

  private let manifest: SessionManifest
  private let arm: DrawnArm?
  private let mark: SessionMark?
  /// The streams whose rows are counted with each command.
  private let countedStreams: [SampleStream]
  /// In the order in which they were begun.
  private var logs: [Log] = []
  private var rows: [SampleStream: Int] = [:]
  private let journal: Log
  private var journalLines = JSONWriter()
  /// Whether files were created whose names may not be on the disk yet.
  private var hasNewFiles = true

  private final class Log {
    let path: StoredPath
    var buffer: [UInt8]
    private var file: POSIXFile?

    package init(path: StoredPath, header: String) {
      self.path = path
      buffer = Array(header.utf8)
    }

    /// Writes what is kept; what cannot be written stays. Whether the file was created for it.
    func flush() throws(FileError) -> Bool {
      guard !buffer.isEmpty else { return false }
      let isNew = file == nil
      if isNew { file = try POSIXFile(writing: path, .append) }
      var written = 0
      defer { buffer.removeFirst(written) }
      try file?.write(buffer.span, from: &written)
      return isNew
    }

    func sync() throws(FileError) { try file?.sync() }
    func close() throws(FileError) { try file?.close() }
  }

  /// Creates the folder of a session with its manifest, and the mark that says that it is being recorded.
  ///
  /// - Throws: `FileError` when it cannot be created, `ZoneError` when the request has no zones.
  package convenience init(dataFolder: StoredPath, manifest: SessionManifest) throws {
    let sessions = dataFolder + "/" + SessionFolder.sessions
    let folder = SessionFolder.path(of: manifest.sessionID, in: dataFolder)
    guard !FileSystem.exists(folder) else { throw RecordingError(path: folder.path, problem: "is there already") }
    // Without zones there is nothing to record, and no folder.
    _ = try manifest.json()
    try DataFolderMark.make(dataFolder)
    try FileSystem.createFolder(sessions)
    let mark = try SessionMark.make(manifest.sessionID, in: dataFolder)
    do {
      try self.init(folder: folder, manifest: manifest, mark: mark)
      try FileSystem.syncFolder(sessions)
      try FileSystem.syncFolder(dataFolder)
    } catch {
      // Nothing was recorded yet. What cannot be removed now keeps its mark, and the next start removes it.
      if (try? SessionFolder.removeUnrecorded(folder)) != nil { try? mark.remove() }
      throw error
    }
  }

  /// Creates a folder with the manifest of a session in it.
  ///
  /// - Throws: `FileError` when it cannot be created, `ZoneError` when the request has no zones.
  package init(folder: StoredPath, manifest: SessionManifest, mark: SessionMark?) throws {
    self.folder = folder
    self.manifest = manifest
    arm = manifest.randomization?.drawnArm
    self.mark = mark
    sessionID = manifest.sessionID
    countedStreams = SampleStream.allCases.filter {
      SampleStream.recordable.contains($0) || manifest.streams.contains($0)
    }
    journal = Log(path: folder + "/" + SessionFolder.decisions, header: "")
    let text = try manifest.json()
    try FileSystem.createFolder(folder)
    try FileSystem.writeAtomically(text.span, to: folder + "/" + SessionFolder.manifest)
  }

  /// Appends an entry of the raw log.
  package func append(_ entry: LiveSession.RawEntry) {
    switch entry {
    case .sample(let sample, let sent):
      row(of: sample.reading.stream) { SampleRow.append(sample, start: manifest.start, sent: sent, to: &$0) }
    case .unplaced(let reading, let sent, let source, true):
      standbyRow(of: reading, at: nil, sent: sent, source: source)
    case .unplaced(let reading, let sent, _, false):
      row(of: reading.stream) { SampleRow.append(unplaced: reading, sent: sent, to: &$0) }
    case .standby(let sample, let sent):
      standbyRow(of: sample.reading, at: sample.time, sent: sent, source: sample.source)
    case .clock(let time): commandRow(SessionFolder.clockWord, at: time, id: "", value: nil)
    case .command(let command, let time, let id): commandRow(command.word, at: time, id: id, value: command.value)
    }
  }

  private func commandRow(_ word: String, at time: SessionTime, id: String, value: String?) {
    let before = countedStreams.map { "\(rows[$0] ?? 0)" }
    log(SessionFolder.commands, header: SessionFolder.commandsHeader(countedStreams)) {
      SampleRow.append([word, id] + before + [value ?? ""], at: time, start: manifest.start, to: &$0)
    }
  }

  private func row(of stream: SampleStream, _ body: (inout [UInt8]) -> Void) {
    log(SessionFolder.log(of: stream), header: SessionFolder.header(of: stream), body)
    rows[stream, default: 0] += 1
  }

  private func standbyRow(of reading: Reading, at time: SessionTime?, sent: WallClockTime?, source: String?) {
    guard case .heartRate(let beatsPerMinute) = reading else { return }
    log(SessionFolder.standbyHeartRate, header: SessionFolder.standbyHeader) {
      SampleRow.append(["\(beatsPerMinute)", source ?? ""], at: time, start: manifest.start, sent: sent, to: &$0)
    }
  }

  /// Appends a label.
  package func append(label: RecordedLabel) {
    log(SessionFolder.labels, header: SessionFolder.labelsHeader) {
      SampleRow.append([label.text], at: label.time, start: manifest.start, to: &$0)
    }
  }

  /// Appends an event to the journal.
  package func append(event: SessionEvent) { SessionRecords.write(event, of: arm, to: &journalLines) }

  /// How many bytes wait to be written.
  package var backlog: Int {
    logs.reduce(journal.buffer.count + journalLines.bytes.count) { $0 + $1.buffer.count }
  }

  /// Writes what was appended: raw logs, then the journal.
  ///
  /// - Throws: `FileError` when not all of it can be written; the rest is kept.
  package func flush() throws(FileError) {
    journal.buffer += journalLines.bytes
    journalLines.removeAll()
    for log in logs + [journal] where try log.flush() { hasNewFiles = true }
  }

  /// Writes what was appended and waits until it is on the disk.
  ///
  /// - Throws: `FileError` when that fails; what was not written is kept.
  package func sync() throws(FileError) {
    try flush()
    for log in logs + [journal] { try log.sync() }
    guard hasNewFiles else { return }
    try FileSystem.syncFolder(folder)
    hasNewFiles = false
  }

  /// Ends the recording with the summary of the session. Its mark stays until ``close()``.
  ///
  /// - Throws: `FileError` when it cannot be written; it can be tried again.
  package func finish(_ pipeline: SessionPipeline, badLines: Int?) throws(FileError) {
    try sync()
    try SessionSummaryFile(manifest: manifest, state: .complete, badLines: badLines).write(pipeline, to: folder)
    for log in logs + [journal] { try log.close() }
  }

  /// Removes the mark of the session: nothing is left to do for it.
  ///
  /// - Throws: `FileError` when it cannot be removed; the next start does so.
  package func close() throws(FileError) { try mark?.remove() }

  private func log(_ name: String, header: String, _ body: (inout [UInt8]) -> Void) {
    let path = folder + "/" + name
    if let log = logs.first(where: { $0.path == path }) {
      body(&log.buffer)
      return
    }
    let log = Log(path: path, header: header + "\n")
    logs.append(log)
    body(&log.buffer)
  }
}

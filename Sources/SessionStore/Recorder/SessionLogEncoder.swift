package import Recordings
internal import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// Makes of what a live session takes and decides the bytes of the files in its folder.
///
/// It is pure, so that whoever decides never waits for a disk: rows and records gather until ``drain(into:)`` hands them on
/// as a ``SessionFileChunks``.
package final class SessionLogEncoder {
  /// How many records of decisions there are so far; the number of a record is its place among them, from 1.
  package private(set) var recordCount = 0

  private let start: WallClockTime
  private let arm: DrawnArm?
  /// The streams whose rows are counted with each command.
  private let countedStreams: [SampleStream]
  /// In the order in which they were begun.
  private var logs: [Log] = []
  private var decisions: Log
  /// Where rows wait until they are handed on.
  private let spare: SpareBuffers
  /// How motion is kept.
  private let motionLog: MotionLogFormat
  /// Whether that is in binary: asked for each row.
  private let keepsMotionInBinary: Bool
  /// What makes its rows: one where it is not kept as text and a row has come. It takes no room in all other sessions.
  private var motion: [MotionLogWriter] = []

  private struct Log: Sendable {
    let file: SessionFile
    /// How many bytes were handed on.
    var offset = 0
    var rows = 0
    var buffer: [UInt8] = []
  }

  /// Begins with the manifest of a session.
  ///
  /// - Parameters:
  ///   - spare: memory that it shares with others, which take turns with it.
  ///   - streams: the streams whose rows the log of commands counts, where another program began that; else all.
  /// - Throws: `ZoneError` when it has no zones.
  package init(
    _ manifest: SessionManifest, _ spare: SpareBuffers = SpareBuffers(), counting streams: [SampleStream]? = nil
  ) throws {
    self.spare = spare
    start = manifest.start
    arm = manifest.randomization?.drawnArm
    motionLog = manifest.motionLog
    keepsMotionInBinary = motionLog == .binary
    countedStreams = streams ?? SessionFolder.countedStreams(of: manifest)
    decisions = Log(file: .decisions)
    logs.append(Log(file: .manifest, buffer: try manifest.json()))
  }

  /// The text of the manifest, until it is handed on.
  package var manifestText: [UInt8] { logs.first { $0.file == .manifest }?.buffer ?? [] }

  /// Takes entries of the raw log, in order.
  package func append(_ entries: [LiveSession.RawEntry]) {
    // In their place, since an entry is large.
    let entries = entries.span
    var index = 0
    while index < entries.count {
      let rows = keepsMotionInBinary ? 0 : appendRows(entries, from: index)
      if rows == 0 { append(entries[index]) }
      index += max(1, rows)
    }
  }

  /// Takes samples of one stream that follow each other, as those of a block do: its log is looked for once.
  ///
  /// - Returns: how many they are; 0 where the entry is no sample.
  private func appendRows(_ entries: Span<LiveSession.RawEntry>, from first: Int) -> Int {
    guard case .sample(let sample, _) = entries[first] else { return 0 }
    let stream = sample.reading.stream
    let place = log(of: SessionFile(stream, motion: .csv), header: SessionFolder.header(of: stream))
    var (buffer, seconds): ([UInt8], SecondText) = ([], spare.seconds)
    swap(&buffer, &logs[place].buffer)
    var index = first
    while index < entries.count, case .sample(let sample, let sent) = entries[index], sample.reading.stream == stream {
      let stamp = sent ?? start.adding(nanoseconds: sample.time.nanoseconds)
      SampleRow.append(sample.reading, stamp: stamp, at: sample.time, &seconds, to: &buffer)
      index += 1
    }
    swap(&buffer, &logs[place].buffer)
    spare.seconds = seconds
    logs[place].rows += index - first
    return index - first
  }

  /// Takes an entry of the raw log.
  package func append(_ entry: LiveSession.RawEntry) {
    switch entry {
    case .sample(let sample, let sent):
      row(of: sample.reading, stamp: sent ?? start.adding(nanoseconds: sample.time.nanoseconds), at: sample.time)
    case .unplaced(let reading, let sent, let source, true):
      standbyRow(of: reading, at: nil, sent: sent, source: source)
    case .unplaced(let reading, let sent, _, false): row(of: reading, stamp: sent, at: nil)
    case .standby(let sample, let sent):
      standbyRow(of: sample.reading, at: sample.time, sent: sent, source: sample.source)
    case .clock(let time): commandRow(SessionFolder.clockWord, at: time, id: "", value: nil)
    case .command(let command, let time, let id): commandRow(command.word, at: time, id: id, value: command.value)
    }
  }

  /// Takes a label.
  package func append(label: RecordedLabel) {
    let start = start
    row(in: .labels, header: SessionFolder.labelsHeader) {
      SampleRow.append([label.text], at: label.time, start: start, to: &$0)
    }
  }

  /// Takes an event.
  package func append(event: SessionEvent) {
    SessionRecords.write(event, of: arm, to: &spare.writer)
    if decisions.buffer.isEmpty { decisions.buffer = spare.take() }
    decisions.buffer += spare.writer.bytes
    spare.writer.removeAll()
    recordCount += 1
  }

  /// The records of decisions since the last ``drain(into:)``, one a line.
  package var newRecords: [UInt8] { decisions.buffer }

  /// The version that a journal has to have for what was handed on, and waits.
  package var journalVersion: LiveJournal.Version { motion.isEmpty ? .first : .binaryMotion }

  /// How many bytes wait to be handed on.
  package var waitingBytes: Int {
    logs.reduce(decisions.buffer.count + (motion.first?.waitingBytes ?? 0)) { $0 + $1.buffer.count }
  }

  /// Appends what has gathered, raw logs before decisions, as the chunks of ``SessionFileChunks``; whether there was any.
  package func drain(into bytes: inout [UInt8]) -> Bool {
    var isAny = false
    if !motion.isEmpty, let index = logs.firstIndex(where: { $0.file == .binaryMotion }) {
      motion[0].endFrame(into: &logs[index].buffer)
    }
    for index in logs.indices where drain(&logs[index], into: &bytes) { isAny = true }
    if drain(&decisions, into: &bytes) { isAny = true }
    return isAny
  }

  /// Forgets what waits, because another process has written it; ``goOn(after:recordCount:)`` follows before anything is handed on.
  package func forgetWaiting() {
    for index in logs.indices { spare.giveBack(&logs[index].buffer) }
    spare.giveBack(&decisions.buffer)
  }

  /// Says that everything so far was handed on by another process, which had written so much of each file.
  package func goOn(after sizes: [SessionFile: Int], recordCount: Int) {
    for index in logs.indices {
      logs[index].buffer = []
      logs[index].offset = sizes[logs[index].file] ?? 0
    }
    if !motion.isEmpty { motion[0].goOn() }
    decisions.buffer = []
    decisions.offset = sizes[.decisions] ?? 0
    self.recordCount = recordCount
  }

  private func drain(_ log: inout Log, into bytes: inout [UInt8]) -> Bool {
    guard !log.buffer.isEmpty else { return false }
    SessionFileChunks.append(log.buffer.span, of: log.file, at: log.offset, to: &bytes)
    log.offset += log.buffer.count
    spare.giveBack(&log.buffer)
    return true
  }

  private func commandRow(_ word: String, at time: SessionTime, id: String, value: String?) {
    let before = countedStreams.map { stream in
      "\(logs.first { $0.file == SessionFile(stream, motion: motionLog) }?.rows ?? 0)"
    }
    let start = start
    row(in: .commands, header: SessionFolder.commandsHeader(countedStreams)) {
      SampleRow.append([word, id] + before + [value ?? ""], at: time, start: start, to: &$0)
    }
  }

  /// Takes the row of a reading, with its time of day and its time since the start as far as there are any.
  private func row(of reading: Reading, stamp: WallClockTime?, at: SessionTime?) {
    if keepsMotionInBinary, case .motion(let motion) = reading {
      return binaryRow(MotionRow(stamp: stamp?.nanoseconds, at: at?.nanoseconds, reading: motion))
    }
    let stream = reading.stream
    let index = log(of: SessionFile(stream, motion: .csv), header: SessionFolder.header(of: stream))
    SampleRow.append(reading, stamp: stamp, at: at, &spare.seconds, to: &logs[index].buffer)
    logs[index].rows += 1
  }

  private func binaryRow(_ row: MotionRow) {
    let index = log(of: .binaryMotion, beginning: MotionLogFrame.fileHead)
    if motion.isEmpty { motion.append(MotionLogWriter()) }
    motion[0].append(row, number: logs[index].rows, to: &logs[index].buffer)
    logs[index].rows += 1
  }

  private func standbyRow(of reading: Reading, at time: SessionTime?, sent: WallClockTime?, source: String?) {
    let start = start
    let (file, header, value): (SessionFile, String, Double)
    switch reading {
    case .heartRate(let beatsPerMinute):
      (file, header, value) = (.standbyHeartRate, SessionFolder.standbyHeader, beatsPerMinute)
    case .rrInterval(let milliseconds):
      (file, header, value) = (.standbyIntervals, SessionFolder.standbyIntervalsHeader, milliseconds)
    case .steps, .cadence, .distance, .speed, .location, .motion, .direction, .altitude: return
    }
    row(in: file, header: header) {
      SampleRow.append(["\(value)", source ?? ""], at: time, start: start, sent: sent, to: &$0)
    }
  }

  private func row(in file: SessionFile, header: @autoclosure () -> String, _ body: (inout [UInt8]) -> Void) {
    let index = log(of: file, header: header())
    body(&logs[index].buffer)
    logs[index].rows += 1
  }

  private func log(of file: SessionFile, header: @autoclosure () -> String) -> Int {
    log(of: file, beginning: Array(header().utf8) + [UInt8(ascii: "\n")])
  }

  /// The place of a log among all, which is begun where it is not there.
  private func log(of file: SessionFile, beginning: @autoclosure () -> [UInt8]) -> Int {
    for known in logs.indices where logs[known].file == file {
      if logs[known].buffer.isEmpty { logs[known].buffer = spare.take() }
      return known
    }
    logs.append(Log(file: file, buffer: spare.take()))
    logs[logs.count - 1].buffer += beginning()
    return logs.count - 1
  }
}

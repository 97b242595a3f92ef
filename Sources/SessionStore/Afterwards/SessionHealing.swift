package import TextFormats
package import WorkoutSession

/// Makes the folder of a session whole whose process was gone before its end.
package enum SessionHealing {
  /// A last line, or a last block of motion, that was cut off, and dropped.
  package struct TornLine: Hashable, Sendable {
    /// The file in the folder.
    package let file: String
    /// How many bytes were there of it.
    package let bytes: Int
  }

  /// A folder that was made whole.
  package struct Healed: Sendable {
    /// What was dropped.
    package let torn: [TornLine]
    /// The recording in it.
    package let recording: SessionFolderRecording
    /// The session at its end.
    package let pipeline: SessionPipeline
  }

  /// Drops torn last lines, completes the journal from the raw logs, and writes the summary.
  ///
  /// Every step can be repeated: a process that dies in it leaves a folder that can be healed again.
  /// - Returns: what was dropped, and the session at its end with its observation.
  /// - Throws: `FileError` when something cannot be read or written, `RecordingError` or `ZoneError` when the manifest or
  ///   a log is not as it was written.
  package static func heal(_ folder: StoredPath) throws -> Healed {
    let recording = try SessionFolderRecording(path: folder)
    // What the process was writing when it died has another name still.
    let atomic: Set<String?> = [SessionFolder.summary, SessionFolder.manifest]
    for name in try FileSystem.list(folder) where atomic.contains(TemporaryName.final(of: name)) {
      try FileSystem.remove(folder + "/" + name)
    }
    var torn: [TornLine] = []
    for name in try FileSystem.list(folder) where SessionFolder.isLog(name) {
      let bytes = try cutTornLine(folder + "/" + name)
      if bytes > 0 { torn.append(TornLine(file: name, bytes: bytes)) }
    }
    let motion = folder + "/" + SessionFolder.binaryMotion
    if let name = try SessionFolder.presentLog(of: .motion, in: folder), name == SessionFolder.binaryMotion {
      let bytes = try cutTornBlock(motion)
      if bytes > 0 { torn.append(TornLine(file: name, bytes: bytes)) }
    }
    var decided: [[UInt8]] = []
    var writer = JSONWriter()
    let arm = recording.manifest.randomization?.drawnArm
    let pipeline = try Replay.observe(recording, endReason: .recovered) { _, events in
      for event in events where event.isDecidedBySamples {
        SessionRecords.write(event, of: arm, to: &writer)
        decided.append(writer.bytes)
        writer.removeAll()
      }
    }
    try complete(folder + "/" + SessionFolder.decisions, with: decided)
    try FileSystem.syncFolder(folder)
    try SessionSummaryFile(manifest: recording.manifest, state: .recovered, badLines: nil).write(pipeline, to: folder)
    return Healed(torn: torn, recording: recording, pipeline: pipeline)
  }

  /// Whether the last line of a file has its end, as that of an empty file has, and how many lines have theirs.
  ///
  /// - Throws: `FileError` when it cannot be read.
  package static func lines(of path: StoredPath) throws(FileError) -> (areWhole: Bool, count: Int) {
    let (size, kept, lines) = try extent(path)
    return (size == kept, lines)
  }

  /// The bytes of a file, those up to its last line feed, and how many line feeds there are.
  private static func extent(_ path: StoredPath) throws(FileError) -> (size: Int, kept: Int, lines: Int) {
    let file = try POSIXFile(reading: path)
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    var (size, kept, lines) = (0, 0, 0)
    while true {
      let count = try file.read(into: &chunk)
      guard count > 0 else { return (size, kept, lines) }
      if let last = chunk[..<count].lastIndex(of: UInt8(ascii: "\n")) { kept = size + last + 1 }
      lines += chunk[..<count].count { $0 == UInt8(ascii: "\n") }
      size += count
    }
  }

  /// Drops what stands behind the last line feed of a file, and the whole file where there is none; how many bytes.
  private static func cutTornLine(_ path: StoredPath) throws(FileError) -> Int {
    let (size, kept, _) = try extent(path)
    return try cut(path, of: size, to: kept)
  }

  /// Drops what stands behind the last whole frame of a log of motion; how many bytes.
  ///
  /// - Throws: `FileError`, or `RecordingError` for a file that is no such log, which stays.
  private static func cutTornBlock(_ path: StoredPath) throws -> Int {
    var reader = try MotionLogReader(path: path)
    try reader.forEachPiece { _ in }
    return try cut(path, of: reader.wholeBytes + reader.tornBytes, to: reader.wholeBytes)
  }

  private static func cut(_ path: StoredPath, of size: Int, to kept: Int) throws(FileError) -> Int {
    if kept == 0 {
      try FileSystem.remove(path)
    } else if kept < size {
      let file = try POSIXFile(writing: path, .append)
      try file.truncate(to: kept)
      try file.sync(metadata: true)
      try file.close()
    }
    return size - kept
  }

  /// Appends to a journal what the samples decided and was not written any more.
  ///
  /// A process writes the journal after the raw logs, so that what it holds of what samples decide is the beginning of
  /// `decided`. A disk that lost power may have kept other parts of the one than of the others: then the journal stays
  /// as it is, because it says what was emitted.
  private static func complete(_ path: StoredPath, with decided: [[UInt8]]) throws {
    var known = 0
    var isBeginning = true
    if try FileSystem.has(path) {
      try ByteLineReader.forEachLine(of: POSIXFile(reading: path)) { line, _ in
        if SessionRecords.isAnswer(line) { return }
        isBeginning = isBeginning && known < decided.count && Self.isLine(decided[known], line)
        known += 1
      }
    }
    guard isBeginning, known < decided.count else { return }
    let file = try POSIXFile(writing: path, .append)
    let missing = Array(decided[known...].joined())
    try file.write(missing.span)
    try file.sync(metadata: true)
    try file.close()
  }

  /// Whether a record, which ends with a line feed, is a line.
  private static func isLine(_ record: [UInt8], _ line: Span<UInt8>) -> Bool {
    record.count == line.count + 1 && line.indices.allSatisfy { record[$0] == line[$0] }
  }
}

extension SessionEvent {
  /// Whether samples and commands alone decide the event, so that a replay of the raw logs emits it again.
  fileprivate var isDecidedBySamples: Bool {
    switch self {
    case .started, .engine, .lap, .activity, .activityDiffers, .countdown, .rejected, .ended: true
    case .acknowledgement, .sourceChanged: false
    }
  }
}

extension SessionRecords {
  /// Whether a line of a journal is of those that a replay does not emit again.
  fileprivate static func isAnswer(_ line: Span<UInt8>) -> Bool {
    guard let value = try? JSONValue.parse(line), let type = value.members?.first(where: { $0.key == "type" }),
      case .string(let name) = type.value.content
    else { return false }
    return name == "acknowledgement" || name == "sourceChanged"
  }
}

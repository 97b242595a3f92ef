package import ZoneEngine

/// A recorded session of our own: what was true on the day, and everything that decided, in the order of its time.
///
/// Samples of one stream come in the order in which they were logged, so that what was late stays late; between streams
/// time decides, then the stream. A command comes after exactly those rows of every log that were there when it was
/// carried out. Nothing is held but a piece of each log.
package struct SessionFolderRecording: Sendable {
  /// The folder.
  package let path: String
  /// What was true on the day.
  package let manifest: SessionManifest

  /// Opens the folder of a session.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when its manifest cannot be used.
  package init(path: String) throws {
    self.path = path
    let name = path + "/" + SessionFolder.manifest
    let bytes = try POSIXFile(reading: name).readAll(maximumBytes: 1 << 20)
    do {
      manifest = try SessionManifest(json: bytes.span)
    } catch {
      throw RecordingError(path: name, problem: "\(error)")
    }
  }

  /// Gives every input to `body`; the warnings of the logs, with the names of their files, are returned.
  ///
  /// - Throws: `FileError` or `RecordingError` when a log cannot be read, or what `body` throws.
  package func forEachInput(_ body: (RecordedInput) throws -> Void) throws -> [(
    file: String, warning: RecordingWarning
  )] {
    var cursors: [LogCursor] = []
    for stream in SampleStream.allCases {
      let file = path + "/" + SessionFolder.log(of: stream)
      guard FileSystem.exists(file) else { continue }
      cursors.append(try LogCursor(path: file, stream: stream))
    }
    var commands = try commands()[...]
    while true {
      var earliest: Int?
      for index in cursors.indices {
        if let command = commands.first, command.comesBefore(row: cursors[index].taken, of: cursors[index].stream) {
          continue
        }
        guard let time = try cursors[index].peek()?.time else { continue }
        guard let other = earliest, let known = try cursors[other].peek()?.time else {
          earliest = index
          continue
        }
        if time < known { earliest = index }
      }
      if let earliest, let next = try cursors[earliest].peek() {
        cursors[earliest].advance()
        try body(.sample(next))
      } else if let command = commands.popFirst() {
        try body(.command(command.command, at: command.at))
      } else {
        break
      }
    }
    return cursors.flatMap { cursor in cursor.warnings.map { (cursor.path, $0) } }
  }

  /// Whether the strategy was changed in the session.
  ///
  /// - Throws: `FileError` or `RecordingError` when the log of commands cannot be read.
  package var changesStrategy: Bool {
    get throws {
      try commands().contains { command in
        if case .strategy = command.command { true } else { false }
      }
    }
  }

  /// Whether the zones have every target that was asked for in the session.
  ///
  /// - Throws: `FileError` or `RecordingError` when the log of commands cannot be read.
  package func hasTargets(in zones: HeartRateZones) throws -> Bool {
    try commands().allSatisfy { $0.command.isPossible(in: zones) }
  }

  /// A command and what was known when it was carried out.
  private struct LoggedCommand {
    let command: SessionCommand
    let at: SessionTime
    /// How many rows of each log came before it.
    let rows: [SampleStream: Int]

    func comesBefore(row: Int, of stream: SampleStream) -> Bool { rows[stream].map { row >= $0 } ?? false }
  }

  /// The commands in the order in which they were carried out; a torn last line is left out.
  private func commands() throws -> [LoggedCommand] {
    let file = path + "/" + SessionFolder.commands
    guard FileSystem.exists(file) else { return [] }
    var result: [LoggedCommand] = []
    var row = CSVRow(delimiter: .comma)
    let zones = try manifest.settings().zones
    var valueColumn: Int?
    var columns: [(index: Int, stream: SampleStream)] = []
    try ByteLineReader.forEachLine(of: POSIXFile(reading: file)) { line, place in
      guard place.isTerminated else { return }
      try? row.split(line)
      if place.number == 1 {
        let names = (0..<row.count).map { row.string($0, in: line) }
        columns = SampleStream.allCases.compactMap { stream in
          names.firstIndex(of: SessionFolder.rowsColumn(of: stream)).map { ($0, stream) }
        }
        valueColumn = names.firstIndex(of: SessionFolder.valueColumn)
        return
      }
      let value = valueColumn.map { row.string($0, in: line) } ?? ""
      guard row.count == 4 + columns.count + (valueColumn == nil ? 0 : 1),
        let at = row.nanosecondsFromSeconds(1, in: line),
        let command = SessionCommand(word: row.string(2, in: line), value: value.isEmpty ? nil : value),
        command.isPossible(in: zones)
      else { throw RecordingError(path: file, position: "line \(place.number)", problem: "expected a command") }
      var rows: [SampleStream: Int] = [:]
      for (index, stream) in columns { rows[stream] = row.int64(index, in: line).map { Int($0) } }
      guard command != .start else { return }
      result.append(LoggedCommand(command: command, at: SessionTime(nanoseconds: at), rows: rows))
    }
    return result
  }
}

/// Reads a log of our own piece by piece.
struct LogCursor {
  let path: String
  let stream: SampleStream
  /// How many samples were taken.
  private(set) var taken = 0
  private(set) var warnings: [RecordingWarning] = []

  private let file: POSIXFile
  private var splitter = LineSplitter()
  private var scan: CSVScan
  private var chunk = [UInt8](repeating: 0, count: 64 << 10)
  private var samples: [Sample] = []
  private var index = 0
  private var isAtEnd = false

  init(path: String, stream: SampleStream) throws {
    self.path = path
    self.stream = stream
    file = try POSIXFile(reading: path)
    scan = CSVScan(path: path, form: .lines, person: nil)
    scan.countsFacts = false
    scan.isOwnLog = true
  }

  mutating func peek() throws -> Sample? {
    while index >= samples.count, !isAtEnd { try refill() }
    return index < samples.count ? samples[index] : nil
  }

  mutating func advance() {
    index += 1
    taken += 1
  }

  private mutating func refill() throws {
    samples.removeAll(keepingCapacity: true)
    index = 0
    let count = try file.read(into: &chunk)
    isAtEnd = count == 0
    var (splitter, scan, samples) = (splitter, scan, samples)
    let stream = stream
    do {
      // The speed of a position is a part of it, not a sample of its own.
      let keep = { (sample: Sample) in if sample.reading.stream == stream { samples.append(sample) } }
      if isAtEnd {
        try splitter.finish { try scan.consume($0, $1, keep) }
      } else {
        try splitter.feed(chunk.span.extracting(first: count)) {
          try scan.consumeWholeLines($0, &$1, keep)
        } _: {
          try scan.consume($0, $1, keep)
        }
      }
    } catch let error as LineError {
      try scan.stop(at: error)
      isAtEnd = true
    }
    if isAtEnd {
      try scan.finish()
      warnings = scan.facts.oddities
    }
    (self.splitter, self.scan, self.samples) = (splitter, scan, samples)
  }
}

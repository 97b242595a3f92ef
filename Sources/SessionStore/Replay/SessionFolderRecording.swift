package import Recordings
package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// A recorded session of our own: what was true on the day, and everything that decided, in the order of its time.
///
/// Samples of one stream come in the order in which they were logged, so that what was late stays late; between streams
/// time decides, then the stream. A command comes after exactly those rows of every log that were there when it was
/// carried out. Nothing is held but a piece of each log.
package struct SessionFolderRecording: Sendable {
  /// The most commands of a session, which are held while it is read.
  private static let largestCommandCount = 500_000

  /// The folder; no link in it is followed.
  package let path: StoredPath
  /// What was true on the day.
  package let manifest: SessionManifest

  /// Opens the folder of a session.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when its manifest cannot be used.
  package init(path place: some FilePlace) throws {
    path = place.stored
    let name = path + "/" + SessionFolder.manifest
    let bytes = try POSIXFile(reading: name).readAll(maximumBytes: 1 << 20)
    do {
      manifest = try SessionManifest(json: bytes.span)
    } catch {
      throw RecordingError(path: name.path, problem: "\(error)")
    }
  }

  /// Gives every input to `body`; the warnings of the logs, with the names of their files, are returned.
  ///
  /// - Throws: `FileError` or `RecordingError` when a log cannot be read, or what `body` throws.
  package func forEachInput(_ body: (RecordedInput) throws -> Void) throws -> [(
    file: String, warning: RecordingWarning
  )] {
    var inputs = SessionInputs(commands: try commands())
    try inputs.open(in: path, isGrowing: false)
    var running = RunningTime()
    let longest = ReadingBudget.standard.runningSeconds
    while let input = try inputs.next() {
      switch input {
      case .sample(let sample): running.admit(sample.time)
      case .command: running.pause()
      case .advance, .unplaced: break
      }
      guard running.seconds <= longest else {
        throw RecordingError(
          path: path.path, problem: "goes on for more than \(longest / 86_400) days: expected a session")
      }
      try body(input)
    }
    return inputs.cursors.flatMap { cursor in cursor.warnings.map { (cursor.path, $0) } }
  }

  /// What the folder holds, as a file of a device would be inspected; the warnings are those of its logs.
  ///
  /// - Throws: `FileError` or `RecordingError` when a log cannot be read.
  package func facts() throws -> RecordingFacts {
    let activity = manifest.request.activity
    var facts = RecordingFacts(sport: activity == .unlabelled ? nil : activity.label)
    facts.format = "coach-session"
    facts.device = manifest.source?.device
    facts.statedOrigin = manifest.origin
    facts.start = manifest.start
    let warnings = try forEachInput { input in
      facts.admit(input)
      if case .command(_, let time) = input { facts.elapsed = max(facts.elapsed, time) }
    }
    facts.add(warnings.map(\.warning))
    return facts
  }

  /// What the intervals between beats come to; `nil` without any. Of several sources those in charge count.
  ///
  /// - Throws: `FileError` or `RecordingError` when their log cannot be read.
  /// - Complexity: O(n) of the intervals; a file is looked for, where there are none.
  package func beats() throws -> BeatReport? {
    let file = path + "/" + SessionFolder.log(of: .rrInterval)
    guard FileSystem.exists(file) else { return nil }
    var cursor = try LogCursor(path: file, stream: .rrInterval)
    var analysis = BeatAnalysis()
    while let row = try cursor.peek() {
      cursor.advance()
      guard case .sample(let sample) = row.input, case .rrInterval(let milliseconds) = sample.reading else { continue }
      analysis.admit(milliseconds, at: sample.time)
    }
    return BeatReport(analysis)
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

  /// Whether a lap may have been marked, or a step of a plan have begun.
  ///
  /// - Throws: `FileError` or `RecordingError` when the log of commands cannot be read.
  package var mayHaveLaps: Bool {
    get throws {
      if let plan = manifest.request.plan, plan.steps.count > 1 { return true }
      return try commands().contains { $0.command == .lap }
    }
  }

  /// Whether the zones have every target that was asked for in the session.
  ///
  /// - Throws: `FileError` or `RecordingError` when the log of commands cannot be read.
  package func hasTargets(in zones: HeartRateZones) throws -> Bool {
    try commands().allSatisfy { $0.command?.isPossible(in: zones) ?? true }
  }

  /// What was noted of the session, in the order of the log; a torn last line is left out.
  ///
  /// - Throws: `FileError` or `RecordingError` when the log of labels cannot be read.
  package func labels() throws -> [RecordedLabel] {
    let file = path + "/" + SessionFolder.labels
    guard FileSystem.exists(file) else { return [] }
    var labels: [RecordedLabel] = []
    var row = CSVRow(delimiter: .comma)
    try ByteLineReader.forEachLine(of: POSIXFile(reading: file)) { line, place in
      guard place.isTerminated, place.number > 1 else { return }
      guard (try? row.split(line)) != nil, row.count == 3, let at = row.nanosecondsFromSeconds(1, in: line) else {
        throw RecordingError(path: file.path, position: "line \(place.number)", problem: "expected a label")
      }
      labels.append(RecordedLabel(row.string(2, in: line), at: SessionTime(nanoseconds: at)))
    }
    return labels
  }

  /// The commands in the order in which they were carried out; a torn last line is left out.
  func commands() throws -> [LoggedCommand] {
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
      let word = row.string(2, in: line)
      let command = SessionCommand(word: word, value: value.isEmpty ? nil : value)
      guard row.count == 4 + columns.count + (valueColumn == nil ? 0 : 1),
        let at = row.nanosecondsFromSeconds(1, in: line),
        command?.isPossible(in: zones) ?? (word == SessionFolder.clockWord)
      else { throw RecordingError(path: file.path, position: "line \(place.number)", problem: "expected a command") }
      var rows: [SampleStream: Int] = [:]
      for (index, stream) in columns { rows[stream] = row.int64(index, in: line).map { Int($0) } }
      guard command != .start else { return }
      guard result.count < Self.largestCommandCount else {
        throw RecordingError(
          path: file.path, position: "line \(place.number)",
          problem: "expected at most \(Self.largestCommandCount) commands")
      }
      result.append(LoggedCommand(command: command, at: SessionTime(nanoseconds: at), rows: rows))
    }
    return result
  }
}

/// A command of a log and what was known when it was carried out.
struct LoggedCommand {
  /// Absent where the clock of the machine moved the session on.
  let command: SessionCommand?
  let at: SessionTime
  /// How many rows of each log came before it.
  let rows: [SampleStream: Int]

  /// Whether it was carried out before a row of a log, counted from 0, was there. For rows that nobody counted, those
  /// of what is kept with another stream, the time has to do.
  func comesBefore(row: Int, of stream: SampleStream, at time: SessionTime?) -> Bool {
    if let count = rows[stream] { return row >= count }
    return stream.chosenWith != stream && time.map { $0 > at } ?? false
  }
}

/// Puts the logs of a session in one order: between streams time decides, then the stream; a command comes after exactly
/// the rows that were there when it was carried out.
struct SessionInputs {
  private(set) var cursors: [LogCursor] = []
  private var commands: ArraySlice<LoggedCommand>
  private var takenCommands = 0

  init(commands: [LoggedCommand]) { self.commands = commands[...] }

  /// Opens the logs that are there and were not before.
  mutating func open(in folder: StoredPath, isGrowing: Bool) throws {
    for stream in SampleStream.allCases where !cursors.contains(where: { $0.stream == stream }) {
      guard let name = SessionFolder.presentLog(of: stream, in: folder) else { continue }
      let file = folder + "/" + name
      let place = cursors.firstIndex { $0.stream.order > stream.order } ?? cursors.endIndex
      cursors.insert(try LogCursor(path: file, stream: stream, isGrowing: isGrowing), at: place)
    }
  }

  /// Takes the commands of a log that has grown.
  mutating func update(commands all: [LoggedCommand]) { commands = all.dropFirst(takenCommands) }

  /// Takes in how far logs have grown, that of the heart rates last, so that no other stream is ahead of them.
  mutating func grow() throws {
    for index in cursors.indices.reversed() { try cursors[index].grow() }
  }

  /// The next input; `nil` at the end, and where a log that grows has nothing yet.
  mutating func next() throws -> RecordedInput? {
    var earliest: Int?
    var isAwaited = false
    // What stands beside a row that a command comes before comes after it too.
    var waiting: [SampleStream: SessionTime] = [:]
    for index in cursors.indices {
      let next = try cursors[index].peek()
      let stream = cursors[index].stream
      if let command = commands.first, command.comesBefore(row: cursors[index].taken, of: stream, at: next?.time) {
        waiting[stream] = next?.time
        continue
      }
      if let carrier = stream.carrier, let time = next?.time, let first = waiting[carrier], time >= first { continue }
      guard let next else {
        isAwaited = isAwaited || cursors[index].limit != nil
        continue
      }
      guard let other = earliest, let known = try cursors[other].peek()?.time else {
        earliest = index
        continue
      }
      if next.time < known { earliest = index }
    }
    if let earliest, let next = try cursors[earliest].peek() {
      cursors[earliest].advance()
      return next.input
    }
    // The rows before a command may be written after it.
    if isAwaited, let command = commands.first, !hasRows(before: command) { return nil }
    guard let command = commands.popFirst() else { return nil }
    takenCommands += 1
    return command.command.map { .command($0, at: command.at) } ?? .advance(to: command.at)
  }

  private func hasRows(before command: LoggedCommand) -> Bool {
    command.rows.allSatisfy { stream, rows in
      rows == 0 || cursors.contains { $0.stream == stream && $0.taken >= rows }
    }
  }
}

extension SampleStream {
  /// The place among all streams.
  fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Reads a log of our own piece by piece.
struct LogCursor {
  /// A row and where it stands among those of other logs; one without a place stands by the row before it.
  struct Row {
    let input: RecordedInput
    let time: SessionTime
    /// How many rows before it are lost.
    var lostBefore = 0
  }

  let path: String
  let stream: SampleStream
  /// How many samples were taken.
  private(set) var taken = 0
  /// How many bytes are read for now, of a log that somebody still writes; absent for one that is whole.
  private(set) var limit: Int?
  private(set) var warnings: [RecordingWarning] = []

  private let file: POSIXFile
  /// What makes text of the bytes of a log in binary.
  private var motion: MotionLogReader?
  private var splitter = LineSplitter()
  private var scan: CSVScan
  private static let chunkSize = 64 << 10
  private var chunk = [UInt8](repeating: 0, count: chunkSize)
  private var offset = 0
  private var rows: [Row] = []
  private var index = 0
  private var newest = SessionTime.zero
  private var isAtEnd = false

  init(path place: StoredPath, stream: SampleStream, isGrowing: Bool = false) throws {
    path = place.path
    self.stream = stream
    limit = isGrowing ? 0 : nil
    file = try POSIXFile(reading: place)
    if place.lastName == SessionFolder.binaryMotion { motion = MotionLogReader(path: path, file) }
    scan = CSVScan(path: path, form: .lines, person: nil, budget: .ofLogs)
    scan.countsFacts = false
    scan.isOwnLog = true
  }

  /// Takes in how far the log has grown.
  mutating func grow() throws {
    guard limit != nil else { return }
    limit = try file.status().size
  }

  mutating func peek() throws -> Row? {
    while index >= rows.count, !isAtEnd {
      guard try refill() else { break }
    }
    if index < rows.count, rows[index].lostBefore > 0 {
      taken += rows[index].lostBefore
      rows[index].lostBefore = 0
    }
    return index < rows.count ? rows[index] : nil
  }

  mutating func advance() {
    index += 1
    taken += 1
  }

  /// Reads the next piece; whether there was one, or the end.
  private mutating func refill() throws -> Bool {
    rows.removeAll(keepingCapacity: true)
    index = 0
    guard let (count, lost) = try readText() else { return false }
    isAtEnd = count == 0
    var (splitter, scan, rows, newest) = (splitter, scan, rows, newest)
    let stream = stream
    do {
      // The speed of a position is a part of it, not a sample of its own.
      let keep = { (sample: Sample) in
        guard sample.reading.stream == stream else { return }
        rows.append(Row(input: .sample(sample), time: sample.time))
        newest = sample.time
      }
      let consume = { (line: Span<UInt8>, place: TextLine) in
        let unplaced = scan.unplacedRows
        try scan.consume(line, place, keep)
        if scan.unplacedRows > unplaced { rows.append(Row(input: .unplaced(stream), time: newest)) }
      }
      if isAtEnd {
        try splitter.finish { try consume($0, $1) }
      } else {
        try splitter.feed(chunk.span.extracting(first: count)) {
          try scan.consumeWholeLines($0, &$1, keep)
        } _: {
          try consume($0, $1)
        }
      }
    } catch let error as LineError {
      try scan.stop(at: error)
      isAtEnd = true
    }
    if lost > 0, !rows.isEmpty { rows[0].lostBefore = lost }
    if isAtEnd {
      noteDamage(&scan)
      try scan.finish()
      warnings = scan.facts.oddities
    }
    (self.splitter, self.scan, self.rows, self.newest) = (splitter, scan, rows, newest)
    return true
  }
  /// Reads the next piece of the text into the chunk: how many bytes, none at the end, and how many rows before them are lost;
  /// `nil` where a log that grows has nothing yet.
  private mutating func readText() throws -> (count: Int, lost: Int)? {
    if motion != nil {
      chunk.removeAll(keepingCapacity: true)
      let lost = try motion?.next(into: &chunk, limit: limit)
      return lost == nil && limit != nil ? nil : (chunk.count, lost ?? 0)
    }
    if let limit {
      guard offset < limit else { return nil }
      let size = min(Self.chunkSize, limit - offset)
      if chunk.count != size { chunk = [UInt8](repeating: 0, count: size) }
    }
    let count = try file.read(into: &chunk)
    offset += count
    return (count, 0)
  }

  /// Takes note of what is wrong with a log in binary.
  private func noteDamage(_ scan: inout CSVScan) {
    guard let motion else { return }
    for damage in motion.damages { scan.note(.unreadableBytes, at: "byte \(damage.byte)", detail: damage.words) }
    if motion.tornBytes > 0 {
      scan.note(.tornLine, at: "byte \(motion.wholeBytes)", detail: "\(motion.tornBytes) bytes")
    }
  }
}

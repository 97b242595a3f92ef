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

  /// The settings of an engine, as they were.
  ///
  /// - Throws: `RecordingError` when the manifest was changed into something impossible.
  package func settings() throws(RecordingError) -> CoachingSettings {
    do throws(ZoneError) {
      return try manifest.settings()
    } catch {
      throw RecordingError(path: (path + "/" + SessionFolder.manifest).path, problem: "\(error)")
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
    facts.statedKilocalories = manifest.source?.energyKilocalories
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
    guard try FileSystem.has(file) else { return nil }
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
    guard try FileSystem.has(file) else { return [] }
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

  /// The identities of the commands as they were sent: that of the start, `nil` where no command began the session, and those of the
  /// others in the order in which ``forEachInput(_:)`` gives them, each empty where nobody sent it.
  ///
  /// - Throws: `FileError` or `RecordingError` when the log of commands cannot be read.
  package func commandIDs() throws -> (start: String?, others: [String]) {
    let (start, others) = try startAndCommands()
    return (start, others.filter { $0.command != nil }.map(\.id))
  }

  /// The commands in the order in which they were carried out, without the start; a torn last line is left out.
  func commands() throws -> [LoggedCommand] { try startAndCommands().others }

  /// The identity of the start, where a command began the session, and the other commands.
  private func startAndCommands() throws -> (start: String?, others: [LoggedCommand]) {
    let file = path + "/" + SessionFolder.commands
    guard try FileSystem.has(file) else { return (nil, []) }
    var result: [LoggedCommand] = []
    var start: String?
    var row = CSVRow(delimiter: .comma)
    let zones = try settings().zones
    var valueColumn: Int?
    var columns: [(index: Int, stream: SampleStream)] = []
    try ByteLineReader.forEachLine(of: POSIXFile(reading: file)) { line, place in
      guard place.isTerminated else { return }
      try? row.split(line)
      if place.number == 1 {
        let names = row.strings(in: line)
        columns = SessionFolder.countedColumns(in: names)
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
      guard command != .start else {
        start = start ?? row.string(3, in: line)
        return
      }
      guard result.count < Self.largestCommandCount else {
        throw RecordingError(
          path: file.path, position: "line \(place.number)",
          problem: "expected at most \(Self.largestCommandCount) commands")
      }
      result.append(
        LoggedCommand(
          command: command, at: SessionTime(nanoseconds: at), rows: rows, id: row.string(3, in: line)))
    }
    return (start, result)
  }

  /// The streams whose rows the log of commands counts, in the order of its columns; `nil` where there is no such log yet.
  ///
  /// - Throws: `FileError` when it cannot be read.
  package func countedStreams() throws -> [SampleStream]? {
    let file = path + "/" + SessionFolder.commands
    guard try FileSystem.has(file) else { return nil }
    var row = CSVRow(delimiter: .comma)
    var streams: [SampleStream]?
    try ByteLineReader.forEachLine(of: POSIXFile(reading: file)) { line, place in
      guard place.number == 1, place.isTerminated else { return }
      try? row.split(line)
      streams = SessionFolder.countedColumns(in: row.strings(in: line)).map(\.stream)
    }
    return streams
  }

  /// How many rows the raw logs had when the last of the commands was carried out, by the names of the files; of a session that has
  /// ended that is its end, after which no row comes. Logs that are kept with another are not counted.
  ///
  /// - Throws: `FileError` or `RecordingError` when the commands cannot be read.
  package func countedRows() throws -> [String: Int] {
    var rows: [String: Int] = [:]
    for (stream, count) in try commands().last?.rows ?? [:] {
      rows[try SessionFolder.presentLog(of: stream, in: path) ?? SessionFolder.log(of: stream)] = count
    }
    return rows
  }
}

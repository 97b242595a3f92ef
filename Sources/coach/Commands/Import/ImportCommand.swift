import Recordings
import SessionStore
import Synchronization
import TextFormats
import WorkoutHistory
import WorkoutSession

/// The sessions that an import added.
private final class AddedSessions {
  var names: [String] = []
}

/// What is to be said of sessions that an import added. It can be added to from anywhere.
private final class SessionNotices: Sendable {
  private let lines = Mutex<[(sessionID: String, line: String)]>([])

  /// Adds a line of a session.
  func add(_ sessionID: String, _ line: String) { lines.withLock { $0.append((sessionID, line)) } }

  /// The lines since the last call, in their order.
  func take() -> [(sessionID: String, line: String)] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

/// `coach import`: recordings of devices into the history.
struct ImportCommand {
  private let parsed: ParsedArguments
  private let console: Console
  private let laterValues = LaterValues()
  private let progress = ProgressLine("importing")
  private let added = AddedSessions()
  private let notices = SessionNotices()
  private let records: RecordStream

  init(_ parsed: ParsedArguments, _ console: Console) {
    self.parsed = parsed
    self.console = console
    records = RecordStream("imports", of: parsed[Operands.recordings], parsed[OutputOptions.format], console)
  }

  /// Imports every file, in order; the exit status is that of the worst.
  func run() async throws -> Int32 {
    let randomizer = try RandomizationRequest.randomizer(parsed)
    let recognition = try RecognitionRequest.settings(parsed, drawnBy: randomizer == nil ? nil : "--randomize")
    let asked = try SessionRequestOptions(parsed)
    // What is missing is said once, and not for every file.
    if parsed[ZoneOptions.birthDate] == nil { _ = try RequestOptions.settings(asked.on(nil).coaching, on: nil) }
    var importing = ImportRequest { [laterValues] day in
      let request = try asked.on(day)
      laterValues.note(request.person)
      return request
    }
    importing.needsProfile = parsed[ZoneOptions.profile] != nil
    importing.randomizer = randomizer
    importing.start = parsed[ExportOptions.start]
    importing.replaces = parsed[HistoryOptions.replaces]
    importing.silences = { [parsed] request in
      try RequestOptions.applySilences(parsed, to: &request)
      RequestOptions.applyCeiling(parsed, to: &request, on: nil)
    }
    let unheeded = UnheededOptions(parsed, asked, recognition)
    importing.unheeded = { try unheeded.options(for: $0, isReplaced: $1) }
    importing.takesSport = parsed[SessionOptions.activity] == nil
    importing.recognition = recognition
    importing.notice = { [notices] in notices.add($0, $1) }
    importing.oddity = { [notices] in notices.add($0, $1.sentence) }
    defer { progress.end() }
    return try await HistoryRequest.with(parsed) { history in
      let status = try await add(importing, to: history)
      try await reportRecords(in: history)
      return status
    }
  }

  /// Names the records that were beaten, on standard error, because the records of an import are one a file.
  ///
  /// - Throws: `DatabaseError` when the index cannot be asked; the sessions are safe.
  private func reportRecords(in history: History) async throws {
    guard !added.names.isEmpty else { return }
    let new = try await history.newRecords(of: added.names)
    progress.end()
    for (of, records) in Dictionary(grouping: new, by: { [$0.activity, $0.person].compactMap(\.self) })
      .sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
    {
      guard
        let line = RecordWords.line(
          records.map { ($0.record.effort, $0.record.before) }, UnitSystem(reading: parsed, of: nil))
      else { continue }
      console.complain("\(of.joined(separator: ", ")): \(line)")
    }
  }

  private func add(_ importing: ImportRequest, to history: History) async throws -> Int32 {
    var worst: Int32 = 0
    let paths = parsed[Operands.recordings]
    // A session is at a time of day: a recording of hours that has none is not read to its end to find that out.
    let budget = ReadingBudget.standard.with(\.needsTimeOfDay, importing.start == nil)
    for (done, path) in paths.enumerated() {
      progress.show(WorkProgress(done: done, total: paths.count))
      do {
        guard var walk = try RecordingWalk(path, budget: budget) else {
          let recording = try RecordingChoice.open(path, part: parsed[SessionOptions.part], budget: budget)
          worst = max(worst, try await add(recording, importing, to: history))
          continue
        }
        guard parsed[SessionOptions.part] == nil else {
          throw CommandFailure("\(path): many recordings: expected one with --part", .usage)
        }
        var count = 0
        let status = try await walk.forEach(in: path) { recording in
          count += 1
          progress.show(WorkProgress(done: count, total: count))
          return try await add(recording, importing, to: history)
        } refuse: {
          try refuse($0, $1)
        } complain: {
          complain($0)
        }
        worst = max(worst, status)
      } catch {
        worst = max(worst, try refuse(path, error))
      }
    }
    try records.end()
    return worst
  }

  private func add(_ recording: Recording, _ importing: ImportRequest, to history: History) async throws -> Int32 {
    var worst: Int32 = 0
    let path = recording.path
    try recording.requireOnePerson()
    // Which positions are too far apart depends on what each of its sessions is.
    for warning in recording.facts.warningsOfFile where warning.kind != .fasterThanSport {
      complain("\(path): \(warning.sentence)")
    }
    var outcomes = try await history.add(recording, importing, withDays: parsed[HistoryOptions.importedDays])
    if outcomes.isEmpty {
      let days = recording.activities.count { !$0.isWorkout }
      let taken = days == 1 ? "day" : "\(days) days"
      let reason = "no reading in its workouts, and --all-days takes its \(taken) with readings"
      outcomes = [.refused(reason: days == 0 ? RecordingChoice.noReading : reason)]
    }
    for line in laterValues.take() { complain(line) }
    let notices = sayNotices(of: path)
    var isTaken = false
    for outcome in outcomes {
      switch outcome {
      case .added(let name), .replaced(let name, _):
        added.names.append(name)
        isTaken = true
      case .assigned, .outdone, .duplicate, .refused: break
      }
      if case .refused(let reason) = outcome {
        complain("\(path): \(reason)")
        worst = max(worst, ExitCode.unusableData.rawValue)
      }
      try report(outcome, path, notices.filter { $0.sessionID == outcome.sessionID }.map(\.line))
    }
    // What is there already was said when it was added.
    if isTaken { for warning in recording.facts.warningsOfSignal { complain("\(path): \(warning.sentence)") } }
    return worst
  }

  /// Says why a file is not imported; the exit status.
  private func refuse(_ path: String, _ error: any Error) throws -> Int32 {
    _ = sayNotices(of: path)
    let failure = CommandFailure(error)
    complain(failure.line)
    let lacksTimeOfDay = (error as? RecordingError)?.lacksTimeOfDay == true
    try report(.refused(reason: lacksTimeOfDay ? RecordingError.noTimeOfDay : failure.line), path, [])
    return failure.exitCode.rawValue
  }

  /// Says what is to be said of the sessions of a recording, each once.
  ///
  /// - Returns: all of it, for the records.
  private func sayNotices(of path: String) -> [(sessionID: String, line: String)] {
    var counts: [(line: String, sessions: Int)] = []
    let taken = notices.take()
    for line in taken.map(\.line) {
      if let place = counts.firstIndex(where: { $0.line == line }) {
        counts[place].sessions += 1
      } else {
        counts.append((line, 1))
      }
    }
    for (line, sessions) in counts {
      complain("\(path): \(line)" + (sessions > 1 ? " (in \(sessions) sessions)" : ""))
    }
    return taken
  }

  /// Complains where the line of progress stood.
  private func complain(_ line: String) {
    progress.end()
    console.complain(line)
  }

  private func report(_ outcome: ImportOutcome, _ path: String, _ notices: [String]) throws(FileError) {
    progress.end()
    guard parsed[OutputOptions.format] != .text else {
      // What was refused is on standard error already.
      guard let sessionID = outcome.sessionID else { return }
      var line = "\(StyledText(outcome.status).padded(to: 9).plain)  \(sessionID)  \(path)"
      if let replaced = outcome.replaced { line += "  replaces \(replaced)" }
      switch outcome {
      case .assigned, .outdone: line += outcome.reason.map { "  \($0)" } ?? ""
      case .added, .replaced, .duplicate, .refused: break
      }
      try console.line(line)
      if PrinterChoice.isTerminal { try console.flush() }
      return
    }
    try records.append { outcome.writeRecord(of: path, notices: notices, to: &$0) }
    if parsed[OutputOptions.format] == .jsonl { try console.flush() }
  }
}

import LiveCoaching
import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// Sessions recorded into a data folder through the running of a live run.
struct RecordedHistory {
  let folder: ScratchFolder
  let history: History

  init() throws {
    folder = try ScratchFolder()
    history = History(dataFolder: folder.path)
  }

  init(folder: ScratchFolder, history: History) {
    self.folder = folder
    self.history = history
  }

  /// Records a random session to its end; its identity. It is in the history unless `isClosed` is false.
  @discardableResult
  func record(seed: UInt64, person: String? = nil, isClosed: Bool = true) async throws -> String {
    let random = try RandomSession(seed: seed)
    return try await record(random.lines, random.request, digits: UInt32(seed), person: person, isClosed: isClosed)
  }

  /// A session that should have been recorded was not, or not whole.
  struct NotRecorded: Error {}

  /// Records the lines of a live stream.
  @discardableResult
  func record(
    _ lines: [String], _ request: CoachingRequest, digits: UInt32, person: String? = nil, isClosed: Bool = true,
    origin: SessionOrigin? = nil
  ) async throws -> String {
    let running = SoleSession(
      LiveConfiguration(
        settings: try request.settings(on: nil), clock: .samples, streams: SampleStream.recordable, durationLimit: nil),
      recording: .init(
        dataFolder: StoredPath(dataFolder: folder.path),
        request: SessionRequest(coaching: request, person: person.map(SessionPerson.init(named:))), random: digits,
        origin: origin))
    let report = await running.feed(Array((lines.joined(separator: "\n") + "\n").utf8), now: .morning(3))
    let last = await running.end(.endOfInput, now: .morning(3))
    guard report.recording == nil, last.recording == nil, let sessionID = await running.sessionID else {
      throw NotRecorded()
    }
    if isClosed { try await running.closeRecording(in: history) }
    return sessionID
  }

  /// Closes the sessions whose process is gone. Other tests begin processes, which hold a lock of this one for a moment
  /// between their fork and their exec, so that one that is held is looked at again.
  func recover() async throws -> [Recovery] { try await recover { try await history.recover() } }

  /// The same for some of them.
  func recover(_ attempt: () async throws -> [Recovery]) async throws -> [Recovery] {
    for _ in 0..<400 {
      let recoveries = try await attempt()
      if !recoveries.isEmpty { return recoveries }
      try await Task.sleep(for: .milliseconds(5))
    }
    return []
  }

  /// The folder of a session.
  func path(_ sessionID: String) -> String { SessionFolder.path(of: sessionID, in: folder.path) }

  /// Everything in the tables of the index about sessions, a line a row, sorted.
  func dump() throws -> [String] {
    let database = try Database(path: History.path(in: folder.path))
    defer { database.close() }
    let tables = try database.query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'upkeep'") {
      $0.text(0)
    }
    return try tables.flatMap { table in
      let columns = try database.query("SELECT name FROM pragma_table_info('\(table)')") { $0.text(0) }
      let row = columns.map { "quote(\($0))" }.joined(separator: " || '|' || ")
      return try database.query("SELECT \(row) FROM \(table)") { table + " " + $0.text(0) }
    }.sorted()
  }
}

extension SessionPerson {
  /// A person of whom only the name is known, as before profiles had identities.
  init(named name: String) { self.init(name: name, profileID: nil, provenance: []) }
}

/// Whether a text stands in any file of a folder.
func isAnywhere(_ text: String, in folder: String) throws -> Bool {
  let letters = Array(text.utf8)
  for name in try FileSystem.list(folder) {
    let path = folder + "/" + name
    if name.contains(text) { return true }
    if FileSystem.isFolder(path) {
      if try isAnywhere(text, in: path) { return true }
      continue
    }
    let bytes = try POSIXFile(reading: path).readAll(maximumBytes: 1 << 28)
    guard bytes.count >= letters.count else { continue }
    for start in 0...(bytes.count - letters.count)
    where bytes[start] == letters[0] && bytes[start..<(start + letters.count)].elementsEqual(letters) {
      return true
    }
  }
  return false
}

/// Writes a text to a file.
func write(_ text: String, to path: String) throws {
  let bytes = Array(text.utf8)
  try FileSystem.writeAtomically(bytes.span, to: path)
}

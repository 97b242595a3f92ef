internal import Recordings
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// A command of a log and what was known when it was carried out.
struct LoggedCommand {
  /// Absent where the clock of the machine moved the session on.
  let command: SessionCommand?
  let at: SessionTime
  /// How many rows of each log came before it.
  let rows: [SampleStream: Int]
  /// The identity that its sender gave it; empty where nobody sent it.
  var id = ""

  /// Whether it was carried out before a row of a log, counted from 0, was there. For rows that nobody counted, those of what stands
  /// beside another stream, and in older logs those of what is chosen with another one, the time has to do.
  func comesBefore(row: Int, of stream: SampleStream, at time: SessionTime?) -> Bool {
    if let count = rows[stream] { return row >= count }
    return stream.sentWith != stream && time.map { $0 > at } ?? false
  }
}

/// Puts the logs of a session in one order: between streams time decides, then the stream; a command comes after exactly
/// the rows that were there when it was carried out. Where a log lacks rows that were counted the time has to say which those are.
struct SessionInputs {
  private(set) var cursors: [LogCursor] = []
  private var commands: ArraySlice<LoggedCommand>
  private var takenCommands = 0

  init(commands: [LoggedCommand]) { self.commands = commands[...] }

  /// Opens the logs that are there and were not before.
  mutating func open(in folder: StoredPath, isGrowing: Bool) throws {
    for stream in SampleStream.allCases where !cursors.contains(where: { $0.stream == stream }) {
      guard let name = try SessionFolder.presentLog(of: stream, in: folder) else { continue }
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
      if let command = commands.first, try isDue(command, before: next, at: index) {
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

  /// Whether a command was carried out before the next row of a log was there. A count that a log cannot come to any more, because it
  /// lacks rows, is met by so many rows less where the next one is later than the command.
  private mutating func isDue(_ command: LoggedCommand, before next: LogCursor.Row?, at index: Int) throws -> Bool {
    let (taken, stream) = (cursors[index].taken, cursors[index].stream)
    if command.comesBefore(row: taken, of: stream, at: next?.time) { return true }
    guard let next, next.time > command.at, let count = command.rows[stream], let all = commands.last?.rows[stream]
    else { return false }
    return try taken + cursors[index].missingRows(of: all) >= count
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

internal import Synchronization
internal import TextFormats
internal import WorkoutSession

/// The board of a group on its way to one reader, as server-sent events. Each event is the whole board, so that a reader which
/// comes back with the last number has all that it missed by the next one.
final class GroupStream: OpenStream {
  /// After how long a board is sent again that has not changed, in nanoseconds, so that a reader knows a lost connection from
  /// a quiet board.
  private static let repeatNanoseconds: Int64 = 5_000_000_000

  private struct Shown {
    var number: Int64?
    var mark: GroupBoard.Mark?
  }

  let client: StreamClient
  let group: String
  /// The units in which the reader reads advice.
  let units: UnitSystem
  let buffer = NewestBuffer(ServerSentEvent.retry)
  private let shown: Mutex<Shown>

  /// A stream.
  ///
  /// - Parameter last: the number of the board that the reader has; absent for none.
  init(of group: String, for client: StreamClient, in units: UnitSystem, after last: Int64?) {
    self.group = group
    self.client = client
    self.units = units
    shown = Mutex(Shown(number: last))
  }

  /// Takes a board; it is sent at once where it has news, else once a second.
  ///
  /// - Parameter now: the time of the clock that nobody sets, in nanoseconds.
  func offer(_ board: GroupBoard, now: Int64) {
    let isSent = shown.withLock { shown in
      let isNew = board.number != shown.number
      let isDue =
        isNew && (shown.mark.map { board.follows($0, now: now) } ?? true)
        || shown.mark.map { now - $0.time >= Self.repeatNanoseconds } ?? false
      if isDue || shown.mark == nil {
        shown = Shown(number: board.number, mark: GroupBoard.Mark(news: board.news, time: now))
      }
      return isDue
    }
    if isSent { buffer.replace(with: board.event) }
  }

  /// Ends it; the reader may come back.
  func end() { buffer.end(with: ServerSentEvent.comment("come back with the last id")) }
}

/// The board of a group at a moment, as somebody sees it.
struct GroupBoard: Sendable {
  /// How far two boards with the same news lie apart at least, in nanoseconds: a second, as far as clocks are exact.
  static let stepNanoseconds: Int64 = 990_000_000

  /// What is known of a board that a reader has, for when another one may follow it.
  struct Mark: Sendable {
    /// Its news.
    let news: Int
    /// Since when it is there, in nanoseconds of the clock that nobody sets.
    let time: Int64
  }

  /// Its number; a board that is different has another one, a later one a higher one.
  let number: Int64
  /// Which state of the members it shows.
  let change: Int
  /// A number of its own for each time that members came, went or changed what they share, a heart rate was lost or came back, or
  /// advice changed: a reader has that at once. Ages are others at each look.
  let news: Int
  /// Those that were there in the second before, and itself, by their numbers.
  let recent: [Int64: Mark]
  /// When it was looked at, in nanoseconds of the clock that nobody sets.
  let elapsed: Int64
  /// The same by the time of day, in milliseconds, as a number would be.
  let milliseconds: Int64
  /// Its record, with the line feed.
  let line: [UInt8]

  /// Whether it may follow another board: at once where it has news, else after a second.
  func follows(_ mark: Mark, now: Int64) -> Bool { news != mark.news || now - mark.time >= Self.stepNanoseconds }

  /// Whether it may follow the board of a number, which is all that is known of a reader who asks again and again.
  func follows(_ number: Int64) -> Bool {
    if number == self.number { return false }
    if let mark = recent[number] { return follows(mark, now: elapsed) }
    // One of before, or of another instance: its number says when that was, unless a clock was set.
    let since = milliseconds - number
    return since < 0 || since >= Self.stepNanoseconds / 1_000_000
  }

  /// As a server-sent event.
  var event: [UInt8] { Array("id: \(number)\nevent: board\ndata: ".utf8) + line + [UInt8(ascii: "\n")] }
}

internal import Synchronization
internal import TextFormats
internal import WorkoutSession

/// The board of a group on its way to one reader, as server-sent events. Each event is the whole board, so that a reader which
/// comes back with the last number has all that it missed by the next one.
final class GroupStream: OpenStream {
  /// How far two boards lie apart at least, in nanoseconds: a second, as far as clocks are exact.
  private static let stepNanoseconds: Int64 = 990_000_000
  /// After how long a board is sent again that has not changed, in nanoseconds, so that a reader knows a lost connection from
  /// a quiet board.
  private static let repeatNanoseconds: Int64 = 5_000_000_000

  private struct Shown {
    var number: Int64?
    var change: Int?
    var time: Int64?
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

  /// Takes a board; it is sent at once where members have come, gone or changed what they share, else once a second.
  ///
  /// - Parameter now: the time of the clock that nobody sets, in nanoseconds.
  func offer(_ board: GroupBoard, now: Int64) {
    let isSent = shown.withLock { shown in
      let isNew = board.number != shown.number
      let since = shown.time.map { now - $0 }
      let isDue =
        isNew && (board.change != shown.change || since.map { $0 >= Self.stepNanoseconds } ?? true)
        || since.map { $0 >= Self.repeatNanoseconds } ?? false
      if isDue || since == nil { shown = Shown(number: board.number, change: board.change, time: now) }
      return isDue
    }
    if isSent { buffer.replace(with: board.event) }
  }

  /// Ends it; the reader may come back.
  func end() { buffer.end(with: ServerSentEvent.comment("come back with the last id")) }
}

/// The board of a group at a moment, as somebody sees it.
struct GroupBoard: Sendable {
  /// Its number; a board that is different has another one, a later one a higher one.
  let number: Int64
  /// Which state of the members it shows.
  let change: Int
  /// Its record, with the line feed.
  let line: [UInt8]

  /// As a server-sent event.
  var event: [UInt8] { Array("id: \(number)\nevent: board\ndata: ".utf8) + line + [UInt8(ascii: "\n")] }
}

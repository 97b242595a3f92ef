private import Dispatch
private import Glibc
package import Recordings
private import Synchronization
package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// A recording that is played as if it happened now, at its own speed or a multiple of it, with its pauses.
///
/// It is read while it is played, on a thread of its own that waits for the time of each piece and then wakes the session. A piece is
/// what the recording holds of one second, as ``PlayedPieces`` gathers it, and a turn takes one: how fast it is played, and how
/// late a turn comes, changes nothing in what the session reports. Each whole second in which it holds nothing is a turn of its own,
/// so that what is said at an instant, such as what is left of a step, is said then; a pause has none.
package final class PlayedRecording: LiveSource, Sendable {
  /// How many inputs wait to be taken when no further piece is added.
  private static let largestBacklog = 4_096
  /// How long it waits before it looks whether anybody still listens, in nanoseconds.
  private static let longestNap: Int64 = 100_000_000
  /// The longest that anything is waited for, in nanoseconds: some thousand years would not fit.
  private static let longestWait = 1e18

  package let name: String
  package let origin: SessionOrigin
  package let originText: String
  package let activity: Activity?
  private let speed: Double
  private let clock: any PlayingClock
  private let shelf = Mutex(Shelf())
  private let ends: PipeEnds

  private struct Shelf {
    var pieces: [LiveSourceEvent] = []
    var lineCount = 0
    var end: LiveSourceEvent?
    var isOver = false
    var isClosed = false
  }

  /// Begins to play a recording.
  ///
  /// - Parameters:
  ///   - speed: how many times faster than it happened; infinite for without waiting.
  ///   - clock: what it is played by.
  /// - Precondition: `speed` is above 0.
  /// - Throws: `FileError` when the system has no pipe for it.
  package init(_ recording: Recording, speed: Double, clock: any PlayingClock) throws(FileError) {
    precondition(speed > 0, "a recording is played forwards")
    name = recording.path
    origin = recording.origin
    activity =
      recording.facts.sport.map { Activity(ofSport: $0) } ?? (PlayedMovement.canBeOnFoot(recording) ? nil : .unlabelled)
    originText = "file:" + FileSystem.name(of: recording.path)
    self.speed = speed
    self.clock = clock
    guard let ends = PipeEnds(readingWaits: false) else {
      throw FileError(.openForReading, recording.path, code: errno)
    }
    self.ends = ends
    DispatchQueue(label: "coach.recording").async { [self] in play(recording) }
  }

  deinit { ends.close() }

  package var descriptors: [Int32] { shelf.withLock { $0.isOver } ? [] : [ends.reading] }
  package var isDeserted: Bool { false }
  package var turn: Int64? { nil }

  package func collect(ready: Set<Int32>, now: Int64) -> [LiveSourceEvent] {
    guard ready.contains(ends.reading) else { return [] }
    var bytes = [UInt8](repeating: 0, count: 256)
    _ = unsafe read(ends.reading, &bytes, bytes.count)
    let (event, isMore) = shelf.withLock { shelf -> (LiveSourceEvent?, Bool) in
      guard !shelf.isOver else { return (nil, false) }
      guard shelf.pieces.isEmpty else {
        let piece = shelf.pieces.removeFirst()
        shelf.lineCount -= Self.lineCount(piece)
        return (piece, !shelf.pieces.isEmpty || shelf.end != nil)
      }
      guard let end = shelf.end else { return (nil, false) }
      shelf.isOver = true
      return (end, false)
    }
    // Others have their turn before the next piece.
    if isMore { wake() }
    return event.map { [$0] } ?? []
  }

  package func hear(_ events: [SessionEvent], feed: LiveFeed?) {}

  package func close() { shelf.withLock { $0.isClosed = true } }

  private struct Closed: Error {}

  private func play(_ recording: Recording) {
    let began = clock.now
    var pieces = PlayedPieces()
    var number = 0
    var latest = SessionTime.zero
    var isPaused = false
    var end = LiveSourceEvent.ended
    do {
      try recording.forEachInput { input in
        try LongSilence.forEachBridged(input, after: latest, isPaused: isPaused) { input in
          let time: SessionTime
          let line: LiveLine
          let wasPaused = isPaused
          switch input {
          case .unplaced, .advance: return
          case .sample(let sample):
            time = sample.time
            line = .sample(sample.reading, at: .session(time), source: sample.source)
          case .command(let recorded, let at):
            guard let command = recorded.asSent else { return }
            // A pause by hand in one that stillness began is no other one.
            if command == .pause, isPaused { return }
            time = at
            number += 1
            isPaused = command == .pause || (isPaused && command != .resume)
            line = .command(command, id: "recording-\(number)", issuedAt: .session(time))
          }
          latest = max(latest, time)
          guard let piece = pieces.take(line, at: time) else { return }
          try put(.lines(piece.lines), at: piece.end, since: began)
          guard !wasPaused else { return }
          for second in PlayedPieces.wholeSeconds(between: piece.end, and: time) {
            try put(.passed(second), at: second, since: began)
          }
        }
      }
    } catch is Closed {
      return
    } catch let error as FileError {
      end = .failed(error)
    } catch {
      end = .broken("\(error)")
    }
    // What could be read before a problem was played too.
    if let piece = pieces.finish() {
      do throws(Closed) { try put(.lines(piece.lines), at: piece.end, since: began) } catch { return }
    }
    shelf.withLock { $0.end = end }
    wake()
  }

  private func wait(until time: SessionTime, since began: Int64) throws(Closed) {
    guard speed.isFinite else { return }
    let due = began + Int64(max(0, min(Double(time.nanoseconds) / speed, Self.longestWait)))
    while true {
      guard !shelf.withLock({ $0.isClosed }) else { throw Closed() }
      let now = clock.now
      guard now < due else { return }
      clock.wait(nanoseconds: min(Self.longestNap, due - now))
    }
  }

  /// How many inputs a piece holds; one without any counts, too.
  private static func lineCount(_ piece: LiveSourceEvent) -> Int {
    if case .lines(let lines) = piece { lines.count } else { 1 }
  }

  /// Puts a piece on the shelf when its time has come and there is room.
  private func put(_ piece: LiveSourceEvent, at time: SessionTime, since began: Int64) throws(Closed) {
    try wait(until: time, since: began)
    while true {
      let (isClosed, isFull, isFirst) = shelf.withLock { shelf in
        let isFull = shelf.lineCount >= Self.largestBacklog
        if !isFull {
          shelf.pieces.append(piece)
          shelf.lineCount += Self.lineCount(piece)
        }
        return (shelf.isClosed, isFull, shelf.pieces.count == 1)
      }
      guard !isClosed else { throw Closed() }
      if !isFull {
        if isFirst { wake() }
        return
      }
      usleep(1_000)
    }
  }

  private func wake() {
    var byte: UInt8 = 1
    _ = unsafe write(ends.writing, &byte, 1)
  }
}

private import Dispatch
private import Glibc
package import Recordings
private import Synchronization
package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// A recording that is played as if it happened now, at its own speed or a multiple of it, with its pauses.
///
/// It is read while it is played, on a thread of its own that waits for the time of each input and then wakes the session.
package final class PlayedRecording: LiveSource, Sendable {
  /// How many inputs may wait to be taken.
  private static let largestBacklog = 4_096

  package let name: String
  package let origin: SessionOrigin
  package let originText: String
  package let activity: Activity?
  private let speed: Double
  private let shelf = Mutex(Shelf())
  private let ends: PipeEnds

  private struct Shelf {
    var lines: [LiveLine] = []
    var end: LiveSourceEvent?
    var isOver = false
    var isClosed = false
  }

  /// Begins to play a recording.
  ///
  /// - Parameter speed: how many times faster than it happened; infinite for without waiting.
  /// - Precondition: `speed` is above 0.
  /// - Throws: `FileError` when the system has no pipe for it.
  package init(_ recording: Recording, speed: Double) throws(FileError) {
    precondition(speed > 0, "a recording is played forwards")
    name = recording.path
    origin = recording.origin
    activity = Activity(ofSport: recording.facts.sport)
    originText = "file:" + FileSystem.name(of: recording.path)
    self.speed = speed
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
    return shelf.withLock { shelf in
      guard !shelf.isOver else { return [] }
      var events: [LiveSourceEvent] = shelf.lines.isEmpty ? [] : [.lines(shelf.lines)]
      shelf.lines.removeAll(keepingCapacity: true)
      if let end = shelf.end {
        events.append(end)
        shelf.isOver = true
      }
      return events
    }
  }

  package func hear(_ events: [SessionEvent], feed: LiveFeed?) {}

  package func close() { shelf.withLock { $0.isClosed = true } }

  private struct Closed: Error {}

  private func play(_ recording: Recording) {
    let began = DispatchTime.now().uptimeNanoseconds
    var number = 0
    var latest = SessionTime.zero
    var isPaused = false
    var end = LiveSourceEvent.ended
    do {
      try recording.forEachInput { input in
        try LongSilence.forEachBridged(input, after: latest, isPaused: isPaused) { input in
          let time: SessionTime
          let line: LiveLine
          switch input {
          case .unplaced, .advance: return
          case .sample(let sample):
            time = sample.time
            line = .sample(sample.reading, at: .session(time), source: sample.source)
          case .command(let recorded, let at):
            guard let command = recorded.asSent else { return }
            time = at
            number += 1
            isPaused = command == .pause || (isPaused && command != .resume)
            line = .command(command, id: "recording-\(number)", issuedAt: .session(time))
          }
          latest = max(latest, time)
          try wait(until: time, since: began)
          try put(line)
        }
      }
    } catch is Closed {
      return
    } catch let error as FileError {
      end = .failed(error)
    } catch {
      end = .broken("\(error)")
    }
    shelf.withLock { $0.end = end }
    wake()
  }

  private func wait(until time: SessionTime, since began: UInt64) throws(Closed) {
    guard speed.isFinite else { return }
    let due = began + UInt64(max(0, Double(time.nanoseconds) / speed))
    while true {
      guard !shelf.withLock({ $0.isClosed }) else { throw Closed() }
      let now = DispatchTime.now().uptimeNanoseconds
      guard now < due else { return }
      usleep(UInt32(min(100_000, (due - now) / 1_000 + 1)))
    }
  }

  private func put(_ line: LiveLine) throws(Closed) {
    while true {
      let (isClosed, isFull, isFirst) = shelf.withLock { shelf in
        let isFull = shelf.lines.count >= Self.largestBacklog
        if !isFull { shelf.lines.append(line) }
        return (shelf.isClosed, isFull, shelf.lines.count == 1)
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

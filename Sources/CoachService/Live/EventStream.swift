internal import LiveCoaching
internal import Synchronization
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The records of a live session on their way to one reader, as server-sent events.
///
/// The number of a record is its id, so that a reader which comes back with the last one that it has misses nothing and gets
/// nothing twice. The state of the session goes along once a second, without an id, with what its reader chose to see and is to
/// hear; it is left out where the reader is slow, and for some seconds where it is the same.
package final class EventStream: OpenStream {
  /// How many bytes wait for a reader before its stream ends.
  static let largestBacklog = 64 << 10
  /// How many wait when the state is left out.
  private static let largestBacklogWithState = 16 << 10
  /// How often something is sent, in nanoseconds.
  private static let commentNanoseconds: Int64 = 15_000_000_000

  let client: StreamClient
  let buffer = StreamBuffer(limit: largestBacklog)
  let session: HostedSession
  private let pump = Mutex<Task<Void, Never>?>(nil)
  private let reader = Mutex<EventReader?>(nil)
  /// How far the states that are sent lie apart at least, in nanoseconds: a second, as far as clocks are exact.
  private static let stateNanoseconds: Int64 = 990_000_000
  /// After how long a state that is the same is sent again, in nanoseconds: a page takes five seconds without one for lost news.
  private static let sameStateNanoseconds: Int64 = 2_990_000_000
  private struct Shown {
    var watch: LiveWatch
    /// What the last state had that is the same as long as nothing happens.
    var lasting: ArraySlice<UInt8> = []
    var heartRateAge = ReadingAge()
    var stateAt = Int64.min / 2
    var commentedAt = Int64.min / 2
    /// Whether a state waits for its commit.
    var isWaiting = false
    /// The number of the last notice that was taken; absent before the first look.
    var lastNotice: Int?
  }
  private let shown: Mutex<Shown>

  /// A stream.
  init(_ session: HostedSession, for client: StreamClient, _ watch: LiveWatch) {
    self.session = session
    self.client = client
    shown = Mutex(Shown(watch: watch))
  }

  /// Begins to send the records after one.
  ///
  /// - Parameter place: the place that was taken for it; absent where it takes one itself.
  /// - Throws: `FileError` when those that are there cannot be read.
  func begin(after last: Int, in sessions: ServiceSessions, place: StreamPlace? = nil) async throws {
    _ = buffer.append(ServerSentEvent.retry)
    let first = try await session.running.page(after: last)
    let streams = sessions.streams
    streams.add(self, in: place)
    // The stream is kept by the sessions until its reader leaves: its buffer holds neither.
    buffer.onCancel { [weak self, weak streams] in
      guard let self else { return }
      streams?.remove(self)
      leave()
    }
    guard let first else { return }
    self.reader.withLock { $0 = first.reader }
    let metrics = sessions.metrics
    let task = Task { [self] in
      guard let reader = await sendKnown(first, after: last) else { return end() }
      while !Task.isCancelled {
        switch await reader.next() {
        case .records(let records):
          for record in records where !buffer.append(ServerSentEvent.bytes(record)) { return drop(metrics) }
        case .dropped: return drop(metrics)
        case .ended:
          // Of one that is not over another instance has the rest.
          guard session.running.hasEnded else { return end() }
          _ = buffer.append(ServerSentEvent.over)
          return buffer.end()
        }
      }
    }
    pump.withLock { $0 = task }
  }

  /// Sends the records of before, page after page, as far as they are on the disk, and waits for what is not.
  ///
  /// - Returns: the reader of those that follow; `nil` when who reads has left, or nothing can be read any more.
  private func sendKnown(_ first: RecordPage, after number: Int) async -> EventReader? {
    var (page, last) = (first, number)
    while true {
      for record in page.known where !(await sendWaiting(record)) { return nil }
      last = page.known.last?.number ?? last
      if page.isWhole { return page.reader }
      if !page.isFull { try? await Task.sleep(nanoseconds: Self.lookNanoseconds) }
      guard !buffer.isCancelled, !Task.isCancelled, let next = try? await session.running.page(after: last) else {
        return nil
      }
      let before = reader.withLock { reader in
        defer { if reader != nil { reader = next.reader } }
        return reader
      }
      await session.running.stopReading(before ?? next.reader)
      if before == nil { return nil }
      page = next
    }
  }

  /// How often it is looked whether more is on the disk, where that falls behind, in nanoseconds.
  private static let lookNanoseconds: UInt64 = 250_000_000

  /// Ends it because its reader is too slow, which is counted; one that has left, or was to end, was not.
  private func drop(_ metrics: ServiceMetrics) {
    if !buffer.isOver { metrics.countDroppedStream() }
    end()
  }

  /// Sends a record of before, which has no hurry; `false` when the reader has left.
  private func sendWaiting(_ record: LiveRecord) async -> Bool {
    let bytes = ServerSentEvent.bytes(record)
    while !buffer.append(bytes) {
      guard !buffer.isCancelled, !Task.isCancelled else { return false }
      try? await Task.sleep(nanoseconds: 10_000_000)
    }
    return true
  }

  /// What happens each second: the state, and a comment now and then, so that whoever has left is noticed.
  ///
  /// - Parameter elapsed: the time of the clock that nobody sets.
  func tick(_ elapsed: Int64, holds: Bool) async {
    guard holds else { return end() }
    let known = shown.withLock(\.lastNotice)
    let notices = await session.running.notices(after: known)
    shown.withLock { shown in
      shown.lastNotice = notices.last
      shown.watch.hear(notices.new)
    }
    let isQuiet = buffer.waitingBytes <= Self.largestBacklogWithState
    if isQuiet, let live = await session.running.session, live.start != nil, live.state != .ended {
      sendState(of: live, elapsed)
    }
    let isDue = shown.withLock { shown in
      guard elapsed - shown.commentedAt >= Self.commentNanoseconds else { return false }
      shown.commentedAt = elapsed
      return true
    }
    if isDue { _ = buffer.append(ServerSentEvent.comment("")) }
  }

  /// Sends how the session stands, once all of that is committed: what is not on the disk may be otherwise after the next start.
  private func sendState(of live: LiveSession, _ elapsed: Int64) {
    guard !shown.withLock(\.isWaiting) else { return }
    guard session.running.mayBeUncommitted else { return send(live, elapsed) }
    shown.withLock { $0.isWaiting = true }
    // The others whose turn it is do not wait for that.
    Task {
      let isCommitted = await session.running.waitForCommit()
      shown.withLock { $0.isWaiting = false }
      if isCommitted { send(live, elapsed) }
    }
  }

  private func send(_ live: LiveSession, _ elapsed: Int64) {
    let event = shown.withLock { shown -> [UInt8]? in
      shown.watch.look(at: live.pipeline)
      let age = heartRateAge(in: live, elapsed, &shown.heartRateAge)
      guard elapsed - shown.stateAt >= Self.stateNanoseconds else { return nil }
      var writer = JSONWriter()
      let said = shown.watch.takeSpoken()
      let lasting = LiveState.write(live.pipeline, to: shown.watch, saying: said, heartRateAge: age, &writer)
      shown.watch.forgetNotices()
      guard shown.lasting != lasting || elapsed - shown.stateAt >= Self.sameStateNanoseconds else { return nil }
      shown.lasting = lasting
      shown.stateAt = elapsed
      return ServerSentEvent.bytes(ofState: writer.bytes)
    }
    if let event { _ = buffer.append(event) }
  }

  /// How old the newest heart rate is, in nanoseconds; `nil` where there is none, and where it is from before the service began, so that
  /// nobody knows. The time of a session stands still where nothing comes.
  private func heartRateAge(in live: LiveSession, _ elapsed: Int64, _ ages: inout ReadingAge) -> Int64? {
    guard session.hasInput, let newest = live.pipeline.engine.newestReading else { return nil }
    let age = ages.age(of: newest.time, in: live, lastInput: session.lastInput, now: elapsed)
    return max(age, (live.pipeline.engine.now - newest.time).nanoseconds)
  }

  /// Ends it; the reader may come back.
  func end() {
    _ = buffer.append(ServerSentEvent.comment("come back with the last id"))
    buffer.end()
    leave()
  }

  /// Reads nothing more of the session.
  private func leave() {
    pump.withLock { $0.take() }?.cancel()
    guard let reader = reader.withLock({ $0.take() }) else { return }
    Task { await session.running.stopReading(reader) }
  }
}

/// The form of server-sent events (WHATWG HTML, section 9.2).
enum ServerSentEvent {
  /// A record with its number.
  static func bytes(_ record: LiveRecord) -> [UInt8] {
    var bytes = Array("id: \(record.number)\nevent: ".utf8)
    bytes += type(of: record.line)
    bytes += Array("\ndata: ".utf8)
    bytes += record.line
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// How long a reader waits that comes back, in milliseconds.
  static let retry = Array("retry: 2000\n\n".utf8)
  /// Says that nothing follows any more; who comes back after the last record is answered with the status 204, and stays away.
  static let over = comment("the session is over")

  /// The records of a session that is over, all at once.
  static func bytes(ofOver records: [LiveRecord]) -> [UInt8] { retry + records.flatMap(bytes) + over }

  /// A comment, which readers pass over.
  static func comment(_ text: String) -> [UInt8] { Array(": \(text)\n\n".utf8) }

  /// The type of a record, which its second member has.
  private static func type(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let mark = Array("\"type\":\"".utf8)
    guard let found = line.firstRange(of: mark) else { return Array("record".utf8)[...] }
    return line[found.upperBound...].prefix { $0 != UInt8(ascii: "\"") }
  }

  /// The state of a session as `LiveState` writes it.
  static func bytes(ofState state: [UInt8]) -> [UInt8] {
    Array("event: state\ndata: ".utf8) + state + Array("\n\n".utf8)
  }
}

internal import Synchronization

/// Delivers the records of sessions to those who read them as they come, each encoded once.
final class EventBroadcast: Sendable {
  private let readers = Mutex<[String: [EventReader]]>([:])

  /// Delivers records, one a line, to the readers of a session.
  ///
  /// - Parameter number: that of the first.
  func publish(_ records: [UInt8], from number: Int, of sessionID: String) {
    let readers = readers.withLock { $0[sessionID] ?? [] }
    guard !readers.isEmpty else { return }
    var number = number
    var begin = 0
    for end in records.indices where records[end] == UInt8(ascii: "\n") {
      for reader in readers { reader.offer(LiveRecord(number: number, line: records[begin...end])) }
      begin = end + 1
      number += 1
    }
  }

  /// Ends the readers of a session: nothing comes any more.
  func end(_ sessionID: String) {
    for reader in readers.withLock({ $0.removeValue(forKey: sessionID) ?? [] }) { reader.end() }
  }

  func add(_ reader: EventReader, of sessionID: String) {
    readers.withLock { $0[sessionID, default: []].append(reader) }
  }

  /// Lets a reader go; whether others are left.
  func remove(_ reader: EventReader, of sessionID: String) -> Bool {
    readers.withLock { readers in
      readers[sessionID]?.removeAll { $0 === reader }
      if readers[sessionID]?.isEmpty == true { readers[sessionID] = nil }
      return readers[sessionID] != nil
    }
  }
}

/// A record of a live session, as its file has it.
package struct LiveRecord: Hashable, Sendable {
  /// Its place among the records of the session, from 1.
  package let number: Int
  /// Its line, with the line feed.
  package let line: ArraySlice<UInt8>

  /// Creates a record.
  package init(number: Int, line: ArraySlice<UInt8>) {
    self.number = number
    self.line = line
  }
}

/// Somebody who reads the records of a session as they come.
///
/// A bounded number of bytes waits for a reader. One that is too slow is dropped: it ends, and can come back with the number of
/// the last record that it read. It never holds up the session.
package final class EventReader: Sendable {
  /// How many bytes wait for a reader at most.
  package static let largestBacklog = 64 << 10

  /// What a reader gets.
  package enum Batch: Hashable, Sendable {
    /// Records, in order and without a gap.
    case records([LiveRecord])
    /// The reader was too slow; the records after that number are not delivered.
    case dropped(after: Int)
    /// The session is over, and everything was delivered.
    case ended
  }

  private struct State {
    var waiting: [LiveRecord] = []
    var waitingBytes = 0
    /// The number of the last record that was taken over; those up to it are not delivered again.
    var last: Int
    var isDropped = false
    var isEnded = false
    var continuation: CheckedContinuation<Void, Never>?
  }

  /// The number of the last record that is not delivered, because it was there before.
  let first: Int
  private let state: Mutex<State>

  /// A reader that has everything up to a record.
  init(after number: Int) {
    first = number
    state = Mutex(State(last: number))
  }

  /// What has come since the last time, waiting until something has.
  package func next() async -> Batch {
    while true {
      if let batch = take() { return batch }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          guard state.waiting.isEmpty, !state.isDropped, !state.isEnded else { return true }
          state.continuation = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }

  /// What has come since the last time; `nil` when nothing has.
  package func take() -> Batch? {
    state.withLock { state in
      if !state.waiting.isEmpty {
        defer {
          state.waiting = []
          state.waitingBytes = 0
        }
        return .records(state.waiting)
      }
      if state.isDropped { return .dropped(after: state.last) }
      return state.isEnded ? .ended : nil
    }
  }

  func offer(_ record: LiveRecord) {
    wake { state in
      guard !state.isDropped, record.number > state.last else { return }
      guard state.waitingBytes + record.line.count <= Self.largestBacklog else {
        state.isDropped = true
        return
      }
      state.waiting.append(record)
      state.waitingBytes += record.line.count
      state.last = record.number
    }
  }

  func end() { wake { $0.isEnded = true } }

  private func wake(_ body: (inout State) -> Void) {
    let continuation = state.withLock { state in
      body(&state)
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume()
  }
}

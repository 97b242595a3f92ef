private import Dispatch
private import Glibc
internal import FleetStore
internal import Synchronization
internal import TextFormats

/// A replica of the database, from which an instance reads what comes into its history, so that the database has less to do.
///
/// ```
/// database: how far is your log? ─► replica: have you come as far? ─► yes: it is read
///                                                                 └─► no, or no answer: the database is read
/// ```
///
/// So nothing is older for it: what was answered before somebody asks is there, their own sessions among it. A replica that is not so
/// far within a quarter of a second, or cannot be read, is left alone and looked at again each few seconds, while nobody waits.
package final class HistoryReplica: Sendable {
  /// How long it may take to come as far as the database, in nanoseconds.
  private static let longestDelay: Int64 = 250_000_000
  private static let stepMicroseconds: UInt32 = 2_000
  /// How long two looks at one that is left alone lie apart, in seconds.
  package static let usualRestSeconds = 5.0

  private struct State {
    var isUsable = false
    var isClosed = false
    /// Whether somebody looks at it, or will.
    var isLookedAt = false
    /// Whether it was said that it is left alone.
    var isMissed = false
    /// How far the database was when it was asked last.
    var position: String?
    var readCount = 0
    var fallbackCount = 0
  }

  private let reader: FleetReader
  private let restSeconds: Double
  private let queue = DispatchQueue(label: "coach.fleet.replica")
  private let looks = DispatchQueue(label: "coach.fleet.replica.looks")
  private let lookReader: FleetReader
  private let state = Mutex(State())
  private let identity = Mutex<String?>(nil)

  /// A replica that is not looked at yet.
  init(_ address: PostgresAddress, name: String, restSeconds: Double) {
    reader = FleetReader(address, name: name)
    lookReader = FleetReader(address, name: name)
    self.restSeconds = restSeconds
  }

  /// Whether it is read.
  var isUsable: Bool { state.withLock { $0.isUsable } }
  /// How often it was read.
  var readCount: Int { state.withLock { $0.readCount } }
  /// How often the database was read in its place.
  var fallbackCount: Int { state.withLock { $0.fallbackCount } }

  /// Begins to look whether it can be read.
  ///
  /// - Parameter identity: that of the database, which a replica of it has too.
  func begin(_ identity: String) {
    self.identity.withLock { $0 = identity }
    look(after: 0)
  }

  /// Reads it once it has come as far as the database was; `nil` where it does not, or cannot be read: the database is to be read then.
  ///
  /// - Parameter position: how far the database is; `nil` for what may be a moment older.
  func read<Value: Sendable>(
    at position: String?, _ body: @escaping @Sendable (FleetReader) throws -> Value
  ) async -> Value? {
    guard isUsable else {
      state.withLock { $0.fallbackCount += 1 }
      return nil
    }
    let value = await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
      queue.async { continuation.resume(returning: self.readNow(at: position, body)) }
    }
    state.withLock { state in if value == nil { state.fallbackCount += 1 } else { state.readCount += 1 } }
    return value
  }

  private func readNow<Value>(at position: String?, _ body: (FleetReader) throws -> Value) -> Value? {
    // Of those that waited behind one that failed.
    guard isUsable else { return nil }
    do {
      guard try position.map({ try comes(to: $0) }) ?? true else {
        rest("it is behind the database")
        return nil
      }
      return try body(reader)
    } catch {
      rest("\(error)")
      return nil
    }
  }

  /// Whether it comes as far as the database was, soon.
  private func comes(to position: String) throws -> Bool {
    state.withLock { $0.position = position }
    let deadline = MonotonicClock.now + Self.longestDelay
    while try !reader.hasReplayed(position) {
      guard MonotonicClock.now < deadline else { return false }
      usleep(Self.stepMicroseconds)
    }
    return true
  }

  // MARK: - Leaving it alone

  private func rest(_ problem: String) {
    let isNews = state.withLock { state in
      defer { (state.isUsable, state.isMissed) = (false, true) }
      return !state.isMissed && !state.isClosed
    }
    if isNews { ServiceNotice.say("the replica is not read, the database is: \(problem)") }
    look(after: restSeconds)
  }

  private func look(after seconds: Double) {
    let isFirst = state.withLock { state in
      guard !state.isLookedAt, !state.isClosed else { return false }
      state.isLookedAt = true
      return true
    }
    guard isFirst else { return }
    looks.asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      let problem = self.problem()
      let wasMissed = state.withLock { state in
        state.isLookedAt = false
        guard problem == nil, !state.isClosed else { return false }
        state.isUsable = true
        defer { state.isMissed = false }
        return state.isMissed
      }
      if problem == nil { lookReader.close() }
      if let problem { rest(problem) } else if wasMissed { ServiceNotice.say("the replica is read again") }
    }
  }

  /// Why it cannot be read now; `nil` when it can.
  private func problem() -> String? {
    guard !state.withLock({ $0.isClosed }), let identity = identity.withLock({ $0 }) else { return "it is closed" }
    do {
      guard try lookReader.isReplica() else { return "it follows no other server: expected a replica" }
      guard try lookReader.identity() == identity else { return "it is one of another database" }
      guard let position = state.withLock({ $0.position }) else { return nil }
      return try lookReader.hasReplayed(position) ? nil : "it is behind the database"
    } catch {
      return "\(error)"
    }
  }

  /// Closes the connections; nothing is read from then on.
  func close() async {
    state.withLock { state in
      state.isClosed = true
      state.isUsable = false
    }
    for (queue, reader) in [(queue, reader), (looks, lookReader)] {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        queue.async {
          reader.close()
          continuation.resume()
        }
      }
    }
  }
}

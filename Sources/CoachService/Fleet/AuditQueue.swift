private import Dispatch
internal import FleetStore
internal import Synchronization

/// Adds lines to the audit of all instances, some at a time, beside those who ask: what cannot be written now is tried again each
/// second, a bounded number of lines.
final class AuditQueue: Sendable {
  private static let mostWaiting = 10_000
  private static let mostTogether = 500
  private static let pauseSeconds = 1.0

  private struct State {
    /// What is not in the database as far as is known, in order.
    var waiting: [[UInt8]] = []
    /// The number of the first of them.
    var first: Int64 = 1
    /// Whether somebody is at it, or will be.
    var isScheduled = false
    var isClosed = false
    var lostCount = 0
  }

  private let audit: FleetAudit
  private let queue = DispatchQueue(label: "coach.service.audit")
  private let state = Mutex(State())

  init(_ audit: FleetAudit) { self.audit = audit }

  /// How many lines came when no more could wait.
  var lostCount: Int { state.withLock { $0.lostCount } }

  /// Takes a line.
  func append(_ line: [UInt8]) {
    let mustBegin = state.withLock { state in
      guard state.waiting.count < Self.mostWaiting, !state.isClosed else {
        if state.lostCount == 0 { ServiceNotice.say("more lines wait for the audit than are kept: the next are lost") }
        state.lostCount += 1
        return false
      }
      state.waiting.append(line)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustBegin { queue.async { self.write() } }
  }

  private func write() {
    while true {
      let (lines, first) = state.withLock { state in
        if state.waiting.isEmpty { state.isScheduled = false }
        return (Array(state.waiting.prefix(Self.mostTogether)), state.first)
      }
      guard !lines.isEmpty else { return }
      do {
        try audit.append(lines, from: first)
      } catch {
        let isClosed = state.withLock { $0.isClosed }
        if !isClosed { queue.asyncAfter(deadline: .now() + Self.pauseSeconds) { self.write() } }
        return
      }
      state.withLock { state in
        state.waiting.removeFirst(lines.count)
        state.first += Int64(lines.count)
      }
    }
  }

  /// Writes what waits, as far as that can be done now, and closes the connection.
  func close() async {
    state.withLock { $0.isClosed = true }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      queue.async {
        self.write()
        self.audit.close()
        continuation.resume()
      }
    }
  }
}

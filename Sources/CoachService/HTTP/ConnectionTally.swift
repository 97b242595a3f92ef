internal import Synchronization

/// What is counted of the connections of a server.
package final class ConnectionTally: Sendable {
  /// For want of what a connection is closed; its raw value is the word of the metrics.
  package enum Lack: String, CaseIterable, Sendable {
    /// The head of its first request did not come in time.
    case head = "slow_head"
    /// The body of a request did not come in time.
    case body = "slow_body"
    /// No further request came for too long.
    case request = "idle"

    /// A number of two bits that is not 0.
    var number: Int64 {
      switch self {
      case .head: 1
      case .body: 2
      case .request: 3
      }
    }

    /// The one with a number; `nil` for none.
    init?(number: Int64) {
      guard let lack = Self.allCases.first(where: { $0.number == number }) else { return nil }
      self = lack
    }
  }

  private let open = Atomic(0)
  private let closed = Mutex<[Lack: Int]>([:])

  /// Nothing is counted yet.
  package init() {}

  /// How many are open.
  package var openCount: Int { open.load(ordering: .relaxed) }

  /// How many were closed for want of something.
  package func closedCount(_ lack: Lack) -> Int { closed.withLock { $0[lack] ?? 0 } }

  /// Takes note that one was opened, or with -1 that one is gone.
  func countOpen(_ change: Int) { open.add(change, ordering: .relaxed) }

  /// Takes note that one is closed for want of something.
  func countClosed(_ lack: Lack) { closed.withLock { $0[lack, default: 0] += 1 } }
}

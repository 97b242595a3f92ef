internal import Synchronization

/// The sessions of a shard that are over and not let go yet. It is asked with each request, and mostly has none.
final class EndedSessions: Sendable {
  private let numbers = Mutex<Set<SessionNumber>>([])
  private let isAny = Atomic(false)
  private let total = Atomic(0)

  /// How many have ended ever.
  var count: Int { total.load(ordering: .acquiring) }

  /// Whether a session is one of them.
  func contains(_ number: SessionNumber) -> Bool {
    isAny.load(ordering: .acquiring) && numbers.withLock { $0.contains(number) }
  }

  /// Notes that a session is over.
  func insert(_ number: SessionNumber) {
    numbers.withLock { numbers in
      guard numbers.insert(number).inserted else { return }
      total.add(1, ordering: .releasing)
      isAny.store(true, ordering: .releasing)
    }
  }

  /// Lets one go.
  func remove(_ number: SessionNumber) {
    numbers.withLock { numbers in
      numbers.remove(number)
      isAny.store(!numbers.isEmpty, ordering: .releasing)
    }
  }
}

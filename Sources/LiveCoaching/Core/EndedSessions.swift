internal import Synchronization

/// The sessions of a shard that are over and not let go yet. It is asked with each request, and mostly has none.
final class EndedSessions: Sendable {
  private let numbers = Mutex<Set<SessionNumber>>([])
  private let isAny = Atomic(false)

  /// Whether a session is one of them.
  func contains(_ number: SessionNumber) -> Bool {
    isAny.load(ordering: .acquiring) && numbers.withLock { $0.contains(number) }
  }

  /// Notes that a session is over.
  func insert(_ number: SessionNumber) {
    numbers.withLock { numbers in
      numbers.insert(number)
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

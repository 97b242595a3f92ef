/// Somebody who waits until others let them go on, once.
struct Waiter: Sendable {
  fileprivate let continuation: CheckedContinuation<Void, Never>

  /// Waits to be let go.
  ///
  /// - Parameter enter: hands the waiter to what there is to wait for, and returns those who go on because of that: the waiter itself where
  ///   there is nothing to wait for. It is called at once, and may hold a lock; those that it returns go on outside of it.
  static func wait(_ enter: (Waiter) -> [Waiter]) async {
    await withCheckedContinuation { continuation in enter(Waiter(continuation: continuation)).letGo() }
  }
}

extension [Waiter] {
  /// Lets all of them go on; each of them once.
  func letGo() { for waiter in self { waiter.continuation.resume() } }
}

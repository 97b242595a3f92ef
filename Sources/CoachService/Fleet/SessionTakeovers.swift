internal import Synchronization

/// Sessions that are being taken over: each once, however many ask for it meanwhile.
final class SessionTakeovers: Sendable {
  private let pending = Mutex<[String: Task<Void, any Error>]>([:])

  /// Takes a session over, or waits until whoever is at it has done so.
  ///
  /// - Throws: what `body` throws.
  func take(_ id: String, _ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = pending.withLock { pending in
      if let task = pending[id] { return task }
      let task = Task {
        defer { self.pending.withLock { $0[id] = nil } }
        try await body()
      }
      pending[id] = task
      return task
    }
    try await task.value
  }
}

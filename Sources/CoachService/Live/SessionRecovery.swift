internal import Synchronization
internal import TextFormats

/// The sessions that were live when the service ended, until they go on here. Everybody else is answered meanwhile; whoever asks for one
/// of them waits for it, and it goes before those that nobody has asked for.
final class SessionRecovery: Sendable {
  /// How many go on at once.
  private static let width = 4
  /// How long nothing is tried after it failed, in nanoseconds.
  private static let rest: UInt64 = 2_000_000_000

  /// What somebody may wait for.
  private enum Gate: Hashable {
    /// A session goes on.
    case session(String)
    /// It is known what journals hold.
    case journals
    /// All sessions go on.
    case all
  }

  private struct State {
    /// Those that nobody is at, the next one last.
    var queue: [String] = []
    /// Closed until what somebody waits for is so.
    var gates = Gates<Gate, Waiter>()
    /// Those whose folders could not be written, and why.
    var left: [String: any Error] = [:]
    /// Why none can go on now.
    var failure: ServiceProblem?
    var isStopped = false
    var task: Task<Void, Never>?

    var problem: ServiceProblem? {
      isStopped ? .unavailable("the service is stopping", retryAfterSeconds: 5) : failure
    }

    /// Has somebody wait; those who need not, because there is nothing to wait for, or no use in it.
    mutating func wait(_ waiter: Waiter, for id: String?) -> [Waiter] {
      guard problem == nil else { return [waiter] }
      guard let id else { return gates.ask(waiter, at: .all) }
      guard gates.isClosed(.session(id)) else { return gates.ask(waiter, at: .journals) }
      if let place = queue.firstIndex(of: id) { queue.append(queue.remove(at: place)) }
      return gates.ask(waiter, at: .session(id))
    }
  }

  private let state = Mutex(State())
  private let hasNothing = Atomic(true)

  /// Whether nobody has to wait.
  var isDone: Bool { hasNothing.load(ordering: .acquiring) }

  /// Whether it was stopped, though sessions may still be at it.
  var isStopping: Bool { state.withLock { $0.isStopped } }

  /// Begins to go on with sessions; called once.
  ///
  /// - Parameters:
  ///   - ids: the sessions, in the order in which they go on where nobody asks for any.
  ///   - journals: brings what journals hold to the folders, and says of which sessions that could not be. What it throws is said, and it is
  ///     tried again.
  ///   - resume: lets one go on, or says why it cannot.
  ///   - finish: what is done when all do.
  func begin(
    _ ids: [String], journals: @escaping @Sendable () async throws -> [String: any Error],
    resume: @escaping @Sendable (String, (any Error)?) async -> Void, finish: @escaping @Sendable () async -> Void
  ) {
    hasNothing.store(false, ordering: .releasing)
    state.withLock { state in
      state.queue = ids.reversed()
      for gate in ids.map(Gate.session) + [.journals, .all] { state.gates.close(gate) }
      state.task = Task { [self] in
        await bring(journals)
        await withDiscardingTaskGroup { group in
          for _ in 0..<Self.width {
            group.addTask { [self] in
              while !Task.isCancelled, let (id, error) = next() {
                await resume(id, error)
                letGoOn(id)
              }
            }
          }
        }
        if !Task.isCancelled { await finish() }
        end()
      }
    }
  }

  /// Waits until a session goes on, or all do where none is named. There is nothing to wait for with one that is none of them once it is
  /// known what journals hold.
  ///
  /// - Throws: `ServiceProblem` while none can go on.
  func wait(for id: String?) async throws(ServiceProblem) {
    guard !isDone else { return }
    await Waiter.wait { waiter in state.withLock { $0.wait(waiter, for: id) } }
    if let problem = state.withLock({ $0.problem }) { throw problem }
  }

  /// Waits until all go on that can, or it was stopped.
  func wait() async { await state.withLock { $0.task }?.value }

  /// Lets no further one go on, and waits for those that somebody is at; the rest goes on after the next start.
  func stop() async {
    let task = state.withLock { state in
      state.isStopped = true
      return state.task
    }
    task?.cancel()
    await task?.value
  }

  private func bring(_ journals: () async throws -> [String: any Error]) async {
    while !Task.isCancelled {
      do {
        let left = try await journals()
        state.withLock { state in
          state.left = left
          state.failure = nil
          return state.gates.open(.journals)
        }.letGo()
        return
      } catch {
        let detail = "what was kept before the start cannot be read now: \(ServiceProblem(describing: error).detail)"
        ServiceNotice.say(detail)
        state.withLock { state in
          state.failure = .unavailable(detail, retryAfterSeconds: 5)
          return state.gates.sendAway()
        }.letGo()
        try? await Task.sleep(nanoseconds: Self.rest)
      }
    }
  }

  private func next() -> (String, (any Error)?)? {
    state.withLock { state in state.queue.popLast().map { ($0, state.left[$0]) } }
  }

  private func letGoOn(_ id: String) { state.withLock { $0.gates.open(.session(id)) }.letGo() }

  private func end() {
    state.withLock { $0.gates.openAll() }.letGo()
    // Of those that did not come to go on, nothing may be said after all.
    if !isStopping { hasNothing.store(true, ordering: .releasing) }
  }
}

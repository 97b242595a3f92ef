private import Dispatch
private import Synchronization

/// Pieces of work that do not depend on each other, done on some threads; results are in the order of the pieces.
enum OrderedWork {
  /// What `body` makes of 0, 1, … `count` − 1.
  static func map<Value: Sendable>(
    _ count: Int, threads: Int, _ body: @Sendable (Int) -> Value
  ) -> [Value] {
    guard threads > 1, count > 1 else { return (0..<count).map(body) }
    let state = Shared<Value>(count)
    // The calls are over when this returns.
    withoutActuallyEscaping(body) { body in
      DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
        while let index = state.next() { state.keep(body(index), index) }
      }
    }
    return state.finished()
  }

  private final class Shared<Value: Sendable>: Sendable {
    private let state: Mutex<(next: Int, values: [Value?])>
    private let count: Int

    init(_ count: Int) {
      self.count = count
      state = Mutex((0, Array(repeating: nil, count: count)))
    }

    func next() -> Int? {
      state.withLock { state in
        guard state.next < count else { return nil }
        state.next += 1
        return state.next - 1
      }
    }

    func keep(_ value: Value, _ index: Int) { state.withLock { $0.values[index] = value } }

    func finished() -> [Value] { state.withLock { $0.values.compactMap(\.self) } }
  }
}

private import Dispatch
private import Synchronization

/// Work that is done for many things on all cores at once, while one thread waits.
enum ParallelWork {
  /// What `body` makes of each item, in their order.
  static func map<Item: Sendable, Value: Sendable>(
    _ items: [Item], _ body: @Sendable (Item) -> Value
  ) -> [Value] {
    let values = Values<Value>(count: items.count)
    // The calls are over when this returns.
    withoutActuallyEscaping(body) { body in
      DispatchQueue.concurrentPerform(iterations: items.count) { index in
        let value = body(items[index])
        values.all.withLock { $0[index] = value }
      }
    }
    return values.all.withLock { $0 }.compactMap(\.self)
  }

  private final class Values<Value: Sendable>: Sendable {
    let all: Mutex<[Value?]>

    init(count: Int) { all = Mutex(Array(repeating: nil, count: count)) }
  }
}

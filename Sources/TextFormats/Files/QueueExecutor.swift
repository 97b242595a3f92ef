private import Dispatch

/// Runs the work of an actor on a queue of its own, because it writes files and must not hold up the shared threads.
package final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// An executor with a queue of its own.
  package init(label: String) { queue = DispatchQueue(label: label) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs `body` on the queue, when everything before it is done and a time has passed.
  package func run(afterNanoseconds wait: Int64 = 0, _ body: @escaping @Sendable () -> Void) {
    if wait > 0 {
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait)), execute: body)
    } else {
      queue.async(execute: body)
    }
  }

  /// Runs `body` when everything before it is done, while this thread waits; never from the queue itself.
  package func wait<Value>(for body: () throws -> Value) rethrows -> Value { try queue.sync(execute: body) }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

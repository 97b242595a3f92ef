import Dispatch
import Testing

/// Runs the tests of a suite one after another on a thread of their own.
///
/// A test at a terminal waits for what another process shows, for a while only. On the few threads that all tests share it
/// would come to its turn when that is long gone.
struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
  private static let executor = QueueTaskExecutor()

  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Self.executor) { try await function() }
  }
}

/// The jobs of tasks, one after another on one queue.
private final class QueueTaskExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "coach.tests.terminal")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

extension Trait where Self == OwnThreadTrait {
  /// One after another, on a thread of their own.
  static var onOwnThread: Self { Self() }
}

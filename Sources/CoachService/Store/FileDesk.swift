internal import TextFormats

/// Does what waits for files and for other processes, one after another, beside the shared threads.
package actor FileDesk {
  private let executor = QueueExecutor(label: "coach.service.files")

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Does a piece of work.
  func run<Value: Sendable>(_ work: @Sendable () throws -> Value) throws -> Value { try work() }
}

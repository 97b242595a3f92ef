import Foundation
import Testing

/// Waits until a condition holds, and fails with its words when it never does. The deadline is for that case alone: what a
/// test needs is the condition, never the time.
func expectEventually(
  _ what: String, seconds: Double = 120, at location: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) async throws {
  let deadline = Date(timeIntervalSinceNow: seconds)
  while try !condition() {
    guard Date() < deadline else {
      Issue.record("after \(Int(seconds)) s not yet: \(what)", sourceLocation: location)
      return
    }
    // Not a thread that sleeps: tests share a few of them.
    try await Task.sleep(for: .milliseconds(10))
  }
}

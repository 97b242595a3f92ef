@testable import LiveCoaching

extension RunningSession {
  /// The records after one of them once all that were decided by now are on the disk, and a reader of those that follow.
  ///
  /// - Throws: what ``page(after:through:)`` throws, and `CancellationError` when they are not there after ten seconds.
  func records(after last: Int) async throws -> (known: [LiveRecord], reader: EventReader)? {
    for _ in 0..<1_000 {
      guard let page = try await page(after: last) else { return nil }
      if page.isWhole { return (page.known, page.reader) }
      await stopReading(page.reader)
      try await Task.sleep(for: .milliseconds(10))
    }
    throw CancellationError()
  }
}

internal import LiveCoaching
internal import Synchronization
internal import TextFormats

/// A request that waits for an event: it counts among the streams of who asks, and does not wait when nobody does.
final class LongPoll: OpenStream {
  /// How often it is looked whether somebody waits, in nanoseconds.
  private static let lookNanoseconds: Int64 = 250_000_000

  let client: StreamClient
  private let deadline: Int64
  private let isEnded = Atomic(false)

  /// A request that waits for some seconds at most.
  init(_ client: StreamClient, seconds: Int) {
    self.client = client
    deadline = MonotonicClock.now + Int64(seconds) * 1_000_000_000
  }

  /// Ends it; the reader may come back.
  func end() { isEnded.store(true, ordering: .relaxed) }

  /// Whether it goes on waiting.
  var isWaiting: Bool { !isEnded.load(ordering: .relaxed) && MonotonicClock.now < deadline && !client.hasLeft }

  /// Waits for a moment, and not beyond its end.
  func pause() async {
    let rest = min(Self.lookNanoseconds, deadline - MonotonicClock.now)
    if rest > 0 { try? await Task.sleep(nanoseconds: UInt64(rest)) }
  }
}

extension HostedSession {
  /// The records after one, waiting until there is one, or a request does not wait any longer.
  ///
  /// - Parameter poll: the request; absent where it is answered at once.
  /// - Throws: `FileError` when those that are there cannot be read.
  func records(after last: Int, _ poll: LongPoll?) async throws -> [LiveRecord] {
    var page = try await running.page(after: last)
    while let unready = page, unready.known.isEmpty, !unready.isWhole, let poll, poll.isWaiting {
      // What was decided is not on the disk yet.
      await running.stopReading(unready.reader)
      await poll.pause()
      page = try await running.page(after: last)
    }
    guard let page else { return [] }
    let reader = page.reader
    guard page.known.isEmpty, page.isWhole, let poll else {
      await running.stopReading(reader)
      return page.known
    }
    // Whoever stops to read is woken.
    let watch = Task { [running] in
      while !Task.isCancelled, poll.isWaiting { await poll.pause() }
      await running.stopReading(reader)
    }
    defer { watch.cancel() }
    guard case .records(let records) = await reader.next() else { return [] }
    return records
  }
}

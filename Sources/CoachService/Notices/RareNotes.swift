internal import Synchronization
internal import TextFormats

/// Lets the same be written down once a minute, so that nobody fills a log by asking again and again.
final class RareNotes: Sendable {
  private static let span: Int64 = 60_000_000_000
  /// How many are known at most.
  private static let limit = 10_000

  private let times = Mutex<[String: Int64]>([:])

  /// Whether something may be written down now.
  func admits(_ what: String, _ now: WallClockTime) -> Bool {
    times.withLock { times in
      if let last = times[what], (0..<Self.span).contains(now.nanoseconds - last) { return false }
      if times.count >= Self.limit { times.removeAll() }
      times[what] = now.nanoseconds
      return true
    }
  }
}

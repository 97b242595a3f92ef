/// How long the thread of the connections rests between two turns.
///
/// When few requests come each is a turn of its own, at once. When many come that would wake the thread for each of them, so that it
/// spends more time on that than on the requests: then it rests a little, and takes all that have come meanwhile in one turn.
struct TurnPacing {
  /// The time from one turn to the next while many requests come, in nanoseconds.
  static let turnNanoseconds: Int64 = 4_000_000
  /// Many are this many…
  static let manyRequests = 64
  /// …within this time, in nanoseconds.
  static let manyNanoseconds: Int64 = 64_000_000

  /// Since when requests are counted.
  private var since = Int64.min / 2
  private var count = 0
  /// Until when many have come lately.
  private var busyUntil = Int64.min / 2

  /// How long to rest after a turn, in nanoseconds.
  ///
  /// - Parameters:
  ///   - requests: how many came in the turn.
  ///   - begin: when the turn began, by a clock that nobody sets.
  ///   - now: what that shows now.
  mutating func rest(afterTurnWith requests: Int, from begin: Int64, now: Int64) -> Int64 {
    count += requests
    if now - since > Self.manyNanoseconds {
      (since, count) = (begin, requests)
    }
    if count >= Self.manyRequests {
      busyUntil = now + Self.manyNanoseconds
      (since, count) = (now, 0)
    }
    // A turn without a request sends what is there already, and nothing is gained by letting that wait.
    guard requests > 0, now < busyUntil else { return 0 }
    return max(0, begin + Self.turnNanoseconds - now)
  }
}

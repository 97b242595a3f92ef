/// How often a request that failed for a while is made again, and after how long.
package struct UploadBackoff: Hashable, Sendable {
  /// How often, at most.
  package let retries: Int
  /// The wait before the first, in nanoseconds.
  private static let first: Int64 = 250_000_000
  /// The longest wait, in nanoseconds.
  private static let longest: Int64 = 20_000_000_000

  /// Creates a backoff.
  ///
  /// - Precondition: `retries` is not negative.
  package init(retries: Int) {
    precondition(retries >= 0, "a request is repeated a number of times")
    self.retries = retries
  }

  /// The wait before a retry (the first one is 0) in nanoseconds: from half of 250 ms·2ⁿ to all of it, never more than
  /// 20 s, at random, so that those who failed together do not come back together.
  ///
  /// Source: Brooker 2015, "Exponential backoff and jitter", AWS Architecture Blog: the variant "equal jitter".
  package func delay(beforeRetry retry: Int, using generator: inout some RandomNumberGenerator) -> Int64 {
    let full = min(Self.longest, Self.first << Int64(min(retry, 20)))
    return Int64.random(in: full / 2...full, using: &generator)
  }
}

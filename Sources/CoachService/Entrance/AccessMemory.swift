internal import Synchronization
internal import TextFormats

/// What is in memory of those who ask: whose secrets hold, and how much may come of each.
///
/// One lock guards both, so that a request with a token that was found before is a single look.
final class AccessMemory: Sendable {
  private struct State {
    var grants = KnownGrants()
    var limits = RateLimits()
  }

  private let state = Mutex(State())
  private let clock: @Sendable () -> WallClockTime

  /// Nothing was read.
  init(clock: @escaping @Sendable () -> WallClockTime) { self.clock = clock }

  // MARK: - Grants

  /// Looks at the grants that hold, or changes them, at the time of day.
  func grants<Value: Sendable>(_ body: (inout KnownGrants, _ now: WallClockTime) -> Value) -> Value {
    let now = clock()
    return state.withLock { body(&$0.grants, now) }
  }

  // MARK: - Limits

  /// What was found of a token, which holds as long as nobody has read the secrets again.
  struct Finding: Sendable {
    fileprivate let caller: String
    fileprivate let reading: Int
    fileprivate let expiresAt: WallClockTime
    fileprivate let bucket: RateLimits.Place
  }

  /// What is known of a token; `nil` where it does not hold.
  func finding(of token: String) -> Finding? {
    let now = clock()
    return state.withLock { state in
      guard let grant = state.grants.grant(token, .token, now: now) else { return nil }
      return Finding(
        caller: grant.caller.id, reading: state.grants.number, expiresAt: grant.expiresAt,
        bucket: state.limits.place(of: grant.caller.id, now: now))
    }
  }

  /// Counts a request with a token that was found before; `false` when that has to be looked up again, or when there were too many.
  func takeRequest(of finding: Finding) -> Bool {
    let now = clock()
    return state.withLock { state in
      guard state.grants.number == finding.reading, now < finding.expiresAt else { return false }
      return state.limits.takeRequest(of: finding.caller, at: finding.bucket, now: now)
    }
  }

  /// Counts a request of somebody.
  ///
  /// - Throws: `ServiceProblem` when they are too many at once.
  func requireRate(of caller: Caller) throws(ServiceProblem) {
    let now = clock()
    guard state.withLock({ $0.limits.takeRequest(of: caller.id, now: now) }) else {
      throw .tooMany("more than \(RateLimits.requestsPerSecond) requests a second", retryAfterSeconds: 1)
    }
  }

  /// Counts samples of somebody.
  ///
  /// - Parameters:
  ///   - id: the identity of the token or the key.
  ///   - finding: what was found of their token, where it was.
  /// - Throws: `ServiceProblem` when they are too many at once.
  func requireSamples(_ count: Int, of id: String, _ finding: Finding?) throws(ServiceProblem) {
    let now = clock()
    let wait = state.withLock { $0.limits.takeSamples(count, of: id, at: finding?.bucket, now: now) }
    guard let wait else { return }
    throw .tooMany(
      "more than \(RateLimits.samplesPerSecond) samples, or records of them, a second", retryAfterSeconds: wait)
  }

  /// Counts records as samples where more came of some lines than there were lines: a few lines that lie far apart make many.
  ///
  /// - Parameters:
  ///   - id: the identity of the token or the key.
  ///   - finding: what was found of their token, where it was.
  func charge(records: Int, ofLines lines: Int, to id: String, _ finding: Finding?) {
    guard records > lines else { return }
    let now = clock()
    state.withLock { $0.limits.charge(records: records - lines, to: id, at: finding?.bucket, now: now) }
  }
}

internal import FleetStore
internal import Synchronization
internal import TextFormats

/// Says who asks. The secrets that hold are in memory; changes of others are looked for twice a second, and when somebody comes
/// with a secret that is not known.
package final class ServiceAccess: Sendable {
  private struct State {
    var directory = AccessDirectory()
    /// The reading that the directory is of.
    var reading = GrantReading(number: 0, version: -1, grants: [])
    /// Whether another process has changed something that nobody has looked at yet.
    var isChanged = false
    var limits = RateLimits()
    /// Sign-ins that were used and hold for longer, which the store does not know yet.
    var extended: [String: WallClockTime] = [:]

    /// Finds a sign-in, which holds for longer by being used.
    mutating func signIn(of secret: String, now: WallClockTime) -> Caller? {
      guard let grant = directory.grant(of: secret, now: now), grant.caller.kind == .cookie else { return nil }
      let end = WallClockTime(
        nanoseconds: min(
          now.nanoseconds + SignIns.idleSeconds * 1_000_000_000,
          grant.createdAt.nanoseconds + SignIns.longestSeconds * 1_000_000_000))
      if end.nanoseconds - grant.expiresAt.nanoseconds > ServiceAccess.extensionStep {
        directory.extend(grant, until: end)
        extended[grant.caller.id] = end
      }
      return grant.caller
    }
  }

  /// How much later a sign-in has to end for that to be written down, in nanoseconds.
  private static let extensionStep: Int64 = 300_000_000_000
  /// How long the secrets in memory are believed of who only reads while the store cannot be reached, in seconds: whoever revokes one at
  /// an instance that reaches it is obeyed here by then.
  package static let secondsWithoutStore: Int64 = 30
  /// How long a look for who only reads may take before the store is taken to be away, in nanoseconds.
  private static let lookNanoseconds: UInt64 = 2_000_000_000
  /// How long two questions lie apart whether a store that is away is back, in nanoseconds, while nobody waits for it.
  private static let probeNanoseconds: Int64 = 1_000_000_000
  /// How many secrets of an address that do not hold are answered at once in a minute.
  static let deadPerMinute = 100
  /// How long the answers to more of them wait, in nanoseconds.
  static let deadDelay: UInt64 = 1_000_000_000

  private let store: ServiceStore
  private let clock: @Sendable () -> WallClockTime
  private let state = Mutex(State())

  /// What is known of a store that does not answer.
  private struct Outage {
    var isAway = false
    /// The question that is under way: never more than one, since each waits for the store until it is given up.
    var question: Task<Void, Never>?
    /// Counts questions.
    var number = 0
    /// When the last one began.
    var askedAt = Int64.min / 2
  }
  private let outage = Mutex(Outage())
  private let looks = SharedLook()
  /// What is looked at with each change before the secrets are those of after it.
  private let following = Mutex<(@Sendable () async throws -> Void)?>(nil)
  private let confirmations = SharedLook(.oneAfterAnother)
  /// What the last look of ``confirm(onlyReads:)`` found.
  private let lastLook = Mutex(Confirmation.no)
  /// When the newest look began that found the store, by ``elapsed``; the secrets in memory are those of then or later.
  private let confirmedAt = Mutex<Int64?>(nil)
  /// Nanoseconds of a clock that only goes forward, and goes on while the machine sleeps.
  private let elapsed: @Sendable () -> Int64
  private let dead = Mutex(FailedAttempts(limit: ServiceAccess.deadPerMinute))
  /// Where pages are served from, so that writes by cookie come from there.
  private let origins: Set<String>
  /// The cookie of the pages.
  let cookie: SignInCookie

  init(
    store: ServiceStore, origins: Set<String>, cookie: SignInCookie,
    elapsed: (@Sendable () -> Int64)?,
    clock: @escaping @Sendable () -> WallClockTime
  ) {
    self.elapsed = elapsed ?? { MonotonicClock.sinceBoot }
    self.store = store
    self.origins = origins
    self.cookie = cookie
    self.clock = clock
  }

  /// Has something be looked at with each change, before anybody is let in by the secrets of after it.
  func followChanges(_ look: @escaping @Sendable () async throws -> Void) { following.withLock { $0 = look } }

  /// Reads the secrets again when another process has changed something.
  ///
  /// - Parameter always: whether to read them also when nobody else has, because this process did.
  /// - Throws: what the store throws.
  package func refresh(always: Bool = false) async throws {
    let begin = elapsed()
    let extended = state.withLock { state in
      defer { state.extended = [:] }
      return state.extended
    }
    for (id, time) in extended { try await store.extend(id, until: time) }
    let known = always ? nil : state.withLock { $0.reading.version }
    if let reading = try await store.readGrants(unless: known) {
      let follow = following.withLock { $0 }
      try await follow?()
      take(reading)
    }
    confirmedAt.withLock { $0 = max($0 ?? begin, begin) }
    outage.withLock { $0.isAway = false }
  }

  /// Takes what was read, unless something newer is there: a secret that was revoked does not come back.
  func take(_ reading: GrantReading) {
    state.withLock { state in
      guard reading.number > state.reading.number else { return }
      if reading.version != state.reading.version { state.isChanged = true }
      state.directory = AccessDirectory(reading.grants)
      state.reading = GrantReading(number: reading.number, version: reading.version, grants: [])
    }
  }

  /// Whether another process has changed something since this was asked last.
  func takeChange() -> Bool {
    state.withLock { state in
      defer { state.isChanged = false }
      return state.isChanged
    }
  }

  /// Has the next ``takeChange()`` say so once more: what follows from the change could not be done.
  func keepChange() { state.withLock { $0.isChanged = true } }

  /// Looks whether somebody has made a secret since the secrets were read. Those that come at the same time share one look, and
  /// there are a hundred a second at most.
  ///
  /// - Parameter address: where the request comes from, whose next ones wait when too many were dead.
  func look(for secret: String, from address: String) async {
    if AccessSecret.isWellFormed(secret) {
      if isAway { await question().value }
      if !isAway { await looks.take { try? await self.refresh() } }
      let now = clock()
      if state.withLock({ $0.directory.grant(of: secret, now: now) }) != nil { return }
    }
    let delay = noteDead(from: address)
    if delay > 0 { try? await Task.sleep(nanoseconds: delay) }
  }

  /// What is known of the secrets in memory when somebody asks.
  enum Confirmation: Hashable, Sendable {
    /// They are as they are now.
    case now
    /// The store cannot be reached; a short time ago they were so.
    case lately
    /// Nobody can say.
    case no
  }

  /// Looks whether another instance has changed the secrets since this was called. Those that come at the same time share one look, and
  /// there are a hundred a second at most.
  ///
  /// - Parameter onlyReads: whether what is in memory will do while the store is away: then nobody waits for one that does not answer,
  ///   but for two seconds when that begins.
  func confirm(onlyReads: Bool) async -> Confirmation {
    if isAway {
      if onlyReads {
        askAgain()
        return confirmationWithoutStore
      }
      await question().value
      if isAway { return confirmationWithoutStore }
    }
    await confirmations.take { await self.look() }
    if !onlyReads, isAway {
      await question().value
      guard !isAway else { return confirmationWithoutStore }
      await confirmations.take { await self.look() }
    }
    return lastLook.withLock { $0 }
  }

  /// Asks the store, and waits for the answer as long as somebody who reads may wait.
  private func look() async {
    guard !isAway else { return lastLook.withLock { $0 = confirmationWithoutStore } }
    let question = question(isNew: true)
    let isAnswered = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      let first = FirstOnly(continuation)
      let limit = Task {
        guard (try? await Task.sleep(nanoseconds: Self.lookNanoseconds)) != nil else { return }
        first.resume(returning: false)
      }
      Task {
        await question.value
        first.resume(returning: true)
        limit.cancel()
      }
    }
    guard !isAnswered else { return }
    // It may have been answered just now.
    let isWaiting = outage.withLock { outage in
      if outage.question != nil { outage.isAway = true }
      return outage.question != nil
    }
    if isWaiting { lastLook.withLock { $0 = confirmationWithoutStore } }
  }

  /// The question that is under way, or a new one.
  ///
  /// - Parameter isNew: whether one that is under way does not do, because somebody has come since it began: then the next one follows it.
  private func question(isNew: Bool = false) -> Task<Void, Never> {
    outage.withLock { outage in
      let earlier = outage.question
      if let earlier, !isNew { return earlier }
      outage.number += 1
      outage.askedAt = MonotonicClock.now
      let number = outage.number
      let question = Task {
        await earlier?.value
        await ask(number)
      }
      outage.question = question
      return question
    }
  }

  /// Asks whether the store is back, once a second, and waits for nothing.
  private func askAgain() {
    let isDue = outage.withLock { $0.question == nil && MonotonicClock.now - $0.askedAt > Self.probeNanoseconds }
    if isDue { _ = question() }
  }

  private func ask(_ number: Int) async {
    let found: Confirmation
    var isAway = false
    do {
      try await refresh()
      found = .now
    } catch let error as PostgresError where error.isTemporary {
      isAway = true
      found = confirmationWithoutStore
    } catch {
      found = .no
    }
    lastLook.withLock { $0 = found }
    let away = isAway
    outage.withLock { outage in
      outage.isAway = away
      if outage.number == number { outage.question = nil }
    }
  }

  /// Whether the store did not answer when it was asked last.
  private var isAway: Bool { outage.withLock { $0.isAway } }

  /// What is known without the store.
  private var confirmationWithoutStore: Confirmation { wasConfirmedLately ? .lately : .no }

  private var wasConfirmedLately: Bool {
    guard let begin = confirmedAt.withLock({ $0 }) else { return false }
    return elapsed() - begin < Self.secondsWithoutStore * 1_000_000_000
  }

  /// Whether a request has a secret of whatever kind.
  func isAnySecret(of access: RouteAccess, _ head: HTTPHead, _ values: PathValues) -> Bool {
    if case .key = access { return true }
    return head.value(of: .authorization) != nil || head.cookie(cookie.name) != nil
  }

  /// Counts a secret that does not hold; how long its answer waits, in nanoseconds.
  func noteDead(from address: String) -> UInt64 {
    let now = clock()
    return dead.withLock { dead in
      if dead.secondsToWait(address, now) != nil { return Self.deadDelay }
      dead.note(address, now)
      return 0
    }
  }

  /// The secret of a request that is not known, or not yet; `nil` where there is none.
  func unknownSecret(of access: RouteAccess, _ head: HTTPHead, _ values: PathValues) -> String? {
    if case .key = access { return key(values["key"] ?? "") == nil ? values["key"] : nil }
    return known(head) == nil ? head.bearer : nil
  }

  /// Whether a secret holds still, for the same person.
  package func holds(_ caller: Caller) -> Bool {
    let now = clock()
    return state.withLock { $0.directory.holds(caller, now: now) }
  }

  /// The grant of a key; `nil` for one that does not hold.
  package func key(_ secret: String) -> AccessGrant? {
    let now = clock()
    guard let grant = state.withLock({ $0.directory.grant(of: secret, now: now) }), grant.caller.kind == .key else {
      return nil
    }
    return grant
  }

  /// Who asks, where the route is theirs to use; `nil` where everybody may.
  func caller(
    of access: RouteAccess, _ head: HTTPHead, _ values: PathValues
  ) throws(ServiceProblem) -> Caller? {
    switch access {
    case .everybody, .signIn: return known(head)
    case .key:
      // How much may come is looked at when it is known what sends: some take any answer for a delivery.
      guard let grant = key(values["key"] ?? "") else { throw .notFound }
      return grant.caller
    case .page:
      guard let caller = known(head), caller.kind == .cookie else {
        throw ServiceProblem.signIn("expected to be signed in to see this page")
      }
      if !["GET", "HEAD"].contains(head.method) { try requireOwnPage(head) }
      try requireRate(of: caller)
      return caller
    case .anybodyKnown: return try required(head)
    case .scopes(let scopes):
      let caller = try required(head)
      guard scopes.contains(where: caller.scopes.contains) else {
        throw ServiceProblem(
          .forbidden, "the token lacks the scope: expected " + scopes.map(\.rawValue).joined(separator: " or "))
      }
      return caller
    }
  }

  private func required(_ head: HTTPHead) throws(ServiceProblem) -> Caller {
    guard let caller = known(head) else {
      let isSent = head.value(of: .authorization) != nil
      var problem = ServiceProblem(.unauthorized, isSent ? "the token does not hold" : "expected a token")
      problem.headers = [
        HTTPField("WWW-Authenticate", "Bearer realm=\"coach\"" + (isSent ? ", error=\"invalid_token\"" : ""))
      ]
      throw problem
    }
    if caller.kind == .cookie, !["GET", "HEAD"].contains(head.method) { try requireOwnPage(head) }
    try requireRate(of: caller)
    return caller
  }

  /// Refuses what a page of somebody else could have sent with the cookie.
  func requireOwnPage(_ head: HTTPHead) throws(ServiceProblem) {
    guard head.value(of: "X-Coach") == "1", isFromOwnPage(head) else {
      throw ServiceProblem(
        .forbidden, "a write by cookie: expected the header X-Coach: 1 and the Origin of this service")
    }
  }

  /// Whether a page of this service sends it.
  func isFromOwnPage(_ head: HTTPHead) -> Bool { head.value(of: .origin).map(origins.contains) ?? false }

  /// Who sends a request, by the token or the cookie that it has; `nil` where nothing is known.
  func known(_ head: HTTPHead) -> Caller? {
    let now = clock()
    if head.value(of: .authorization) != nil {
      guard let secret = head.bearer else { return nil }
      return state.withLock { $0.directory.grant(of: secret, now: now) }.flatMap {
        $0.caller.kind == .token ? $0.caller : nil
      }
    }
    guard let secret = head.cookie(cookie.name) else { return nil }
    return state.withLock { $0.signIn(of: secret, now: now) }
  }

  /// What was found of a token, which holds as long as nobody has read the secrets again.
  struct Finding: Sendable {
    fileprivate let caller: String
    fileprivate let reading: Int
    fileprivate let expiresAt: WallClockTime
    fileprivate let bucket: RateLimits.Place
  }

  /// What is known of the token that a request has; `nil` where it has none that holds.
  func finding(of head: HTTPHead) -> Finding? {
    guard let secret = head.bearer else { return nil }
    let now = clock()
    return state.withLock { state in
      guard let grant = state.directory.grant(of: secret, now: now), grant.caller.kind == .token else { return nil }
      return Finding(
        caller: grant.caller.id, reading: state.reading.number, expiresAt: grant.expiresAt,
        bucket: state.limits.place(of: grant.caller.id, now: now))
    }
  }

  /// Counts a request with a token that was found before; `false` when that has to be looked up again, or when there were too many.
  func takeRequest(of finding: Finding) -> Bool {
    let now = clock()
    return state.withLock { state in
      guard state.reading.number == finding.reading, now < finding.expiresAt else { return false }
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
  func requireSamples(_ count: Int, of id: String, _ finding: Finding? = nil) throws(ServiceProblem) {
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
  func charge(records: Int, ofLines lines: Int, to id: String, _ finding: Finding? = nil) {
    guard records > lines else { return }
    let now = clock()
    state.withLock { $0.limits.charge(records: records - lines, to: id, at: finding?.bucket, now: now) }
  }
}

/// A continuation of which the first of two that come counts.
private final class FirstOnly: Sendable {
  private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = Mutex(continuation) }

  func resume(returning value: Bool) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: value)
  }
}

extension HTTPHead {
  /// The token of the header `Authorization`; `nil` when there is none.
  var bearer: String? {
    guard let value = value(of: .authorization) else { return nil }
    let text = value.utf8
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard let start = text.firstIndex(where: { !isSpace($0) }),
      let end = text[start...].firstIndex(of: UInt8(ascii: " ")),
      String(text[start..<end]).map({ $0.isEqual(withoutCase: "bearer") }) ?? false,
      let first = text[end...].firstIndex(where: { !isSpace($0) }),
      let last = text.lastIndex(where: { !isSpace($0) }),
      !text[first...last].contains(UInt8(ascii: " "))
    else { return nil }
    return String(text[first...last])
  }

  /// The value of a cookie; `nil` when it is not sent.
  func cookie(_ name: String) -> String? {
    guard value(of: .cookie) != nil else { return nil }
    for header in values(of: "Cookie") {
      for part in header.split(separator: ";") {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if pair.count == 2, String(pair[0]).trimmingSpaces == name { return String(pair[1]).trimmingSpaces }
      }
    }
    return nil
  }
}

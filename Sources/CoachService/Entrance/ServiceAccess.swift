internal import Synchronization
internal import TextFormats

/// Says who asks, and what they may do. The secrets that hold are in memory; changes of others are looked for twice a second, when somebody
/// comes with a secret that is not known, and with each request but those about live sessions that come each second.
package final class ServiceAccess: Sendable {
  /// How many secrets of an address that do not hold are answered at once in a minute.
  static let deadPerMinute = 100
  /// How long the answers to more of them wait, in nanoseconds.
  static let deadDelay: UInt64 = 1_000_000_000

  private let clock: @Sendable () -> WallClockTime
  /// Whose secrets hold, and how much may come of each.
  private let memory: AccessMemory
  private let reader: GrantReader
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
    self.origins = origins
    self.cookie = cookie
    self.clock = clock
    memory = AccessMemory(clock: clock)
    reader = GrantReader(store, into: memory, elapsed: elapsed ?? { MonotonicClock.sinceBoot })
  }

  // MARK: - What is known

  /// Has something be looked at with each change, before anybody is let in by the secrets of after it.
  func followChanges(_ look: @escaping GrantReader.Follower) { reader.followChanges(look) }

  /// Reads the secrets again when another process has changed something.
  ///
  /// - Parameter always: whether to read them also when nobody else has, because this process did.
  /// - Throws: what the store throws.
  package func refresh(always: Bool = false) async throws { try await reader.refresh(always: always) }

  /// Takes what was read, unless something newer is there: a secret that was revoked does not come back.
  func take(_ reading: GrantReading) { memory.grants { grants, _ in _ = grants.take(reading) } }

  /// Whether another process has changed something since this was asked last.
  func takeChange() -> Bool { memory.grants { grants, _ in grants.takeChange() } }

  /// Has the next ``takeChange()`` say so once more: what follows from the change could not be done.
  func keepChange() { memory.grants { grants, _ in grants.keepChange() } }

  /// Looks whether another instance has changed the secrets since this was called.
  ///
  /// - Parameter onlyReads: whether what is in memory will do while the store is away.
  func confirm(onlyReads: Bool) async -> GrantReader.Confirmation { await reader.confirm(onlyReads: onlyReads) }

  /// Looks whether a verb of the terminal has changed the secrets since this was called, in a service alone.
  func confirmByFile() async -> GrantReader.Confirmation { await reader.confirmByFile() }

  /// Looks whether somebody has made a secret since the secrets were read.
  ///
  /// - Parameter address: where the request comes from, whose next ones wait when too many were dead.
  func look(for secret: String, from address: String) async {
    if AccessSecret.isWellFormed(secret) {
      await reader.lookForNew()
      if memory.grants({ grants, now in grants.holds(secret, now: now) }) { return }
    }
    let delay = noteDead(from: address)
    if delay > 0 { try? await Task.sleep(nanoseconds: delay) }
  }

  // MARK: - Who asks

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
  package func holds(_ caller: Caller) -> Bool { memory.grants { grants, now in grants.holds(caller, now: now) } }

  /// Who somebody is by now, by the identity of the secret with which they asked; `nil` once that does not hold.
  func current(_ caller: Caller) -> Caller? { memory.grants { grants, now in grants.current(caller, now: now) } }

  /// Makes sure that a secret holds still, in the midst of what takes long.
  ///
  /// - Throws: `ServiceProblem` when it does not.
  func require(_ caller: Caller) throws(ServiceProblem) {
    guard current(caller) != nil else { throw .revoked(caller) }
  }

  /// Who somebody is by now whose request has come to its end, when its head was let in before.
  ///
  /// - Returns: `nil` where everybody may use the route, and they are nobody in particular by now.
  /// - Throws: `ServiceProblem` where the secret does not hold any more.
  func current(_ caller: Caller, on access: RouteAccess) throws(ServiceProblem) -> Caller? {
    if let now = current(caller) { return now }
    switch access {
    case .everybody, .signIn: return nil
    case .page: throw ServiceProblem.signIn("expected to be signed in to see this page")
    case .anybodyKnown, .scopes, .key: throw ServiceProblem.revoked(caller)
    }
  }

  /// The grant of a key; `nil` for one that does not hold.
  package func key(_ secret: String) -> AccessGrant? {
    memory.grants { grants, now in grants.grant(secret, .key, now: now) }
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

  /// Whether a page of this service sends it: one of an address that it is known by, or of the very host that is asked. That is a name or
  /// a number of this machine by now, and no name of somebody else's leads to it, so that a page from there is one of the service.
  func isFromOwnPage(_ head: HTTPHead) -> Bool {
    guard let origin = head.value(of: .origin) else { return false }
    if origins.contains(origin) { return true }
    return head.host.map { origin == (cookie.isSecure ? "https://" : "http://") + $0.lowercased() } ?? false
  }

  /// Who sends a request, by the token or the cookie that it has; `nil` where nothing is known.
  func known(_ head: HTTPHead) -> Caller? {
    if head.value(of: .authorization) != nil {
      return head.bearer.flatMap { token in
        memory.grants { grants, now in grants.grant(token, .token, now: now) }?.caller
      }
    }
    guard let secret = head.cookie(cookie.name) else { return nil }
    return memory.grants { grants, now in grants.signIn(of: secret, now: now) }
  }

  // MARK: - How much may come

  /// What is known of the token that a request has; `nil` where it has none that holds.
  func finding(of head: HTTPHead) -> AccessMemory.Finding? { head.bearer.flatMap(memory.finding) }

  /// Counts a request with a token that was found before; `false` when that has to be looked up again, or when there were too many.
  func takeRequest(of finding: AccessMemory.Finding) -> Bool { memory.takeRequest(of: finding) }

  /// Counts a request of somebody.
  ///
  /// - Throws: `ServiceProblem` when they are too many at once.
  func requireRate(of caller: Caller) throws(ServiceProblem) { try memory.requireRate(of: caller) }

  /// Counts samples of somebody.
  ///
  /// - Parameters:
  ///   - id: the identity of the token or the key.
  ///   - finding: what was found of their token, where it was.
  /// - Throws: `ServiceProblem` when they are too many at once.
  func requireSamples(_ count: Int, of id: String, _ finding: AccessMemory.Finding? = nil) throws(ServiceProblem) {
    try memory.requireSamples(count, of: id, finding)
  }

  /// Counts records as samples where more came of some lines than there were lines.
  ///
  /// - Parameters:
  ///   - id: the identity of the token or the key.
  ///   - finding: what was found of their token, where it was.
  func charge(records: Int, ofLines lines: Int, to id: String, _ finding: AccessMemory.Finding? = nil) {
    memory.charge(records: records, ofLines: lines, to: id, finding)
  }
}

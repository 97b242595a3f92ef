internal import Synchronization
package import TextFormats
internal import WorkoutSession

/// A link that signs somebody in to the pages, once.
package struct SignInLink: Sendable {
  /// How long it holds, in seconds.
  package static let lifetimeSeconds: Int64 = 600

  /// The secret of its path, which is shown once and kept nowhere.
  package let secret: String
  /// Whom it signs in; absent for the owner.
  package let person: String?
  /// When it ends.
  package let expiresAt: WallClockTime

  /// A new link.
  package init(person: String?, now: WallClockTime) {
    secret = AccessSecret.make("link")
    self.person = person
    expiresAt = WallClockTime(nanoseconds: now.nanoseconds + Self.lifetimeSeconds * 1_000_000_000)
  }

  /// Keeps its hash.
  ///
  /// - Throws: what the store throws.
  package func keep(in store: ServiceStore) async throws {
    try await store.addLink(digest: AccessSecret.digest(of: secret), person: person, until: expiresAt)
  }

  /// The link, for a service that is reached at a URL.
  package func url(of service: String) -> String { service + "/auth/link/" + secret }

  /// Writes the record of it.
  package func write(to writer: inout JSONWriter, service: String) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "link")
      writer.member("url", url(of: service))
      writer.member("person", person)
      writer.member("expiresAt", expiresAt)
    }
    writer.endLine()
  }
}

/// Lets people in to the pages, by links and by a provider, and out again.
package final class SignIns: Sendable {
  /// How long somebody stays signed in who does nothing, in seconds.
  static let idleSeconds: Int64 = 43_200
  /// How long somebody stays signed in who uses the pages all the time, in seconds.
  static let longestSeconds: Int64 = 30 * 86_400
  /// How many attempts of an address may fail in a minute.
  static let failuresPerMinute = 10

  private let store: ServiceStore
  private let access: ServiceAccess
  private let audit: AuditLog
  private let failures = Mutex(FailedAttempts(limit: SignIns.failuresPerMinute))

  init(store: ServiceStore, access: ServiceAccess, audit: AuditLog) {
    self.store = store
    self.access = access
    self.audit = audit
  }

  /// Uses a link up.
  ///
  /// - Parameters:
  ///   - old: who is signed in on the browser already, and is signed out by it.
  ///   - address: where the request comes from.
  /// - Returns: the secret of the cookie.
  /// - Throws: `ServiceProblem` when the link does not hold, or the address has failed too often.
  func signIn(link secret: String, replacing old: Caller?, from address: String, now: WallClockTime) async throws
    -> String
  {
    try await requireFewFailures(of: address, now)
    let made = try await store.signIn(link: AccessSecret.digest(of: secret), now: now) { Self.secret(for: $0, now) }
    guard let made else {
      await noteFailure(of: address, now, reason: nil)
      throw ServiceProblem.signIn("the link does not hold: it was used, or is older than ten minutes")
    }
    return try await admit(made, by: nil, replacing: old, now: now)
  }

  /// Takes what a browser brings back from a provider.
  ///
  /// - Parameters:
  ///   - browser: what the browser kept meanwhile.
  ///   - isOfAttempt: whether it may be the answer to an attempt; what a page of others has a browser send is none, and does not count.
  ///   - old: who is signed in on the browser already, and is signed out by it.
  ///   - address: where the request comes from.
  /// - Returns: the secret of the cookie.
  /// - Throws: `OpenIDProblem` when it is refused, `ServiceProblem` when the address has failed too often.
  func signIn(
    _ answer: OpenIDAnswer, _ provider: OpenIDSignIn, browser: String?, isOfAttempt: Bool, replacing old: Caller?,
    from address: String, now: WallClockTime
  ) async throws -> String {
    try await requireFewFailures(of: address, now)
    do {
      let token = try await provider.finish(answer, browser: browser, now: now)
      let identity = try await store.identities(of: provider.issuer).identity(of: token)
      let made = Self.secret(for: identity.person, now)
      guard try await store.signIn(made.grant, as: identity) else { throw OpenIDProblem.refused(.unmapped) }
      return try await admit(made, by: identity.id, replacing: old, now: now)
    } catch let problem as OpenIDProblem {
      if case .refused(let refusal) = problem, isOfAttempt {
        await noteFailure(of: address, now, reason: refusal.rawValue)
      }
      throw problem
    }
  }

  private func noteFailure(of address: String, _ now: WallClockTime, reason: String?) async {
    failures.withLock { $0.note(address, now) }
    // What does not reach the others is counted here.
    try? await store.noteFailure(of: AccessSecret.digest(of: address))
    audit.note(.signInRefused, by: nil, reason: reason, at: now)
  }

  private static func secret(for person: String?, _ now: WallClockTime) -> IssuedSecret {
    IssuedSecret(
      "page", Caller(.cookie, id: AccessSecret.makeID(), scopes: Set(Scope.allCases), person: person),
      seconds: idleSeconds, now: now, request: nil)
  }

  /// Lets somebody in by a secret that is kept.
  private func admit(
    _ made: IssuedSecret, by identity: String?, replacing old: Caller?, now: WallClockTime
  ) async throws -> String {
    if let old, old.kind == .cookie { try await end(old, now: now) }
    try await access.refresh(always: true)
    audit.note(.signedIn, by: made.grant.caller, subject: identity, at: now)
    return made.secret
  }

  /// Signs somebody out: the cookie holds no longer.
  ///
  /// - Throws: what the store throws.
  func signOut(_ caller: Caller, now: WallClockTime) async throws {
    try await end(caller, now: now)
    try await access.refresh(always: true)
  }

  private func end(_ caller: Caller, now: WallClockTime) async throws {
    do {
      try await store.revoke(caller.id, .cookie)
    } catch is ServiceStoreError {
      // Somebody else has ended it meanwhile.
    }
    audit.note(.signedOut, by: caller, at: now)
  }

  /// Refuses an address that has failed too often.
  ///
  /// - Throws: `ServiceProblem` when it has, whichever instances it has asked, and what the store throws.
  func requireFewFailures(of address: String, _ now: WallClockTime) async throws {
    var wait = failures.withLock { $0.secondsToWait(address, now) }
    if wait == nil {
      wait = try await store.secondsToWait(AccessSecret.digest(of: address), after: Self.failuresPerMinute)
    }
    guard let wait else { return }
    throw ServiceProblem.tooMany(
      "\(Self.failuresPerMinute) attempts to sign in have failed within a minute: expected a pause",
      retryAfterSeconds: wait)
  }
}

/// The attempts of the last minute that failed, by address.
struct FailedAttempts {
  private static let span: Int64 = 60_000_000_000
  /// How many addresses are known at most.
  private static let mostAddresses = 10_000

  /// How many may fail before an address has to wait.
  let limit: Int
  private var times: [String: [Int64]] = [:]

  init(limit: Int) { self.limit = limit }

  /// Notes a failure.
  mutating func note(_ address: String, _ now: WallClockTime) {
    if times.count >= Self.mostAddresses { forget(before: now.nanoseconds - Self.span) }
    // A flood from everywhere is not remembered for longer than it has room.
    if times.count >= Self.mostAddresses { times.removeAll() }
    times[address, default: []].append(now.nanoseconds)
  }

  /// After how many seconds an address may try again; `nil` when it may now.
  mutating func secondsToWait(_ address: String, _ now: WallClockTime) -> Int? {
    guard var known = times[address] else { return nil }
    // What is later than now was before the clock was set back.
    known.removeAll { !(0..<Self.span).contains(now.nanoseconds - $0) }
    times[address] = known.isEmpty ? nil : known
    guard known.count >= limit, let first = known.first else { return nil }
    return max(1, Int((first + Self.span - now.nanoseconds + 999_999_999) / 1_000_000_000))
  }

  private mutating func forget(before time: Int64) {
    times = times.filter { $0.value.last.map { $0 > time } ?? false }
  }
}

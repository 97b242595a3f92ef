internal import SessionUpload
internal import Synchronization
internal import TextFormats

/// Signing in with a provider: out to it, and back.
final class OpenIDSignIn: Sendable {
  /// The path that providers send browsers back to.
  static let callbackPath = "/auth/oidc/callback"
  /// How many ask the provider at once; one at a time is asked.
  private static let mostWaiting = 16

  /// The provider's name, for people.
  let name: String
  /// Whose tokens are taken.
  let issuer: String
  private let provider: OpenIDProvider
  private let isShared: Bool
  private let attempts = Mutex(OpenIDAttempts())
  private let waiting = Mutex(0)

  /// - Parameters:
  ///   - url: where this service is reached.
  ///   - isShared: whether a browser may come back to another instance than that which has begun.
  init(_ settings: OpenIDSettings, url: String, isShared: Bool, fetching: any WebFetching) {
    self.isShared = isShared
    issuer = settings.issuer.url
    name = settings.issuer.name
    provider = OpenIDProvider(settings, redirectURL: url + Self.callbackPath, fetching: fetching)
  }

  /// Begins an attempt.
  ///
  /// - Parameter numbers: those of the attempts that the browser keeps.
  /// - Returns: where the browser goes, and the attempt, of which it keeps a secret until it comes back.
  /// - Throws: `OpenIDProblem.unavailable` when the provider cannot be asked.
  func begin(
    claims: Set<String>, from address: String, besides numbers: Set<Int>, now: WallClockTime
  ) async throws -> (String, OpenIDAttempt) {
    let attempt = attempts.withLock { $0.begin(from: address, besides: numbers, now: now) }
    var scopes: [String] = []
    if claims.contains("email") { scopes.append("email") }
    if !claims.subtracting(["sub", "email"]).isEmpty { scopes.append("profile") }
    let asked = scopes
    return (try await inTurn { try await $0.signInURL(attempt, scopes: asked, now: now) }, attempt)
  }

  /// Ends an attempt by what a browser brings back.
  ///
  /// - Throws: `OpenIDProblem`.
  func finish(_ answer: OpenIDAnswer, browser: String?, now: WallClockTime) async throws -> IDToken {
    // A state is used up by whatever comes with it.
    guard let state = answer.state else { throw OpenIDProblem.refused(answer.isDenied ? .denied : .state) }
    let isShared = isShared
    let attempt = try attempts.withLock { (attempts) throws(OpenIDProblem) in
      isShared
        ? try attempts.takeOfAnyInstance(state, browser: browser, now: now)
        : try attempts.take(state, browser: browser, now: now)
    }
    guard !answer.isIssuerUnclear, answer.issuer.map({ $0 == issuer }) ?? true else {
      throw OpenIDProblem.refused(.sender)
    }
    guard !answer.isDenied else { throw OpenIDProblem.refused(.denied) }
    guard let code = answer.code else { throw OpenIDProblem.refused(.code) }
    return try await inTurn { try await $0.token(ofCode: code, attempt, now: now) }
  }

  private func inTurn<Value: Sendable>(
    _ work: @Sendable (OpenIDProvider) async throws -> Value
  ) async throws -> Value {
    let mayWait = waiting.withLock { count in
      guard count < Self.mostWaiting else { return false }
      count += 1
      return true
    }
    guard mayWait else { throw OpenIDProblem.unavailable("too many sign in at once") }
    defer { waiting.withLock { $0 -= 1 } }
    return try await work(provider)
  }
}

/// What a browser brings back from a provider, as the query of its request.
struct OpenIDAnswer: Hashable, Sendable {
  /// The longest value that is looked at.
  private static let longest = 4_096

  let state: String?
  let code: String?
  let issuer: String?
  /// Whether it does not say clearly whose it is: it does so several times, for example.
  let isIssuerUnclear: Bool
  let isDenied: Bool

  /// Takes a query; a parameter that is there twice is not there.
  init(_ query: [HTTPField]) {
    let value = { (name: String) -> String? in
      let found = query.filter { $0.name == name }
      guard found.count == 1, (1...Self.longest).contains(found[0].value.utf8.count) else { return nil }
      return found[0].value
    }
    state = value("state")
    code = value("code")
    issuer = value("iss")
    isIssuerUnclear = issuer == nil && query.contains { $0.name == "iss" }
    isDenied = query.contains { $0.name == "error" }
  }
}

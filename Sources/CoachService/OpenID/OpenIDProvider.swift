package import SessionUpload
internal import SessionStore
internal import TextFormats

/// A provider of OpenID Connect: where it signs people in, and the keys of its tokens. What it says of itself is kept for an
/// hour.
///
/// Everything waits on a queue of its own; a request takes ten seconds at most, and few wait for their turn.
package actor OpenIDProvider {
  /// How long addresses and keys are kept, in nanoseconds.
  private static let keptNanoseconds: Int64 = 3_600_000_000_000
  /// How long after the last time keys are fetched again for one that is not known, in nanoseconds.
  private static let refetchNanoseconds: Int64 = 60_000_000_000

  private struct Kept<Value> {
    let value: Value
    let time: WallClockTime

    func isFresh(_ now: WallClockTime, _ nanoseconds: Int64) -> Bool {
      let age = now.nanoseconds - time.nanoseconds
      return (0...nanoseconds).contains(age)
    }
  }

  private let settings: OpenIDSettings
  private let redirectURL: String
  private let fetching: any WebFetching
  private let executor = QueueExecutor(label: "coach.service.openid")
  private var addresses: Kept<ProviderAddresses>?
  private var keys: Kept<SigningKeys>?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// A provider that nothing was asked of yet.
  ///
  /// - Parameter redirectURL: where it sends browsers back to.
  package init(_ settings: OpenIDSettings, redirectURL: String, fetching: any WebFetching) {
    self.settings = settings
    self.redirectURL = redirectURL
    self.fetching = fetching
  }

  /// Where a browser is sent to sign in.
  ///
  /// - Parameter scopes: what is asked for beside `openid`.
  /// - Throws: `OpenIDProblem` when the provider cannot be asked.
  func signInURL(_ attempt: OpenIDAttempt, scopes: [String], now: WallClockTime) throws(OpenIDProblem) -> String {
    let address = try known(now).authorization
    let query: [(String, String)] = [
      ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", redirectURL),
      ("scope", (["openid"] + scopes).joined(separator: " ")), ("state", attempt.state), ("nonce", attempt.nonce),
      ("code_challenge", attempt.challenge), ("code_challenge_method", "S256"),
    ]
    return address + (address.contains("?") ? "&" : "?") + Self.form(query)
  }

  /// Gets the token of a code, and verifies it.
  ///
  /// - Throws: `OpenIDProblem`.
  func token(ofCode code: String, _ attempt: OpenIDAttempt, now: WallClockTime) throws(OpenIDProblem) -> IDToken {
    let token = try SignedToken(exchange(code, attempt, now))
    let expected = IDToken.Expectation(
      issuer: settings.issuer.url, clientID: settings.clientID, nonce: attempt.nonce)
    return try IDToken(token, keys: keys(for: token.header, now), expected, now: now)
  }

  // MARK: - What the provider says

  private func known(_ now: WallClockTime) throws(OpenIDProblem) -> ProviderAddresses {
    if let addresses, addresses.isFresh(now, Self.keptNanoseconds) { return addresses.value }
    let bytes = try document(settings.issuer.configurationURL)
    let found = try ProviderAddresses(json: bytes, of: settings.issuer)
    addresses = Kept(value: found, time: now)
    return found
  }

  /// The keys, with that of a token where it is new.
  private func keys(for header: SignedToken.Header, _ now: WallClockTime) throws(OpenIDProblem) -> SigningKeys {
    if let keys, keys.isFresh(now, Self.keptNanoseconds) {
      if !keys.value.candidates(header).isEmpty || keys.isFresh(now, Self.refetchNanoseconds) { return keys.value }
    }
    let found = try SigningKeys(json: document(known(now).keys))
    keys = Kept(value: found, time: now)
    return found
  }

  private func document(_ url: String) throws(OpenIDProblem) -> [UInt8] {
    let answer = try fetch(WebRequest(url: url, headers: ["accept: application/json"]))
    guard answer.status == 200 else { throw .unavailable("the provider answers \(answer.status): expected 200") }
    return answer.body
  }

  private func exchange(_ code: String, _ attempt: OpenIDAttempt, _ now: WallClockTime) throws(OpenIDProblem) -> String
  {
    let addresses = try known(now)
    var form: [(String, String)] = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURL),
      ("code_verifier", attempt.verifier),
    ]
    var headers = ["accept: application/json", "content-type: application/x-www-form-urlencoded"]
    switch (settings.clientSecret, addresses.takesSecretInBody) {
    case (let secret?, false):
      // RFC 6749, 2.3.1: both are escaped as in a form before they are joined.
      let words = settings.clientID.encodingPercents + ":" + secret.text.encodingPercents
      headers.append("authorization: Basic " + Base64.text(Array(words.utf8), .standard))
    case (let secret?, true): form += [("client_id", settings.clientID), ("client_secret", secret.text)]
    case (nil, _): form.append(("client_id", settings.clientID))
    }
    let answer = try fetch(
      WebRequest(url: addresses.token, headers: headers, body: Array(Self.form(form).utf8)))
    guard answer.status == 200 else {
      // What a provider does not take is a code that was made up; everything else is its own trouble.
      let isRefused = answer.status == 400 && ForeignJSON.object(answer.body)?["error"]?.string == "invalid_grant"
      throw isRefused ? .refused(.code) : .unavailable("the provider answers \(answer.status) to a code: expected 200")
    }
    guard let token = ForeignJSON.object(answer.body)?["id_token"]?.string else { throw .refused(.token) }
    return token
  }

  private func fetch(_ request: WebRequest) throws(OpenIDProblem) -> WebAnswer {
    do throws(WebFailure) {
      return try fetching.fetch(request)
    } catch {
      throw .unavailable("the provider cannot be asked: \(error.description)")
    }
  }

  private static func form(_ fields: [(String, String)]) -> String {
    fields.map { "\($0.encodingPercents)=\($1.encodingPercents)" }.joined(separator: "&")
  }
}

/// What a provider says of itself (OpenID Connect Discovery 1.0).
struct ProviderAddresses: Hashable, Sendable {
  /// Where browsers are sent.
  let authorization: String
  /// Where codes are taken.
  let token: String
  /// Where its keys are.
  let keys: String
  /// Whether the secret is taken as a part of the body only.
  let takesSecretInBody: Bool

  /// Reads the document of a provider.
  ///
  /// - Throws: `OpenIDProblem.unavailable` when it is of another one, or lacks what is needed.
  init(json bytes: [UInt8], of issuer: OpenIDIssuer) throws(OpenIDProblem) {
    guard let document = ForeignJSON.object(bytes) else {
      throw .unavailable("what the provider says of itself: expected a JSON object")
    }
    guard document["issuer"]?.string == issuer.url else {
      throw .unavailable("what the provider says of itself: issuer: expected that of --oidc-issuer")
    }
    authorization = try Self.address("authorization_endpoint", document, issuer)
    token = try Self.address("token_endpoint", document, issuer)
    keys = try Self.address("jwks_uri", document, issuer)
    if let methods = document["code_challenge_methods_supported"]?.array {
      guard methods.contains(where: { $0.string == "S256" }) else {
        throw .unavailable("the provider does not take PKCE: expected code_challenge_methods_supported with S256")
      }
    }
    let ways = document["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string) ?? ["client_secret_basic"]
    takesSecretInBody = !ways.contains("client_secret_basic") && ways.contains("client_secret_post")
  }

  private static func address(
    _ name: String, _ document: JSONValue, _ issuer: OpenIDIssuer
  ) throws(OpenIDProblem) -> String {
    guard let text = document[name]?.string, ProviderURL.isUsable(text, allowsPlain: issuer.isPlain) else {
      throw .unavailable("what the provider says of itself: \(name): expected an address with https")
    }
    return text
  }
}

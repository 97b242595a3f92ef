@testable import CoachService
import LiveCoaching
import SessionUpload
import Synchronization
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// A provider of OpenID Connect without a network, whose answers a test decides.
final class FakeProvider: WebFetching {
  static let issuer = "https://id.example.org/realm"

  struct State {
    var requests: [WebRequest] = []
    var isAway = false
    var configuration = #""code_challenge_methods_supported":["S256"]"#
    var issuer = FakeProvider.issuer
    var keys: [String] = []
    var token: @Sendable () throws -> String = { "" }
    var tokenStatus = 200
  }

  let state = Mutex(State())

  func fetch(_ request: WebRequest) throws(WebFailure) -> WebAnswer {
    let current = state.withLock { state in
      state.requests.append(request)
      return state
    }
    guard !current.isAway else { throw WebFailure("it is away") }
    switch request.url {
    case Self.issuer + "/.well-known/openid-configuration":
      let at = "https://id.example.org/realm"
      return Self.json(
        #"{"issuer":"\#(current.issuer)","authorization_endpoint":"\#(at)/authorize","token_endpoint":"\#(at)/token","jwks_uri":"\#(at)/keys",\#(current.configuration)}"#
      )
    case Self.issuer + "/keys": return Self.json(#"{"keys":[\#(current.keys.joined(separator: ","))]}"#)
    case Self.issuer + "/token":
      guard current.tokenStatus == 200 else { return Self.json(#"{"error":"invalid_grant"}"#, current.tokenStatus) }
      return Self.json(#"{"access_token":"x","token_type":"Bearer","id_token":"\#((try? current.token()) ?? "")"}"#)
    default: return WebAnswer(status: 404, body: [])
    }
  }

  private static func json(_ text: String, _ status: Int = 200) -> WebAnswer {
    WebAnswer(status: status, body: Array(text.utf8))
  }

  /// How often an address was asked for.
  func count(_ path: String) -> Int { state.withLock { $0.requests.count { $0.url == Self.issuer + path } } }

  /// The fields of the last form that was sent.
  var form: [String: String] {
    let body = state.withLock { $0.requests.last { $0.body != nil }?.body } ?? []
    return Self.fields(String(decoding: body, as: UTF8.self))
  }

  /// The fields of a query.
  static func fields(_ text: String) -> [String: String] {
    var fields: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1)
      fields[String(sides[0])] = sides.count > 1 ? String(sides[1]).decodingPercents(isForm: true) : ""
    }
    return fields
  }
}

/// A browser that signs in at a service with a provider.
struct OpenIDBrowser {
  let harness: ServiceHarness
  let provider: FakeProvider

  init(_ folder: ScratchFolder, clock: ManualClock = ManualClock(.morning(0)), secret: String? = "s:ecret") async throws
  {
    let provider = FakeProvider()
    let issuer = try #require(OpenIDIssuer(FakeProvider.issuer))
    harness = try await ServiceHarness(folder, clock: clock) { settings in
      settings.fetching = provider
      settings.openID = OpenIDSettings(issuer: issuer, clientID: "coach", clientSecret: secret.map { Secret($0) })
    }
    let key = try TokenSigner.rsa.publicKey("one")
    provider.state.withLock { $0.keys = [key] }
    self.provider = provider
  }

  /// Says who somebody is.
  func map(_ claim: String, _ value: String, _ person: String?) async throws -> MappedIdentity {
    let identity = MappedIdentity(issuer: FakeProvider.issuer, claim: claim, value: value, person: person)
    try await harness.service.store.add(identity, at: harness.service.clock.now())
    return identity
  }

  /// Goes to the provider: the query that it is given, and the cookie that stays.
  func begin() async throws -> (query: [String: String], cookie: HTTPField) {
    let answer = await harness.send("GET", "/auth/oidc")
    try #require(answer.status == 303, "\(answer.text)")
    let parts = try #require(answer.header("Location")).split(separator: "?", maxSplits: 1)
    try #require(parts.first == "https://id.example.org/realm/authorize")
    return (FakeProvider.fields(String(parts[1])), try #require(ServiceHarness.cookie(of: answer)))
  }

  /// Lets the provider give a token of claims, for an attempt.
  func give(_ query: [String: String], subject: String = "248289", id: String? = "one", more: String = "") {
    let now = harness.service.clock.now().nanoseconds / 1_000_000_000
    let nonce = query["nonce"] ?? ""
    provider.state.withLock { state in
      state.token = {
        try TokenSigner.rsa.token(
          #"{"iss":"\#(FakeProvider.issuer)","aud":"coach","sub":"\#(subject)","nonce":"\#(nonce)","iat":\#(now),"exp":\#(now + 300)\#(more)}"#,
          id: id)
      }
    }
  }

  /// Comes back from the provider.
  func comeBack(_ query: [String: String], _ cookie: HTTPField?, more: String = "") async -> HTTPResponse {
    await harness.send(
      "GET", "/auth/oidc/callback?code=c0de&state=\(query["state"] ?? "")\(more)", headers: cookie.map { [$0] } ?? [])
  }
}

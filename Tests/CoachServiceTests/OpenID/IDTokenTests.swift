@testable import CoachService
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("Tokens of a provider")
struct IDTokenTests {
  private static let now = WallClockTime(nanoseconds: 1_800_000_000_000_000_000)
  private static let expected = IDToken.Expectation(
    issuer: "https://id.example.org/realm", clientID: "coach", nonce: "nonce_1")

  /// Claims that are accepted, with some of them changed.
  private static func claims(_ changes: [String: String?] = [:]) -> String {
    var members = [
      "iss": #""https://id.example.org/realm""#, "aud": #""coach""#, "sub": #""248289""#, "nonce": #""nonce_1""#,
      "iat": "1799999990", "exp": "1800000300",
    ]
    for (name, value) in changes { members[name] = value }
    return "{" + members.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",") + "}"
  }

  private static func keys(_ keys: [String]? = nil) throws -> SigningKeys {
    let usual = try [TokenSigner.rsa.publicKey("one"), TokenSigner.p256.publicKey("two")]
    return try SigningKeys(json: Array((#"{"keys":["# + (keys ?? usual).joined(separator: ",") + "]}").utf8))
  }

  private static func verify(_ token: String, _ keys: SigningKeys? = nil) throws -> IDToken {
    try IDToken(SignedToken(token), keys: keys ?? Self.keys(), expected, now: now)
  }

  private static func refusal(_ token: String, _ keys: SigningKeys? = nil) throws -> OpenIDProblem.Refusal? {
    do {
      _ = try verify(token, keys)
      return nil
    } catch OpenIDProblem.refused(let refusal) {
      return refusal
    }
  }

  @Test("A token that is signed with RS256 or ES256 by a key of the provider is taken")
  func accepted() throws {
    #expect(try Self.verify(TokenSigner.rsa.token(Self.claims())).subject == "248289")
    #expect(try Self.verify(TokenSigner.p256.token(Self.claims(), id: "two")).subject == "248289")
    // Many signatures, because a number of an elliptic one may have zeros in front.
    for index in 0..<40 {
      let token = try TokenSigner.p256.token(Self.claims(["jti": "\(index)"]), id: "two")
      #expect(try Self.refusal(token) == nil)
    }
  }

  @Test(
    "A claim that is not what was asked for is refused by its name",
    arguments: [
      (["nonce": #""nonce_2""#], OpenIDProblem.Refusal.nonce), (["nonce": nil], .nonce),
      (["iss": #""https://id.example.org/realm/""#], .issuer), (["iss": nil], .issuer),
      (["aud": #""other""#], .audience), (["aud": nil], .audience), (["aud": "[]"], .audience),
      (["aud": #"["coach","other"]"#], .audience), (["azp": #""other""#], .audience),
      (["exp": "1799999940"], .expired), (["exp": nil], .expired), (["exp": #""1800000300""#], .expired),
      (["iat": "1799999000"], .expired), (["iat": "1800000061"], .notYet), (["iat": nil], .notYet),
      (["nbf": "1800000061"], .notYet), (["sub": nil], .subject), (["sub": #""""#], .subject),
    ] as [([String: String?], OpenIDProblem.Refusal)])
  func claims(_ changes: [String: String?], _ refusal: OpenIDProblem.Refusal) throws {
    #expect(try Self.refusal(TokenSigner.rsa.token(Self.claims(changes))) == refusal)
  }

  @Test("Clocks may be a minute apart, and a token for several is taken that was made for this service")
  func tolerance() throws {
    for changes in [
      ["exp": "1799999941"], ["iat": "1800000060"], ["nbf": "1800000060"],
      ["aud": #"["coach","other"]"#, "azp": #""coach""#], ["aud": #"["coach"]"#],
    ] {
      #expect(try Self.refusal(TokenSigner.rsa.token(Self.claims(changes))) == nil, "\(changes)")
    }
  }

  @Test("No token is taken that is not signed, or signed by a secret that everybody knows")
  func algorithms() throws {
    let text = { (header: String) in
      AccessSecret.base64URL(Array(header.utf8)) + "." + AccessSecret.base64URL(Array(Self.claims().utf8))
    }
    for name in ["none", "None", "NONE", "", "rs256", "RS384", "PS256", "ES384", "EdDSA"] {
      let header = #"{"alg":"\#(name)","kid":"one"}"#
      #expect(try Self.refusal(text(header) + ".") == .algorithm, "\(name)")
      #expect(try Self.refusal(TokenSigner.rsa.token(Self.claims(), header: header)) == .algorithm, "\(name)")
    }
    let head = text(#"{"alg":"HS256","kid":"one"}"#)
    for secret in [Array(try TokenSigner.rsa.publicKey("one").utf8), []] {
      let mark = AccessSecret.base64URL(hmac(Array(head.utf8), key: secret))
      #expect(try Self.refusal(head + "." + mark) == .algorithm)
    }
    // A key is for one algorithm, whatever a token says.
    #expect(try Self.refusal(TokenSigner.rsa.token(Self.claims(), header: #"{"alg":"ES256","kid":"one"}"#)) == .key)
    #expect(
      try Self.refusal(TokenSigner.p256.token(Self.claims(), header: #"{"alg":"RS256","kid":"one"}"#)) == .signature)
  }

  @Test("A key that the provider does not have, a damaged signature and another's signature are refused")
  func signatures() throws {
    #expect(try Self.refusal(TokenSigner.rsa.token(Self.claims(), id: "three")) == .key)
    #expect(try Self.refusal(TokenSigner.otherRSA.token(Self.claims())) == .signature)
    for signer in [(TokenSigner.rsa, "one"), (TokenSigner.p256, "two")] {
      let token = try signer.0.token(Self.claims(), id: signer.1)
      let parts = token.split(separator: ".")
      var mark = try #require(Base64URL.bytes(String(parts[2])))
      mark[20] ^= 1
      #expect(try Self.refusal("\(parts[0]).\(parts[1]).\(AccessSecret.base64URL(mark))") == .signature)
      #expect(try Self.refusal("\(parts[0]).\(parts[1]).") == .signature)
      let other = AccessSecret.base64URL(Array(Self.claims(["sub": #""1""#]).utf8))
      #expect(try Self.refusal("\(parts[0]).\(other).\(parts[2])") == .signature)
    }
    let zeros = AccessSecret.base64URL([UInt8](repeating: 0, count: 64))
    let parts = try TokenSigner.p256.token(Self.claims(), id: "two").split(separator: ".")
    #expect(try Self.refusal("\(parts[0]).\(parts[1]).\(zeros)") == .signature)
  }

  @Test("A token without the name of a key is taken only where the provider has one key for it")
  func unnamed() throws {
    let token = try TokenSigner.rsa.token(Self.claims(), id: nil)
    #expect(try Self.refusal(token) == nil)
    let several = try Self.keys([TokenSigner.rsa.publicKey("a"), TokenSigner.otherRSA.publicKey("b")])
    #expect(try Self.refusal(token, several) == .key)
  }

  @Test("What is no token is refused: parts, padding, a member twice, and a header that has to be understood")
  func forms() throws {
    let token = try TokenSigner.rsa.token(Self.claims())
    let parts = token.split(separator: ".")
    let long = String(repeating: "A", count: SignedToken.longest)
    for text in [
      "", "..", "a.b", token + ".", token + "=", " " + token, "\(parts[0]).\(parts[1])", long + "." + token,
      try TokenSigner.rsa.token(Self.claims(), header: #"{"alg":"RS256","kid":"one","crit":["b64"],"b64":false}"#),
      try TokenSigner.rsa.token(Self.claims(), header: #"{"alg":"RS256","kid":"one","typ":"at+jwt"}"#),
      try TokenSigner.rsa.token(Self.claims(), header: #"{"alg":"none","alg":"RS256","kid":"one"}"#),
      try TokenSigner.rsa.token(#"{"nonce":"x","nonce":"nonce_1"}"#), try TokenSigner.rsa.token("[]"),
    ] {
      #expect(try Self.refusal(text) == .token, "\(text.prefix(80))")
    }
  }

  @Test("Keys for something else, too short ones and points beside the curve are no keys")
  func keys() throws {
    let short = AccessSecret.base64URL([0xC1] + [UInt8](repeating: 1, count: 127))
    let whole = AccessSecret.base64URL([0xC1] + [UInt8](repeating: 1, count: 255))
    let half = AccessSecret.base64URL([UInt8](repeating: 7, count: 32))
    for key in [
      #"{"kty":"RSA","kid":"one","n":"\#(short)","e":"AQAB"}"#, #"{"kty":"RSA","kid":"one","n":"\#(whole)","e":"AQ"}"#,
      #"{"kty":"RSA","kid":"one","n":"\#(whole)","e":"AQAB","use":"enc"}"#,
      #"{"kty":"RSA","kid":"one","n":"\#(whole)","e":"AQAB","alg":"RS512"}"#,
      #"{"kty":"RSA","kid":"one","n":"\#(whole)","e":"AQAB","key_ops":["encrypt"]}"#,
      #"{"kty":"oct","kid":"one","k":"\#(half)"}"#,
      #"{"kty":"EC","crv":"P-384","kid":"one","x":"\#(half)","y":"\#(half)"}"#,
    ] {
      #expect(try Self.keys([key]).keys.isEmpty, "\(key.prefix(60))")
    }
    let beside = try Self.keys([#"{"kty":"EC","crv":"P-256","kid":"two","x":"\#(half)","y":"\#(half)"}"#])
    #expect(try Self.refusal(TokenSigner.p256.token(Self.claims(), id: "two"), beside) == .signature)
    #expect(throws: OpenIDProblem.self) { try SigningKeys(json: Array(#"{"keys":{}}"#.utf8)) }
  }

  @Test("An e-mail address counts only when the provider has verified it")
  func email() throws {
    let token = { (changes: [String: String?]) in try Self.verify(TokenSigner.rsa.token(Self.claims(changes))) }
    let address = #""ann@example.org""#
    #expect(try token(["email": address, "email_verified": "true"]).text(of: "email") == "ann@example.org")
    #expect(try token(["email": address, "email_verified": "false"]).text(of: "email") == nil)
    #expect(try token(["email": address]).text(of: "email") == nil)
    #expect(try token(["email": address]).text(of: "sub") == "248289")
  }
}

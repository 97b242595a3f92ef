package import TextFormats

/// A token as it is sent (RFC 7515, compact form), before anybody has looked at its signature.
package struct SignedToken: Sendable {
  /// What its first part says.
  package struct Header: Hashable, Sendable {
    /// How it is signed.
    package let algorithm: SigningAlgorithm
    /// The name of its key; absent where it has none.
    package let keyID: String?
  }

  /// The longest token that is looked at, in bytes.
  package static let longest = 32 << 10

  /// What its first part says.
  package let header: Header
  /// What was signed.
  let signedBytes: [UInt8]
  /// The signature.
  let signature: [UInt8]
  private let claims: JSONValue

  /// Takes a token apart.
  ///
  /// - Throws: `OpenIDProblem.refused` with `token` or `algorithm`.
  package init(_ text: String) throws(OpenIDProblem) {
    let bytes = Array(text.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard bytes.count <= Self.longest, parts.count == 3, let head = Base64URL.bytes(parts[0]),
      let body = Base64URL.bytes(parts[1]), let signature = Base64URL.bytes(parts[2]),
      let header = ForeignJSON.object(head), let claims = ForeignJSON.object(body)
    else { throw .refused(.token) }
    // What must be understood of the header is nothing beyond this.
    guard header["crit"] == nil, header["typ"].map({ $0.string?.lowercased() == "jwt" }) ?? true else {
      throw .refused(.token)
    }
    guard let algorithm = header["alg"]?.string.flatMap(SigningAlgorithm.init(rawValue:)) else {
      throw .refused(.algorithm)
    }
    self.header = Header(algorithm: algorithm, keyID: header["kid"]?.string)
    self.claims = claims
    self.signature = signature
    signedBytes = Array(bytes[..<parts[1].endIndex])
  }

  /// What it says, once it is known to be signed by one of the provider's keys.
  ///
  /// - Throws: `OpenIDProblem.refused` with `key` where the provider has none such, or `signature`.
  func claims(signedBy keys: SigningKeys, _ library: SignatureLibrary) throws(OpenIDProblem) -> JSONValue {
    let candidates = keys.candidates(header)
    guard !candidates.isEmpty else { throw .refused(.key) }
    let isSigned = candidates.contains {
      library.isSignature(signature, of: signedBytes, by: $0.material)
    }
    guard isSigned else { throw .refused(.signature) }
    return claims
  }
}

/// What a provider says of somebody who has just signed in there, verified.
package struct IDToken: Sendable {
  /// What it has to be of.
  package struct Expectation: Sendable {
    /// Who made it.
    package let issuer: String
    /// For whom.
    package let clientID: String
    /// In which attempt.
    package let nonce: String

    /// Creates an expectation.
    package init(issuer: String, clientID: String, nonce: String) {
      self.issuer = issuer
      self.clientID = clientID
      self.nonce = nonce
    }
  }

  /// How far the clocks of the provider and of this machine may be apart, in seconds.
  package static let skewSeconds = 60.0
  /// How long ago it may have been made, in seconds: it comes right after it is made.
  package static let longestAgeSeconds = 600.0

  /// Who it is at the provider, for good.
  package let subject: String
  private let claims: JSONValue

  /// Takes a token that is signed by one of the provider's keys, and is what was asked for.
  ///
  /// - Throws: `OpenIDProblem`, what is wrong first.
  package init(
    _ token: SignedToken, keys: SigningKeys, _ expected: Expectation, now: WallClockTime
  ) throws(OpenIDProblem) {
    guard let library = SignatureLibrary.shared else {
      throw .unavailable("libgnutls.so.30 cannot be opened: expected the Debian package libgnutls30")
    }
    let claims = try token.claims(signedBy: keys, library)
    guard claims["iss"]?.string == expected.issuer else { throw .refused(.issuer) }
    try Self.requireAudience(claims, expected.clientID)
    try Self.requireTimes(claims, now)
    guard let nonce = claims["nonce"]?.string,
      AccessSecret.isEqual(AccessSecret.digest(of: nonce), AccessSecret.digest(of: expected.nonce))
    else { throw .refused(.nonce) }
    guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count) else {
      throw .refused(.subject)
    }
    self.subject = subject
    self.claims = claims
  }

  private static func requireAudience(_ claims: JSONValue, _ clientID: String) throws(OpenIDProblem) {
    guard let audience = claims["aud"] else { throw .refused(.audience) }
    let names = audience.array?.map(\.string) ?? [audience.string]
    guard names.contains(clientID) else { throw .refused(.audience) }
    // A token for several has to say for which of them it was made.
    if let party = claims["azp"] {
      guard party.string == clientID else { throw .refused(.audience) }
    } else if names.count > 1 {
      throw .refused(.audience)
    }
  }

  private static func requireTimes(_ claims: JSONValue, _ now: WallClockTime) throws(OpenIDProblem) {
    let seconds = Double(now.nanoseconds) / 1e9
    guard let end = claims["exp"]?.number?.double, seconds < end + skewSeconds else { throw .refused(.expired) }
    guard let made = claims["iat"]?.number?.double, made <= seconds + skewSeconds else { throw .refused(.notYet) }
    guard seconds <= made + longestAgeSeconds + skewSeconds else { throw .refused(.expired) }
    if let begin = claims["nbf"] {
      guard let begin = begin.number?.double, begin <= seconds + skewSeconds else { throw .refused(.notYet) }
    }
  }

  /// The text of a claim; `nil` for none, and for an e-mail address that the provider has not verified.
  package func text(of claim: String) -> String? {
    if claim == "email", claims["email_verified"]?.bool != true { return nil }
    return claims[claim]?.string
  }
}

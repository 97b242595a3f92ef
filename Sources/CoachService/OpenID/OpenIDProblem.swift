/// Why somebody is not signed in by a provider. Nothing of an answer stands in it.
package enum OpenIDProblem: Error, Hashable, Sendable {
  /// What is wrong with the answer of a browser or a provider; the words of the audit.
  package enum Refusal: String, CaseIterable, Hashable, Sendable {
    /// The attempt is not known: it was used, is too old, or was begun by another process.
    case state
    /// Another browser has begun the attempt.
    case browser
    /// The provider says that somebody was not let in, or did not want to.
    case denied
    /// The answer is of another provider.
    case sender
    /// The provider does not take the code.
    case code
    /// The token is none: not three parts, no base64url, no JSON object.
    case token
    /// The token is signed by anything but RS256 or ES256, or by another algorithm than its key is for.
    case algorithm
    /// The provider has no such key.
    case key
    /// The signature is not that of the key.
    case signature
    case issuer, audience, expired, notYet, nonce, subject
    /// The owner has not said who it is.
    case unmapped
    /// The owner has said of its claims that they are several people.
    case ambiguous
  }

  /// The answer is not accepted.
  case refused(Refusal)
  /// The provider cannot be asked, or does not do what is needed; what is wrong and what was expected.
  case unavailable(String)
}

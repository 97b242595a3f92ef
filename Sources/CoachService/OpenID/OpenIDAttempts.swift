internal import TextFormats

/// One attempt of a browser to sign in with a provider.
struct OpenIDAttempt: Hashable, Sendable {
  /// How long it may take, in seconds.
  static let lifetimeSeconds: Int64 = 600

  /// What the provider sends back with the browser.
  let state = AccessSecret.make("state")
  /// What the provider puts into the token.
  let nonce = AccessSecret.make("nonce")
  /// What shows the provider that the code comes to who asked for it (RFC 7636).
  let verifier = AccessSecret.make("pkce")
  /// What the browser keeps meanwhile, as a cookie.
  let browser = AccessSecret.make("begun")

  /// The SHA-256 of the verifier, which the provider has from the beginning.
  var challenge: String { AccessSecret.base64URL(AccessSecret.digest(of: verifier)) }
}

/// The attempts that are under way, so many at most, of an address and in all; the oldest goes first.
struct OpenIDAttempts {
  static let mostOfAddress = 20
  static let most = 10_000

  private struct Entry {
    let attempt: OpenIDAttempt
    let address: String
    let number: Int
    let expires: Int64
  }

  private var entries: [[UInt8]: Entry] = [:]
  private var number = 0

  /// How many there are.
  var count: Int { entries.count }

  /// Begins an attempt of a browser at an address.
  mutating func begin(from address: String, now: WallClockTime) -> OpenIDAttempt {
    let attempt = OpenIDAttempt()
    entries = entries.filter { $0.value.expires > now.nanoseconds }
    let own = entries.filter { $0.value.address == address }
    if own.count >= Self.mostOfAddress { removeOldest(of: own) }
    if entries.count >= Self.most { removeOldest(of: entries) }
    number += 1
    entries[AccessSecret.digest(of: attempt.state)] = Entry(
      attempt: attempt, address: address, number: number,
      expires: now.nanoseconds + OpenIDAttempt.lifetimeSeconds * 1_000_000_000)
    return attempt
  }

  /// Takes the attempt of a state, which is used up by it.
  ///
  /// - Throws: `OpenIDProblem.refused` with `state` where it is not known any more, `browser` where another has begun it.
  mutating func take(_ state: String, browser: String?, now: WallClockTime) throws(OpenIDProblem) -> OpenIDAttempt {
    guard let entry = entries.removeValue(forKey: AccessSecret.digest(of: state)), entry.expires > now.nanoseconds
    else { throw .refused(.state) }
    guard let browser,
      AccessSecret.isEqual(AccessSecret.digest(of: browser), AccessSecret.digest(of: entry.attempt.browser))
    else { throw .refused(.browser) }
    return entry.attempt
  }

  private mutating func removeOldest(of entries: [[UInt8]: Entry]) {
    guard let oldest = entries.min(by: { $0.value.number < $1.value.number }) else { return }
    self.entries[oldest.key] = nil
  }
}

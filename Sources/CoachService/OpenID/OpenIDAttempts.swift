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
///
/// - Complexity: O(1) for each, on average, however many there are.
struct OpenIDAttempts {
  static let mostOfAddress = 20
  static let most = 10_000

  private struct Entry {
    let attempt: OpenIDAttempt
    let address: String
    let expires: Int64
  }

  private var entries: [[UInt8]: Entry] = [:]
  /// The names of attempts, the oldest first; of those that are over too, until they are the oldest.
  private var order: [[UInt8]] = []
  private var oldest = 0
  private var names: [String: [[UInt8]]] = [:]

  /// How many there are.
  var count: Int { entries.count }

  /// Begins an attempt of a browser at an address.
  mutating func begin(from address: String, now: WallClockTime) -> OpenIDAttempt {
    removeOldest(now)
    if let own = names[address], own.count >= Self.mostOfAddress { _ = remove(own[0]) }
    let attempt = OpenIDAttempt()
    let name = AccessSecret.digest(of: attempt.state)
    entries[name] = Entry(
      attempt: attempt, address: address, expires: now.nanoseconds + OpenIDAttempt.lifetimeSeconds * 1_000_000_000)
    order.append(name)
    names[address, default: []].append(name)
    return attempt
  }

  /// Takes the attempt of a state, which is used up by it.
  ///
  /// - Throws: `OpenIDProblem.refused` with `state` where it is not known any more, `browser` where another has begun it.
  mutating func take(_ state: String, browser: String?, now: WallClockTime) throws(OpenIDProblem) -> OpenIDAttempt {
    guard let entry = remove(AccessSecret.digest(of: state)), entry.expires > now.nanoseconds else {
      throw .refused(.state)
    }
    guard let browser,
      AccessSecret.isEqual(AccessSecret.digest(of: browser), AccessSecret.digest(of: entry.attempt.browser))
    else { throw .refused(.browser) }
    return entry.attempt
  }

  /// Removes what is over, and the oldest while there are too many.
  private mutating func removeOldest(_ now: WallClockTime) {
    while oldest < order.count {
      if let entry = entries[order[oldest]] {
        guard entry.expires <= now.nanoseconds || entries.count >= Self.most else { break }
        _ = remove(order[oldest])
      }
      oldest += 1
    }
    guard oldest == order.count || order.count > 4 * Self.most else { return }
    order = order[oldest...].filter { entries[$0] != nil }
    oldest = 0
  }

  private mutating func remove(_ name: [UInt8]) -> Entry? {
    guard let entry = entries.removeValue(forKey: name) else { return nil }
    names[entry.address]?.removeAll { $0 == name }
    if names[entry.address]?.isEmpty == true { names[entry.address] = nil }
    return entry
  }
}

internal import TextFormats

/// One attempt of a browser to sign in with a provider.
struct OpenIDAttempt: Hashable, Sendable {
  /// How long it may take, in seconds.
  static let lifetimeSeconds: Int64 = 600
  /// How many attempts a browser keeps at once. What more it begins takes the place of others.
  static let mostOfBrowser = 8

  /// What the provider sends back with the browser.
  let state: String
  /// What the provider puts into the token.
  let nonce: String
  /// What shows the provider that the code comes to who asked for it (RFC 7636).
  let verifier: String
  /// What the browser keeps meanwhile, as a cookie.
  let browser: String
  /// When it is over, in nanoseconds since the Unix epoch; the state says so too. Its last digits in binary are the number.
  let expires: Int64

  /// A new attempt.
  ///
  /// - Parameters:
  ///   - number: which of the attempts of a browser it is, 0 to ``mostOfBrowser`` - 1.
  ///   - end: when it is over at the latest, in nanoseconds since the Unix epoch.
  init(number: Int, until end: Int64) {
    let count = Int64(Self.mostOfBrowser)
    self.init(browser: AccessSecret.make("begun"), expires: (end / count - 1) * count + Int64(number))
  }

  /// The attempt of which a browser keeps a secret. Everything follows from that, by hashes, so that another instance of the service
  /// knows the attempt by what the browser brings, and nobody knows it without the secret.
  private init(browser: String, expires: Int64) {
    let value = { (prefix: String) -> String in
      prefix + "_" + AccessSecret.base64URL(AccessSecret.digest(of: "\(prefix) \(expires) \(browser)"))
    }
    state = value("state") + "." + String(expires)
    nonce = value("nonce")
    verifier = value("pkce")
    self.browser = browser
    self.expires = expires
  }

  /// The attempt that another instance has begun.
  ///
  /// - Throws: `OpenIDProblem.refused` with `state` for a text that is none, `browser` where another browser has begun it.
  init(of state: String, browser: String?) throws(OpenIDProblem) {
    guard let expires = Self.expires(ofState: state) else { throw .refused(.state) }
    guard let browser, AccessSecret.isWellFormed(browser) else { throw .refused(.browser) }
    self.init(browser: browser, expires: expires)
    guard AccessSecret.isEqual(AccessSecret.digest(of: self.state), AccessSecret.digest(of: state)) else {
      throw .refused(.browser)
    }
  }

  /// Which of the attempts of a browser it is.
  var number: Int { Self.number(expires) }

  /// Which of the attempts of a browser has a state; `nil` for a text that is none.
  static func number(ofState state: String) -> Int? { expires(ofState: state).map(number) }

  private static func number(_ expires: Int64) -> Int { Int(expires % Int64(mostOfBrowser)) }

  private static func expires(ofState state: String) -> Int64? {
    guard let dot = state.utf8.lastIndex(of: UInt8(ascii: ".")),
      let expires = Int64(state[state.utf8.index(after: dot)...]), expires >= 0
    else { return nil }
    return expires
  }

  /// The SHA-256 of the verifier, which the provider has from the beginning.
  var challenge: String { AccessSecret.base64URL(AccessSecret.digest(of: verifier)) }
}

/// The attempts that are under way, so many at most, of an address and in all; the oldest goes first.
///
/// - Complexity: O(1) for each, on average, however many there are.
struct OpenIDAttempts {
  static let mostOfAddress = 20
  static let most = 10_000
  /// How many that were used up are known still.
  private static let mostUsed = 1_000

  private struct Entry {
    let attempt: OpenIDAttempt
    let address: String

    var expires: Int64 { attempt.expires }
  }

  private var entries: [[UInt8]: Entry] = [:]
  /// The names of attempts, the oldest first; of those that are over too, until they are the oldest.
  private var order: [[UInt8]] = []
  private var oldest = 0
  private var names: [String: [[UInt8]]] = [:]
  /// The names of the last attempts that were used up, of whatever instance, the oldest first.
  private var used: [[UInt8]] = []

  /// How many there are.
  var count: Int { entries.count }

  /// Begins an attempt of a browser at an address.
  ///
  /// - Parameter numbers: those of the attempts that the browser keeps, whichever instance has begun them.
  mutating func begin(from address: String, besides numbers: Set<Int>, now: WallClockTime) -> OpenIDAttempt {
    removeOldest(now)
    if let own = names[address], own.count >= Self.mostOfAddress { _ = remove(own[0]) }
    let attempt = OpenIDAttempt(
      number: freeNumber(address, besides: numbers),
      until: now.nanoseconds + OpenIDAttempt.lifetimeSeconds * 1_000_000_000)
    let name = AccessSecret.digest(of: attempt.state)
    entries[name] = Entry(attempt: attempt, address: address)
    order.append(name)
    names[address, default: []].append(name)
    return attempt
  }

  /// A number for the next attempt of a browser: one that it keeps nothing under, and that was not given to its address lately. Another
  /// tab may have begun while the answer is not there yet, so that the browser does not say so.
  private func freeNumber(_ address: String, besides kept: Set<Int>) -> Int {
    let given = (names[address] ?? []).compactMap { entries[$0]?.attempt.number }
    let all = 0..<OpenIDAttempt.mostOfBrowser
    let usable = kept.isSuperset(of: all) ? Array(all) : all.filter { !kept.contains($0) }
    let age = { (number: Int) in given.lastIndex(of: number) ?? -1 }
    return usable.min { age($0) < age($1) } ?? 0
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

  /// The same where instances share the service: one that another instance has begun is known by what the browser keeps. At an instance a
  /// state is used up all the same, and the provider takes a code once.
  ///
  /// - Throws: as ``take(_:browser:now:)``.
  mutating func takeOfAnyInstance(
    _ state: String, browser: String?, now: WallClockTime
  ) throws(OpenIDProblem) -> OpenIDAttempt {
    let name = AccessSecret.digest(of: state)
    guard !used.contains(name) else { throw .refused(.state) }
    if entries[name] != nil {
      noteUse(of: name)
      return try take(state, browser: browser, now: now)
    }
    let attempt = try OpenIDAttempt(of: state, browser: browser)
    guard attempt.expires > now.nanoseconds else { throw .refused(.state) }
    noteUse(of: name)
    return attempt
  }

  private mutating func noteUse(of name: [UInt8]) {
    if used.count == Self.mostUsed { used.removeFirst() }
    used.append(name)
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

package import TextFormats

/// A secret that was handed out, without the secret: only its SHA-256 is kept.
package struct AccessGrant: Hashable, Sendable {
  /// Who asks with it, and what of.
  package let caller: Caller
  /// The SHA-256 of the secret.
  package let digest: [UInt8]
  /// When it was made.
  package let createdAt: WallClockTime
  /// When it ends.
  package let expiresAt: WallClockTime
  /// What a session is begun with when samples come with a key, as JSON; absent for others.
  package let request: String?

  /// Creates a grant.
  package init(
    _ caller: Caller, digest: [UInt8], createdAt: WallClockTime, expiresAt: WallClockTime, request: String? = nil
  ) {
    self.caller = caller
    self.digest = digest
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.request = request
  }
}

/// The secrets that hold now, in memory, so that a request never waits for the database to know who asks.
package struct AccessDirectory: Sendable {
  /// By the first eight bytes of their digests; the rest is compared in constant time.
  private var grants: [UInt64: AccessGrant] = [:]
  /// The first eight bytes of the digests, by the identities: each second it is asked of every stream whether its reader is let in still.
  private var places: [String: UInt64] = [:]

  /// A directory of some grants.
  package init(_ grants: [AccessGrant] = []) {
    self.grants.reserveCapacity(grants.count)
    places.reserveCapacity(grants.count)
    for grant in grants {
      let place = Self.index(grant.digest)
      self.grants[place] = grant
      places[grant.caller.id] = place
    }
  }

  /// The grant of a secret; `nil` for one that is not known, or over.
  package func grant(of secret: String, now: WallClockTime) -> AccessGrant? {
    let digest = AccessSecret.digest(of: secret)
    guard let grant = grants[Self.index(digest)], AccessSecret.isEqual(grant.digest, digest), now < grant.expiresAt
    else { return nil }
    return grant
  }

  /// Whether somebody is let in still, as who they were when they asked: not under a name that somebody else may have by now.
  package func holds(_ caller: Caller, now: WallClockTime) -> Bool {
    guard let grant = places[caller.id].flatMap({ grants[$0] }) else { return false }
    return grant.caller == caller && now < grant.expiresAt
  }

  /// Who somebody is by now, by the identity of the secret with which they asked: they may have another name. `nil` once it does not hold.
  package func current(_ caller: Caller, now: WallClockTime) -> Caller? {
    guard let grant = places[caller.id].flatMap({ grants[$0] }), grant.caller.id == caller.id,
      grant.caller.kind == caller.kind, now < grant.expiresAt
    else { return nil }
    return grant.caller
  }

  /// Lets a grant that is known hold until another time.
  mutating func extend(_ grant: AccessGrant, until time: WallClockTime) {
    grants[Self.index(grant.digest)] = AccessGrant(
      grant.caller, digest: grant.digest, createdAt: grant.createdAt, expiresAt: time, request: grant.request)
  }

  private static func index(_ digest: [UInt8]) -> UInt64 { digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

/// Secrets: how they are made and compared.
package enum AccessSecret {
  /// A new secret of 256 random bits, from the system's generator.
  package static func make(_ prefix: String) -> String {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<4).flatMap { _ in Self.bytes(generator.next()) }
    return prefix + "_" + base64URL(bytes)
  }

  /// Whether a text may be a secret: a word, and 256 bits as they are written.
  static func isWellFormed(_ text: String) -> Bool {
    guard let divider = text.utf8.firstIndex(of: UInt8(ascii: "_")) else { return false }
    let digits = text.utf8[text.utf8.index(after: divider)...]
    return digits.count == 43
      && digits.allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  private static func bytes(_ word: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }

  /// A new identity, which is no secret.
  package static func makeID() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = String(generator.next() as UInt64, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The SHA-256 of a secret.
  package static func digest(of secret: String) -> [UInt8] {
    digest(of: Array(secret.utf8))
  }

  /// The SHA-256 of bytes.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes.span)
    return hash.finish()
  }

  /// Whether two digests are the same, in a time that does not depend on where they differ.
  package static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Bytes as text of the URL-safe alphabet of RFC 4648, without padding.
  package static func base64URL(_ bytes: [UInt8]) -> String { Base64.text(bytes, .url) }
}

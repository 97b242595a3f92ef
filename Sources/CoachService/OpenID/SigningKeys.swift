internal import TextFormats

/// How a token may be signed: nothing else is accepted, whatever the token says.
package enum SigningAlgorithm: String, CaseIterable, Hashable, Sendable {
  /// RSA of PKCS #1 v1.5 with SHA-256.
  case rs256 = "RS256"
  /// ECDSA on the curve P-256 with SHA-256.
  case es256 = "ES256"
}

/// A public key of a provider.
package struct SigningKey: Hashable, Sendable {
  /// What it consists of.
  package enum Material: Hashable, Sendable {
    /// The modulus, of 2048 to 8192 bits, and the exponent.
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// A point of the curve P-256, 32 bytes each.
    case p256(x: [UInt8], y: [UInt8])
  }

  /// Its name in the provider's set; absent where it has none.
  package let id: String?
  /// What it consists of.
  package let material: Material

  /// The only algorithm that it is used for.
  package var algorithm: SigningAlgorithm {
    switch material {
    case .rsa: .rs256
    case .p256: .es256
    }
  }

  /// Reads a key (RFC 7517); `nil` for one of another kind, for another use, or too short.
  init?(_ value: JSONValue) {
    if let use = value["use"] { guard use.string == "sig" else { return nil } }
    if let operations = value["key_ops"] {
      guard operations.array?.contains(where: { $0.string == "verify" }) == true else { return nil }
    }
    switch value["kty"]?.string {
    case "RSA":
      guard let modulus = Self.number(value["n"]), let exponent = Self.number(value["e"]),
        (256...1_024).contains(modulus.count), modulus.count > 256 || modulus[0] >= 0x80,
        (1...8).contains(exponent.count), exponent[exponent.count - 1] & 1 == 1, exponent != [1]
      else { return nil }
      material = .rsa(modulus: modulus, exponent: exponent)
    case "EC":
      guard value["crv"]?.string == "P-256", let x = value["x"]?.string.flatMap(Base64URL.bytes),
        let y = value["y"]?.string.flatMap(Base64URL.bytes), x.count == 32, y.count == 32
      else { return nil }
      material = .p256(x: x, y: y)
    default: return nil
    }
    id = value["kid"]?.string
    if let stated = value["alg"] { guard stated.string == algorithm.rawValue else { return nil } }
  }

  /// A number without zeros in front.
  private static func number(_ value: JSONValue?) -> [UInt8]? {
    guard let bytes = value?.string.flatMap(Base64URL.bytes) else { return nil }
    return Array(bytes.drop { $0 == 0 })
  }
}

/// The keys that a provider signs with (RFC 7517).
package struct SigningKeys: Hashable, Sendable {
  /// How many keys of a provider are looked at.
  private static let limit = 100

  /// The keys that can be used.
  package let keys: [SigningKey]

  /// Reads a set; keys of other kinds are passed over.
  ///
  /// - Throws: `OpenIDProblem.unavailable` when it is no set of keys.
  package init(json bytes: [UInt8]) throws(OpenIDProblem) {
    guard let members = ForeignJSON.object(bytes), let keys = members["keys"]?.array else {
      throw .unavailable("the keys of the provider: expected a JSON Web Key Set")
    }
    self.keys = keys.prefix(Self.limit).compactMap { SigningKey($0) }
  }

  /// The keys that a token may be signed with: those of its name; of a token without one the only one there is.
  func candidates(_ header: SignedToken.Header) -> [SigningKey] {
    let fitting = keys.filter { $0.algorithm == header.algorithm }
    guard let id = header.keyID else { return fitting.count == 1 ? fitting : [] }
    return fitting.filter { $0.id == id }
  }
}

/// JSON of others, whose members nobody here decides.
enum ForeignJSON {
  private static let limits = JSONLimits(textBytes: 256 << 10, tokenBytes: 32 << 10, depth: 16, values: 20_000)

  /// An object; `nil` for anything else, and for one that has a member twice.
  static func object(_ bytes: [UInt8]) -> JSONValue? {
    guard let value = try? JSONValue.parse(bytes.span, limits: limits), value.members != nil else { return nil }
    return value
  }
}

/// Base64 with the URL-safe alphabet of RFC 4648, without padding, as tokens have it.
enum Base64URL {
  /// The bytes of a text; `nil` for any other character, for a length that cannot be, and for bits that are left over.
  static func bytes(_ text: String) -> [UInt8]? { bytes(Array(text.utf8)[...]) }

  /// The text whose UTF-8 a text stands for; `nil` where it stands for none.
  static func text(_ text: String) -> String? { bytes(text).flatMap { String(validating: $0, as: UTF8.self) } }

  /// The bytes of a text.
  static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var word: UInt32 = 0
    var bits: UInt32 = 0
    for byte in text {
      guard let digit = digit(byte) else { return nil }
      word = word << 6 | digit
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
        word &= (1 << bits) - 1
      }
    }
    return bits < 6 && word == 0 ? bytes : nil
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 97 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48 + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

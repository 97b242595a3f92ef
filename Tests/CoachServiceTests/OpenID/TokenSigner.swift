import CGnuTLS
@testable import CoachService
import Glibc
import Testing
import TextFormats

/// Private keys of a provider that the tests play, made anew for each run by GnuTLS.
@safe
final class TokenSigner: @unchecked Sendable {
  private typealias Key = OpaquePointer
  private typealias Datum = gnutls_datum_t

  static let rsa = TokenSigner(.rs256)
  static let otherRSA = TokenSigner(.rs256)
  static let p256 = TokenSigner(.es256)

  let algorithm: SigningAlgorithm
  private let key: Key?

  private init(_ algorithm: SigningAlgorithm) {
    self.algorithm = algorithm
    let make = try? unsafe Self.function(
      "gnutls_privkey_init", (@convention(c) (UnsafeMutablePointer<Key?>) -> Int32).self)
    let generate = try? unsafe Self.function(
      "gnutls_privkey_generate", (@convention(c) (Key?, UInt32, UInt32, UInt32) -> Int32).self)
    var key: Key?
    unsafe _ = make?(&key)
    // RSA of 2048 bits; elliptic curve (4) P-256, whose number is given in place of the bits.
    switch algorithm {
    case .rs256: unsafe _ = generate?(key, 1, 2_048, 0)
    case .es256: unsafe _ = generate?(key, 4, 0x8000_0000 | 2, 0)
    }
    unsafe self.key = key
  }

  private struct Missing: Error {}

  private static func function<Function>(_ name: String, _: Function.Type) throws(Missing) -> Function {
    guard let symbol = unsafe dlsym(dlopen("libgnutls.so.30", RTLD_NOW), name) else { throw Missing() }
    return unsafe unsafeBitCast(symbol, to: Function.self)
  }

  /// The bytes of what GnuTLS made, which is released.
  private static func bytes(_ datum: Datum) throws -> [UInt8] {
    let bytes = unsafe Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
    // A variable of the library that holds the function.
    typealias Release = @convention(c) (UnsafeMutableRawPointer?) -> Void
    let symbol = unsafe dlsym(dlopen("libgnutls.so.30", RTLD_NOW), "gnutls_free")
    let release = try unsafe #require(symbol).assumingMemoryBound(to: Release.self).pointee
    unsafe release(datum.data)
    return bytes
  }

  /// The public key, as a member of a set.
  func publicKey(_ id: String?) throws -> String {
    let name = id.map { #""kid":"\#($0)","# } ?? ""
    var parts = unsafe [Datum](repeating: Datum(), count: 2)
    switch algorithm {
    case .rs256:
      typealias Export =
        @convention(c) (
          Key?, UnsafeMutablePointer<Datum>?, UnsafeMutablePointer<Datum>?, UnsafeMutablePointer<Datum>?,
          UnsafeMutablePointer<Datum>?, UnsafeMutablePointer<Datum>?, UnsafeMutablePointer<Datum>?,
          UnsafeMutablePointer<Datum>?, UnsafeMutablePointer<Datum>?
        ) -> Int32
      let export = try unsafe Self.function("gnutls_privkey_export_rsa_raw", Export.self)
      let code = unsafe parts.withUnsafeMutableBufferPointer { parts in
        unsafe export(key, parts.baseAddress, parts.baseAddress?.advanced(by: 1), nil, nil, nil, nil, nil, nil)
      }
      try #require(code == 0)
      let (n, e) = try unsafe (Self.bytes(parts[0]), Self.bytes(parts[1]))
      return
        #"{"kty":"RSA",\#(name)"use":"sig","alg":"RS256","n":"\#(AccessSecret.base64URL(n))","e":"\#(AccessSecret.base64URL(e))"}"#
    case .es256:
      typealias Export =
        @convention(c) (
          Key?, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<Datum>?, UnsafeMutablePointer<Datum>?,
          UnsafeMutablePointer<Datum>?
        ) -> Int32
      let export = try unsafe Self.function("gnutls_privkey_export_ecc_raw", Export.self)
      let code = unsafe parts.withUnsafeMutableBufferPointer { parts in
        unsafe export(key, nil, parts.baseAddress, parts.baseAddress?.advanced(by: 1), nil)
      }
      try #require(code == 0)
      let (x, y) = try unsafe (Self.whole(Self.bytes(parts[0])), Self.whole(Self.bytes(parts[1])))
      return
        #"{"kty":"EC","crv":"P-256",\#(name)"x":"\#(AccessSecret.base64URL(x))","y":"\#(AccessSecret.base64URL(y))"}"#
    }
  }

  /// A token of a header and claims.
  func token(_ claims: String, header: String? = nil, id: String? = "one") throws -> String {
    let name = id.map { #","kid":"\#($0)""# } ?? ""
    let head = header ?? #"{"alg":"\#(algorithm.rawValue)","typ":"JWT"\#(name)}"#
    let text = AccessSecret.base64URL(Array(head.utf8)) + "." + AccessSecret.base64URL(Array(claims.utf8))
    return text + "." + AccessSecret.base64URL(try signature(Array(text.utf8)))
  }

  private func signature(_ text: [UInt8]) throws -> [UInt8] {
    typealias Sign =
      @convention(c) (
        Key?, UInt32, UInt32, UnsafeMutablePointer<Datum>?, UnsafeMutablePointer<Datum>?
      ) -> Int32
    typealias Decode =
      @convention(c) (
        UnsafeMutablePointer<Datum>?, UnsafeMutablePointer<Datum>?, UnsafeMutablePointer<Datum>?
      ) -> Int32
    let sign = try unsafe Self.function("gnutls_privkey_sign_data", Sign.self)
    let decode = try unsafe Self.function("gnutls_decode_rs_value", Decode.self)
    var mark = unsafe Datum()
    var text = text
    let code = unsafe text.withUnsafeMutableBufferPointer { text in
      var datum = unsafe Datum(data: text.baseAddress, size: UInt32(text.count))
      // 6 is SHA-256.
      return unsafe sign(key, 6, 0, &datum, &mark)
    }
    try #require(code == 0)
    guard algorithm == .es256 else { return try unsafe Self.bytes(mark) }
    var (r, s) = unsafe (Datum(), Datum())
    let decoded = unsafe decode(&mark, &r, &s)
    try #require(decoded == 0)
    _ = try unsafe Self.bytes(mark)
    return try unsafe Self.whole(Self.bytes(r)) + Self.whole(Self.bytes(s))
  }

  /// A number as 32 bytes.
  private static func whole(_ bytes: [UInt8]) -> [UInt8] {
    let digits = bytes.drop { $0 == 0 }
    return Array(repeating: 0, count: 32 - digits.count) + digits
  }
}

/// HMAC with SHA-256 (RFC 2104).
func hmac(_ text: [UInt8], key: [UInt8]) -> [UInt8] {
  let short = key.count > 64 ? AccessSecret.digest(of: key) : key
  let whole = short + Array(repeating: 0, count: 64 - short.count)
  let inner = AccessSecret.digest(of: whole.map { $0 ^ 0x36 } + text)
  return AccessSecret.digest(of: whole.map { $0 ^ 0x5C } + inner)
}

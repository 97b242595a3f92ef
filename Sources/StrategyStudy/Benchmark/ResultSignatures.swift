private import CGnuTLS
internal import TextFormats

/// A key that results are signed with: the private part as it was read, and the public one, 32 bytes.
package struct ResultKey: Sendable {
  /// The public part.
  package let publicKey: [UInt8]
  fileprivate let text: [UInt8]
}

/// Ed25519 by GnuTLS, which is opened when it is asked for.
@safe
package struct ResultSignatures: @unchecked Sendable {
  /// The largest file of a key that is read, in bytes.
  package static let largestKey = 16 << 10

  private let functions: coach_gnutls

  /// Opens the library; `nil` where there is none.
  package init?() {
    var functions = unsafe coach_gnutls()
    guard unsafe coach_gnutls_open(&functions) != 0 else { return nil }
    unsafe self.functions = functions
  }

  /// The text of a key file that holds these 32 bytes: PKCS #8 in PEM, as `openssl genpkey -algorithm ed25519` writes it.
  ///
  /// Source: RFC 8410, section 7.
  package static func keyFile(seed: [UInt8]) -> [UInt8] {
    precondition(seed.count == 32, "a key has 32 bytes")
    let head: [UInt8] = [
      0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
    let lines = ["-----BEGIN PRIVATE KEY-----", Base64.text(head + seed, .standard), "-----END PRIVATE KEY-----", ""]
    return Array(lines.joined(separator: "\n").utf8)
  }

  /// Reads the text of a key file; `nil` when it is no private Ed25519 key.
  package func key(_ text: [UInt8]) -> ResultKey? {
    var publicKey = [UInt8](repeating: 0, count: 32)
    let isKey = unsafe Self.withBytes(text) { text in
      unsafe publicKey.withUnsafeMutableBufferPointer { publicKey in
        unsafe withUnsafePointer(to: functions) {
          unsafe coach_gnutls_ed25519_public($0, text, publicKey.baseAddress) != 0
        }
      }
    }
    return isKey ? ResultKey(publicKey: publicKey, text: text) : nil
  }

  /// The signature of a text, 64 bytes, the same each time; `nil` when the library refuses.
  package func signature(of text: [UInt8], by key: ResultKey) -> [UInt8]? {
    var signature = [UInt8](repeating: 0, count: 64)
    let isSigned = unsafe Self.withBytes(text) { text in
      unsafe Self.withBytes(key.text) { key in
        unsafe signature.withUnsafeMutableBufferPointer { signature in
          unsafe withUnsafePointer(to: functions) {
            unsafe coach_gnutls_ed25519_sign($0, key, text, signature.baseAddress) != 0
          }
        }
      }
    }
    return isSigned ? signature : nil
  }

  /// Whether bytes are the signature of a text by the private part of a public key; never by a key whose signatures hold for any text.
  package func isSignature(_ signature: [UInt8], of text: [UInt8], by publicKey: [UInt8]) -> Bool {
    guard EdwardsPoint.canVouch(publicKey) else { return false }
    return unsafe Self.withBytes(text) { text in
      unsafe Self.withBytes(signature) { signature in
        unsafe Self.withBytes(publicKey) { key in
          unsafe withUnsafePointer(to: functions) {
            unsafe coach_gnutls_verify_ed25519($0, key, text, signature) != 0
          }
        }
      }
    }
  }

  private static func withBytes<Value>(_ bytes: [UInt8], _ body: (coach_bytes) -> Value) -> Value {
    unsafe bytes.withUnsafeBufferPointer {
      unsafe body(coach_bytes(bytes: $0.baseAddress, count: UInt32($0.count)))
    }
  }
}

private import CGnuTLS

/// The functions of GnuTLS, opened once and for good.
@safe
struct SignatureLibrary: @unchecked Sendable {
  /// The library; `nil` where there is none.
  static let shared = SignatureLibrary()

  private let functions: coach_gnutls

  private init?() {
    var functions = unsafe coach_gnutls()
    guard unsafe coach_gnutls_open(&functions) != 0 else { return nil }
    unsafe self.functions = functions
  }

  /// Whether bytes are the signature of a text by a key.
  func isSignature(_ signature: [UInt8], of text: [UInt8], by key: SigningKey.Material) -> Bool {
    unsafe Self.withBytes(text) { text in
      unsafe Self.withBytes(signature) { signature in
        switch key {
        case .rsa(let modulus, let exponent):
          unsafe Self.withBytes(modulus) { modulus in
            unsafe Self.withBytes(exponent) { exponent in
              unsafe withUnsafePointer(to: functions) {
                unsafe coach_gnutls_verify_rsa($0, modulus, exponent, text, signature) != 0
              }
            }
          }
        case .p256(let x, let y):
          unsafe Self.withBytes(x) { x in
            unsafe Self.withBytes(y) { y in
              unsafe withUnsafePointer(to: functions) {
                unsafe coach_gnutls_verify_p256($0, x, y, text, signature) != 0
              }
            }
          }
        }
      }
    }
  }

  private static func withBytes(_ bytes: [UInt8], _ body: (coach_bytes) -> Bool) -> Bool {
    unsafe bytes.withUnsafeBufferPointer {
      unsafe body(coach_bytes(bytes: $0.baseAddress, count: UInt32($0.count)))
    }
  }
}

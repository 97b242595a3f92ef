import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutTestSupport

@Suite("SHA-256")
struct SHA256Tests {
  @Test("The examples of NIST come out")
  func examples() {
    let cases: [(String, String)] = [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ]
    for (text, expected) in cases { #expect(SHA256.hex(of: text.utf8.span) == expected) }
  }

  @Test("Pieces of any size give the same hash as the whole", arguments: 0..<40)
  func pieces(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = (0..<Int.random(in: 0...400, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    var hash = SHA256()
    var start = 0
    while start < bytes.count {
      let count = Int.random(in: 0...min(130, bytes.count - start), using: &random)
      hash.update(bytes.span.extracting(start..<start + count))
      start += count
    }
    #expect(hash.finish().hexadecimal == SHA256.hex(of: bytes.span), "seed \(seed)")
  }
}

@Suite("MD5")
struct MD5Tests {
  @Test("The examples of RFC 1321 come out")
  func examples() {
    let cases = [
      ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
      ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
      ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
      ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"),
      (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ]
    for (text, expected) in cases { #expect(MD5.hex(of: text.utf8.span) == expected) }
  }
}

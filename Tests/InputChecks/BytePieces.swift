internal import TestSupport

/// Cuts bytes into pieces at places that the bytes themselves decide, so that an input that failed fails again.
struct BytePieces {
  /// Where each piece ends; the last one at the end of the bytes.
  let ends: [Int]

  /// Decides the pieces: for a quarter of all inputs single bytes, for a quarter pieces of one small size, else pieces of
  /// many sizes.
  init(of bytes: [UInt8]) {
    var random = SplitMix64(seed: Self.hash(bytes))
    let manner = random.int(0...3)
    let size = random.int(2...64)
    var ends: [Int] = []
    var end = 0
    while end < bytes.count {
      switch manner {
      case 0: end += 1
      case 1: end += size
      default: end += 1 + random.int(0...(1 << random.int(0...10)))
      }
      ends.append(min(end, bytes.count))
    }
    self.ends = ends
  }

  /// Gives every piece of the bytes to `body`, in order.
  func forEach<E: Error>(of bytes: [UInt8], _ body: (Span<UInt8>) throws(E) -> Void) throws(E) {
    var start = 0
    for end in ends {
      try body(bytes.span.extracting(start..<end))
      start = end
    }
  }

  /// FNV-1a with 64 bits.
  ///
  /// Source: Fowler, Noll, Vo, *The FNV Non-Cryptographic Hash Algorithm* (draft-eastlake-fnv), section 5.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

/// A number made of bytes (FNV-1a in 64 bits), the same in every run.
///
/// Source: G. Fowler, L.C. Noll, K.-P. Vo, D. Eastlake (2019), The FNV Non-Cryptographic Hash Algorithm.
package struct ContentHash: Sendable {
  /// The number so far.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The number of no bytes.
  package init() {}

  /// Takes a byte.
  package mutating func add(_ byte: UInt8) { add(word: UInt64(byte)) }

  /// Takes eight bytes in one step, which gives another number than one after the other.
  package mutating func add(word: UInt64) { value = (value ^ word) &* 0x0000_0100_0000_01B3 }

  /// Takes the bits of a number.
  package mutating func add(_ number: Double) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      add(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
    }
  }
}

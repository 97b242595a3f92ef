@testable import Recordings
import TestSupport
import Testing
@testable import WorkoutTestSupport

@Suite("The checksum of FIT")
struct FITChecksumTests {
  @Test("the checksum of nine digits is the one that is published for it")
  func published() {
    // Source: the catalogue of parametrised CRC algorithms (Cook), CRC-16/ARC, check value.
    #expect(checksum(Array("123456789".utf8)) == 0xBB3D)
  }

  @Test("it is that of a calculation bit by bit, for every length and every cut")
  func bits() {
    var random = SplitMix64(seed: 7)
    for count in 0..<200 { check(count, &random) }
  }

  @Test("it is that of a calculation bit by bit, of so many bytes that they are taken in blocks", arguments: 1...40)
  func blocks(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    check(random.int(500...3_000), &random)
  }

  /// Holds some random bytes, whole and in two pieces, against a calculation bit by bit.
  private func check(_ count: Int, _ random: inout SplitMix64) {
    let bytes = (0..<count).map { _ in UInt8(random.int(0...255)) }
    let expected = FITBuilder.checksum(bytes)
    #expect(checksum(bytes) == expected, "\(count) bytes")
    let cut = random.int(0...count)
    var sum = FITChecksum()
    unsafe sum.update(bytes.span.extracting(0..<cut).bytes)
    unsafe sum.update(bytes.span.extracting(cut..<count).bytes)
    #expect(sum.value == expected, "\(count) bytes cut at \(cut)")
  }

  private func checksum(_ bytes: [UInt8]) -> UInt16 {
    var sum = FITChecksum()
    unsafe sum.update(bytes.span.bytes)
    return sum.value
  }
}

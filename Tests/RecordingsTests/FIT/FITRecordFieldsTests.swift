import TestSupport
import Testing
@testable import Recordings

@Suite("Fields of a FIT record that are read at once")
struct FITRecordFieldsTests {
  private typealias Field = FITBuilder.Field

  private static let types: [FITBuilder.BaseType] = [
    .enumeration, .uint8, .byte, .uint8z, .uint16, .uint16z, .uint32, .uint32z, .sint32,
  ]

  @Test("are those that are read one by one", arguments: 1...300 as ClosedRange<UInt64>)
  func sameAsSingle(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let isBigEndian = random.chance(0.5)
    // At most eight fields of all types, in any order and with others between them.
    var (slots, size): ([FITSlot], Int) = ([], 0)
    for _ in 0..<random.int(0...8) {
      size += random.int(0...3)
      let type = random.pick(Self.types)
      slots.append(
        random.chance(0.1) ? .none : FITSlot(offset: Int32(size), type: FITBaseType(code: type.rawValue)))
      size += type.size
    }
    size = max(size, random.int(0...6))
    let fields = FITRecordFields(slots, size: size, isBigEndian: isBigEndian)
    guard var fields else {
      // A record of three bytes, or a processor without AVX2.
      return
    }
    for _ in 0..<20 {
      // All bits set, or none, are marks of absence, and so are those but the first.
      let bytes = (0..<size).map { _ in random.chance(0.4) ? random.pick([0xFF, 0, 0x7F]) : UInt8(random.int(0...255)) }
      let numbers = unsafe fields.read(bytes.span.bytes)
      for index in 0..<FITRecordFields.count {
        let single =
          index < slots.count ? unsafe slots[index].number(in: bytes.span.bytes, isBigEndian: isBigEndian) : .nan
        #expect(numbers[index].bitPattern == single.bitPattern, "seed \(seed), field \(index)")
      }
    }
  }

  @Test(
    "are none where one of them has another type", arguments: [FITBuilder.BaseType.sint16, .float32, .uint64, .string])
  func others(type: FITBuilder.BaseType) {
    let slot = FITSlot(offset: 0, type: FITBaseType(code: type.rawValue))
    #expect(FITRecordFields([slot], size: 8, isBigEndian: false) == nil)
  }
}

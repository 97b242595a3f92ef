internal import ActivityRecognition
private import CWideVectors

/// Where the usual readings of a record stand, of which a processor with AVX2 reads all at once.
struct FITRecordFields: Sendable {
  /// How many there are.
  static let count = 8

  /// How the numbers are read, see `record_fields.h`.
  private var plan = InlineArray<32, UInt32>(repeating: 0)
  private let size: Int

  /// The fields of records of a size; `nil` where one of them is no whole number of one, two or four bytes, or the processor reads
  /// them one by one.
  ///
  /// - Parameter slots: at most ``count``, each within the record; one that does not exist is never a number.
  init?(_ slots: [FITSlot], size: Int, isBigEndian: Bool) {
    guard VectorWidth.widest > .four, size >= 4, slots.count <= Self.count else { return nil }
    self.size = size
    for field in 0..<Self.count {
      plan[24 + field] = 0x8080_8080
      guard field < slots.count, let type = slots[field].type else { continue }
      guard let absence = Self.absence(of: type) else { return nil }
      // Four bytes from there on are all within the record.
      let start = Int(slots[field].offset)
      let offset = min(start, size - 4)
      plan[field] = UInt32(offset)
      plan[8 + field] = absence
      plan[16 + field] = type == .sint32 ? 0x8000_0000 : 0
      for byte in 0..<type.size {
        let shift = 8 * (isBigEndian ? type.size - 1 - byte : byte)
        let place = UInt32(field % 4 * 4 + start - offset + byte)
        plan[24 + field] = plan[24 + field] & ~(0xFF << shift) | place << shift
      }
    }
  }

  /// The bits that say that there is no value; `nil` of a type that is not read.
  private static func absence(of type: FITBaseType) -> UInt32? {
    switch type {
    case .uint8, .enumeration, .byte: 0xFF
    case .uint16: 0xFFFF
    case .uint32: 0xFFFF_FFFF
    case .sint32: 0x7FFF_FFFF
    case .uint8z, .uint16z, .uint32z: 0
    case .sint8, .sint16, .sint64, .uint64, .uint64z, .float32, .float64, .string: nil
    }
  }

  /// The numbers of a record, as they are written; what is absent is not a number.
  ///
  /// - Precondition: the record has the size that was said.
  @inline(__always)
  mutating func read(_ record: RawSpan) -> InlineArray<8, Double> {
    precondition(record.byteCount == size, "records are as long as their definition says")
    var numbers = InlineArray<8, Double>(repeating: 0)
    unsafe record.withUnsafeBytes { record in
      unsafe plan.span.withUnsafeBufferPointer { plan in
        var span = numbers.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer { numbers in
          unsafe coach_read_fields(
            record.baseAddress?.assumingMemoryBound(to: UInt8.self), plan.baseAddress, numbers.baseAddress)
        }
      }
    }
    return numbers
  }
}

/// The header of a FIT file.
struct FITHeader: Sendable {
  /// The fewest bytes that show whether there is a header.
  static let smallest = 12

  /// The bytes of the header: 12, 14, or more in times to come.
  let size: Int
  /// The bytes of the messages; devices that lost their power leave 0.
  let dataSize: Int

  /// The header at a place; `nil` when there is none.
  init?(_ bytes: RawSpan, at start: Int) {
    guard Self.isSigned(bytes, at: start), bytes.byte(start) >= Self.smallest else { return nil }
    size = Int(bytes.byte(start))
    dataSize = bytes.word(start + 4)
  }

  /// Whether a header stands at a place.
  static func stands(in bytes: RawSpan, at start: Int) -> Bool { FITHeader(bytes, at: start) != nil }

  /// Whether the header has a checksum, which may be 0 for none, and it is wrong.
  ///
  /// - Precondition: the whole header is there.
  func hasWrongChecksum(_ bytes: RawSpan, at start: Int) -> Bool {
    guard size >= 14, bytes.short(start + 12) != 0 else { return false }
    return bytes.short(start + 12) != Self.checksum(bytes, start..<start + 12)
  }

  /// Whether the two bytes behind the header are the checksum of a file without messages.
  ///
  /// - Precondition: both bytes are there.
  func endsFile(_ bytes: RawSpan, at start: Int) -> Bool {
    let stored = bytes.short(start + size)
    return stored == 0 || stored == Self.checksum(bytes, start..<start + size)
  }

  /// Why all the bytes are no FIT file.
  static func problem(_ bytes: RawSpan) -> DecodingProblem {
    if bytes.isEmpty {
      return DecodingProblem(position: "byte 0", problem: "empty: expected the header of a FIT file")
    }
    if bytes.byteCount < smallest {
      return DecodingProblem(
        position: "byte \(bytes.byteCount)",
        problem: "ends early: expected the header of a FIT file, of 12 or 14 bytes")
    }
    if isSigned(bytes, at: 0) {
      return DecodingProblem(
        position: "byte 0", problem: "not a FIT file: expected a header of 12 or 14 bytes, found \(bytes.byte(0))")
    }
    return DecodingProblem(position: "byte 8", problem: "not a FIT file: expected .FIT")
  }

  private static func isSigned(_ bytes: RawSpan, at start: Int) -> Bool {
    // The letters .FIT, the first one least significant.
    bytes.byteCount - start >= smallest && bytes.word(start + 8) == 0x5449_462E
  }

  private static func checksum(_ bytes: RawSpan, _ range: Range<Int>) -> UInt16 {
    var sum = FITChecksum()
    sum.update(bytes.extracting(range))
    return sum.value
  }
}

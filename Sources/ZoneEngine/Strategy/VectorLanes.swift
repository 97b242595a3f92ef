// What a processor does to sixteen numbers at once. Masks are numbers whose bits are all set or none, and are made of the sign
// of a difference: of comparisons of vectors, and of choosing by their masks, this toolchain often makes loops over the lanes.
// So the numbers have to lie within ``SIMD16/farthest``.

extension SIMD16<Int32> {
  /// How far from zero numbers may lie that are compared.
  static var farthest: Int32 { 1 << 29 }

  /// Sixteen numbers that stand one after another.
  @inline(__always)
  init(_ numbers: InlineArray<28, Int32>, from start: Int) {
    self.init(
      numbers[start], numbers[start + 1], numbers[start + 2], numbers[start + 3], numbers[start + 4],
      numbers[start + 5], numbers[start + 6], numbers[start + 7], numbers[start + 8], numbers[start + 9],
      numbers[start + 10], numbers[start + 11], numbers[start + 12], numbers[start + 13], numbers[start + 14],
      numbers[start + 15])
  }

  /// All bits in the lanes that are less than those of others, none elsewhere.
  @inline(__always)
  func less(than other: SIMD16<Int32>) -> SIMD16<Int32> { (self &- other) &>> 31 }

  /// All bits in the lanes that are not above a limit, none elsewhere.
  @inline(__always)
  func notAbove(_ limit: Int32) -> SIMD16<Int32> { less(than: SIMD16(repeating: limit &+ 1)) }

  /// These where all bits of a mask are set, and a number elsewhere.
  @inline(__always)
  func lanes(where mask: SIMD16<Int32>, otherwise: Int32) -> SIMD16<Int32> {
    (self & mask) | (SIMD16(repeating: otherwise) & ~mask)
  }

  /// These where they are not above a limit, and the least number elsewhere.
  @inline(__always)
  func upTo(_ limit: Int32) -> SIMD16<Int32> { lanes(where: notAbove(limit), otherwise: -Self.farthest) }

  /// The greater one in each lane.
  @inline(__always)
  func greater(_ other: SIMD16<Int32>) -> SIMD16<Int32> {
    let mask = less(than: other)
    return (other & mask) | (self & ~mask)
  }

  /// The greatest of all lanes.
  @inline(__always)
  var greatest: Int32 {
    var result = self[0]
    for lane in 1..<16 { result = Swift.max(result, self[lane]) }
    return result
  }
}

extension [UInt8] {
  /// Appends a number, its lowest byte first.
  @inlinable
  package mutating func appendLittleEndian(_ number: some FixedWidthInteger & UnsignedInteger) {
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }

  /// Writes a number over bytes that are there, its lowest byte first.
  ///
  /// - Precondition: there are as many bytes from `place` on as the number has.
  @inlinable
  package mutating func writeLittleEndian(_ number: some FixedWidthInteger & UnsignedInteger, at place: Int) {
    var rest = number
    for index in place..<(place + type(of: number).bitWidth / 8) {
      self[index] = UInt8(truncatingIfNeeded: rest)
      rest >>= 8
    }
  }

  /// Appends bytes.
  @inlinable
  package mutating func append(span: Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

extension Span<UInt8> {
  /// The number at a place, its lowest byte first.
  ///
  /// - Precondition: there are as many bytes from `place` on as the number has.
  @inlinable
  package func littleEndian<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type, at place: Int) -> Number {
    var number: Number = 0
    for index in (0..<(Number.bitWidth / 8)).reversed() {
      number = number << 8 | Number(truncatingIfNeeded: self[place + index])
    }
    return number
  }
}

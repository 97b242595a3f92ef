/// Bits one after another, the lowest of each byte first.
struct BitWriter {
  /// The whole bytes so far.
  private(set) var bytes: [UInt8] = []
  private var held: UInt64 = 0
  private var heldCount = 0
  /// Beside up to seven bits that are held, so many fit into a word.
  static let mostAtOnce = 57

  /// Appends the lowest `count` bits of a number, which has no others.
  ///
  /// - Precondition: `count` is in 0…64.
  mutating func write(_ number: UInt64, _ count: Int) {
    guard count <= Self.mostAtOnce else {
      write(number & 0xFFFF_FFFF, 32)
      return write(number >> 32, count - 32)
    }
    held |= number << UInt64(heldCount)
    heldCount += count
    while heldCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: held))
      held >>= 8
      heldCount -= 8
    }
  }

  /// Appends one bit.
  mutating func write(_ bit: Bool) { write(bit ? 1 : 0, 1) }

  /// Gives the bytes, the last one filled with zeros, and begins anew.
  mutating func take() -> [UInt8] {
    if heldCount > 0 { bytes.append(UInt8(truncatingIfNeeded: held)) }
    defer { self = BitWriter() }
    return bytes
  }
}

/// Reads what a ``BitWriter`` wrote. Behind the end there are zeros, and ``isExhausted`` says so.
struct BitReader {
  /// Whether more bits were asked for than there are.
  private(set) var isExhausted = false
  private let bytes: [UInt8]
  private var place = 0
  private var held: UInt64 = 0
  private var heldCount = 0

  /// A reader of bytes.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next `count` bits as a number.
  ///
  /// - Precondition: `count` is in 0…64.
  mutating func read(_ count: Int) -> UInt64 {
    guard count <= 32 else { return read(32) | read(count - 32) << 32 }
    while heldCount < count {
      if place < bytes.count {
        held |= UInt64(bytes[place]) << UInt64(heldCount)
        place += 1
      } else {
        isExhausted = true
      }
      heldCount += 8
    }
    let number = held & (1 << UInt64(count) - 1)
    held >>= UInt64(count)
    heldCount -= count
    return number
  }

  /// The next bit.
  mutating func readBit() -> Bool { read(1) == 1 }

  /// How many ones come next, `most` at most. The zero behind fewer of them is read too.
  ///
  /// - Precondition: `most` is in 0…32.
  mutating func readOnes(most: Int) -> Int {
    while heldCount <= most, place < bytes.count {
      held |= UInt64(bytes[place]) << UInt64(heldCount)
      place += 1
      heldCount += 8
    }
    let ones = min((~held).trailingZeroBitCount, most)
    let count = ones < most ? ones + 1 : ones
    guard count <= heldCount else {
      // Behind the end there are zeros, of which the first is one that was asked for.
      _ = read(count)
      return ones
    }
    held >>= UInt64(count)
    heldCount -= count
    return ones
  }

  /// Whether nothing is left but the zeros that fill the last byte.
  var isAtEnd: Bool { !isExhausted && place == bytes.count && heldCount < 8 && held == 0 }
}

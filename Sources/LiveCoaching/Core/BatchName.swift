/// The name of lines that are sent together.
struct BatchName: Hashable, Sendable {
  /// A name that ends in a number, as those do that count: what is before the number, and the number.
  struct Counted: Hashable, Sendable {
    /// FNV-1a of the bytes before the number, the zeros that lead it among them.
    let prefix: UInt64
    /// The number, of at most ``mostDigits`` digits: those before belong to the prefix.
    let number: UInt64

    static let mostDigits = 18

    /// The number that stands for the whole name.
    var name: UInt64 {
      var divisor: UInt64 = 1
      while number / divisor >= 10 { divisor *= 10 }
      var hash = prefix
      while divisor > 0 {
        hash = BatchName.hash(hash, UInt8(ascii: "0") + UInt8(number / divisor % 10))
        divisor /= 10
      }
      return BatchName.number(ofHash: hash)
    }
  }

  /// The number that stands for it, never 0.
  let number: UInt64
  /// What it counts; absent for a name that ends in no number, and where only the number that stands for it is known.
  let counted: Counted?
  /// Whether other lines under it are refused; else they are taken for the same.
  let isOfItsLines: Bool

  /// A name as a sender writes it.
  init(_ name: String, isOfItsLines: Bool) {
    let bytes = name.utf8.span
    var hash = Self.start
    for index in bytes.indices { hash = Self.hash(hash, bytes[index]) }
    number = Self.number(ofHash: hash)
    counted = Self.counted(bytes, hash)
    self.isOfItsLines = isOfItsLines
  }

  /// What a name counts: the hash of its bytes is undone digit by digit, from the last one on.
  private static func counted(_ name: Span<UInt8>, _ hash: UInt64) -> Counted? {
    var counted: Counted?
    var (prefix, number, worth) = (hash, 0 as UInt64, 1 as UInt64)
    var index = name.count
    while index > 0, name.count - index < Counted.mostDigits {
      index -= 1
      let byte = name[index]
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
      prefix = undone(prefix) ^ UInt64(byte)
      number += UInt64(byte & 0xF) * worth
      worth *= 10
      // Zeros that lead a number are no part of it; that of a 0 alone is.
      if byte != UInt8(ascii: "0") || counted == nil { counted = Counted(prefix: prefix, number: number) }
    }
    return counted
  }

  /// A name of which the number is known that stands for it.
  init(number: UInt64, isOfItsLines: Bool) {
    self.number = number
    counted = nil
    self.isOfItsLines = isOfItsLines
  }

  private static let factor: UInt64 = 0x0000_0100_0000_01b3
  private static let start: UInt64 = 0xcbf2_9ce4_8422_2325

  private static func number(ofHash hash: UInt64) -> UInt64 { hash == 0 ? 1 : hash }

  private static func hash(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* factor }

  /// The number that stands for a name, never 0: FNV-1a of its bytes.
  static func number(of name: String) -> UInt64 { BatchName(name, isOfItsLines: true).number }

  /// The number without what the last byte of a name was multiplied by: names that differ in the low half of their last byte alone,
  /// such as those that count, differ in the low half of its last byte alone. No two numbers have the same.
  static func undone(_ number: UInt64) -> UInt64 { number &* 0xce96_5057_aff6_957b }

  /// The number of which ``undone(_:)`` makes a number.
  static func redone(_ undone: UInt64) -> UInt64 { undone &* factor }
}

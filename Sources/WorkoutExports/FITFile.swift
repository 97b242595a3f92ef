internal import Recordings

/// The bytes of one FIT file, little-endian, without compressed timestamps.
struct FITFile {
  /// A field of a definition message: number, type, and the bytes of a text.
  struct Field {
    let number: UInt8
    let type: FITBaseType
    let size: Int

    init(_ number: UInt8, _ type: FITBaseType, bytes: Int? = nil) {
      self.number = number
      self.type = type
      size = bytes ?? type.size
    }
  }

  /// The messages.
  private var data: [UInt8] = []

  /// Defines what the messages of a local number hold.
  ///
  /// - Precondition: `local` is in 0…15 and there are at most 255 fields.
  mutating func define(_ local: UInt8, _ message: UInt16, _ fields: [Field]) {
    data.append(0x40 | local)
    data.append(contentsOf: [0, 0])
    append(message)
    data.append(UInt8(fields.count))
    for field in fields { data.append(contentsOf: [field.number, UInt8(field.size), field.type.code]) }
  }

  /// Defines what the messages of a local number hold, with fields of our own behind those of the profile.
  ///
  /// - Precondition: `local` is in 0…15 and there are at most 255 fields of each kind.
  mutating func define(
    _ local: UInt8, _ message: UInt16, _ fields: [Field], developer: [(number: UInt8, size: Int)]
  ) {
    let start = data.count
    define(local, message, fields)
    guard !developer.isEmpty else { return }
    data[start] |= 0x20
    data.append(UInt8(developer.count))
    for field in developer { data.append(contentsOf: [field.number, UInt8(field.size), 0]) }
  }

  /// Begins a message; its values follow in the order of its fields.
  mutating func begin(_ local: UInt8) { data.append(local) }

  /// Appends a whole number.
  mutating func append(_ value: some FixedWidthInteger) {
    var rest = UInt64(truncatingIfNeeded: value)
    for _ in 0..<value.bitWidth / 8 {
      data.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Appends the bytes of a text and a zero behind them.
  mutating func append(_ text: [UInt8]) {
    data.append(contentsOf: text)
    data.append(0)
  }

  /// Gives the whole file: header of 14 bytes, messages, checksum.
  ///
  /// - Precondition: the messages have less than 4 GiB, of which 20 million records need a fifth.
  func write(to output: (Span<UInt8>) throws -> Void) rethrows {
    // Version 2.0 of the protocol; the version of the profile whose fields are used.
    var head = FITFile()
    head.data = [14, 0x20]
    head.append(UInt16(2132))
    head.append(UInt32(data.count))
    head.data.append(contentsOf: ".FIT".utf8)
    head.append(Self.checksum([head.data]))
    try output(head.data.span)
    try output(data.span)
    var tail = FITFile()
    tail.append(Self.checksum([head.data, data]))
    try output(tail.data.span)
  }

  private static func checksum(_ parts: [[UInt8]]) -> UInt16 {
    var sum = FITChecksum()
    for part in parts { unsafe sum.update(part.span.bytes) }
    return sum.value
  }
}

/// A field of a definition message.
struct FITField: Sendable {
  /// The number that the profile, or the developer, gives the field.
  let number: UInt8
  /// Bytes from the beginning of the content.
  let offset: Int
  /// The bytes of the field, of one value or several.
  let size: Int
  /// The base type; `nil` for the plain bytes of a field whose type is not known or does not fit its size.
  let type: FITBaseType?
  /// Whose field it is; `nil` for one of the profile.
  let developer: UInt8?

  /// The slot of the value at an index.
  func slot(_ index: Int = 0) -> FITSlot {
    guard let type, (index + 1) * type.size <= size else { return .none }
    return FITSlot(offset: Int32(offset + index * type.size), type: type)
  }

  /// How many values the field has.
  var count: Int { type.map { size / $0.size } ?? 0 }
}

/// What the data messages of one local number hold.
struct FITDefinition: Sendable {
  /// The number of the kind of message, as the profile has it.
  let message: UInt16
  /// Whether the most significant byte of a number comes first.
  let isBigEndian: Bool
  /// The fields of the profile, then those of developers, in their order.
  let fields: [FITField]
  /// The bytes of the content.
  let size: Int
  /// Where the time stands.
  let timestamp: FITSlot
  /// Whether a field's size does not fit its type.
  let hasOddFieldSize: Bool

  /// The bytes of a whole definition message whose first bytes, with the header, are `bytes`, or the bytes that are
  /// needed to decide.
  ///
  /// - Precondition: `bytes` is not empty.
  static func size(_ bytes: RawSpan) -> (size: Int, isKnown: Bool) {
    guard bytes.byteCount >= 6 else { return (6, false) }
    let fields = 6 + 3 * Int(bytes.byte(5))
    guard bytes.byte(0) & 0x20 != 0 else { return (fields, true) }
    guard bytes.byteCount > fields else { return (fields + 1, false) }
    return (fields + 1 + 3 * Int(bytes.byte(fields)), true)
  }

  /// Reads a whole definition message with its header.
  ///
  /// Returns `nil` when it cannot be one: an order of bytes that does not exist, or a message without a number.
  /// - Precondition: `bytes` is as long as `size(_:)` says.
  init?(_ bytes: RawSpan) {
    let architecture = bytes.byte(2)
    let isBigEndian = architecture == 1
    let low = UInt16(bytes.byte(isBigEndian ? 4 : 3))
    let message = low | UInt16(bytes.byte(isBigEndian ? 3 : 4)) << 8
    guard architecture <= 1, message != .max else { return nil }
    var fields: [FITField] = []
    var offset = 0
    var hasOddFieldSize = false
    var timestamp = FITSlot.none
    let count = Int(bytes.byte(5))
    for index in 0..<count {
      let place = 6 + 3 * index
      let size = Int(bytes.byte(place + 1))
      var type = FITBaseType(code: bytes.byte(place + 2))
      if let known = type, size % known.size != 0 || size == 0 {
        type = nil
        hasOddFieldSize = hasOddFieldSize || size != 0
      }
      let field = FITField(
        number: bytes.byte(place), offset: offset, size: size, type: type, developer: nil)
      if field.number == FITProfile.timestamp, !timestamp.exists { timestamp = field.slot() }
      fields.append(field)
      offset += size
    }
    if bytes.byte(0) & 0x20 != 0 {
      let start = 6 + 3 * count
      for index in 0..<Int(bytes.byte(start)) {
        let place = start + 1 + 3 * index
        let size = Int(bytes.byte(place + 1))
        fields.append(
          FITField(
            number: bytes.byte(place), offset: offset, size: size, type: nil, developer: bytes.byte(place + 2)))
        offset += size
      }
    }
    self.message = message
    self.isBigEndian = isBigEndian
    self.fields = fields
    self.size = offset
    self.timestamp = timestamp
    self.hasOddFieldSize = hasOddFieldSize
  }

  /// Whether bytes at a place that is not certain are probably a definition: nothing in them is unusual.
  ///
  /// - Precondition: `bytes` is as long as `size(_:)` says.
  static func isProbable(_ bytes: RawSpan) -> Bool {
    let count = Int(bytes.byte(5))
    guard bytes.byte(1) == 0, count > 0 else { return false }
    var seen = InlineArray<256, Bool>(repeating: false)
    for place in stride(from: 6, to: 6 + 3 * count, by: 3) {
      let number = Int(bytes.byte(place))
      let size = Int(bytes.byte(place + 1))
      guard let type = FITBaseType(code: bytes.byte(place + 2)), type.code == bytes.byte(place + 2),
        size > 0, size % type.size == 0, !seen[number]
      else { return false }
      seen[number] = true
    }
    return FITDefinition(bytes) != nil
  }

  /// The field of the profile with a number; the first of several.
  func field(_ number: UInt8) -> FITField? { fields.first { $0.number == number && $0.developer == nil } }

  /// The field of a developer with a number; the first of several.
  func field(_ number: UInt8, ofDeveloper developer: UInt8) -> FITField? {
    fields.first { $0.number == number && $0.developer == developer }
  }

  /// Where the first value of a field stands.
  func slot(_ number: UInt8) -> FITSlot { field(number)?.slot() ?? .none }

  /// The number in a field of a message; `nan` when there is none.
  func number(_ number: UInt8, in message: RawSpan) -> Double {
    slot(number).number(in: message, isBigEndian: isBigEndian)
  }

  /// The whole number in a field of a message; `nil` when there is none.
  func integer(_ number: UInt8, in message: RawSpan) -> Int? {
    slot(number).integer(in: message, isBigEndian: isBigEndian)
  }

  /// The text in a field of a message up to its zero byte; `nil` when there is none, or none that can be shown.
  func text(_ number: UInt8, in message: RawSpan) -> String? {
    guard let field = field(number), field.type == .string else { return nil }
    return text(of: field, in: message)
  }

  /// The text in the bytes of a field, whatever its type; `nil` when there is none, or none that can be shown.
  func text(of field: FITField, in message: RawSpan) -> String? {
    var bytes: [UInt8] = []
    for index in field.offset..<field.offset + field.size {
      let byte = message.byte(index)
      if byte == 0 { break }
      bytes.append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: " ") : byte)
    }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

extension RawSpan {
  /// The byte at an index.
  ///
  /// - Precondition: the index is in 0..<byteCount.
  @inline(__always)
  func byte(_ index: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self) }

  /// The 16 bits at an index, the least significant byte first.
  ///
  /// - Precondition: both bytes are there.
  func short(_ index: Int) -> UInt16 { UInt16(byte(index)) | UInt16(byte(index + 1)) << 8 }

  /// The 32 bits at an index, the least significant byte first.
  ///
  /// - Precondition: all four bytes are there.
  func word(_ index: Int) -> Int { Int(short(index)) | Int(short(index + 2)) << 16 }
}

/// Makes the bytes of FIT files, right and wrong ones, from the words of the protocol and without the decoder.
public struct FITBuilder: Sendable {
  /// A base type with its code.
  public enum BaseType: UInt8, CaseIterable, Sendable {
    case enumeration = 0x00
    case sint8 = 0x01
    case uint8 = 0x02
    case string = 0x07
    case uint8z = 0x0A
    case byte = 0x0D
    case sint16 = 0x83
    case uint16 = 0x84
    case sint32 = 0x85
    case uint32 = 0x86
    case float32 = 0x88
    case float64 = 0x89
    case uint16z = 0x8B
    case uint32z = 0x8C
    case sint64 = 0x8E
    case uint64 = 0x8F
    case uint64z = 0x90

    /// The bytes of one value.
    public var size: Int {
      switch self {
      case .enumeration, .sint8, .uint8, .string, .uint8z, .byte: 1
      case .sint16, .uint16, .uint16z: 2
      case .sint32, .uint32, .uint32z, .float32: 4
      case .float64, .sint64, .uint64, .uint64z: 8
      }
    }

    /// The bits that mean "no value".
    public var invalid: UInt64 {
      switch self {
      case .enumeration, .uint8, .byte: 0xFF
      case .sint8: 0x7F
      case .sint16: 0x7FFF
      case .uint16: 0xFFFF
      case .sint32: 0x7FFF_FFFF
      case .uint32, .float32: 0xFFFF_FFFF
      case .sint64: 0x7FFF_FFFF_FFFF_FFFF
      case .uint64, .float64: .max
      case .string, .uint8z, .uint16z, .uint32z, .uint64z: 0
      }
    }
  }

  /// A field of a definition.
  public struct Field: Sendable {
    /// Its number.
    public var number: UInt8
    /// Its base type.
    public var type: BaseType
    /// The bytes of all its values; not always a multiple of the type's.
    public var size: UInt8
    /// The index of its developer; absent for a field of the profile.
    public var developer: UInt8?

    /// Creates a field of one value or several.
    public init(_ number: UInt8, _ type: BaseType, count: Int = 1, size: Int? = nil, developer: UInt8? = nil) {
      self.number = number
      self.type = type
      self.size = UInt8(size ?? count * type.size)
      self.developer = developer
    }
  }

  /// What is put into a field.
  public enum Value: Sendable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByNilLiteral
  {
    /// The mark for "no value".
    case none
    /// A whole number.
    case integer(Int)
    /// A number with decimals.
    case real(Double)
    /// A text, ended by a zero byte where there is room.
    case text(String)
    /// Several values.
    case list([Value])

    /// The mark for "no value".
    public init(nilLiteral: ()) { self = .none }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number with decimals.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Several values.
    public init(arrayLiteral elements: Value...) { self = .list(elements) }
  }

  /// The kinds of headers.
  public enum Header: CaseIterable, Sendable {
    /// 12 bytes.
    case short
    /// 14 bytes with a checksum.
    case long
    /// 14 bytes with 0 for a checksum.
    case longWithoutChecksum
    /// 14 bytes with a wrong checksum.
    case longWithWrongChecksum

    /// The bytes of it.
    public var size: Int { self == .short ? 12 : 14 }
  }

  /// The messages so far.
  public private(set) var data: [UInt8] = []
  private var definitions: [Int: (fields: [Field], isBigEndian: Bool)] = [:]

  /// Creates a file without a message.
  public init() {}

  /// Adds a definition message.
  public mutating func define(_ local: Int, message: Int, isBigEndian: Bool = false, _ fields: [Field]) {
    let own = fields.filter { $0.developer == nil }
    let developers = fields.filter { $0.developer != nil }
    definitions[local] = (own + developers, isBigEndian)
    data.append(0x40 | UInt8(local) | (developers.isEmpty ? 0 : 0x20))
    data += [0, isBigEndian ? 1 : 0]
    append(UInt64(message), size: 2, isBigEndian)
    data.append(UInt8(own.count))
    for field in own { data += [field.number, field.size, field.type.rawValue] }
    guard !developers.isEmpty else { return }
    data.append(UInt8(developers.count))
    for field in developers { data += [field.number, field.size, field.developer ?? 0] }
  }

  /// Adds a data message of a local number; values that are missing at the end are "no value".
  public mutating func message(_ local: Int, _ values: [Value]) {
    data.append(UInt8(local))
    content(local, values)
  }

  /// Adds a data message with a compressed timestamp; the local number is in 0...3.
  public mutating func message(_ local: Int, timeOffset: Int, _ values: [Value]) {
    data.append(0x80 | UInt8(local) << 5 | UInt8(timeOffset & 0x1F))
    content(local, values)
  }

  /// Adds any bytes.
  public mutating func raw(_ bytes: [UInt8]) { data += bytes }

  /// The whole file.
  ///
  /// - Parameter dataSize: what the header states as size of the messages; absent for the truth.
  /// - Parameter checksum: what stands at the end; absent for the truth.
  public func file(_ header: Header = .long, dataSize: Int? = nil, checksum: UInt16? = nil) -> [UInt8] {
    var file: [UInt8] = [UInt8(header.size), 0x20, 0x54, 0x08]
    let size = UInt32(dataSize ?? data.count)
    for shift in [0, 8, 16, 24] { file.append(UInt8(truncatingIfNeeded: size >> UInt32(shift))) }
    file += Array(".FIT".utf8)
    switch header {
    case .short: break
    case .long: file += Self.littleEndian(Self.checksum(file))
    case .longWithoutChecksum: file += [0, 0]
    case .longWithWrongChecksum: file += Self.littleEndian(Self.checksum(file) ^ 0x0101)
    }
    file += data
    return file + Self.littleEndian(checksum ?? Self.checksum(file))
  }

  /// The checksum of bytes, bit by bit.
  ///
  /// Source: FIT protocol, section "CRC": polynomial 0x8005, reflected, beginning with 0.
  public static func checksum(_ bytes: [UInt8]) -> UInt16 {
    var crc: UInt16 = 0
    for byte in bytes {
      crc ^= UInt16(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xA001 : crc >> 1 }
    }
    return crc
  }

  private static func littleEndian(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

  private mutating func content(_ local: Int, _ values: [Value]) {
    guard let definition = definitions[local] else { preconditionFailure("local number \(local) is defined first") }
    for (index, field) in definition.fields.enumerated() {
      append(index < values.count ? values[index] : .none, field, definition.isBigEndian)
    }
  }

  private mutating func append(_ value: Value, _ field: Field, _ isBigEndian: Bool) {
    let end = data.count + Int(field.size)
    switch value {
    case .text(let text): data += text.utf8.prefix(Int(field.size))
    case .list(let values): for value in values { append(bits(value, field.type), size: field.type.size, isBigEndian) }
    case .integer, .real: append(bits(value, field.type), size: field.type.size, isBigEndian)
    case .none: break
    }
    while data.count + field.type.size <= end { append(field.type.invalid, size: field.type.size, isBigEndian) }
    while data.count < end { data.append(0xFF) }
    data.removeLast(data.count - end)
  }

  private func bits(_ value: Value, _ type: BaseType) -> UInt64 {
    switch value {
    case .none, .text, .list: return type.invalid
    case .integer(let number):
      if type == .float32 || type == .float64 { return bits(.real(Double(number)), type) }
      return UInt64(bitPattern: Int64(number))
    case .real(let number):
      if type == .float32 { return UInt64(Float(number).bitPattern) }
      return type == .float64 ? number.bitPattern : UInt64(bitPattern: Int64(number))
    }
  }

  private mutating func append(_ bits: UInt64, size: Int, _ isBigEndian: Bool) {
    for index in 0..<size {
      let shift = 8 * (isBigEndian ? size - 1 - index : index)
      data.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
  }
}

extension FITBuilder {
  /// The bytes of a workout of a sport with steps: name, then kind and value of the duration, kind and value of the target, and
  /// its limits.
  public static func workout(sport: Int = 1, _ steps: [(name: String, values: [Value])]) -> [UInt8] {
    var file = FITBuilder()
    file.define(0, message: 0, [.init(0, .enumeration)])
    file.message(0, [5])
    file.define(1, message: 26, [.init(4, .enumeration)])
    file.message(1, [.integer(sport)])
    file.define(
      2, message: 27,
      [
        .init(0, .string, size: 12), .init(1, .enumeration), .init(2, .uint32), .init(3, .enumeration),
        .init(4, .uint32), .init(5, .uint32), .init(6, .uint32),
      ])
    for step in steps { file.message(2, [.text(step.name)] + step.values) }
    return file.file()
  }
}

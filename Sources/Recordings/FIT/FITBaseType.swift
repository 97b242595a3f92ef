/// A base type of FIT: how a value is stored, and which value means that there is none.
package enum FITBaseType: UInt8, Sendable {
  case enumeration = 0
  case sint8, uint8, sint16, uint16, sint32, uint32, string, float32, float64
  case uint8z, uint16z, uint32z, byte, sint64, uint64, uint64z

  /// The type with a code; `nil` when there is no such type. Only the five low bits count: devices leave out the top bit,
  /// which says that the order of bytes matters.
  init?(code: UInt8) { self.init(rawValue: code & 0x1F) }

  /// The code as the protocol has it.
  package var code: UInt8 { size > 1 ? rawValue | 0x80 : rawValue }

  /// The bytes of one value.
  package var size: Int {
    switch self {
    case .enumeration, .sint8, .uint8, .string, .uint8z, .byte: 1
    case .sint16, .uint16, .uint16z: 2
    case .sint32, .uint32, .float32, .uint32z: 4
    case .float64, .sint64, .uint64, .uint64z: 8
    }
  }
}

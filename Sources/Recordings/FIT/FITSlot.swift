/// Where a value stands in a data message, and its type.
struct FITSlot: Sendable {
  /// A slot that every message is without.
  static let none = FITSlot(offset: 0, type: nil)

  /// Bytes from the beginning of the content.
  let offset: Int32
  /// The type; `nil` when there is no such value.
  let type: FITBaseType?

  /// Whether there is a slot at all.
  var exists: Bool { type != nil }

  /// The number in a message; `nan` when there is none, it is the type's mark for "no value", or the type is a text.
  ///
  /// - Precondition: the whole value lies in `message`.
  @inline(__always)
  func number(in message: RawSpan, isBigEndian: Bool) -> Double {
    guard let type else { return .nan }
    switch type {
    case .uint8, .enumeration, .byte: return valid(load(message, isBigEndian, as: UInt8.self), unless: .max)
    case .uint16: return valid(load(message, isBigEndian, as: UInt16.self), unless: .max)
    case .uint32: return valid(load(message, isBigEndian, as: UInt32.self), unless: .max)
    case .sint32: return valid(load(message, isBigEndian, as: Int32.self), unless: .max)
    case .sint8: return valid(load(message, isBigEndian, as: Int8.self), unless: .max)
    case .sint16: return valid(load(message, isBigEndian, as: Int16.self), unless: .max)
    case .uint8z: return valid(load(message, isBigEndian, as: UInt8.self), unless: 0)
    case .uint16z: return valid(load(message, isBigEndian, as: UInt16.self), unless: 0)
    case .uint32z: return valid(load(message, isBigEndian, as: UInt32.self), unless: 0)
    case .sint64: return valid(load(message, isBigEndian, as: Int64.self), unless: .max)
    case .uint64: return valid(load(message, isBigEndian, as: UInt64.self), unless: .max)
    case .uint64z: return valid(load(message, isBigEndian, as: UInt64.self), unless: 0)
    case .float32:
      let number = Float(bitPattern: load(message, isBigEndian, as: UInt32.self))
      return number.isFinite ? Double(number) : .nan
    case .float64:
      let number = Double(bitPattern: load(message, isBigEndian, as: UInt64.self))
      return number.isFinite ? number : .nan
    case .string: return .nan
    }
  }

  /// The time of a message; `nil` when there is none.
  @inline(__always)
  func timestamp(in message: RawSpan, isBigEndian: Bool) -> UInt32? {
    guard type == .uint32 else { return nil }
    let seconds = load(message, isBigEndian, as: UInt32.self)
    return seconds == .max ? nil : seconds
  }

  /// A whole number of a message; `nil` when there is none or it does not fit.
  func integer<Number: FixedWidthInteger>(
    in message: RawSpan, isBigEndian: Bool, as _: Number.Type = Number.self
  ) -> Number? {
    Number(exactly: number(in: message, isBigEndian: isBigEndian))
  }

  @inline(__always)
  private func load<Number: FixedWidthInteger & BitwiseCopyable>(
    _ message: RawSpan, _ isBigEndian: Bool, as type: Number.Type
  ) -> Number {
    // The load is checked against the end of the message; any bits are a whole number.
    let number = unsafe message.unsafeLoadUnaligned(fromByteOffset: Int(offset), as: type)
    return isBigEndian ? Number(bigEndian: number) : Number(littleEndian: number)
  }

  @inline(__always)
  private func valid<Number: FixedWidthInteger>(_ number: Number, unless invalid: Number) -> Double {
    number == invalid ? .nan : Double(number)
  }
}

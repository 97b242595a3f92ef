/// One notification of the characteristic Heart Rate Measurement.
///
/// Source: Bluetooth SIG, Heart Rate Service 1.0, 3.1, and the characteristic 0x2A37 of the GATT specification.
package struct HeartRateMeasurement: Hashable, Sendable {
  /// What the strap says of the skin.
  package enum Contact: Hashable, Sendable {
    /// The strap cannot detect contact.
    case notSupported
    /// It does not touch the skin, so what it measures is no heart rate.
    case lost
    /// It touches it.
    case detected
  }

  /// Why bytes are no measurement.
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// They end within a field.
    case truncated(field: String)
    /// Bits of the flags are set that mean nothing yet, so that nobody knows what follows.
    case reservedFlags(UInt8)
    /// Bytes follow that no flag announces.
    case surplus(count: Int)

    package var description: String {
      switch self {
      case .truncated(let field): "it ends within its \(field)"
      case .reservedFlags(let bits): "reserved flags are set (0x\(String(bits, radix: 16)))"
      case .surplus(let count): "\(count) byte\(count == 1 ? "" : "s") more than its flags announce"
      }
    }
  }

  /// The heart rate in beats per minute, as it is sent: 0 stands for none.
  package let beatsPerMinute: Int
  /// Whether the strap touches the skin.
  package let contact: Contact
  /// The energy since the last reset, in kilojoules; 65,535 means that much or more. Absent in most measurements.
  package let energyKilojoules: Int?
  /// The time between beats in units of 1/1024 s, oldest first; none when the strap does not send it.
  package let rrIntervals: [Int]

  /// Decodes a notification. The flag of RR intervals with none behind it is taken for none.
  ///
  /// - Throws: ``Problem`` for bytes that are cut short, too many, or of a later specification.
  package init(_ bytes: [UInt8]) throws(Problem) {
    var rest = bytes[...]
    func word(_ field: String) throws(Problem) -> Int {
      guard let low = rest.popFirst(), let high = rest.popFirst() else { throw .truncated(field: field) }
      return Int(low) | Int(high) << 8
    }
    guard let flags = rest.popFirst() else { throw .truncated(field: "flags") }
    guard flags & Flag.reserved == 0 else { throw .reservedFlags(flags & Flag.reserved) }
    if flags & Flag.wideValue != 0 {
      beatsPerMinute = try word("heart rate")
    } else {
      guard let value = rest.popFirst() else { throw .truncated(field: "heart rate") }
      beatsPerMinute = Int(value)
    }
    contact =
      flags & Flag.contactSupported == 0 ? .notSupported : flags & Flag.contactDetected == 0 ? .lost : .detected
    energyKilojoules = flags & Flag.energy == 0 ? nil : try word("energy")
    var intervals: [Int] = []
    if flags & Flag.intervals != 0 {
      while !rest.isEmpty { intervals.append(try word("RR intervals")) }
    }
    rrIntervals = intervals
    guard rest.isEmpty else { throw .surplus(count: rest.count) }
  }

  /// The heart rate that may be used: none without contact, and none when the strap says 0.
  package var usableBeatsPerMinute: Int? { contact == .lost || beatsPerMinute == 0 ? nil : beatsPerMinute }

  private enum Flag {
    static let wideValue: UInt8 = 0b0000_0001
    static let contactDetected: UInt8 = 0b0000_0010
    static let contactSupported: UInt8 = 0b0000_0100
    static let energy: UInt8 = 0b0000_1000
    static let intervals: UInt8 = 0b0001_0000
    static let reserved: UInt8 = 0b1110_0000
  }
}

/// A value of a property on the bus, as far as it is used.
package enum BluezValue: Hashable, Sendable {
  /// A truth value.
  case bool(Bool)
  /// A whole number of any width.
  case integer(Int64)
  /// A text, or the path of an object.
  case text(String)
  /// Several of them.
  case texts([String])
  /// An array of bytes, such as the value of a characteristic.
  case bytes([UInt8])
  /// Something else, which is read past.
  case other

  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var texts: [String]? { if case .texts(let value) = self { value } else { nil } }
  var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
}

/// The properties of one interface of an object, by name.
package typealias BluezProperties = [String: BluezValue]

/// What of BlueZ is called by name.
package enum BluezName {
  /// The service on the bus.
  package static let service = "org.bluez"
  /// The interface of an adapter.
  package static let adapter = "org.bluez.Adapter1"
  /// The interface of a device that an adapter has seen.
  package static let device = "org.bluez.Device1"
  /// The interface of a device whose battery BlueZ asks itself.
  package static let battery = "org.bluez.Battery1"
  /// The interface of a service of a device that is connected.
  package static let gattService = "org.bluez.GattService1"
  /// The interface of a characteristic of such a service.
  package static let characteristic = "org.bluez.GattCharacteristic1"

  /// The service Heart Rate.
  static let heartRate = uuid(0x180D)
  /// Its characteristic Heart Rate Measurement.
  static let measurement = uuid(0x2A37)
  /// The service Battery.
  static let batteryService = uuid(0x180F)
  /// Its characteristic Battery Level.
  static let batteryLevel = uuid(0x2A19)

  /// A number that the Bluetooth SIG has assigned, as BlueZ writes it.
  package static func uuid(_ assigned: UInt16) -> String {
    let digits = String(assigned, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits + "-0000-1000-8000-00805f9b34fb"
  }
}

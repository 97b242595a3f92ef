/// What is asked of BlueZ, each by the path of an object.
package enum BluezCall: Hashable, Sendable {
  /// Everything that there is.
  case list
  /// Which devices an adapter shall look for: those with the service Heart Rate, over Bluetooth LE.
  case setFilter(String)
  /// Begin to look for devices.
  case startDiscovery(String)
  /// Look for none any more.
  case stopDiscovery(String)
  /// Connect a device.
  case connect(String)
  /// Let a device go, or give up to connect it.
  case disconnect(String)
  /// Be notified of each new value of a characteristic.
  case startNotify(String)
  /// Be notified no more.
  case stopNotify(String)
  /// The value of a characteristic.
  case read(String)
}

/// Something that happens on the bus.
package enum BluezEvent: Hashable, Sendable {
  /// Everything that there is: the interfaces of each object, by its path.
  case objects([String: [String: BluezProperties]])
  /// An object, or interfaces of one, are new.
  case added(String, [String: BluezProperties])
  /// Interfaces of an object are gone.
  case removed(String, [String])
  /// Properties have other values, or none any more.
  case changed(String, interface: String, BluezProperties, gone: [String])
  /// A call that was carried out, with what was read.
  case answered(BluezCall, value: [UInt8])
  /// A call that was refused.
  case refused(BluezCall, BluezError)
  /// BlueZ has come to the bus.
  case appeared
  /// BlueZ has left the bus.
  case vanished
  /// The bus itself cannot be reached, or not any more.
  case lost(BluezError)
}

/// Why something does not work on the bus.
package struct BluezError: Error, Hashable, Sendable {
  /// The kinds that make a difference.
  package enum Kind: Hashable, Sendable {
    /// There is no bus, or it is gone.
    case noBus
    /// The program's library for the bus is not installed.
    case noLibrary
    /// Nobody on the bus is BlueZ.
    case noBluez
    /// Not for this user.
    case accessDenied
    /// It is done already, or being done.
    case alreadyDone
    /// Something else; its words say what.
    case other
  }

  /// Its kind.
  package let kind: Kind
  /// The explanation for people; empty when there is none.
  package let words: String

  /// An error of a kind.
  package init(_ kind: Kind, _ words: String = "") {
    self.kind = kind
    self.words = words
  }

  /// An error by its name on the bus.
  package init(name: String, words: String) {
    let end = name.split(separator: ".").last.map(String.init) ?? name
    switch name {
    case "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.AuthFailed": kind = .accessDenied
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
      "org.freedesktop.systemd1.NoSuchUnit", "org.freedesktop.systemd1.UnitMasked":
      kind = .noBluez
    case "org.bluez.Error.AlreadyConnected", "org.bluez.Error.InProgress": kind = .alreadyDone
    default: kind = name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") ? .noBluez : .other
    }
    self.words = words.isEmpty ? end : words
  }
}

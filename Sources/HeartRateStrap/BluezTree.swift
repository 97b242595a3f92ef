/// What BlueZ has reported of its objects, kept up to date by what it reports next.
package struct BluezTree: Sendable {
  private var objects: [String: [String: BluezProperties]] = [:]

  /// A tree of which nothing is known.
  package init() {}

  /// Whether there is an adapter that works.
  package enum AdapterState: Hashable, Sendable {
    /// The first one that is on.
    case ready(String)
    /// There is one by this name, which is off; `isBlocked` when a switch of the machine keeps it off.
    case off(String, isBlocked: Bool)
    /// There is none.
    case none
  }

  /// Takes what has happened.
  package mutating func take(_ event: BluezEvent) {
    switch event {
    case .objects(let all): objects = all
    case .added(let path, let interfaces): objects[path, default: [:]].merge(interfaces) { $1 }
    case .removed(let path, let interfaces):
      for interface in interfaces { objects[path]?[interface] = nil }
      if objects[path]?.isEmpty == true { objects[path] = nil }
    case .changed(let path, let interface, let properties, let gone):
      guard objects[path]?[interface] != nil else { return }
      objects[path]?[interface]?.merge(properties) { $1 }
      for name in gone { objects[path]?[interface]?[name] = nil }
    case .vanished, .lost: objects = [:]
    case .answered, .refused, .appeared: break
    }
  }

  /// The first adapter that is on, else the first one.
  package var adapter: AdapterState {
    let adapters = objects.compactMap { path, interfaces in interfaces[BluezName.adapter].map { (path, $0) } }
      .sorted { $0.0 < $1.0 }
    if let ready = adapters.first(where: { $0.1["Powered"]?.bool == true }) { return .ready(ready.0) }
    guard let (path, properties) = adapters.first else { return .none }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return .off(name, isBlocked: properties["PowerState"]?.text == "off-blocked")
  }

  /// The devices of all adapters, by their address.
  package var devices: [StrapDevice] {
    objects.compactMap { path, interfaces in
      interfaces[BluezName.device].flatMap { StrapDevice(path, $0, battery: interfaces[BluezName.battery]) }
    }.sorted { ($0.address, $0.path) < ($1.address, $1.path) }
  }

  /// A device by its address, the connected one where several adapters know it.
  package func device(address: String) -> StrapDevice? {
    let all = devices.filter { $0.address == address }
    return all.first(where: \.isConnected) ?? all.first
  }

  /// The characteristic of a service of a device, both by their assigned numbers; `nil` when it has none.
  package func characteristic(_ uuid: String, of service: String, below device: String) -> String? {
    let services = Set(
      objects.filter { path, interfaces in
        path.hasPrefix(device + "/") && interfaces[BluezName.gattService]?["UUID"]?.text?.lowercased() == service
      }.keys)
    return objects.filter { _, interfaces in
      guard let properties = interfaces[BluezName.characteristic] else { return false }
      return properties["UUID"]?.text?.lowercased() == uuid
        && services.contains(properties["Service"]?.text ?? "")
    }.keys.min()
  }
}

/// A Bluetooth device, as far as a strap is concerned.
package struct StrapDevice: Hashable, Sendable {
  /// Its object on the bus.
  package let path: String
  /// Its address in capitals, such as `E0:11:22:33:44:55`.
  package let address: String
  /// Its name; absent until BlueZ knows it.
  package let name: String?
  /// How strong its signal is, in dBm; absent when it is not heard at the moment.
  package let signalDBm: Int?
  /// Whether it is connected.
  package let isConnected: Bool
  /// Whether what it offers is known, which takes a while after it is connected.
  package let isResolved: Bool
  /// Whether it was paired.
  package let isPaired: Bool
  /// Whether the user trusts it.
  package let isTrusted: Bool
  /// Whether the user wants nothing of it.
  package let isBlocked: Bool
  /// Whether it says that it has the service Heart Rate.
  package let offersHeartRate: Bool
  /// What is left in its battery, from 0 to 100; absent when it is not known.
  package let batteryPercent: Int?

  /// Reads the properties of a device; `nil` when it has no address.
  init?(_ path: String, _ properties: BluezProperties, battery: BluezProperties?) {
    guard let address = properties["Address"]?.text else { return nil }
    self.path = path
    self.address = address.uppercased()
    // The alias is the address with dashes while nothing else is known.
    let alias = properties["Alias"]?.text
    let isAddress = alias?.uppercased() == self.address.replacing(":", with: "-")
    let known = [properties["Name"]?.text, isAddress ? nil : alias].compactMap(\.self).first { !$0.isEmpty }
    name = known
    signalDBm = properties["RSSI"]?.integer.map { Int(clamping: $0) }
    isConnected = properties["Connected"]?.bool ?? false
    isResolved = properties["ServicesResolved"]?.bool ?? false
    isPaired = properties["Paired"]?.bool ?? false
    isTrusted = properties["Trusted"]?.bool ?? false
    isBlocked = properties["Blocked"]?.bool ?? false
    offersHeartRate = (properties["UUIDs"]?.texts ?? []).contains { $0.lowercased() == BluezName.heartRate }
    batteryPercent = battery?["Percentage"]?.integer.flatMap { (0...100).contains($0) ? Int($0) : nil }
  }

  /// Whether it is in the room: heard at the moment, or connected, which is why nobody hears it any more.
  package var isHere: Bool { signalDBm != nil || isConnected }

  /// Its name with its address, or the address alone.
  package var fullName: String { name.map { "\($0) (\(address))" } ?? address }
}

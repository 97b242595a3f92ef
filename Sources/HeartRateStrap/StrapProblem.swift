/// Why there is no strap to begin with.
package enum StrapProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The library that speaks to the bus is not installed.
  case noLibrary
  /// There is no system bus.
  case noBus(String)
  /// BlueZ does not run.
  case noBluez
  /// This user may not use Bluetooth.
  case noPermission
  /// The machine has no Bluetooth.
  case noAdapter
  /// The adapter is off.
  case adapterOff(String, isBlocked: Bool)
  /// Nothing was found in some seconds; the straps that are here although another one was asked for.
  case notFound(StrapChoice, seconds: Int, others: [String])
  /// Several are here, and nothing says which one is meant.
  case several([String])
  /// It is here and cannot be connected.
  case notConnected(String, reason: String)
  /// It is no strap.
  case noHeartRate(String)
  /// BlueZ says nothing, or something that nobody expects.
  case other(String)

  /// The problem that an error of the bus means.
  package init(_ error: BluezError) {
    switch error.kind {
    case .noLibrary: self = .noLibrary
    case .noBus: self = .noBus(error.words)
    case .noBluez: self = .noBluez
    case .accessDenied: self = .noPermission
    case .alreadyDone, .other: self = .other(error.words)
    }
  }

  package var description: String {
    switch self {
    case .noLibrary: "the library libsystemd.so.0 is not installed (Debian: libsystemd0)"
    case .noBus(let words):
      "there is no system bus\(words.isEmpty ? "" : " (\(words))"): BlueZ is reached over D-Bus, which must be running"
    case .noBluez: "BlueZ is not running: install bluez, and start it by systemctl start bluetooth"
    case .noPermission:
      "no permission to use Bluetooth: be a member of the group bluetooth (usermod -aG bluetooth USER, then log in "
        + "again), or sit at the machine"
    case .noAdapter: "this machine has no Bluetooth adapter"
    case .adapterOff(let name, isBlocked: false):
      "the Bluetooth adapter \(name) is off: switch it on by bluetoothctl power on"
    case .adapterOff(let name, isBlocked: true):
      "the Bluetooth adapter \(name) is blocked: switch it on by rfkill unblock bluetooth"
    case .notFound(let choice, let seconds, let others): Self.notFound(choice, seconds, others)
    case .several(let names):
      "\(names.count) are here, \(names.joined(separator: ", ")): say which one by --source strap:NAME or strap:ADDRESS"
    case .notConnected(let name, let reason): "\(name) is here and cannot be connected: \(reason)"
    case .noHeartRate(let name): "\(name) has no heart-rate service: it is no strap, or does not send to others now"
    case .other(let words): "BlueZ: \(words)"
    }
  }

  private static func notFound(_ choice: StrapChoice, _ seconds: Int, _ others: [String]) -> String {
    let text = choice.text
    if text.isEmpty {
      return "none found in \(seconds) s: wet the electrodes, put it on, and let no other program or watch hold it; "
        + "one that BlueZ knows can be named, --source strap:NAME"
    }
    let here = others.isEmpty ? "no strap is here" : "here are \(others.joined(separator: ", "))"
    return "no \(text) found in \(seconds) s, \(here): wet the electrodes and put it on"
  }
}

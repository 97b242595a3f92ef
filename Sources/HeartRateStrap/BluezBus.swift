internal import CSystemd
private import Glibc

/// One connection to the system bus, over which BlueZ is asked and heard. It never waits.
///
/// Answers are distinguished by the numbers of their calls, and nobody else's signals are taken for those of BlueZ.
@safe
final class BluezBus {
  /// How soon it wants a turn while something could not be written yet, in nanoseconds.
  private static let writingPause: Int64 = 10_000_000

  private var bus: OpaquePointer?
  private var calls: [UInt64: BluezCall] = [:]
  private var owner: String?

  deinit { close() }

  /// What it can be read from; `nil` without a connection.
  var descriptor: Int32? {
    guard let bus = unsafe bus, let library = BusLibrary.shared else { return nil }
    let descriptor = unsafe library.functions.pointee.get_fd(bus)
    return descriptor >= 0 ? descriptor : nil
  }

  /// When it wants to be asked although nothing can be read, in nanoseconds of the monotonic clock.
  func turn(after now: Int64) -> Int64? {
    guard let bus = unsafe bus, let library = BusLibrary.shared else { return nil }
    var microseconds = UInt64.max
    let status = unsafe library.functions.pointee.get_timeout(bus, &microseconds)
    let timeout = status > 0 && microseconds < .max ? Int64(clamping: microseconds).multiplied(by: 1_000) : nil
    let events = unsafe library.functions.pointee.get_events(bus)
    let writing = events > 0 && events & Int32(POLLOUT) != 0 ? now + Self.writingPause : nil
    return [timeout, writing].compactMap(\.self).min()
  }

  /// Reaches the bus; what is wrong, if something is.
  func open() -> BluezError? {
    close()
    guard let library = BusLibrary.shared else { return BluezError(.noLibrary) }
    let status = unsafe library.functions.pointee.open_system(&bus)
    guard status >= 0, unsafe bus != nil else { return Self.error(-status) }
    let signals = "type='signal',sender='\(BluezName.service)',interface='org.freedesktop.DBus."
    for match in [
      signals + "ObjectManager'", signals + "Properties',member='PropertiesChanged'",
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(BluezName.service)'",
    ] {
      let status = unsafe send(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.AddMatch", nil
      ) { message in unsafe library.functions.pointee.message_append_basic(message, Self.code("s"), match) }
      guard status >= 0 else { return Self.error(-status) }
    }
    return nil
  }

  /// Asks BlueZ; what is wrong with the bus, if something is. The answer comes by ``receive()``.
  func send(_ call: BluezCall) -> BluezError? {
    let (path, member) = Self.target(call)
    let status = unsafe send(BluezName.service, path, member, call) { message in
      switch call {
      case .setFilter: unsafe Self.appendFilter(message)
      case .read: unsafe Self.appendNothing(message)
      case .list, .startDiscovery, .stopDiscovery, .connect, .disconnect, .startNotify, .stopNotify: 0
      }
    }
    return status < 0 ? Self.error(-status) : nil
  }

  /// What has come, and goes on writing what has not been written.
  func receive() -> [BluezEvent] {
    guard let library = BusLibrary.shared else { return [] }
    var events: [BluezEvent] = []
    while let bus = unsafe bus {
      var message: OpaquePointer?
      let status = unsafe library.functions.pointee.process(bus, &message)
      if let message = unsafe message {
        let message = unsafe BusMessage(message, library)
        if let event = event(message) { events.append(event) }
      }
      if status < 0 {
        events.append(.lost(Self.error(-status)))
        close()
      }
      if status <= 0 { break }
    }
    return events
  }

  /// Lets go of the bus. What was sent last goes its way.
  func close() {
    if let bus = unsafe bus, let library = BusLibrary.shared { _ = unsafe library.functions.pointee.close_unref(bus) }
    unsafe bus = nil
    calls = [:]
    owner = nil
  }

  // MARK: - Reading

  private func event(_ message: borrowing BusMessage) -> BluezEvent? {
    switch message.kind {
    case .answer:
      guard let call = calls.removeValue(forKey: message.answeredCall) else { return nil }
      guard call != .list else {
        owner = message.sender
        return .objects(message.objects())
      }
      if case .read = call { return .answered(call, value: message.bytes()) }
      return .answered(call, value: [])
    case .error: return calls.removeValue(forKey: message.answeredCall).map { .refused($0, message.error) }
    case .signal: return signal(message)
    case .other: return nil
    }
  }

  private func signal(_ message: borrowing BusMessage) -> BluezEvent? {
    let (member, sender) = (message.member, message.sender)
    if member == "org.freedesktop.DBus.NameOwnerChanged", sender == "org.freedesktop.DBus" {
      guard message.text() == BluezName.service else { return nil }
      _ = message.text()
      let isThere = !message.text().isEmpty
      owner = nil
      return isThere ? .appeared : .vanished
    }
    guard let owner, sender == owner else { return nil }
    switch member {
    case "org.freedesktop.DBus.ObjectManager.InterfacesAdded":
      let path = message.text("o")
      return .added(path, message.interfaces())
    case "org.freedesktop.DBus.ObjectManager.InterfacesRemoved":
      let path = message.text("o")
      return .removed(path, message.texts())
    case "org.freedesktop.DBus.Properties.PropertiesChanged":
      let interface = message.text()
      let properties = message.properties()
      return .changed(message.path, interface: interface, properties, gone: message.texts())
    default: return nil
    }
  }

  // MARK: - Writing

  /// Sends a call to an object; below 0 when that does not work.
  private func send(
    _ destination: String, _ path: String, _ member: String, _ call: BluezCall?, _ append: (OpaquePointer) -> Int32
  ) -> Int32 {
    guard let bus = unsafe bus, let library = BusLibrary.shared else { return -ENOTCONN }
    let dot = member.lastIndex(of: ".") ?? member.startIndex
    var message: OpaquePointer?
    let status = unsafe library.functions.pointee.message_new_method_call(
      bus, &message, destination, path, String(member[..<dot]), String(member[member.index(after: dot)...]))
    guard status >= 0, let message = unsafe message else { return status }
    defer { _ = unsafe library.functions.pointee.message_unref(message) }
    let appended = unsafe append(message)
    guard appended >= 0 else { return appended }
    var cookie: UInt64 = 0
    let sent = unsafe library.functions.pointee.send(bus, message, &cookie)
    if sent >= 0, let call { calls[cookie] = call }
    return sent
  }

  private static func target(_ call: BluezCall) -> (path: String, member: String) {
    switch call {
    case .list: ("/", "org.freedesktop.DBus.ObjectManager.GetManagedObjects")
    case .setFilter(let path): (path, BluezName.adapter + ".SetDiscoveryFilter")
    case .startDiscovery(let path): (path, BluezName.adapter + ".StartDiscovery")
    case .stopDiscovery(let path): (path, BluezName.adapter + ".StopDiscovery")
    case .connect(let path): (path, BluezName.device + ".Connect")
    case .disconnect(let path): (path, BluezName.device + ".Disconnect")
    case .startNotify(let path): (path, BluezName.characteristic + ".StartNotify")
    case .stopNotify(let path): (path, BluezName.characteristic + ".StopNotify")
    case .read(let path): (path, BluezName.characteristic + ".ReadValue")
    }
  }

  /// Heart-rate straps over Bluetooth LE.
  private static func appendFilter(_ message: OpaquePointer) -> Int32 {
    guard let functions = unsafe BusLibrary.shared?.functions else { return -ENOSYS }
    func open(_ type: Character, _ contents: String) -> Int32 {
      unsafe functions.pointee.message_open_container(message, code(type), contents)
    }
    func text(_ text: String) -> Int32 { unsafe functions.pointee.message_append_basic(message, code("s"), text) }
    func close() -> Int32 { unsafe functions.pointee.message_close_container(message) }
    let statuses = [
      open("a", "{sv}"),
      open("e", "sv"), text("Transport"), open("v", "s"), text("le"), close(), close(),
      open("e", "sv"), text("UUIDs"), open("v", "as"), open("a", "s"), text(BluezName.heartRate), close(), close(),
      close(), close(),
    ]
    return statuses.min() ?? 0
  }

  /// No options.
  private static func appendNothing(_ message: OpaquePointer) -> Int32 {
    guard let functions = unsafe BusLibrary.shared?.functions else { return -ENOSYS }
    let status = unsafe functions.pointee.message_open_container(message, code("a"), "{sv}")
    return unsafe min(status, functions.pointee.message_close_container(message))
  }

  private static func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }

  private static func error(_ code: Int32) -> BluezError {
    let words = unsafe String(cString: strerror(code))
    return BluezError(code == EACCES || code == EPERM ? .accessDenied : .noBus, words)
  }
}

extension Int64 {
  /// The product, or the end of the range where it does not fit.
  fileprivate func multiplied(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}

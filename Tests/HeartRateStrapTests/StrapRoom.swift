@testable import HeartRateStrap

/// A room with straps, an adapter and BlueZ, whose time goes as fast as a test wants: everything that a link wants is done
/// as BlueZ does it, and what happens is delivered to it.
final class StrapRoom {
  /// A strap as it is.
  struct Strap {
    let number: Int
    var name: String?
    /// Whether it can be heard.
    var isHere = true
    /// Whether it sends a measurement each second while it was asked to.
    var sends = true
    var bytes: [UInt8] = [0x00, 0x78]
    var hasHeartRate = true
    var isConnected = false
    var isNotifying = false
    var isKnown = false
    var isPaired = false
    var refusesToConnect: BluezError?
    var refusesToNotify: BluezError?

    var address: String { "E0:00:00:00:00:0\(number)" }
    var path: String { StrapRoom.hci + "/dev_\(number)" }
    var service: String { path + "/service" }
    var characteristic: String { service + "/char" }

    func properties(isHeard: Bool) -> BluezProperties {
      var properties: BluezProperties = [
        "Address": .text(address), "Connected": .bool(isConnected), "ServicesResolved": .bool(isConnected),
        "UUIDs": .texts([BluezName.uuid(0x180D)]), "Paired": .bool(isPaired),
      ]
      if let name { properties["Name"] = .text(name) }
      if isHeard { properties["RSSI"] = .integer(-60) }
      return properties
    }

    var gatt: [(String, [String: BluezProperties])] {
      [
        (service, [BluezName.gattService: ["UUID": .text(BluezName.uuid(hasHeartRate ? 0x180D : 0x1800))]]),
        (
          characteristic,
          [BluezName.characteristic: ["UUID": .text(BluezName.uuid(0x2A37)), "Service": .text(service)]]
        ),
      ]
    }
  }

  static let hci = "/org/bluez/hci0"
  private static let second: Int64 = 1_000_000_000

  var link: StrapLink
  var straps: [Strap]
  /// Whether there is an adapter, and whether it is on.
  var hasAdapter = true
  var isPowered = true
  /// What is wrong with the bus or BlueZ.
  var busError: BluezError?
  var listError: BluezError?
  private(set) var now: Int64 = 0
  private(set) var reports: [(second: Double, report: StrapReport)] = []
  private(set) var calls: [(second: Double, call: BluezCall)] = []
  private var isDiscovering = false
  private var isOnBus = false
  private var events: [(at: Int64, event: BluezEvent)] = []
  private var plans: [(at: Int64, body: (StrapRoom) -> Void)] = []
  private var nextBeat: Int64 = second

  init(_ choice: StrapChoice, _ straps: [Strap]) {
    link = StrapLink(choice)
    self.straps = straps
  }

  // MARK: - What was reported

  var notices: [String] {
    reports.compactMap { if case .notice(let text) = $0.report { text } else { nil } }
  }

  var heartRates: [Double] { reports.compactMap { if case .heartRate = $0.report { $0.second } else { nil } } }

  var problem: StrapProblem? {
    reports.compactMap { if case .failed(let problem) = $0.report { problem } else { nil } }.first
  }

  func calls(_ wanted: BluezCall) -> [Double] { calls.filter { $0.call == wanted }.map(\.second) }

  // MARK: - Time

  /// Does something at a time.
  func at(_ seconds: Int, _ body: @escaping (StrapRoom) -> Void) {
    plans.append((Int64(seconds) * Self.second, body))
  }

  /// Lets time go by until some second after the beginning.
  func run(until seconds: Int) {
    if now == 0, calls.isEmpty { perform(link.begin(now: 0)) }
    let end = Int64(seconds) * Self.second
    var steps = 0
    while true {
      steps += 1
      precondition(steps < 1_000_000, "the link spins")
      let times = [events.map(\.at).min(), plans.map(\.at).min(), link.deadline, nextBeat].compactMap(\.self)
      guard let next = times.min(), next <= end else { break }
      now = max(now, next)
      if let index = plans.firstIndex(where: { $0.at <= now }) {
        plans.remove(at: index).body(self)
      } else if let index = events.indices.filter({ events[$0].at <= now }).min(by: { events[$0].at < events[$1].at }) {
        let event = events.remove(at: index).event
        perform(link.handle(event, now: now))
      } else if nextBeat <= now {
        nextBeat += Self.second
        for strap in straps where strap.isConnected && strap.isNotifying && strap.sends {
          post(
            .changed(
              strap.characteristic, interface: BluezName.characteristic, ["Value": .bytes(strap.bytes)], gone: []))
        }
      } else {
        perform(link.tick(now: now))
      }
    }
    now = max(now, end)
  }

  // MARK: - What happens

  /// A strap leaves the room; `isForgotten` when BlueZ drops its object as well.
  func leave(_ number: Int, isForgotten: Bool = false) {
    guard let index = straps.firstIndex(where: { $0.number == number }) else { return }
    straps[index].isHere = false
    drop(index)
    if isForgotten {
      straps[index].isKnown = false
      if pendingConnects.remove(number) != nil {
        post(.refused(.connect(straps[index].path), BluezError(.other, "Does Not Exist")))
      }
      post(.removed(straps[index].path, [BluezName.device]))
    }
  }

  /// It comes back.
  func come(_ number: Int) {
    guard let index = straps.firstIndex(where: { $0.number == number }) else { return }
    straps[index].isHere = true
    if pendingConnects.contains(number) { connect(index) }
    hearAll()
  }

  /// The adapter is switched.
  func power(_ isOn: Bool) {
    isPowered = isOn
    if !isOn {
      isDiscovering = false
      for index in straps.indices { drop(index) }
    }
    post(.changed(Self.hci, interface: BluezName.adapter, ["Powered": .bool(isOn)], gone: []))
  }

  /// BlueZ ends, and forgets.
  func stopBluez() {
    listError = BluezError(name: "org.freedesktop.DBus.Error.ServiceUnknown", words: "gone")
    forgetAll()
    post(.vanished)
  }

  /// BlueZ comes.
  func startBluez() {
    listError = nil
    post(.appeared)
  }

  /// The bus ends.
  func loseBus() {
    busError = BluezError(.noBus, "Connection refused")
    isOnBus = false
    events = []
    forgetAll()
    post(.lost(BluezError(.noBus, "Connection reset by peer")))
  }

  func change(_ number: Int, _ body: (inout Strap) -> Void) {
    if let index = straps.firstIndex(where: { $0.number == number }) { body(&straps[index]) }
  }

  /// Something is delivered to the link, a moment later.
  func post(_ event: BluezEvent) { events.append((now + 1_000_000, event)) }

  // MARK: - BlueZ

  private var pendingConnects: Set<Int> = []

  private func forgetAll() {
    isDiscovering = false
    pendingConnects = []
    for index in straps.indices {
      straps[index].isConnected = false
      straps[index].isNotifying = false
      straps[index].isKnown = straps[index].isPaired
    }
  }

  private func drop(_ index: Int) {
    guard straps[index].isConnected else { return }
    straps[index].isConnected = false
    straps[index].isNotifying = false
    for (path, interfaces) in straps[index].gatt { post(.removed(path, Array(interfaces.keys))) }
    post(
      .changed(
        straps[index].path, interface: BluezName.device,
        ["Connected": .bool(false), "ServicesResolved": .bool(false)], gone: []))
  }

  private func connect(_ index: Int) {
    pendingConnects.remove(straps[index].number)
    straps[index].isConnected = true
    for (path, interfaces) in straps[index].gatt { post(.added(path, interfaces)) }
    post(
      .changed(
        straps[index].path, interface: BluezName.device, ["Connected": .bool(true), "ServicesResolved": .bool(true)],
        gone: ["RSSI"]))
    post(.answered(.connect(straps[index].path), value: []))
  }

  private func hearAll() {
    guard isDiscovering else { return }
    for index in straps.indices where straps[index].isHere && !straps[index].isConnected {
      straps[index].isKnown = true
      post(.added(straps[index].path, [BluezName.device: straps[index].properties(isHeard: true)]))
    }
  }

  private func perform(_ actions: [StrapAction]) {
    for action in actions {
      switch action {
      case .open:
        if let busError { post(.lost(busError)) }
        isOnBus = busError == nil
      case .close: isOnBus = false
      case .report(let report): reports.append((Double(now) / 1e9, report))
      case .call(let call):
        calls.append((Double(now) / 1e9, call))
        if isOnBus { answer(call) }
      }
    }
  }

  private func answer(_ call: BluezCall) {
    switch call {
    case .list:
      if let listError { return post(.refused(.list, listError)) }
      var objects: [String: [String: BluezProperties]] = [:]
      if hasAdapter { objects[Self.hci] = [BluezName.adapter: ["Powered": .bool(isPowered)]] }
      for strap in straps where strap.isKnown || strap.isConnected {
        objects[strap.path] = [BluezName.device: strap.properties(isHeard: false)]
        if strap.isConnected { for (path, interfaces) in strap.gatt { objects[path] = interfaces } }
      }
      post(.objects(objects))
    case .startDiscovery:
      isDiscovering = true
      post(.answered(call, value: []))
      hearAll()
    case .stopDiscovery:
      isDiscovering = false
      post(.answered(call, value: []))
    case .setFilter, .read: post(.answered(call, value: []))
    case .connect(let path):
      guard let index = straps.firstIndex(where: { $0.path == path }) else { return }
      let strap = straps[index]
      if let error = strap.refusesToConnect { return post(.refused(call, error)) }
      if strap.isConnected {
        return post(.refused(call, BluezError(name: "org.bluez.Error.AlreadyConnected", words: "")))
      }
      if strap.isHere { connect(index) } else { pendingConnects.insert(strap.number) }
    case .disconnect(let path):
      guard let index = straps.firstIndex(where: { $0.path == path }) else { return }
      pendingConnects.remove(straps[index].number)
      drop(index)
      post(.answered(call, value: []))
    case .startNotify(let path), .stopNotify(let path):
      guard let index = straps.firstIndex(where: { $0.characteristic == path }) else { return }
      if case .startNotify = call, let error = straps[index].refusesToNotify { return post(.refused(call, error)) }
      straps[index].isNotifying = if case .startNotify = call { true } else { false }
      post(.answered(call, value: []))
    }
  }
}

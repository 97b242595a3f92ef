import TestSupport
import Testing

@testable import HeartRateStrap

@Suite("The way to a strap: whatever happens")
struct StrapLinkPropertyTests {
  @Test(
    "A day of accidents ends no session, changes no strap, and the strap is back when they are over", arguments: 0..<60)
  func accidents(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let room = StrapRoom(
      .named("one"),
      [
        StrapRoom.Strap(number: 1, name: "One"), StrapRoom.Strap(number: 2, name: "Two"),
      ])
    room.run(until: 10)
    #expect(room.link.isOpen, "seed \(seed)")
    var time = 10
    for _ in 0..<40 {
      time += random.int(1...60)
      switch random.int(0...9) {
      case 0, 1: room.at(time) { $0.leave(1) }
      case 2: room.at(time) { $0.leave(1, isForgotten: true) }
      case 3, 4: room.at(time) { $0.come(1) }
      case 5: room.at(time) { $0.change(1) { $0.sends.toggle() } }
      case 6:
        room.at(time) { $0.power(false) }
        room.at(time + random.int(0...20)) { $0.power(true) }
      case 7:
        room.at(time) { $0.stopBluez() }
        room.at(time + random.int(0...20)) { $0.startBluez() }
      case 8:
        room.at(time) { $0.loseBus() }
        room.at(time + random.int(0...20)) { $0.busError = nil }
      default:
        room.at(time) { $0.change(1) { $0.refusesToNotify = BluezError(.other, "no") } }
        room.at(time + random.int(0...20)) { $0.change(1) { $0.refusesToNotify = nil } }
      }
    }
    let end = time + 30
    room.at(end) { room in
      room.busError = nil
      room.listError = nil
      room.change(1) {
        $0.sends = true
        $0.refusesToNotify = nil
      }
      room.power(true)
      room.come(1)
    }
    room.run(until: end + 120)
    #expect(room.link.isOpen, "seed \(seed): \(room.reports.suffix(5))")
    #expect(room.problem == nil, "seed \(seed): \(room.reports.suffix(5))")
    #expect(
      (room.heartRates.last ?? 0) > Double(end + 118), "seed \(seed): \(room.link.phase) \(room.reports.suffix(5))")
    #expect(room.link.device?.name == "One")
    #expect(!room.calls.contains { $0.call == .connect(room.straps[1].path) })
    // No notice is repeated without the strap having been back between.
    let isRepeated = zip(room.notices, room.notices.dropFirst()).contains { $0 == $1 }
    #expect(!isRepeated, "seed \(seed): \(room.notices)")
  }

  @Test(
    "Any order of events is taken without a trap, without spinning, and nothing follows a failure", arguments: 0..<200)
  func anything(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var link = StrapLink([.any, .named("a"), .address("E0:00:00:00:00:01")][random.int(0...2)])
    let device = "/org/bluez/hci0/dev_1"
    let characteristic = device + "/service/char"
    let properties: BluezProperties = [
      "Address": .text("E0:00:00:00:00:01"), "Name": .text("a"), "UUIDs": .texts([BluezName.uuid(0x180D)]),
      "RSSI": .integer(-50),
    ]
    let paths = [device, characteristic, "/org/bluez/hci0", "/"]
    func call(_ path: String) -> BluezCall {
      [
        .list, .setFilter(path), .startDiscovery(path), .stopDiscovery(path), .connect(path), .disconnect(path),
        .startNotify(path), .stopNotify(path), .read(path),
      ][random.int(0...8)]
    }
    var now: Int64 = 0
    var hasFailed = false
    var actions = link.begin(now: now)
    for _ in 0..<400 {
      let path = paths[random.int(0...3)]
      let event: BluezEvent
      switch random.int(0...11) {
      case 0: event = .objects(["/org/bluez/hci0": [BluezName.adapter: ["Powered": .bool(random.chance(0.9))]]])
      case 1: event = .added(device, [BluezName.device: properties])
      case 2:
        event = .changed(
          device, interface: BluezName.device,
          ["Connected": .bool(random.chance(0.7)), "ServicesResolved": .bool(random.chance(0.7))], gone: ["RSSI"])
      case 3: event = .added(device + "/service", [BluezName.gattService: ["UUID": .text(BluezName.uuid(0x180D))]])
      case 4:
        event = .added(
          characteristic,
          [BluezName.characteristic: ["UUID": .text(BluezName.uuid(0x2A37)), "Service": .text(device + "/service")]])
      case 5:
        let bytes = (0..<random.int(0...6)).map { _ in UInt8(random.int(0...255)) }
        event = .changed(characteristic, interface: BluezName.characteristic, ["Value": .bytes(bytes)], gone: [])
      case 6: event = .removed(path, [BluezName.device, BluezName.characteristic])
      case 7: event = random.chance(0.5) ? .appeared : .vanished
      case 8: event = .refused(call(path), BluezError(random.chance(0.5) ? .other : .alreadyDone, "no"))
      case 9: event = random.chance(0.1) ? .lost(BluezError(.noBus)) : .appeared
      default: event = .answered(call(path), value: [UInt8(random.int(0...255))])
      }
      actions = link.handle(event, now: now)
      now += Int64(random.int(0...3)) * 1_000_000_000
      var turns = 0
      while let deadline = link.deadline, deadline <= now {
        actions += link.tick(now: now)
        turns += 1
        #expect(turns < 20, "seed \(seed): it spins in \(link.phase)")
        if turns >= 20 { return }
      }
      #expect(!hasFailed || actions.isEmpty, "seed \(seed): \(actions)")
      let failures = actions.filter { if case .report(.failed) = $0 { true } else { false } }
      #expect(failures.isEmpty || (!link.isOpen && failures.count == 1), "seed \(seed)")
      hasFailed = hasFailed || !failures.isEmpty
      for case .report(.heartRate(let beats, _)) in actions { #expect((1...65_535).contains(beats), "seed \(seed)") }
    }
  }
}

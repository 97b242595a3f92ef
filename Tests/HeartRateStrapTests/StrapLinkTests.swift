import Testing

@testable import HeartRateStrap

@Suite("The way to a strap and back to it")
struct StrapLinkTests {
  private static func polar(_ change: (inout StrapRoom.Strap) -> Void = { _ in }) -> StrapRoom.Strap {
    var strap = StrapRoom.Strap(number: 1, name: "Polar")
    change(&strap)
    return strap
  }

  private static let tickr = StrapRoom.Strap(number: 2, name: "TICKR")
  private static let patience = "the session goes on, and it is tried again"

  // MARK: - The beginning

  @Test("A strap is looked for with a filter, the search ends before it is connected, then it is asked to send")
  func order() {
    let room = StrapRoom(.any, [Self.polar()])
    room.run(until: 7)
    let strap = room.straps[0]
    let expected: [BluezCall] = [
      .list, .setFilter(StrapRoom.hci), .startDiscovery(StrapRoom.hci), .stopDiscovery(StrapRoom.hci),
      .connect(strap.path), .startNotify(strap.characteristic),
    ]
    #expect(room.calls.map(\.call) == expected)
    #expect(room.link.isOpen)
    #expect(room.problem == nil)
    #expect(room.notices == ["connected"])
    #expect(room.reports.last?.report == .heartRate(120, intervals: []))
    #expect(room.heartRates.map { $0.rounded() } == [4, 5, 6])
  }

  @Test("One that is connected already is neither looked for nor connected, and is left connected at the end")
  func connectedBefore() {
    let room = StrapRoom(.any, [Self.polar { $0.isConnected = true }, Self.tickr])
    room.run(until: 3)
    #expect(room.link.isOpen)
    #expect(room.calls(.connect(room.straps[0].path)).isEmpty)
    #expect(!room.link.end().contains(.call(.disconnect(room.straps[0].path))))
  }

  @Test("What was connected for the session is let go at its end, also in the middle of connecting")
  func letGo() {
    let room = StrapRoom(.address("E0:00:00:00:00:01"), [Self.polar()])
    room.run(until: 2)
    #expect(room.link.end() == [.call(.disconnect(room.straps[0].path)), .close])
    #expect(room.link.end().isEmpty)
    #expect(room.link.deadline == nil)
    let slow = StrapRoom(.address("E0:00:00:00:00:01"), [Self.polar { $0.isKnown = true }])
    slow.at(1) { $0.leave(1) }
    slow.run(until: 2)
    slow.change(1) { $0.isHere = false }
    #expect(slow.link.end().first == .call(.disconnect(slow.straps[0].path)))
  }

  @Test("Two in the room and no word: neither is taken")
  func two() {
    let room = StrapRoom(.any, [Self.polar(), Self.tickr])
    room.run(until: 40)
    let names = ["Polar (E0:00:00:00:00:01)", "TICKR (E0:00:00:00:00:02)"]
    #expect(room.problem == .several(names))
    #expect(room.calls.allSatisfy { !"\($0.call)".hasPrefix("connect") })
    #expect("\(StrapProblem.several(names))".contains("--source strap:NAME or strap:ADDRESS"))
    #expect(room.link.deadline == nil)
  }

  @Test("A second strap that is heard a moment later counts too")
  func twoLater() {
    let room = StrapRoom(.any, [Self.polar(), StrapRoom.Strap(number: 2, name: "TICKR", isHere: false)])
    room.at(2) { $0.come(2) }
    room.run(until: 10)
    #expect(room.problem == .several(["Polar (E0:00:00:00:00:01)", "TICKR (E0:00:00:00:00:02)"]))
  }

  @Test("A name means one of two; a part of both names none", arguments: ["tickr", "TICK"])
  func named(text: String) throws {
    let room = StrapRoom(try #require(StrapChoice(text)), [Self.polar(), Self.tickr])
    room.run(until: 10)
    #expect(room.link.device?.name == "TICKR")
    #expect(room.link.isOpen)
    let both = StrapRoom(.named("r"), [Self.polar(), Self.tickr])
    both.run(until: 10)
    #expect(both.problem == .several(["Polar (E0:00:00:00:00:01)", "TICKR (E0:00:00:00:00:02)"]))
  }

  @Test("Nobody in the room for 30 s, or somebody else")
  func nobody() {
    let empty = StrapRoom(.any, [])
    empty.run(until: 29)
    #expect(empty.problem == nil)
    empty.run(until: 31)
    #expect(empty.problem == .notFound(.any, seconds: 30, others: []))
    #expect("\(StrapProblem.notFound(.any, seconds: 30, others: []))".contains("wet the electrodes"))
    let other = StrapRoom(.named("garmin"), [Self.polar()])
    other.run(until: 31)
    #expect(other.problem == .notFound(.named("garmin"), seconds: 30, others: ["Polar (E0:00:00:00:00:01)"]))
    let words = other.problem.map { "\($0)" } ?? ""
    #expect(words.contains("no garmin found in 30 s"))
    #expect(words.contains("here are Polar"))
  }

  @Test("A strap that comes in the last second is taken")
  func late() {
    let room = StrapRoom(.named("polar"), [Self.polar { $0.isHere = false }])
    room.at(26) { $0.come(1) }
    room.run(until: 35)
    #expect(room.link.isOpen)
  }

  @Test(
    "What is wrong before the beginning is one problem, at once or after the moment that an adapter may take",
    arguments: [
      (0, StrapProblem.noBus("No such file or directory")), (1, .noBluez), (2, .noPermission), (3, .noAdapter),
      (4, .adapterOff("hci0", isBlocked: false)), (5, .noHeartRate("Polar (E0:00:00:00:00:01)")), (6, .noLibrary),
    ])
  func problems(number: Int, problem: StrapProblem) {
    let room = StrapRoom(.any, [Self.polar { $0.hasHeartRate = number != 5 }])
    switch number {
    case 0: room.busError = BluezError(.noBus, "No such file or directory")
    case 1: room.listError = BluezError(name: "org.freedesktop.DBus.Error.ServiceUnknown", words: "not provided")
    case 2: room.listError = BluezError(name: "org.freedesktop.DBus.Error.AccessDenied", words: "rejected")
    case 3: room.hasAdapter = false
    case 4: room.isPowered = false
    case 6: room.busError = BluezError(.noLibrary)
    default: break
    }
    room.run(until: 6)
    #expect(room.problem == problem)
    #expect(room.link.deadline == nil)
    #expect(!"\(problem)".contains("\n"))
    #expect(!"\(problem)".contains("StrapProblem"))
  }

  @Test("An adapter that comes, or is switched on, within two seconds is waited for")
  func adapterLater() {
    let room = StrapRoom(.any, [Self.polar()])
    room.isPowered = false
    room.at(1) { $0.power(true) }
    room.run(until: 8)
    #expect(room.link.isOpen)
    #expect(room.problem == nil)
  }

  @Test("A strap that cannot be connected is tried for 30 s, then it is said why")
  func notConnected() {
    let room = StrapRoom(.any, [Self.polar { $0.refusesToConnect = BluezError(.other, "le-connection-abort") }])
    room.run(until: 60)
    #expect(room.problem == .notConnected("Polar (E0:00:00:00:00:01)", reason: "le-connection-abort"))
    let tries = room.calls(.connect(room.straps[0].path))
    let pauses = zip(tries, tries.dropFirst()).map { ($1 - $0).rounded() }
    #expect(pauses == [1, 2, 4, 8], "\(tries)")
  }

  @Test("A strap that hangs while it is connected is let go, and tried again until there was time enough")
  func hangs() {
    let room = StrapRoom(.any, [Self.polar()])
    room.at(2) { $0.leave(1) }
    room.run(until: 60)
    let path = room.straps[0].path
    #expect(room.problem == .notConnected("Polar (E0:00:00:00:00:01)", reason: "it does not answer"))
    #expect(room.calls(.connect(path)).count == 2)
    #expect(room.calls(.disconnect(path)).count == 2)
  }

  @Test("BlueZ that never answers is not waited for")
  func mute() {
    var link = StrapLink(.any)
    #expect(link.begin(now: 0) == [.open, .call(.list)])
    let deadline = link.deadline ?? 0
    #expect(deadline > 0)
    #expect(link.tick(now: deadline - 1).isEmpty)
    #expect(link.tick(now: deadline).first == .report(.failed(.other("it does not answer"))))
  }

  // MARK: - Drop-outs

  @Test(
    "A strap that drops out is back after it, whether BlueZ forgets it or not, and the session never ends",
    arguments: [10, 30, 120], [false, true])
  func dropOut(seconds: Int, isForgotten: Bool) throws {
    let room = StrapRoom(.any, [Self.polar()])
    room.at(20) { $0.leave(1, isForgotten: isForgotten) }
    room.at(20 + seconds) { $0.come(1) }
    room.run(until: 20 + seconds + 40)
    #expect(room.problem == nil)
    #expect(room.link.isOpen)
    #expect(room.notices.first == "connected", "\(room.notices)")
    #expect(room.notices.count == 3, "\(room.notices)")
    #expect(room.notices.dropFirst().first == "the connection is lost; \(Self.patience)")
    // The longest pause between two tries is 15 s.
    let back = try #require(room.heartRates.first { $0 > 21 })
    #expect(back >= Double(20 + seconds), "\(back)")
    #expect(back <= Double(20 + seconds + 17), "\(back)")
    #expect(room.notices.last == "it is back after \(Int((back - 20).rounded())) s")
    #expect(try #require(room.heartRates.last) > Double(20 + seconds + 38))
  }

  @Test("A strap that stays away is tried for ever, less and less often, and reported once")
  func away() {
    let room = StrapRoom(.any, [Self.polar()])
    room.at(20) { $0.leave(1) }
    room.run(until: 20 + 3_600)
    let tries = room.calls(.connect(room.straps[0].path)).filter { $0 > 20 }
    let pauses = zip(tries, tries.dropFirst()).map { ($1 - $0).rounded() }
    // Each try takes 20 s until it is given up.
    #expect(Array(pauses.prefix(6)) == [22, 24, 28, 35, 35, 35], "\(pauses)")
    #expect(Set(pauses.dropFirst(6)) == [35], "\(pauses)")
    #expect(room.notices.count == 2)
    #expect(room.link.isOpen)
  }

  @Test("A strap that has sent again is tried as soon after the next drop-out as after the first")
  func again() throws {
    let room = StrapRoom(.any, [Self.polar()])
    room.at(20) { $0.leave(1) }
    room.at(200) { $0.come(1) }
    room.at(300) { $0.leave(1) }
    room.run(until: 310)
    let tries = room.calls(.connect(room.straps[0].path))
    #expect(try #require(tries.first { $0 > 20 }).rounded() == 21)
    #expect(try #require(tries.first { $0 > 300 }).rounded() == 301)
  }

  @Test("After a drop-out no other strap is taken, even if it is the only one here")
  func faithful() {
    let room = StrapRoom(.any, [Self.polar()])
    room.at(20) { room in
      room.leave(1, isForgotten: true)
      room.straps.append(Self.tickr)
      room.come(2)
    }
    room.run(until: 300)
    #expect(room.link.device?.name == "Polar")
    #expect(!room.calls.contains { $0.call == .connect(Self.tickr.path) })
  }

  @Test("A strap that sends nothing is reported, asked again, then connected anew")
  func silent() throws {
    let room = StrapRoom(.any, [Self.polar()])
    room.at(20) { $0.change(1) { $0.sends = false } }
    room.at(60) { $0.change(1) { $0.sends = true } }
    room.run(until: 120)
    let strap = room.straps[0]
    let renewed = try #require(room.calls(.stopNotify(strap.characteristic)).first)
    let last = try #require(room.heartRates.last { $0 < 21 })
    #expect((renewed - last).rounded() == 10)
    let released = try #require(room.calls(.disconnect(strap.path)).first)
    #expect((released - last).rounded() == 20)
    #expect(room.notices.dropFirst().first == "it sends nothing; \(Self.patience)")
    let back = try #require(room.heartRates.first { $0 > 21 })
    #expect(room.notices.last == "it is back after \(Int((back - last).rounded())) s")
    #expect(room.notices.count == 3)
    #expect(room.problem == nil)
    #expect(room.link.isOpen)
  }

  @Test("A strap that sends again when it is asked once more is not connected anew")
  func renewed() {
    let room = StrapRoom(.any, [Self.polar()])
    room.at(20) { $0.change(1) { $0.sends = false } }
    room.at(32) { $0.change(1) { $0.sends = true } }
    room.run(until: 60)
    #expect(room.calls(.disconnect(room.straps[0].path)).isEmpty)
    #expect(room.notices.count == 3)
    #expect(room.notices.last?.hasPrefix("it is back after") == true)
  }

  @Test("A bluetoothd that starts again finds the same strap again")
  func restart() {
    let room = StrapRoom(.any, [Self.polar()])
    room.at(20) { $0.stopBluez() }
    room.at(25) { $0.startBluez() }
    room.run(until: 60)
    #expect(room.problem == nil)
    #expect((room.heartRates.last ?? 0) > 58)
    let expected = ["connected", "BlueZ has stopped; \(Self.patience)", "\(StrapProblem.noBluez)"]
    #expect(Array(room.notices.prefix(3)) == expected, "\(room.notices)")
    #expect(room.notices.count == 4, "\(room.notices)")
  }

  @Test("A system bus that is gone is reached again")
  func bus() {
    let room = StrapRoom(.any, [Self.polar()])
    room.at(20) { $0.loseBus() }
    room.at(60) { $0.busError = nil }
    room.run(until: 120)
    #expect(room.problem == nil, "\(room.notices)")
    #expect((room.heartRates.last ?? 0) > 118, "\(room.notices)")
    #expect(room.notices.dropFirst().first == "the system bus cannot be reached; \(Self.patience)")
    #expect(room.notices.count == 3)
  }

  @Test("An adapter that is switched off is said, once, and waited for")
  func adapterOff() {
    let room = StrapRoom(.any, [Self.polar()])
    room.at(20) { $0.power(false) }
    room.at(200) { $0.power(true) }
    room.run(until: 230)
    let off = "\(StrapProblem.adapterOff("hci0", isBlocked: false))"
    #expect(room.notices.filter { $0 == off }.count == 1, "\(room.notices)")
    #expect(room.notices.count == 4, "\(room.notices)")
    #expect((room.heartRates.last ?? 0) > 228)
  }

  // MARK: - What it sends

  @Test("A heart rate without contact is not used, and that is said once, and once when the skin is back")
  func contact() {
    let room = StrapRoom(.any, [Self.polar { $0.bytes = [0x06, 0x78] }])
    room.at(10) { $0.change(1) { $0.bytes = [0x04, 0x50] } }
    room.at(20) { $0.change(1) { $0.bytes = [0x06, 0x79] } }
    room.run(until: 30)
    let lost = "it does not touch the skin, so that its heart rate is not used"
    #expect(room.notices == ["connected", lost, "it touches the skin again"])
    #expect(!room.reports.contains { $0.report == .heartRate(0x50, intervals: []) })
    #expect(room.reports.contains { $0.report == .heartRate(0x79, intervals: []) })
    #expect(!room.heartRates.contains { $0 > 10.5 && $0 < 19.5 })
  }

  @Test("A measurement that cannot be read is said once, and is a sign of life all the same")
  func unusable() {
    let room = StrapRoom(.any, [Self.polar { $0.bytes = [0x40, 0x78] }])
    room.run(until: 60)
    #expect(room.notices == ["connected", "a measurement cannot be used: reserved flags are set (0x40)"])
    #expect(room.heartRates.isEmpty)
    let zero = StrapRoom(.any, [Self.polar { $0.bytes = [0x00, 0x00] }])
    zero.run(until: 60)
    #expect(zero.notices == ["connected", "it finds no heartbeat (0 bpm)"])
    #expect(zero.heartRates.isEmpty)
  }

  @Test("The battery is reported once, and once when it becomes low")
  func battery() {
    var battery = StrapBattery()
    #expect(
      [80, 79, nil, 21, 20, 15, 90].map { battery.percent($0) } == [
        "its battery has 80 %", nil, nil, nil, "its battery is low: 20 %", nil, nil,
      ])
    var low = StrapBattery()
    #expect(low.percent(10) == "its battery is low: 10 %")
  }
}

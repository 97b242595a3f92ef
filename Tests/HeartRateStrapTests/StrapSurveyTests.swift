import Testing

@testable import HeartRateStrap

@Suite("Which straps are in the room")
struct StrapSurveyTests {
  private static let hci = "/org/bluez/hci0"
  private static let second: Int64 = 1_000_000_000

  private static func listed(powered: Bool = true) -> BluezEvent {
    .objects([hci: [BluezName.adapter: ["Powered": .bool(powered)]]])
  }

  private static func device(_ number: Int, _ more: BluezProperties, assigned: UInt16 = 0x180D) -> BluezEvent {
    var properties: BluezProperties = [
      "Address": .text("E0:00:00:00:00:0\(number)"), "UUIDs": .texts([BluezName.uuid(assigned)]),
    ]
    properties.merge(more) { $1 }
    return .added(hci + "/dev_\(number)", [BluezName.device: properties])
  }

  @Test("It listens for as long as it was asked to, and reports every strap as it was last heard, also one that left")
  func listening() {
    var survey = StrapSurvey(length: 10 * Self.second)
    #expect(survey.begin(now: 0) == [.open, .call(.list)])
    let actions = survey.handle(Self.listed(), now: Self.second)
    #expect(actions == [.call(.setFilter(Self.hci)), .call(.startDiscovery(Self.hci))])
    #expect(survey.deadline == 11 * Self.second)
    _ = survey.handle(Self.device(2, ["RSSI": .integer(-70)]), now: Self.second)
    _ = survey.handle(Self.device(1, ["RSSI": .integer(-50)]), now: Self.second)
    _ = survey.handle(Self.device(3, ["RSSI": .integer(-50)], assigned: 0x1800), now: Self.second)
    _ = survey.handle(Self.device(4, ["Paired": .bool(true)]), now: Self.second)
    _ = survey.handle(Self.device(5, ["Connected": .bool(true)]), now: Self.second)
    let louder = BluezEvent.changed(
      Self.hci + "/dev_2", interface: BluezName.device, ["RSSI": .integer(-40), "Name": .text("Two")], gone: [])
    _ = survey.handle(louder, now: Self.second)
    _ = survey.handle(.removed(Self.hci + "/dev_1", [BluezName.device]), now: Self.second)
    #expect(survey.tick(now: 11 * Self.second - 1).isEmpty)
    #expect(!survey.isOver)
    #expect(survey.tick(now: 11 * Self.second) == [.call(.stopDiscovery(Self.hci)), .close])
    #expect(survey.isOver)
    #expect(survey.straps.map(\.address) == ["E0:00:00:00:00:01", "E0:00:00:00:00:02", "E0:00:00:00:00:05"])
    #expect(survey.straps.map(\.signalDBm) == [-50, -40, nil])
    #expect(survey.straps[1].name == "Two")
  }

  @Test("An adapter that is missing, off or blocked is waited for a moment, then said")
  func adapters() {
    var off = StrapSurvey(length: Self.second)
    _ = off.begin(now: 0)
    _ = off.handle(Self.listed(powered: false), now: 0)
    #expect(off.problem == nil)
    _ = off.tick(now: 2 * Self.second)
    #expect(off.problem == .adapterOff("hci0", isBlocked: false))
    var blocked = StrapSurvey(length: Self.second)
    _ = blocked.begin(now: 0)
    let properties: BluezProperties = ["Powered": .bool(false), "PowerState": .text("off-blocked")]
    _ = blocked.handle(.objects([Self.hci: [BluezName.adapter: properties]]), now: 0)
    _ = blocked.tick(now: 2 * Self.second)
    #expect(blocked.problem == .adapterOff("hci0", isBlocked: true))
    #expect(blocked.problem.map { "\($0)" }?.contains("rfkill unblock bluetooth") == true)
    var none = StrapSurvey(length: Self.second)
    _ = none.begin(now: 0)
    _ = none.handle(.objects([:]), now: 0)
    _ = none.tick(now: 2 * Self.second)
    #expect(none.problem == .noAdapter)
  }

  @Test("What is wrong with the bus or BlueZ is said")
  func problems() {
    func problem(_ event: BluezEvent) -> StrapProblem? {
      var survey = StrapSurvey(length: Self.second)
      _ = survey.begin(now: 0)
      _ = survey.handle(event, now: 0)
      return survey.problem
    }
    #expect(problem(.lost(BluezError(.noBus, "No such file"))) == .noBus("No such file"))
    #expect(problem(.refused(.list, BluezError(.accessDenied))) == .noPermission)
    #expect(problem(.refused(.startDiscovery(Self.hci), BluezError(.other, "busy"))) == .other("busy"))
    #expect(problem(.vanished) == nil)
    #expect(problem(.appeared) == nil)
    var mute = StrapSurvey(length: Self.second)
    _ = mute.begin(now: 0)
    _ = mute.tick(now: StrapPatience.answer)
    #expect(mute.problem == .other("it does not answer"))
  }
}

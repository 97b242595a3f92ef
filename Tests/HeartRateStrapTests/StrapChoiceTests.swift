import Testing

@testable import HeartRateStrap

@Suite("Which strap is meant")
struct StrapChoiceTests {
  private static func device(
    _ number: Int, _ name: String?, rssi: Int64? = -60, uuids: [UInt16] = [0x180D], _ more: BluezProperties = [:]
  ) -> StrapDevice {
    var properties: BluezProperties = [
      "Address": .text("e0:00:00:00:00:0\(number)"), "UUIDs": .texts(uuids.map(BluezName.uuid)),
      "Alias": .text(name ?? "E0-00-00-00-00-0\(number)"),
    ]
    if let rssi { properties["RSSI"] = .integer(rssi) }
    properties.merge(more) { $1 }
    guard let device = StrapDevice("/d\(number)", properties, battery: nil) else {
      preconditionFailure("has an address")
    }
    return device
  }

  private static let polar = device(1, "Polar H10 7A2B")
  private static let tickr = device(2, "TICKR 99")
  private static let phone = device(3, "Phone of Polar", uuids: [0x1800])

  @Test(
    "An address is distinguished from a name by its form",
    arguments: [
      ("E0:11:22:33:44:55", StrapChoice.address("E0:11:22:33:44:55")),
      ("e0-11-22-33-44-5f", .address("E0:11:22:33:44:5F")), ("E0_11_22_33_44_55", .address("E0:11:22:33:44:55")),
      ("E0:11:22:33:44", .named("E0:11:22:33:44")), ("E0:11:22:33:44:GG", .named("E0:11:22:33:44:GG")),
      ("E0::11:22:33:44:5", .named("E0::11:22:33:44:5")), ("polar", .named("polar")), (" ", .named(" ")),
    ])
  func forms(text: String, choice: StrapChoice) { #expect(StrapChoice(text) == choice) }

  @Test("An empty text is no choice")
  func empty() { #expect(StrapChoice("") == nil) }

  @Test("The only strap is taken when the room was listened to, two are not chosen from")
  func any() {
    let choice = StrapChoice.any
    #expect(choice.decide(among: [Self.polar, Self.phone], isSettled: false) == .wait)
    #expect(choice.decide(among: [Self.polar, Self.phone], isSettled: true) == .take(Self.polar))
    #expect(choice.decide(among: [Self.phone], isSettled: true) == .wait)
    #expect(choice.decide(among: [Self.polar, Self.tickr], isSettled: true) == .several([Self.polar, Self.tickr]))
  }

  @Test("One that is connected goes before one that is paired, and that before others")
  func known() {
    let connected = Self.device(4, "Mine", rssi: nil, ["Connected": .bool(true)])
    let paired = Self.device(5, "Paired", ["Paired": .bool(true)])
    let trusted = Self.device(6, "Trusted", ["Trusted": .bool(true)])
    let choice = StrapChoice.any
    #expect(choice.decide(among: [Self.polar, paired, connected], isSettled: false) == .take(connected))
    #expect(choice.decide(among: [Self.polar, paired], isSettled: false) == .wait)
    #expect(choice.decide(among: [Self.polar, paired], isSettled: true) == .take(paired))
    #expect(choice.decide(among: [Self.polar, trusted], isSettled: true) == .take(trusted))
    #expect(choice.decide(among: [paired, trusted], isSettled: true) == .several([paired, trusted]))
    let other = Self.device(7, "Other", rssi: nil, ["Connected": .bool(true)])
    #expect(choice.decide(among: [connected, other], isSettled: true) == .several([connected, other]))
  }

  @Test("A device that is only remembered, or that is blocked, is not here")
  func absent() {
    let remembered = Self.device(4, "Remembered", rssi: nil, ["Paired": .bool(true)])
    let blocked = Self.device(5, "Blocked", ["Blocked": .bool(true)])
    #expect(StrapChoice.any.candidates(among: [remembered, blocked]).isEmpty)
    #expect(StrapChoice.named("remembered").candidates(among: [remembered]).isEmpty)
  }

  @Test(
    "A name is found in any capitals, whole before a part of it",
    arguments: [
      ("polar h10 7a2b", [1]), ("POLAR", [1]), ("tick", [2]), ("phone", [3]), ("nobody", []), ("10", [1, 4]),
    ])
  func names(text: String, numbers: [Int]) {
    let ten = Self.device(4, "TICKR 10")
    let here = [Self.polar, Self.tickr, Self.phone, ten, Self.device(5, nil)]
    let found = StrapChoice.named(text).candidates(among: here).map(\.address)
    // A phone that has the word in its name as well is meant only when no strap is; so is another strap with more of it.
    let expected = text == "tick" ? [2, 4] : numbers
    #expect(found == expected.map { "E0:00:00:00:00:0\($0)" })
    #expect(StrapChoice.named("TICKR 10").candidates(among: here + [Self.device(6, "TICKR 10X")]) == [ten])
  }

  @Test("An address means that device at once, whatever it says of itself")
  func address() {
    let choice = StrapChoice.address("E0:00:00:00:00:03")
    #expect(choice.decide(among: [Self.polar, Self.phone], isSettled: false) == .take(Self.phone))
    #expect(choice.decide(among: [Self.polar], isSettled: true) == .wait)
  }

  @Test("The alias that is only the address is no name")
  func nameless() {
    #expect(Self.device(5, nil).name == nil)
    #expect(Self.device(5, nil).fullName == "E0:00:00:00:00:05")
    #expect(Self.polar.fullName == "Polar H10 7A2B (E0:00:00:00:00:01)")
  }
}

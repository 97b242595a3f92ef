import Testing
@testable import ZoneEngine

@Suite("Which altitudes count")
struct AltitudeChoiceTests {
  private typealias Use = AltitudeChoice.Use

  @Test("are those of positions alone, or of a barometer alone")
  func alone() {
    for isBarometer in [false, true] {
      var choice = AltitudeChoice()
      let uses = (0..<5).map { choice.admit(ofBarometer: isBarometer, at: .seconds($0 * 20)) }
      #expect(uses == [Use](repeating: .goOn, count: 5))
    }
  }

  @Test(
    "are those of the barometer from its first one on, and of positions again when it is silent; nothing joins the two")
  func both() {
    var choice = AltitudeChoice()
    #expect(choice.admit(ofBarometer: false, at: .seconds(0)) == .goOn)
    #expect(choice.admit(ofBarometer: true, at: .seconds(1)) == .beginAnew)
    #expect(choice.admit(ofBarometer: false, at: .seconds(2)) == .leaveOut)
    #expect(choice.admit(ofBarometer: true, at: .seconds(3)) == .goOn)
    #expect(choice.admit(ofBarometer: false, at: .seconds(33)) == .leaveOut)
    #expect(choice.admit(ofBarometer: false, at: .seconds(34)) == .beginAnew)
    #expect(choice.admit(ofBarometer: false, at: .seconds(35)) == .goOn)
    #expect(choice.admit(ofBarometer: true, at: .seconds(36)) == .beginAnew)
  }
}

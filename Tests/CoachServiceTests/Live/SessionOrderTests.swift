@testable import CoachService
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

/// What a session is coached by when little was said.
struct SessionOrderTests {
  private let day = CivilDate(daysSinceEpoch: 20_000)

  /// The order of a text, complete as at the beginning of a session.
  private func order(_ text: String) throws -> SessionOrder {
    var reader = try JSONObjectReader(JSONValue.parse(text))
    var order = try SessionOrder(members: &reader, person: nil, day: try #require(day))
    try reader.finish()
    let folder = try ScratchFolder()
    _ = try order.complete(in: StoredPath(dataFolder: folder.path), isRequired: false)
    return order
  }

  @Test("An order with a target alone is coached as a run in the terminal, with the usual ceiling")
  func target() throws {
    let order = try order(#"{"profile":{"maximumHeartRate":180},"target":"z2"}"#)
    #expect(order.coaching.coach == .runner)
    #expect(order.coaching.guardrails == CoachPreset.runner.guardrails)
    #expect(order.coaching.strategy != .none)
    #expect(order.coaching.ceiling?.beatsPerMinute == 185)
  }

  @Test("A strategy that is named is alone, and guardrails that are named win over those of the preset")
  func named() throws {
    let strategy = try order(#"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"none"}}"#)
    #expect(strategy.coaching.coach == nil)
    #expect(strategy.coaching.strategy == .none)
    let guardrails = try order(#"{"profile":{"ageYears":23},"target":"z2","guardrails":{"warmUpSeconds":7}}"#)
    #expect(guardrails.coaching.coach == .runner)
    #expect(guardrails.coaching.guardrails.warmUp == .seconds(7))
  }

  @Test(
    "A ceiling that is named is that one, and off is none",
    arguments: [("\"off\"", nil), (#"{"beatsPerMinute":150}"#, 150)])
  func ceiling(text: String, expected: Int?) throws {
    let order = try order(#"{"profile":{"ageYears":23},"target":"z2","ceiling":\#(text)}"#)
    #expect(order.coaching.ceiling?.beatsPerMinute == expected)
  }

  @Test("Without a maximum there is no ceiling")
  func withoutMaximum() throws {
    let order = try order(#"{"zoneModel":{"kind":"custom","boundsBPM":[100,120,140]},"target":"z2"}"#)
    #expect(order.coaching.ceiling == nil)
  }

  @Test("A simulated run says so, also after a restart; one of which nothing is said is live")
  func origin() throws {
    let simulated = try order(#"{"profile":{"ageYears":23},"target":"z2","origin":"simulated"}"#)
    #expect(simulated.origin == .simulated)
    #expect(try SessionOrder(stored: simulated.json, of: nil).origin == .simulated)
    #expect(try order(#"{"profile":{"ageYears":23},"target":"z2"}"#).origin == .live)
  }

  @Test(
    "Whose a session is follows from the key or the row, and not from a name that was written with it",
    arguments: ["anna", nil])
  func person(_ own: String?) throws {
    let day = try #require(day)
    let key = try SessionOrder(ofKey: #"{"person":"ann","target":"z2"}"#, person: own, day: day)
    #expect(key.person == own)
    let stored = #"{"day":"2024-10-04","owner":"ann","person":"ann","target":"z2"}"#
    #expect(try SessionOrder(stored: stored, of: own).person == own)
    #expect(try KeyRequest(json: Array(#"{"target":"z2","person":"ann"}"#.utf8)).text == #"{"target":"z2"}"#)
    #expect(try KeyRequest(json: Array(#"{"target":"z2","person":"ann"}"#.utf8)).person == "ann")
  }

  @Test("An order that is stored comes back as it was completed", arguments: ["\"off\"", #"{"beatsPerMinute":150}"#])
  func stored(ceiling: String) throws {
    let order = try order(#"{"profile":{"ageYears":23},"target":"z2","ceiling":\#(ceiling)}"#)
    let back = try SessionOrder(stored: order.json, of: nil)
    #expect(back.coaching == order.coaching)
  }
}

@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("Lists for tokens of one session or group")
struct ScopedListTests {
  private static func named(_ name: String) -> String { #"{"name":"\#(name)","birthDate":"1990-05-17"}"# }

  @Test("They say nothing of who else has an account, and list nobody else's session", arguments: [false, true])
  func people(isOver: Bool) async throws {
    let group = try await GroupHarness(ScratchFolder())
    let harness = group.service
    let owner = try await harness.token([.manage])
    for name in ["ann", "ben"] {
      #expect(await harness.send("POST", "/v1/people", owner, body: Self.named(name)).status == 201)
    }
    let id = try await harness.begin(group.ann, #"{"target":"z2","clock":"samples"}"#)
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", group.ann, body: ServiceHarness.heartRates(0..<70),
      type: "application/x-ndjson")
    if isOver {
      _ = await harness.send("POST", "/v1/sessions/\(id)/commands", group.ann, body: #"{"id":"x","command":"stop"}"#)
    }
    let ofSession = try await harness.token([.watch], session: id)
    let ofGroup = IssuedSecret.token(
      [.watch], person: nil, session: nil, group: group.id, days: 1, now: group.clock.now())
    try await harness.service.store.add(ofGroup.grant)
    try await harness.service.access.refresh(always: true)
    let stranger = await harness.send("GET", "/v1/sessions?person=nobody", ofSession)
    #expect(stranger.status == 404)
    for (token, name) in [(ofSession, "ben"), (ofGroup, "ann"), (ofGroup, "ben"), (ofGroup, "nobody")] {
      let answer = await harness.send("GET", "/v1/sessions?person=\(name)", token)
      #expect(answer.status == 404, "\(name)")
      #expect(answer.text == stranger.text, "\(name)")
    }
    for path in ["/v1/sessions", "/v1/sessions?person=ann"] {
      let list = await harness.send("GET", path, ofSession)
      #expect(list.json?["sessions"]?.array?.compactMap { $0["sessionID"]?.string } == [id], "\(path)")
    }
    #expect(await harness.send("GET", "/v1/sessions", ofGroup).json?["sessions"]?.array?.count == 0)
    await harness.service.close()
  }

  @Test("A token of one session makes none of somebody whose session it is not", arguments: [false, true])
  func otherPerson(isOver: Bool) async throws {
    let harness = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0)))
    let owner = try await harness.token([.manage])
    for name in ["ann", "ben"] {
      #expect(await harness.send("POST", "/v1/people", owner, body: Self.named(name)).status == 201)
    }
    let ann = try await harness.token([.send, .watch, .manage], person: "ann")
    let id = try await harness.begin(ann, #"{"target":"z2","clock":"samples"}"#)
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", ann, body: ServiceHarness.heartRates(0..<70), type: "application/x-ndjson")
    if isOver {
      _ = await harness.send("POST", "/v1/sessions/\(id)/commands", ann, body: #"{"id":"x","command":"stop"}"#)
    }
    let ofSession = try await harness.token([.watch, .manage], session: id)
    for name in ["ben", "nosuch"] {
      let body = #"{"scopes":["watch"],"person":"\#(name)"}"#
      let refused = await harness.send("POST", "/v1/tokens", ofSession, body: body)
      #expect(refused.status == 404, "\(name): \(refused.text)")
      #expect(refused.json?["pointer"]?.string == "/person")
    }
    let made = await harness.send("POST", "/v1/tokens", ofSession, body: #"{"scopes":["watch"],"person":"ann"}"#)
    #expect(made.status == 201, "\(made.text)")
    #expect(made.json?["session"]?.string == id)
    let plain = await harness.send("POST", "/v1/tokens", ofSession, body: #"{"scopes":["watch"]}"#)
    #expect(plain.status == 201, "\(plain.text)")
    await harness.service.close()
  }

  @Test("A token that the owner made for nobody in particular watches every board, and changes no group")
  func everybody() async throws {
    let group = try await GroupHarness(ScratchFolder())
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    let watcher = try await group.service.token([.watch])
    #expect(await group.board(watcher).tile("ann") != nil)
    #expect(await group.service.send("DELETE", group.path, watcher).status == 403)
    // Nobody but the owner makes such a token.
    let own = try await group.service.token([.watch, .manage], person: "ben")
    let made = await group.service.send("POST", "/v1/tokens", own, body: #"{"scopes":["watch"]}"#)
    #expect(made.json?["person"]?.string == "ben", "\(made.text)")
    await group.service.service.close()
  }
}

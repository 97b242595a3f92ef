@testable import CoachService
import Foundation
import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

/// A session that ends before its first sample leaves nothing, and whoever did not get the answer to its last lines gets it all the same.
@Suite("A session that ended before it began, on both stores", .serialized)
struct UnbegunSessionTests {
  private static let pause = #"{"type":"command","id":"p","command":"pause"}"# + "\nx\n"
  private static let stop = #"{"type":"command","id":"s","command":"stop"}"# + "\n"

  private func send(
    _ store: ServiceOnStore, _ token: IssuedSecret, _ id: String, _ batch: String, _ lines: String
  ) async throws -> HTTPResponse {
    try await store.send(
      "POST", "/v1/sessions/\(id)/samples?batch=\(batch)", token, body: lines, type: FleetServiceHarness.lines)
  }

  /// Ends a session that has not begun, as for want of room.
  private func dismiss(_ store: ServiceOnStore, _ id: String) async throws {
    await store.service.sessions.dismiss(try #require(store.service.sessions.known(id)))
  }

  @Test(
    "Its batches get the answers that they had, byte for byte: at once, after the end, and from who has it next",
    arguments: StoreKind.allCases)
  func answers(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let (ann, watch) = (try await store.token(person: "ann"), try await store.token(person: "ann"))
    let (ben, owner) = (try await store.token(person: "ben"), try await store.token())
    let id = try await store.begin(ann)
    let younger = try await store.token(person: "ann")
    let first = try await send(store, ann, id, "a", Self.pause)
    #expect(first.status == 200, "\(first.text)")
    #expect(first.text.contains(#""id":"p","accepted":false,"reason":"notStarted""#), "\(first.text)")
    #expect(try await send(store, ann, id, "a", Self.pause).text == first.text)
    // Another one goes on with it, and it has not begun.
    try await store.reopen()
    #expect(try await send(store, ann, id, "a", Self.pause).text == first.text)
    let last = try await send(store, ann, id, "b", Self.stop)
    #expect(last.status == 200, "\(last.text)")
    #expect(last.text.contains(#""id":"s","accepted":false,"reason":"notStarted""#), "\(last.text)")
    try await dismiss(store, id)
    for turn in 0..<3 {
      for token in [ann, watch, owner] {
        #expect(try await send(store, token, id, "a", Self.pause).text == first.text, "turn \(turn)")
        #expect(try await send(store, token, id, "b", Self.stop).text == last.text, "turn \(turn)")
      }
      let others = try await send(store, ann, id, "b", Self.pause)
      #expect(others.json?["code"]?.string == "differentBody", "turn \(turn): \(others.text)")
      let new = try await send(store, ann, id, "c", Self.stop)
      #expect(new.json?["code"]?.string == "sessionEnded", "turn \(turn): \(new.text)")
      #expect(try await send(store, ben, id, "b", Self.stop).status == 404, "turn \(turn)")
      // Once it is in memory nowhere, a secret that is younger may be that of another person who has the name by now.
      if turn > 0 { #expect(try await send(store, younger, id, "b", Self.stop).status == 404, "turn \(turn)") }
      #expect(try await store.send("GET", "/v1/sessions/\(id)/summary", ann).status == 404 || turn == 0)
      #expect(try await store.listed("", owner) == [], "turn \(turn)")
      try await store.reopen()
    }
    #expect(!FileSystem.exists(SessionFolder.path(of: id, in: store.service.settings.dataFolder)))
    await store.close()
  }

  @Test(
    "Of one that was asked for a target, whose answer depends on zones that are kept nowhere, nothing wrong is said",
    arguments: StoreKind.allCases)
  func target(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let token = try await store.token()
    let id = try await store.begin(token)
    let lines = #"{"type":"command","id":"t","command":"target","target":"z3"}"# + "\n" + Self.stop
    let answer = try await send(store, token, id, "a", lines)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(try await send(store, token, id, "a", lines).text == answer.text)
    try await dismiss(store, id)
    try await store.reopen()
    let again = try await send(store, token, id, "a", lines)
    #expect(again.json?["code"]?.string == "sessionEnded", "\(again.text)")
    await store.close()
  }

  @Test(
    "A session whose stop was refused goes on when the process is gone, and the same batch has the same answer",
    arguments: StoreKind.allCases)
  func cutOff(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let token = try await store.token()
    let id = try await store.begin(token)
    let session = try #require(store.service.sessions.known(id))
    // What is kept of the request; nobody concludes anything of it.
    let report = await session.running.take(
      request: Array(Self.stop.utf8), batch: "b", from: session.feed(of: token.grant.caller.id, elapsed: 0),
      now: SystemWallClock.now())
    #expect(report.state == .standby)
    #expect(report.events.count == 1)
    try await store.reopen()
    let answer = try await send(store, token, id, "b", Self.stop)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(answer.text.contains(#""id":"s","accepted":false,"reason":"notStarted""#), "\(answer.text)")
    #expect(store.service.sessions.liveCount == 1)
    #expect(try await store.listed("?state=live", token) == [id])
    try await store.reopen()
    #expect(try await send(store, token, id, "b", Self.stop).text == answer.text)
    let sample = #"{"type":"heartRate","atSeconds":0,"beatsPerMinute":120}"# + "\n"
    let taken = try await send(store, token, id, "c", sample)
    #expect(taken.json?["accepted"]?.number?.int64 == 1, "\(taken.text)")
    await store.close()
  }

  @Test("All data of a person has what was taken of it too, on both stores", arguments: StoreKind.allCases)
  func erased(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let owner = try await store.token()
    let person = #"{"name":"ann","birthDate":"1990-05-17"}"#
    #expect(try await store.send("POST", "/v1/people", owner, body: person).status == 201)
    let ann = try await store.token(person: "ann")
    let id = try await store.begin(ann)
    #expect(try await send(store, ann, id, "b", Self.stop).status == 200)
    try await dismiss(store, id)
    let kept = store.service.settings.dataFolder + "/" + EndedInputs.folderName + "/" + id
    #expect(FileSystem.exists(kept) == (kind == .embedded))
    #expect(try await store.send("DELETE", "/v1/people/ann?all-data=true", owner).status == 204)
    #expect(!FileSystem.exists(kept))
    try await store.reopen()
    #expect(try await send(store, owner, id, "b", Self.stop).status == 404)
    await store.close()
  }

  @Test("One to which nothing was sent leaves nothing at all", arguments: StoreKind.allCases)
  func silent(_ kind: StoreKind) async throws {
    let clock = WrongClock()
    let store = try await ServiceOnStore(kind, clock: clock)
    let token = try await store.token()
    let id = try await store.begin(token)
    clock.advance(seconds: 1_810)
    await store.service.tick()
    let deadline = ContinuousClock.now + .seconds(30)
    while store.service.sessions.liveCount > 0, ContinuousClock.now < deadline {
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    #expect(store.service.sessions.liveCount == 0)
    let data = store.service.settings.dataFolder
    #expect(try FileSystem.listIfPresent(data + "/" + EndedInputs.folderName) == [])
    #expect(!FileSystem.exists(SessionFolder.path(of: id, in: data)))
    await store.close()
  }
}

@testable import CoachService
import Foundation
import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// What a service promises of its log, decisions, history, notes, profiles, secrets and audit, whatever its store is: the same
/// is asked of one that runs alone and of one in front of a database, before and after it was closed and opened again.
@Suite("A service on both stores", .serialized)
struct BothStoresTests {
  private static let ann = #"{"name":"ann","birthDate":"1990-05-17","maxHeartRate":190}"#
  private static let ndjson = [HTTPField("Accept", "application/x-ndjson")]

  private func records(_ id: String, after: Int, _ store: ServiceOnStore, _ token: IssuedSecret) async throws
    -> [Substring]
  {
    let answer = try await store.send(
      "GET", "/v1/sessions/\(id)/events?after=\(after)", token, headers: Self.ndjson)
    try #require(answer.status == 200, "\(answer.text)")
    return answer.text.split(separator: "\n")
  }

  @Test(
    "Of what was answered every line is kept once, in its order, and a batch that is sent again gets the same answer",
    arguments: StoreKind.allCases)
  func log(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let token = try await store.token(person: "ann")
    let id = try await store.begin(token)
    let first = try await store.take(id, 0..<45, token)
    #expect(first.json?["accepted"]?.number?.int64 == 45, "\(first.text)")
    #expect(try await store.take(id, 0..<45, token).text == first.text)
    try await store.reopen()
    #expect(try await store.take(id, 0..<45, token).text == first.text)
    let second = try await store.take(id, 45..<100, token)
    #expect(second.json?["accepted"]?.number?.int64 == 55, "\(second.text)")
    try await store.reopen()
    #expect(try await store.take(id, 45..<100, token).text == second.text)
    try await store.stop(id, token)
    let late = try await store.take(id, 100..<110, token)
    #expect(late.status == 409, "\(late.text)")
    let rows = try store.file("heart_rate.csv", of: id).split(separator: "\n").dropFirst()
    #expect(rows.map { $0.split(separator: ",").last.map(String.init) } == (0..<100).map { "\(100 + $0 % 60)" })
    await store.close()
  }

  @Test(
    "Decisions keep their numbers when a service starts again, and those after one that is known follow it",
    arguments: StoreKind.allCases)
  func decisions(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let token = try await store.token()
    let id = try await store.begin(token)
    #expect(try await store.take(id, 0..<45, token).status == 200)
    let before = try await records(id, after: 0, store, token)
    #expect(before.count == 3, "started and two cues")
    try await store.reopen()
    #expect(try await records(id, after: 0, store, token) == before)
    #expect(try await store.take(id, 45..<100, token).status == 200)
    let after = try await records(id, after: before.count, store, token)
    #expect(after.count == 2)
    #expect(try await records(id, after: 0, store, token) == before + after)
    try await store.stop(id, token)
    let all = try store.file(SessionFolder.decisions, of: id).split(separator: "\n")
    #expect(all.starts(with: before + after))
    #expect(try await records(id, after: 0, store, token) == all)
    #expect(try await records(id, after: all.count - 1, store, token) == all.suffix(1))
    await store.close()
  }

  @Test("Both keep the same decisions and heart rates of the same lines")
  func equal() async throws {
    var found: [[String]] = []
    for kind in StoreKind.allCases {
      let store = try await ServiceOnStore(kind)
      let token = try await store.token()
      let id = try await store.begin(token)
      #expect(try await store.take(id, 0..<70, token).status == 200)
      try await store.reopen()
      #expect(try await store.take(id, 70..<130, token).status == 200)
      try await store.stop(id, token)
      // A session has times of its own: what is compared is what lies behind them.
      let rows = try store.file("heart_rate.csv", of: id).split(separator: "\n")
      found.append(
        rows.map { $0.split(separator: ",").dropFirst().joined(separator: ",") }
          + [try store.file(SessionFolder.decisions, of: id)])
      await store.close()
    }
    #expect(found[0] == found[1])
    #expect(found[0].count == 132)
  }

  @Test(
    "Sessions that are over are listed, shown and deleted the same before and after a start",
    arguments: StoreKind.allCases)
  func history(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let (owner, ann, bob) = (
      try await store.token(), try await store.token(person: "ann"), try await store.token(person: "bob")
    )
    let (first, second) = (try await store.session(of: 60, ann), try await store.session(of: 90, bob))
    let live = try await store.begin(ann)
    var shown: [String] = []
    for turn in 0..<2 {
      #expect(try await store.listed("?person=ann&state=complete", owner) == [first])
      #expect(try await Set(store.listed("", owner)) == [first, second, live])
      #expect(try await store.listed("?state=live", owner) == [live])
      #expect(try await store.listed("", bob) == [second])
      #expect(try await store.send("GET", "/v1/sessions/\(first)", bob).status == 404)
      let page = try await store.send("GET", "/v1/sessions?state=complete&limit=1", owner)
      let next = try #require(page.json?["next"]?.string, "\(page.text)")
      let rest = try await store.listed("?state=complete&limit=1&cursor=\(next)", owner)
      #expect(
        Set(rest + (page.json?["sessions"]?.array ?? []).compactMap { $0["sessionID"]?.string }) == [first, second])
      var texts: [String] = []
      for name in ["", "/summary", "/series"] {
        let answer = try await store.send("GET", "/v1/sessions/\(second)\(name)", bob)
        #expect(answer.status == 200, "\(answer.text)")
        texts.append(answer.text)
      }
      if turn == 1 { #expect(texts == shown) }
      shown = texts
      try await store.reopen()
    }
    #expect(try await store.send("DELETE", "/v1/sessions/\(live)", owner).status == 409)
    #expect(try await store.send("DELETE", "/v1/sessions/\(first)", owner).status == 204)
    for _ in 0..<2 {
      #expect(try await store.send("GET", "/v1/sessions/\(first)", ann).status == 404)
      #expect(try await store.send("DELETE", "/v1/sessions/\(first)", owner).status == 404)
      #expect(try await store.listed("?state=complete", owner) == [second])
      try await store.reopen()
    }
    await store.close()
  }

  @Test("Notes and tags are kept, found, replaced and taken away", arguments: StoreKind.allCases)
  func notes(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let ann = try await store.token(person: "ann")
    let id = try await store.session(of: 30, ann)
    let path = "/v1/sessions/\(id)/notes"
    let written = try await store.send(
      "PUT", path, ann, body: #"{"note":"windy\nalong the river","tags":["race"]}"#)
    #expect(written.status == 200, "\(written.text)")
    for _ in 0..<2 {
      #expect(try await store.send("GET", path, ann).text == written.text)
      #expect(try await store.listed("?tag=race", ann) == [id])
      #expect(try await store.listed("?tag=long", ann) == [])
      #expect(try await store.listed("?text=river", ann) == [id])
      try await store.reopen()
    }
    #expect(try await store.send("PUT", path, ann, body: #"{"note":"calm"}"#).status == 200)
    #expect(try await store.listed("?tag=race", ann) == [])
    #expect(try await store.send("PUT", path, ann, body: "{}").status == 200)
    try await store.reopen()
    let cleared = try await store.send("GET", path, ann)
    #expect(cleared.json?["note"]?.string == nil)
    #expect(cleared.json?["tags"]?.array?.count == 0, "\(cleared.text)")
    await store.close()
  }

  @Test("People are made once, changed, listed, used by sessions and deleted", arguments: StoreKind.allCases)
  func profiles(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let (owner, ann) = (try await store.token(), try await store.token(person: "ann"))
    let created = try await store.send("POST", "/v1/people", owner, body: Self.ann)
    #expect(created.status == 201, "\(created.text)")
    #expect(try await store.send("POST", "/v1/people", owner, body: Self.ann).status == 409)
    #expect(try await store.send("PATCH", "/v1/people/bob", owner, body: #"{"weightKg":60}"#).status == 404)
    let changed = try await store.send("PATCH", "/v1/people/ann", ann, body: #"{"maxHeartRate":185}"#)
    #expect(changed.status == 200, "\(changed.text)")
    #expect(try await store.send("PATCH", "/v1/people/ann", ann, body: #"{"minimumAge":30}"#).status == 422)
    let zones = try await store.send("GET", "/v1/zones?profile=ann", ann)
    #expect(zones.status == 200, "\(zones.text)")
    try await store.reopen()
    #expect(try await store.send("GET", "/v1/people/ann", ann).text == changed.text)
    #expect(try await store.send("GET", "/v1/zones?profile=ann", ann).text == zones.text)
    let people = try await store.send("GET", "/v1/people", owner)
    #expect(people.json?["people"]?.array?.map { $0["name"]?.string } == ["ann"], "\(people.text)")
    let order = #"{"target":"z2","strategy":{"kind":"moment","every":20},"clock":"samples"}"#
    let begun = try await store.send("POST", "/v1/sessions", ann, body: order)
    let id = try #require(begun.json?["sessionID"]?.string, "\(begun.text)")
    #expect(try await store.take(id, 0..<30, ann).status == 200)
    try await store.stop(id, ann)
    #expect(try await store.send("GET", "/v1/people/ann", owner).json?["sessions"]?.number?.int64 == 1)
    #expect(try await store.send("DELETE", "/v1/people/ann", owner).status == 204)
    for _ in 0..<2 {
      #expect(try await store.send("GET", "/v1/people/ann", owner).status == 404)
      #expect(try await store.send("DELETE", "/v1/people/ann", owner).status == 404)
      try await store.reopen()
    }
    // The session is not deleted with the profile alone.
    #expect(try await store.listed("", owner) == [id])
    await store.close()
  }

  @Test(
    "A live session of somebody who is deleted is not that of whoever is called the same later, also after a start",
    arguments: StoreKind.allCases)
  func sameName(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let (owner, before) = (try await store.token(), try await store.token(person: "ann"))
    #expect(try await store.send("POST", "/v1/people", owner, body: Self.ann).status == 201)
    let order = #"{"target":"z2","strategy":{"kind":"moment","every":20},"clock":"samples"}"#
    let begun = try await store.send("POST", "/v1/sessions", before, body: order)
    let id = try #require(begun.json?["sessionID"]?.string, "\(begun.text)")
    #expect(try await store.take(id, 0..<30, before).status == 200)
    try await store.reopen()
    #expect(try await store.send("GET", "/v1/sessions/\(id)", before).status == 200)
    #expect(try await store.send("DELETE", "/v1/people/ann", owner).status == 204)
    #expect(try await store.send("POST", "/v1/people", owner, body: Self.ann).status == 201)
    let after = try await store.token(person: "ann")
    for _ in 0..<2 {
      #expect(try await store.send("GET", "/v1/sessions/\(id)", after).status == 404)
      #expect(try await store.take(id, 30..<40, after).status == 404)
      #expect(try await store.listed("", after) == [])
      #expect(try await store.listed("?state=live", owner) == [id])
      try await store.reopen()
    }
    #expect(try await store.take(id, 30..<60, owner).status == 200)
    try await store.stop(id, owner)
    #expect(try await store.listed("", after) == [])
    #expect(try await store.listed("", owner) == [id])
    await store.close()
  }

  @Test("All data of a person goes, and not while a session of the person is live", arguments: StoreKind.allCases)
  func person(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let (owner, ann, bob) = (
      try await store.token(), try await store.token(person: "ann"), try await store.token(person: "bob")
    )
    #expect(try await store.send("POST", "/v1/people", owner, body: Self.ann).status == 201)
    let kept = try await store.session(of: 30, bob)
    let id = try await store.session(of: 30, ann)
    let live = try await store.begin(ann)
    #expect(try await store.send("DELETE", "/v1/people/ann?all-data=true", owner).status == 409)
    #expect(try await store.take(live, 0..<30, ann).status == 200)
    try await store.stop(live, ann)
    #expect(try await store.send("DELETE", "/v1/people/ann?all-data=true", owner).status == 204)
    for _ in 0..<2 {
      #expect(try await store.send("GET", "/v1/sessions/\(id)", ann).status == 401)
      #expect(try await store.send("GET", "/v1/sessions/\(id)", owner).status == 404)
      #expect(try await store.send("GET", "/v1/people/ann", owner).status == 404)
      #expect(try await store.listed("", owner) == [kept])
      try await store.reopen()
    }
    await store.close()
  }

  @Test(
    "Whoever gets the name of a deleted profile has nothing of its sessions, and all data of the new one leaves them",
    arguments: StoreKind.allCases)
  func namesake(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let owner = try await store.token()
    #expect(try await store.send("POST", "/v1/people", owner, body: Self.ann).status == 201)
    let first = try await store.session(of: 30, try await store.token(person: "ann"))
    #expect(try await store.send("DELETE", "/v1/people/ann", owner).status == 204)
    #expect(try await store.send("POST", "/v1/people", owner, body: Self.ann).status == 201)
    let ann = try await store.token(person: "ann")
    let second = try await store.session(of: 30, ann)
    for _ in 0..<2 {
      #expect(try await store.listed("", ann) == [second])
      #expect(try await store.send("GET", "/v1/sessions/\(first)", ann).status == 404)
      try await store.reopen()
    }
    #expect(try await store.send("DELETE", "/v1/people/ann?all-data=true", owner).status == 204)
    for _ in 0..<2 {
      #expect(try await store.listed("", owner) == [first])
      #expect(try await store.send("GET", "/v1/sessions/\(first)/summary", owner).status == 200)
      #expect(try await store.send("GET", "/v1/sessions/\(second)", owner).status == 404)
      try await store.reopen()
    }
    await store.close()
  }

  @Test("All data of somebody who never was is not there", arguments: StoreKind.allCases)
  func nobody(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let owner = try await store.token()
    #expect(try await store.send("POST", "/v1/people", owner, body: Self.ann).status == 201)
    #expect(try await store.send("DELETE", "/v1/people/bob?all-data=true", owner).status == 404)
    #expect(try await store.send("GET", "/v1/people/ann", owner).status == 200)
    #expect(try await store.send("DELETE", "/v1/people/ann?all-data=true", owner).status == 204)
    #expect(try await store.send("DELETE", "/v1/people/ann?all-data=true", owner).status == 404)
    await store.close()
  }

  @Test(
    "A request to begin is known by its name after a start, and a person has three live sessions at most",
    arguments: StoreKind.allCases)
  func beginnings(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let ann = try await store.token(person: "ann")
    let key = [HTTPField("Idempotency-Key", "run-1")]
    let id = try await store.begin(ann, headers: key)
    #expect(try await store.begin(ann, headers: key) == id)
    try await store.reopen()
    #expect(try await store.begin(ann, headers: key) == id)
    let body = #"{"profile":{"ageYears":24},"target":"z2"}"#
    #expect(try await store.send("POST", "/v1/sessions", ann, body: body, headers: key).status == 409)
    for _ in 0..<2 { _ = try await store.begin(ann) }
    #expect(try await store.send("POST", "/v1/sessions", ann, body: body).status == 429)
    try await store.reopen()
    #expect(try await store.send("POST", "/v1/sessions", ann, body: body).status == 429)
    #expect(try await store.take(id, 0..<30, ann).status == 200)
    try await store.stop(id, ann)
    #expect(try await store.send("POST", "/v1/sessions", ann, body: body).status == 201)
    await store.close()
  }

  @Test(
    "Tokens and groups are there after a start, what was revoked is not, and the audit has who did what, once",
    arguments: StoreKind.allCases)
  func audited(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind)
    let owner = try await store.token()
    #expect(
      try await store.send("POST", "/v1/people", owner, body: #"{"name":"annabella","birthDate":"1990-05-17"}"#).status
        == 201)
    let made = try await store.send(
      "POST", "/v1/tokens", owner, body: #"{"scopes":["watch"],"person":"annabella"}"#)
    let (id, secret) = (
      try #require(made.json?["tokenID"]?.string, "\(made.text)"), try #require(made.json?["token"]?.string)
    )
    let grouped = try await store.send("POST", "/v1/groups", owner, body: #"{"name":"tuesday"}"#)
    let group = try #require(grouped.json?["groupID"]?.string, "\(grouped.text)")
    try await store.reopen()
    let tokens = try await store.send("GET", "/v1/tokens", owner)
    #expect(tokens.text.contains(id), "\(tokens.text)")
    #expect(try await store.send("GET", "/v1/groups/\(group)", owner).json?["name"]?.string == "tuesday")
    #expect(try await store.send("DELETE", "/v1/tokens/\(id)", owner).status == 204)
    #expect(try await store.send("DELETE", "/v1/tokens/\(id)", owner).status == 404)
    try await store.reopen()
    #expect(try await !store.send("GET", "/v1/tokens", owner).text.contains(id))
    await store.close()
    let lines = try store.audit()
    let records = try lines.map { try JSONValue.parse($0) }
    #expect(
      records.map { $0["action"]?.string } == ["personChanged", "tokenCreated", "groupCreated", "tokenRevoked"],
      "\(lines)")
    #expect(records.allSatisfy { $0["by"]?.string == owner.grant.caller.id })
    #expect(records.map { $0["subject"]?.string }.suffix(3) == [id, group, id])
    for word in [secret, owner.secret, "annabella", "1990"] { #expect(!lines.joined().contains(word)) }
  }

  @Test(
    "A recording comes into the history once, however often it is sent",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit"),
    arguments: StoreKind.allCases)
  func imported(_ kind: StoreKind) async throws {
    let store = try await ServiceOnStore(kind, program: CopiedStore.program())
    let owner = try await store.token()
    #expect(try await store.send("POST", "/v1/people", owner, body: Self.ann).status == 201)
    let recording =
      "time,heart_rate\n"
      + (0..<300).map { second in
        String(format: "2026-11-20T07:%02d:%02dZ,%d\n", second / 60, second % 60, 100 + second % 40)
      }.joined()
    func send() async throws -> HTTPResponse {
      try await store.send("POST", "/v1/import?person=ann", owner, body: recording, type: "text/csv")
    }
    let added = try await send()
    #expect(added.json?["status"]?.string == "added", "\(added.text)")
    let id = try #require(added.json?["sessionID"]?.string, "\(added.text)")
    for _ in 0..<2 {
      let again = try await send()
      #expect(again.json?["status"]?.string == "duplicate", "\(again.text)")
      #expect(again.json?["sessionID"]?.string == id)
      #expect(try await store.listed("?person=ann", owner) == [id])
      try await store.reopen()
    }
    await store.close()
  }
}

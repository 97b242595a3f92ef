@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("Records, fitness and what is found, over the service", .serialized)
struct RecordRouteTests {
  /// A run of some seconds at an even speed from a place northwards, to its end; its identity.
  private static func run(
    _ harness: ServiceHarness, _ token: IssuedSecret, latitude: Double = 46, metersPerSecond: Double = 3,
    seconds: Int = 200, stops: Bool = true
  ) async throws -> String {
    let id = try await harness.begin(
      token,
      #"{"profile":{"ageYears":30},"target":"z2","strategy":{"kind":"none"},"clock":"samples","activity":"running"}"#)
    let lines = (0...seconds).map { second in
      let north = latitude + Double(second) * metersPerSecond / 111_150
      return #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":130}"# + "\n"
        + #"{"type":"location","atSeconds":\#(second),"latitude":\#(north),"longitude":23}"# + "\n"
    }
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: lines.joined(), type: "application/x-ndjson")
    guard stops else { return id }
    let stop = await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"stop"}"#)
    try #require(stop.json?["accepted"]?.bool == true, "\(stop.text)")
    return id
  }

  private static func ids(_ response: HTTPResponse) -> [String] {
    response.json?["sessions"]?.array?.compactMap { $0["sessionID"]?.string } ?? []
  }

  private static func holders(_ response: HTTPResponse) -> Set<String> {
    Set(response.json?["records"]?.array?.compactMap { $0["sessionID"]?.string } ?? [])
  }

  @Test(
    "Records are those of the history, and each person's token sees that person's alone",
    arguments: StoreKind.allCases)
  func records(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let ann = try await harness.token(Set(Scope.allCases), person: "ann")
    let ben = try await harness.token(Set(Scope.allCases), person: "ben")
    let owner = try await harness.token([.watch, .manage])
    let slow = try await Self.run(harness, ann, metersPerSecond: 2.5)
    let fast = try await Self.run(harness, ann, metersPerSecond: 3.5)
    let other = try await Self.run(harness, ben)
    let own = await harness.send("GET", "/v1/records", ann)
    #expect(own.status == 200, "\(own.text)")
    #expect(Self.holders(own) == [fast])
    var filter = History.Filter()
    (filter.person, filter.includesSimulated) = ("ann", false)
    var writer = JSONWriter()
    let first = try #require(try await harness.service.history.records(filter, activity: nil).first)
    first.writeObject(to: &writer)
    #expect(own.text.contains(writer.text))
    #expect(await Self.holders(harness.send("GET", "/v1/records", owner)) == [fast, other])
    #expect(await Self.holders(harness.send("GET", "/v1/records?person=ben", owner)) == [other])
    #expect(await Self.holders(harness.send("GET", "/v1/records?activity=cycling", owner)) == [])
    #expect(await Self.holders(harness.send("GET", "/v1/records?from=2999-01-01", owner)) == [])
    #expect(await harness.send("GET", "/v1/records?person=ben", ann).status == 404)
    #expect(await harness.send("GET", "/v1/records?person=nobody", owner).status == 404)
    _ = await harness.send("DELETE", "/v1/sessions/\(fast)", ann)
    #expect(await Self.holders(harness.send("GET", "/v1/records", ann)) == [slow])
    await harness.service.close()
  }

  @Test(
    "Who may watch everybody names somebody, and who may see one session has no history",
    arguments: ["records", "fitness"])
  func walls(_ route: String) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let ann = try await harness.token([.send, .watch], person: "ann")
    let id = try await Self.run(harness, ann)
    let watcher = try await harness.token([.watch])
    let refused = await harness.send("GET", "/v1/\(route)", watcher)
    #expect(refused.status == 403, "\(refused.text)")
    #expect(await harness.send("GET", "/v1/\(route)?person=ann", watcher).status == 200)
    let narrow = try await harness.token([.watch], session: id)
    #expect(await harness.send("GET", "/v1/\(route)", narrow).status == 404)
    let sender = try await harness.token([.send], person: "ann")
    #expect(await harness.send("GET", "/v1/\(route)", sender).status == 403)
    #expect(await harness.send("GET", "/v1/\(route)").status == 401)
    #expect(await harness.send("GET", "/v1/\(route)?include-simulated=maybe", ann).status == 422)
    #expect(await harness.send("GET", "/v1/\(route)?surprise=1", ann).status == 400)
    await harness.service.close()
  }

  @Test("Fitness is the report of the history, of so many days as are asked for")
  func fitness() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let ann = try await harness.token([.send, .watch], person: "ann")
    _ = try await Self.run(harness, ann)
    let answer = await harness.send("GET", "/v1/fitness?load=edwards", ann)
    #expect(answer.status == 200, "\(answer.text)")
    var filter = History.Filter()
    (filter.person, filter.includesSimulated) = ("ann", false)
    var writer = JSONWriter()
    try await harness.service.history.fitness(filter, .edwards, .ofThisMachine()).writeObject(to: &writer)
    writer.endLine()
    #expect(answer.text == writer.text)
    #expect(answer.json?["days"]?.array?.isEmpty == false)
    let newest = await harness.send("GET", "/v1/fitness?days=1", ann)
    #expect(newest.json?["days"]?.array?.count == 1)
    for query in ["load=loud", "days=0", "days=x"] {
      #expect(await harness.send("GET", "/v1/fitness?" + query, ann).status == 422, "\(query)")
    }
    await harness.service.close()
  }

  @Test(
    "Sessions are found by distance, place, activity, tag and text, page by page, and live ones are not",
    arguments: StoreKind.allCases)
  func finding(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let ann = try await harness.token(Set(Scope.allCases), person: "ann")
    let short = try await Self.run(harness, ann)
    let long = try await Self.run(harness, ann, metersPerSecond: 5, seconds: 400)
    let far = try await Self.run(harness, ann, latitude: 47)
    let live = try await Self.run(harness, ann, stops: false)
    func found(_ query: String) async -> Set<String> {
      let answer = await harness.send("GET", "/v1/sessions?" + query, ann)
      #expect(answer.status == 200, "\(query): \(answer.text)")
      return Set(Self.ids(answer))
    }
    #expect(await found("") == [short, long, far, live])
    #expect(await found("distance=2km") == [long])
    #expect(await found("distance=500m-3km") == [short, long, far])
    #expect(await found("near=46,23&within=100") == [short, long])
    #expect(await found("near=\(far)") == [far])
    #expect(await found("near=46,23&distance=2km") == [long])
    #expect(await found("activity=cycling") == [])
    #expect(await found("activity=running&state=live") == [])
    let notes = await harness.send(
      "PUT", "/v1/sessions/\(far)/notes", ann, body: #"{"note":"windy along the river","tags":["race"]}"#)
    #expect(notes.status == 200, "\(notes.text)")
    #expect(await found("tag=race") == [far])
    #expect(await found("text=RIVER") == [far])
    #expect(await found("text=RIVER&tag=flat") == [])
    var seen: [String] = []
    var cursor = ""
    for _ in 0..<5 {
      let page = await harness.send("GET", "/v1/sessions?activity=running&limit=1" + cursor, ann)
      seen += Self.ids(page)
      guard let next = page.json?["next"]?.string else { break }
      cursor = "&cursor=" + next
    }
    #expect(seen.count == 3)
    #expect(Set(seen) == [short, long, far])
    for query in ["distance=5", "distance=5km-3km", "near=91,0", "near=46,23&within=0"] {
      let answer = await harness.send("GET", "/v1/sessions?" + query, ann)
      #expect(answer.status == 422, "\(query)")
    }
    await harness.service.close()
  }

  @Test("Nothing of somebody else's is found, nor where it began")
  func foundWalls() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let ann = try await harness.token([.send, .watch], person: "ann")
    let ben = try await harness.token([.send, .watch], person: "ben")
    let nobodys = try await harness.token([.send, .watch])
    let other = try await harness.token([.watch])
    let own = try await Self.run(harness, ann)
    let bens = try await Self.run(harness, ben)
    let run = try await Self.run(harness, nobodys)
    #expect(await Self.ids(harness.send("GET", "/v1/sessions?near=46,23", ann)) == [own])
    let near = await harness.send("GET", "/v1/sessions?near=\(bens)", ann)
    #expect(near.status == 422)
    let missing = await harness.send("GET", "/v1/sessions?near=\(bens.dropLast(1))0", ann)
    #expect(near.text == missing.text)
    #expect(await Set(Self.ids(harness.send("GET", "/v1/sessions?near=46,23", nobodys))) == [own, bens, run])
    #expect(await Set(Self.ids(harness.send("GET", "/v1/sessions?near=46,23", other))) == [own, bens])
    let narrow = try await harness.token([.watch], session: own)
    #expect(await Self.ids(harness.send("GET", "/v1/sessions?near=46,23", narrow)) == [own])
    await harness.service.close()
  }

  @Test(
    "Notes and tags are written whole, by who may manage, about a session of theirs that is over",
    arguments: StoreKind.allCases)
  func notes(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let ann = try await harness.token(Set(Scope.allCases), person: "ann")
    let id = try await Self.run(harness, ann)
    let path = "/v1/sessions/\(id)/notes"
    let empty = await harness.send("GET", path, ann)
    #expect(empty.json?["tags"]?.array?.isEmpty == true, "\(empty.text)")
    #expect(empty.json?["note"] == nil)
    let written = await harness.send("PUT", path, ann, body: #"{"note":"windy\nand cold","tags":["race","flat"]}"#)
    #expect(written.json?["note"]?.string == "windy\nand cold", "\(written.text)")
    #expect(await harness.send("GET", path, ann).text == written.text)
    let tags = await harness.send("PUT", path, ann, body: #"{"tags":["flat"]}"#)
    #expect(tags.json?["note"] == nil)
    #expect(tags.json?["tags"]?.array?.compactMap(\.string) == ["flat"])
    for (body, status) in [
      (#"{"note":""}"#, 422), (#"{"note":"a\u0007b"}"#, 422), (#"{"tags":["a b"]}"#, 422), (#"{"words":1}"#, 400),
      ("[]", 422),
    ] {
      #expect(await harness.send("PUT", path, ann, body: body).status == status, "\(body)")
    }
    let watcher = try await harness.token([.watch], person: "ann")
    #expect(await harness.send("PUT", path, watcher, body: "{}").status == 403)
    #expect(await harness.send("GET", path, watcher).status == 200)
    let ben = try await harness.token(Set(Scope.allCases), person: "ben")
    #expect(await harness.send("GET", path, ben).status == 404)
    #expect(await harness.send("PUT", path, ben, body: "{}").status == 404)
    let live = try await Self.run(harness, ann, stops: false)
    #expect(await harness.send("PUT", "/v1/sessions/\(live)/notes", ann, body: "{}").status == 409)
    await harness.service.close()
  }
}

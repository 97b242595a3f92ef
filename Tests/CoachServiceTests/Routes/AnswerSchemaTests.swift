@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("What the description says of answers", .serialized)
struct AnswerSchemaTests {
  private static let lines = "application/x-ndjson"
  private static let json = "application/json"

  /// A service of which each answer is held against the description.
  private final class Described {
    let harness: ServiceHarness
    let document: JSONValue
    private let check: AnswerCheck
    private let clock: ManualClock
    /// The second of the morning that it is. Each request has its own, so that none is one too many.
    private(set) var second = 0
    /// The routes with an answer that was held against its schema, and the types of the records in them.
    private(set) var seen: Set<String> = []
    private(set) var types: Set<String> = []

    init(_ harness: ServiceHarness, _ clock: ManualClock) async throws {
      self.harness = harness
      self.clock = clock
      document = try #require(await harness.send("GET", "/openapi.json").json)
      check = AnswerCheck(document)
    }

    /// The text of an answer, that of a file too, which comes in pieces.
    private static func text(of answer: HTTPResponse) -> String {
      guard case .stream(let stream) = answer.content else { return answer.text }
      var bytes: [UInt8] = []
      while case .bytes(let piece) = stream.take(65_536) { bytes += piece }
      return String(decoding: bytes, as: UTF8.self)
    }

    @discardableResult
    func ask(
      _ method: String, _ path: String, _ token: IssuedSecret? = nil, body: String? = nil, type: String = json,
      accepting accepted: String? = nil
    ) async -> HTTPResponse {
      second += 1
      clock.set(.morning(Double(second)))
      let headers = accepted.map { [HTTPField("Accept", $0)] } ?? []
      let answer = await harness.send(method, path, token, body: body, type: type, headers: headers)
      #expect(answer.status < 300, "\(method) \(path): \(answer.text)")
      let plain = String(path.prefix { $0 != "?" })
      guard case .route(let route, _) = harness.service.routes.match(method, plain) else {
        Issue.record("\(method) \(path) leads nowhere")
        return answer
      }
      let media = answer.header("Content-Type").map { String($0.prefix { $0 != ";" }) } ?? ""
      guard [json, lines].contains(media) else { return answer }
      let name = "\(method) \(route.pattern)"
      let content = document["paths"]?[route.pattern]?[method.lowercased()]?["responses"]?["\(answer.status)"]?[
        "content"]
      guard let schema = content?[media]?["schema"] else {
        Issue.record("\(name): \(answer.status) as \(media) has no schema")
        return answer
      }
      let whole = Self.text(of: answer)
      let texts = media == lines ? whole.split(separator: "\n").map(String.init) : [whole]
      for text in texts {
        guard let value = try? JSONValue.parse(text) else {
          Issue.record("\(name): \(text) is no JSON")
          continue
        }
        if let type = value["type"]?.string { types.insert(type) }
        for event in value["events"]?.array ?? [] { if let type = event["type"]?.string { types.insert(type) } }
        #expect(check.faults(value, schema) == [], "\(name): \(text.prefix(500))")
      }
      seen.insert("\(name) \(media)")
      return answer
    }
  }

  @Test("Every answer in JSON has a schema, which its example and each of its names hold to")
  func table() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let document = try #require(await harness.send("GET", "/openapi.json").json)
    let check = AnswerCheck(document)
    for route in Service.allRoutes {
      switch route.access {
      case .page, .signIn: continue
      case .everybody, .anybodyKnown, .scopes, .key: break
      }
      for answer in route.answers where answer.mediaType == Self.json || answer.mediaType == Self.lines {
        let name = "\(route.method.rawValue) \(route.pattern)"
        let schema = try #require(answer.schema, "\(name)")
        #expect(AnswerSchemas.all.contains(schema), "\(name)")
        guard let example = answer.example else { continue }
        #expect(check.faults(try JSONValue.parse(example), try JSONValue.parse(schema.reference)) == [], "\(name)")
      }
    }
    #expect(Set(AnswerSchemas.all.map(\.name)).count == AnswerSchemas.all.count)
    for schema in AnswerSchemas.all {
      let words = schema.text.split(separator: "#/components/schemas/").dropFirst()
      for name in words.map({ $0.prefix { $0 != "\"" } }) {
        #expect(AnswerSchemas.all.contains { $0.name == name }, "\(schema.name): \(name)")
      }
    }
    await harness.service.close()
  }

  @Test("A member that no schema names is found, and one that is missing or of another type")
  func faults() throws {
    let schema = try JSONValue.parse(AnswerSchemas.created.reference)
    let text = #"{"components":{"schemas":{"Created":"# + AnswerSchemas.created.text + "}}}"
    let check = AnswerCheck(try JSONValue.parse(text))
    func faults(_ text: String) throws -> [String] { check.faults(try JSONValue.parse(text), schema) }
    #expect(try faults(#"{"version":1,"type":"created","sessionID":"a"}"#) == [])
    #expect(try faults(#"{"version":1,"type":"created","sessionID":"a","more":1}"#) == ["/more: it is not described"])
    #expect(try faults(#"{"version":1,"type":"created"}"#) == ["/sessionID: it is missing"])
    #expect(try faults(#"{"version":1,"type":"created","sessionID":1}"#).count == 1)
    #expect(try faults(#"{"version":2,"type":"created","sessionID":"a"}"#).count == 1)
  }

  @Test(
    "Every route answers as the description says, and nothing that is not described",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit of an import"))
  func answers() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(
      ScratchFolder(), clock: clock, program: ServiceHarness.builtProgram)
    let described = try await Described(harness, clock)
    let owner = try await harness.token([.send, .watch, .manage])
    for path in ["/healthz", "/readyz", "/openapi.json"] { await described.ask("GET", path) }
    for path in [
      "zones?age=23", "zones?age=23&zone-model=heart-rate-reserve&resting-heart-rate=60", "strategies", "plans",
    ] {
      await described.ask("GET", "/v1/" + path, owner)
    }
    await described.ask(
      "POST", "/v1/people", owner,
      body: #"{"name":"ann","birthDate":"1990-05-17","sex":"female","weightKg":60,"restingHeartRate":60}"#)
    await described.ask(
      "PATCH", "/v1/people/ann", owner,
      body: #"{"units":"imperial","language":"de","fields":["pace"],"maxHeartRate":190}"#)
    await described.ask("GET", "/v1/people/ann?on=2025-01-01", owner)
    await described.ask("GET", "/v1/people", owner)
    let ann = try await harness.token([.send, .watch, .manage], person: "ann")
    try await secrets(described, ann)
    try await group(described, ann)
    let sessions = [
      #"{"target":"z2","clock":"samples","activity":"running","strategy":{"kind":"period","every":20,"window":20}}"#,
      #"{"plan":{"steps":[{"name":"easy","durationSeconds":120,"target":"z2"},{"distanceMeters":300,"target":"5:30/km"},{"target":"170-180spm"}]},"clock":"samples","coach":"runner"}"#,
      #"{"target":"120-140","clock":"samples","strategy":{"kind":"trend"}}"#,
    ]
    for order in sessions { try await run(described, ann, order) }
    for path in [
      "sessions", "sessions?limit=1", "sessions?activity=running", "records", "fitness", "fitness?load=banister",
    ] { await described.ask("GET", "/v1/" + path, ann) }
    try await files(described, ann)
    let expected = Service.allRoutes.flatMap { route -> [String] in
      switch route.access {
      case .page, .signIn: return []
      case .everybody, .anybodyKnown, .scopes, .key:
        return route.answers.compactMap { answer in
          guard let media = answer.mediaType, [Self.json, Self.lines].contains(media) else { return nil }
          return "\(route.method.rawValue) \(route.pattern) \(media)"
        }
      }
    }
    #expect(Set(expected).subtracting(described.seen).sorted() == [])
    let events = [
      "cue", "withheld", "stepChanged", "paused", "resumed", "lap", "targetChanged", "signalLost", "signalRestored",
    ]
    #expect(events.filter { !described.types.contains($0) } == [])
    await harness.service.close()
  }

  private func secrets(_ described: Described, _ ann: IssuedSecret) async throws {
    let token = await described.ask("POST", "/v1/tokens", ann, body: #"{"scopes":["watch"]}"#)
    await described.ask("GET", "/v1/tokens", ann)
    await described.ask("GET", "/v1/tokens/\(token.json?["tokenID"]?.string ?? "")", ann)
    let key = await described.ask("POST", "/v1/keys", ann, body: #"{"request":{"target":"z2"}}"#)
    await described.ask("GET", "/v1/keys", ann)
    await described.ask("GET", "/v1/keys/\(key.json?["keyID"]?.string ?? "")", ann)
    let secret = try #require(key.json?["key"]?.string)
    await described.ask(
      "POST", "/v1/in/\(secret)",
      body:
        #"{"event":"heartRate","heartRate":85,"connected":true,"timestamp":"\#(WallClockTime.morning(Double(described.second)))"}"#
    )
    await described.ask(
      "POST", "/v1/in/\(secret)", body: #"{"_type":"location","lat":46.77,"lon":23.6,"tst":1497476456,"acc":5}"#)
    await described.ask("GET", "/v1/in/\(secret)?id=a&lat=46.77&lon=23.6&timestamp=1497476457&heartRate=90")
  }

  private func group(_ described: Described, _ ann: IssuedSecret) async throws {
    let group = await described.ask("POST", "/v1/groups", ann, body: #"{"name":"tuesday"}"#)
    let id = try #require(group.json?["groupID"]?.string)
    await described.ask(
      "PUT", "/v1/groups/\(id)/members/ann", ann, body: #"{"shares":["heartRate","position"]}"#)
    await described.ask("GET", "/v1/groups", ann)
    await described.ask("GET", "/v1/groups/\(id)", ann)
    let run = try await described.harness.begin(
      ann, #"{"target":"z2","strategy":{"kind":"period","every":10,"window":10},"clock":"wall"}"#)
    for _ in 0..<40 {
      let time = WallClockTime.morning(Double(described.second + 1))
      let body =
        #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":170}"# + "\n"
        + #"{"type":"location","time":"\#(time)","latitude":46.77,"longitude":23.6}"# + "\n"
      await described.ask("POST", "/v1/sessions/\(run)/samples", ann, body: body, type: Self.lines)
    }
    await described.harness.service.tick()
    await described.ask("GET", "/v1/groups/\(id)/events?after=0&wait=0", ann, accepting: Self.lines)
    await described.ask("GET", "/v1/sessions/\(run)", ann)
    await described.ask("POST", "/v1/sessions/\(run)/commands", ann, body: #"{"id":"e","command":"stop"}"#)
  }

  /// A run with everything of which there are records, while it is live and after its end.
  private func run(_ described: Described, _ ann: IssuedSecret, _ order: String) async throws {
    let begun = await described.ask("POST", "/v1/sessions", ann, body: order)
    let path = "/v1/sessions/" + (begun.json?["sessionID"]?.string ?? "")
    for part in 0..<6 {
      var body = ""
      for second in part * 100..<(part + 1) * 100 {
        if !(300..<350).contains(second) {
          body +=
            #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(115 + second / 7 % 60),"rrMilliseconds":[500,480]}"#
            + "\n"
        }
        let latitude = "46.77\(1_000 + second * 3)"
        body +=
          #"{"type":"location","atSeconds":\#(second),"latitude":\#(latitude),"longitude":23.6,"altitudeMeters":300,"horizontalAccuracyMeters":5,"speedMetersPerSecond":3.3}"#
          + "\n"
        body += #"{"type":"steps","atSeconds":\#(second),"count":3}"# + "\n"
      }
      let commands = ["pause", "resume", "lap", "bogus"].enumerated().filter { $0.offset == part }
      for (number, word) in commands { body += #"{"type":"command","id":"\#(number)","command":"\#(word)"}"# + "\n" }
      await described.ask("POST", path + "/samples?batch=\(part)", ann, body: body, type: Self.lines)
    }
    await described.ask("POST", path + "/samples", ann, body: #"{"type":"x"}"# + "\n", type: Self.lines)
    await described.ask("POST", path + "/commands", ann, body: #"{"id":"t","command":"target","target":"z3"}"#)
    for end in ["", "/summary"] { await described.ask("GET", path + end, ann) }
    await described.ask("GET", path + "/events?after=0&wait=0", ann, accepting: Self.lines)
    await described.ask("POST", path + "/commands", ann, body: #"{"id":"e","command":"stop"}"#)
    await described.ask("PUT", path + "/notes", ann, body: #"{"note":"windy","tags":["race"]}"#)
    for end in ["", "/summary", "/notes", "/series?every=10", "/export?as=json", "/export?as=json&privacy-radius=200"] {
      await described.ask("GET", path + end, ann)
    }
    await described.ask("GET", path + "/events?after=0&wait=0", ann, accepting: Self.lines)
  }

  private func files(_ described: Described, _ ann: IssuedSecret) async throws {
    func rows(_ hour: Int) -> String {
      (0..<200).map { second in
        "2026-01-05T0\(hour):0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z,\(110 + second % 40)\n"
      }.joined()
    }
    for _ in 0..<2 {
      await described.ask("POST", "/v1/import", ann, body: "time,heart_rate\n" + rows(6), type: "text/csv")
    }
    await described.ask("POST", "/v1/import", ann, body: Self.twoRuns, type: "application/octet-stream")
    let samples = (0..<300).map { #"{"type":"heartRate","atSeconds":\#($0),"beatsPerMinute":\#(110 + $0 % 50)}"# }
    await described.ask(
      "POST", "/v1/replay", ann,
      body: #"{"request":{"profile":{"ageYears":30},"target":"z2"},"samples":[\#(samples.joined(separator: ","))]}"#)
  }

  /// Two workouts in one file, of which each is answered by a line.
  private static let twoRuns: String = {
    let activities = [7, 9].map { hour -> String in
      let points = (0..<60).map { second in
        let time = "2026-01-05T0\(hour):00:\(second < 10 ? "0" : "")\(second)Z"
        return
          "<Trackpoint><Time>\(time)</Time><HeartRateBpm><Value>\(110 + second)</Value></HeartRateBpm></Trackpoint>"
      }
      let start = "2026-01-05T0\(hour):00:00Z"
      return
        "<Activity Sport=\"Running\"><Id>\(start)</Id><Lap StartTime=\"\(start)\"><Track>\(points.joined())</Track></Lap></Activity>"
    }
    return
      "<?xml version=\"1.0\"?><TrainingCenterDatabase xmlns=\"http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2\"><Activities>\(activities.joined())</Activities></TrainingCenterDatabase>"
  }()
}

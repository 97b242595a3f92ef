@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("What a client takes")
struct AcceptedTypesTests {
  private static let types = ["text/event-stream", "application/x-ndjson"]

  private static func head(_ values: [String]) -> HTTPHead {
    HTTPHead(
      method: "GET", path: "/", query: [], headers: values.map { HTTPField("Accept", $0) }, address: "", byteCount: 20)
  }

  @Test(
    "The type that is wanted most is chosen, by quality and then by the order of the header; 0 is not at all",
    arguments: [
      ([], "text/event-stream"), ([""], "text/event-stream"), (["*/*"], "text/event-stream"),
      (["application/x-ndjson"], "application/x-ndjson"), (["APPLICATION/X-NDJSON ; q=1"], "application/x-ndjson"),
      (["text/event-stream;q=0, application/x-ndjson"], "application/x-ndjson"),
      (["text/event-stream;q=0.2, application/x-ndjson;q=0.8"], "application/x-ndjson"),
      (["application/x-ndjson, text/event-stream"], "application/x-ndjson"),
      (["text/html", "application/*;q=0.1"], "application/x-ndjson"),
      (["*/*, text/event-stream;q=0"], "application/x-ndjson"),
      (["text/html, image/gif, *; q=.2, */*; q=.2"], "text/event-stream"),
    ] as [([String], String)])
  func choice(_ values: [String], _ expected: String) {
    #expect(AcceptedTypes(Self.head(values)).choice(of: Self.types) == expected)
  }

  @Test(
    "None is chosen where none is wanted",
    arguments: ["image/png", "text/*;q=0, application/x-ndjson;q=0", "*/*;q=0"])
  func none(_ value: String) {
    #expect(AcceptedTypes(Self.head([value])).choice(of: Self.types) == nil)
  }

  @Test("Every route whose answer has a body refuses a client that takes none of its types, and is described so")
  func routes() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch, .manage])
    let key = IssuedSecret.key("ann", request: nil, days: 1, now: harness.service.clock.now())
    try await harness.service.store.add(key.grant)
    try await harness.service.access.refresh(always: true)
    let paths = await harness.send("GET", "/openapi.json").json?["paths"]
    for route in harness.service.routes.routes {
      guard route.acceptableTypes != nil else { continue }
      let path = route.parts.map { part in
        part == "{key}" ? key.secret : part.hasPrefix("{") ? "20261120T070000Z-other-00000000" : String(part)
      }
      // Each by its own token, so that no limit is met.
      let asker = try await harness.token([.send, .watch, .manage])
      let refused = await harness.send(
        route.method.rawValue, path.joined(separator: "/"), route.access == .key ? nil : asker,
        body: route.body == nil ? nil : "{}", type: route.body?.mediaTypes.first ?? "application/json",
        headers: [HTTPField("Accept", "image/png, application/json;q=0")])
      #expect(refused.status == 406, "\(route.method.rawValue) \(route.pattern)")
      let described = paths?[route.pattern]?[route.method.rawValue.lowercased()]?["responses"]?["406"]
      #expect(described != nil, "\(route.method.rawValue) \(route.pattern)")
    }
    #expect(await harness.send("GET", "/v1/strategies", token, headers: [HTTPField("Accept", "text/*")]).status == 406)
    #expect(await harness.send("GET", "/healthz", headers: [HTTPField("Accept", "text/html, */*;q=0.1")]).status == 200)
    await harness.service.close()
  }
}

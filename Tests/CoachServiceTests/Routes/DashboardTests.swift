@testable import CoachService
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("The dashboard for Grafana")
struct DashboardTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  /// The texts of all strings of a document.
  private static func texts(_ value: JSONValue) -> [String] {
    switch value.content {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(texts)
    case .object(let members): members.flatMap { texts($0.value) }
    case .null, .bool, .number: []
    }
  }

  @Test("Every metric that the dashboard asks for is one that the service exposes, and every one is shown")
  func metrics() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send])
    harness.service.metrics.note(certificate: CertificateSpan(begins: .morning(0), ends: .morning(86_400)))
    _ = try await harness.begin(token)
    _ = await harness.send("GET", "/v1/sessions/nothing", token)
    let head = HTTPHead(
      method: "GET", path: "/metrics", query: [], headers: [HTTPField("Host", "localhost")], address: "", byteCount: 50)
    guard case .taken(let taken) = MetricsHandler(harness.service).admit(head) else {
      Issue.record("refused")
      return
    }
    let lines = await taken.answer(HTTPRequest(head)).text.split(separator: "\n")
    let exposed = Set(lines.filter { !$0.hasPrefix("#") }.map { String($0.prefix { $0 != "{" && $0 != " " }) })
    let bytes = try POSIXFile(reading: Self.root + "/deploy/grafana-dashboard.json").readAll(maximumBytes: 1 << 20)
    let dashboard = try JSONValue.parse(bytes.span)
    var asked: Set<String> = []
    for text in Self.texts(dashboard) {
      for match in text.matches(of: #/coach_[a-z_]+/#) { asked.insert(String(match.output)) }
    }
    #expect(asked == exposed)
    #expect(dashboard["panels"]?.array?.count ?? 0 >= 8)
    await harness.service.close()
  }
}

@testable import CoachService
import Testing
@testable import WorkoutTestSupport

@Suite("Browsers that are bound to TLS")
struct StrictTransportTests {
  private static let name = "Strict-Transport-Security"
  /// What stands for a certificate where nothing is served.
  private static let tls = HTTPServerSettings.TLS(certificate: [], key: [])

  @Test("With a certificate and a name of the owner's every answer under that name says it, refusals too")
  func named() async throws {
    let harness = try await ServiceHarness(ScratchFolder()) {
      $0.tls = Self.tls
      $0.publicURL = "https://Coach.example.org:8443"
    }
    for path in ["/healthz", "/", "/v1/sessions", "/nowhere"] {
      let answer = await harness.send("GET", path, headers: [HTTPField("Host", "coach.example.ORG:8443")])
      #expect(answer.header(Self.name) == "max-age=31536000; includeSubDomains", "\(path)")
    }
    let local = await harness.send("GET", "/healthz", headers: [HTTPField("Host", "localhost:8443")])
    #expect(local.header(Self.name) == nil)
    await harness.service.close()
  }

  @Test(
    "It is never said over plain HTTP, for this machine's own names, nor for numbers",
    arguments: [
      (false, "https://coach.example.org", "coach.example.org"), (true, "https://localhost:8443", "localhost"),
      (true, "https://192.0.2.7:8443", "192.0.2.7"), (true, "https://[2001:db8::1]:8443", "[2001:db8::1]"),
      (true, "http://coach.example.org", "coach.example.org"),
    ])
  func unnamed(_ hasTLS: Bool, _ url: String, _ host: String) async throws {
    let harness = try await ServiceHarness(ScratchFolder()) {
      $0.tls = hasTLS ? Self.tls : nil
      $0.isBehindProxy = !hasTLS
      $0.publicURL = url
    }
    let answer = await harness.send("GET", "/healthz", headers: [HTTPField("Host", host)])
    #expect(answer.status == 200)
    #expect(answer.header(Self.name) == nil)
    await harness.service.close()
  }
}

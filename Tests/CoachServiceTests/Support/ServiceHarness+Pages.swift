@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
import WorkoutSession

extension ServiceHarness {
  /// A new link to the pages.
  func link(person: String? = nil) async throws -> SignInLink {
    let link = SignInLink(person: person, now: service.clock.now())
    try await link.keep(in: service.store)
    return link
  }

  /// The cookie of a new sign-in, as a browser sends it.
  func signIn(person: String? = nil) async throws -> HTTPField {
    let answer = await send("POST", "/auth/link/\(try await link(person: person).secret)")
    return try #require(Self.cookie(of: answer))
  }

  /// The cookie that an answer gives, as a browser sends it.
  static func cookie(of response: HTTPResponse) -> HTTPField? {
    response.header("Set-Cookie").map { HTTPField("Cookie", String($0.prefix { $0 != ";" })) }
  }

  /// A run that is over.
  func run(person: String? = nil) async throws -> String {
    let token = try await token([.send], person: person)
    let id = try await begin(token)
    _ = await send(
      "POST", "/v1/sessions/\(id)/samples", token, body: Self.heartRates(0..<180), type: "application/x-ndjson")
    let stop = await send("POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"stop"}"#)
    try #require(stop.status == 200, "\(stop.text)")
    return id
  }
}

extension LiveWatch {
  /// Somebody who chose nothing.
  static func usual(of session: HostedSession) -> LiveWatch {
    LiveWatch(.running, Preferences(), bests: [], session.configuration.settings)
  }
}

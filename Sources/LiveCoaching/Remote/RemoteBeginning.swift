internal import TextFormats

/// A session that a service has begun, and that waits for its first sample.
package struct RemoteBeginning: Sendable {
  /// What the service calls it.
  package let name: String
  /// The zones by which the service coaches it; absent where it does not say them to whoever asked.
  package let zones: RemoteZones?
  let service: any RemoteService

  /// Has a service begin a session.
  ///
  /// - Parameter order: what it is coached by, as JSON.
  /// - Throws: `RemoteFailure` when the service cannot be reached or refuses.
  package init(_ order: [UInt8], on service: any RemoteService) async throws(RemoteFailure) {
    let key = "live-\(UInt64.random(in: .min ... .max))"
    let answer = try await service.ask("/v1/sessions", body: order, type: "application/json", key: key)
    guard answer.status == 201, let name = (try? JSONValue.parse(answer.body.span))?["sessionID"]?.string else {
      throw RemoteFailure(answer.problem, isRefusal: true)
    }
    self.name = name
    self.service = service
    // Who may only send gets no answer to this; the session has begun all the same.
    let path = "/v1/sessions/\(name.encodingPercents)"
    let known = try? await service.ask(path, body: nil, type: "application/json", key: nil)
    zones = known.flatMap { known in
      guard known.status == 200, let answer = try? JSONValue.parse(known.body.span) else { return nil }
      return RemoteZones(answer)
    }
  }
}

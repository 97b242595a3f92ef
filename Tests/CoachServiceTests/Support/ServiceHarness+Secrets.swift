@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// A secret that was made for a route.
struct RouteSecret {
  /// As it stands in a head, with what a page sends beside it.
  let headers: [HTTPField]
  let id: String
  let kind: Caller.Kind
  /// As a part of the path; empty for one that is in a head.
  let key: String
}

extension ServiceHarness {
  /// A new secret of ann with which a route may be used.
  func secret(for route: Route) async throws -> RouteSecret {
    switch route.access {
    case .key:
      let made = IssuedSecret.key("ann", request: nil, days: 1, now: service.clock.now())
      try await service.store.add(made.grant)
      try await service.access.refresh(always: true)
      return RouteSecret(headers: [], id: made.grant.caller.id, kind: .key, key: made.secret)
    case .page:
      let before = Set(try await service.store.grants().map(\.caller.id))
      let cookie = try await signIn(person: "ann")
      let made = try await service.store.grants().first { !before.contains($0.caller.id) }
      let own = [HTTPField("Origin", "http://127.0.0.1:8080"), HTTPField("X-Coach", "1")]
      return RouteSecret(
        headers: [cookie, HTTPField("Accept", "application/json")] + own, id: try #require(made).caller.id,
        kind: .cookie, key: "")
    case .everybody, .signIn, .anybodyKnown, .scopes:
      let token = try await token([.send, .watch, .manage], person: "ann")
      return RouteSecret(
        headers: [HTTPField("Authorization", "Bearer \(token.secret)")], id: token.grant.caller.id, kind: .token,
        key: ""
      )
    }
  }

  /// A path of a route, to things of ann, none of which is there.
  static func path(of route: Route, _ secret: RouteSecret) -> String {
    route.parts.map { part in
      switch part {
      case "{key}": secret.key
      case "{name}": "ann"
      case _: part.hasPrefix("{") ? "20261120T070000Z-other-00000000" : String(part)
      }
    }.joined(separator: "/")
  }
}

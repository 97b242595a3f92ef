internal import TextFormats

/// All routes: the only source of routing, of `/openapi.json`, of who may and of the tests of that.
package struct RouteTable: Sendable {
  /// The routes.
  package let routes: [Route]

  /// Creates a table.
  package init(_ routes: [Route]) { self.routes = routes }

  /// What a path and a method lead to.
  enum Match {
    case route(Route, values: [String: String])
    /// The path is known for other methods.
    case methods([HTTPMethod])
    case nothing
  }

  /// Finds the route of a path. A part that is written out goes before one in braces.
  func match(_ method: String, _ path: String) -> Match {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    var found: [(route: Route, values: [String: String])] = []
    for route in routes {
      if let values = Self.values(of: route, parts) { found.append((route, values)) }
    }
    guard let fewest = found.map(\.values.count).min() else { return .nothing }
    found.removeAll { $0.values.count > fewest }
    let wanted = method == HTTPMethod.head.rawValue ? HTTPMethod.get.rawValue : method
    if let match = found.first(where: { $0.route.method.rawValue == wanted }) {
      return .route(match.route, values: match.values)
    }
    return .methods(found.map(\.route.method))
  }

  private static func values(of route: Route, _ parts: [Substring]) -> [String: String]? {
    let pattern = route.parts
    guard pattern.count == parts.count else { return nil }
    var values: [String: String] = [:]
    for (pattern, part) in zip(pattern, parts) {
      if pattern.hasPrefix("{") {
        guard !part.isEmpty, let value = String(part).decodingPercents(isForm: false) else { return nil }
        values[String(pattern.dropFirst().dropLast())] = value
      } else if pattern != part {
        return nil
      }
    }
    return values
  }
}

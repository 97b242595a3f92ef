internal import TextFormats

/// All routes: the only source of routing, of `/openapi.json`, of who may and of the tests of that.
package struct RouteTable: Sendable {
  /// The routes.
  package let routes: [Route]
  /// The routes by how many parts their paths have, so that a request is held against few.
  private let byPartCount: [[Pattern]]

  /// Creates a table.
  package init(_ routes: [Route]) {
    self.routes = routes
    let patterns = routes.map(Pattern.init)
    let most = patterns.map(\.parts.count).max() ?? 0
    byPartCount = (0...most).map { count in patterns.filter { $0.parts.count == count } }
  }

  /// What a path and a method lead to.
  enum Match {
    case route(Route, values: [String: String])
    /// The path is known for other methods.
    case methods([HTTPMethod])
    case nothing
  }

  /// The path of a route, in its parts.
  private struct Pattern: Sendable {
    enum Part: Sendable {
      case text([UInt8])
      case value(String)
    }

    let route: Route
    let parts: [Part]
    let valueCount: Int

    init(_ route: Route) {
      self.route = route
      parts = route.parts.map { part in
        part.hasPrefix("{") ? .value(String(part.dropFirst().dropLast())) : .text(Array(part.utf8))
      }
      valueCount = parts.count { if case .value = $0 { true } else { false } }
    }

    /// Whether a path leads here, whatever its values are.
    func matches(_ path: [Substring.UTF8View]) -> Bool {
      zip(parts, path).allSatisfy { part, given in
        switch part {
        case .text(let text): given.elementsEqual(text)
        case .value: !given.isEmpty
        }
      }
    }

    /// What stands in the braces; `nil` where an escape is not whole.
    func values(of path: [Substring.UTF8View]) -> [String: String]? {
      var values: [String: String] = [:]
      for (part, given) in zip(parts, path) {
        guard case .value(let name) = part else { continue }
        guard let value = String(Substring(given)).decodingPercents(isForm: false) else { return nil }
        values[name] = value
      }
      return values
    }
  }

  /// Finds the route of a path. A part that is written out goes before one in braces.
  func match(_ method: String, _ path: String) -> Match {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count < byPartCount.count else { return .nothing }
    var found = byPartCount[parts.count].filter { $0.matches(parts) }
    guard let fewest = found.map(\.valueCount).min() else { return .nothing }
    found.removeAll { $0.valueCount > fewest }
    // Escapes that are not whole are so for every route of the path.
    guard let values = found.first?.values(of: parts) else { return .nothing }
    let wanted = method == HTTPMethod.head.rawValue ? HTTPMethod.get.rawValue : method
    guard let match = found.first(where: { $0.route.method.rawValue == wanted }) else {
      return .methods(found.map(\.route.method))
    }
    return .route(match.route, values: found.count == 1 ? values : match.values(of: parts) ?? values)
  }
}

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
    case route(Route, values: PathValues)
    /// The path is known for other methods.
    case methods([HTTPMethod])
    case nothing
  }

  /// The path of a route, in its parts. A class, so that looking at one copies nothing.
  private final class Pattern: Sendable {
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
    func matches(_ path: PathParts) -> Bool {
      for place in parts.indices {
        switch parts[place] {
        case .text(let text): guard path.isEqual(place, to: text) else { return false }
        case .value: guard !path.ranges[place].isEmpty else { return false }
        }
      }
      return true
    }

    /// What stands in the braces; `nil` where an escape is not whole.
    func values(of path: PathParts) -> PathValues? {
      var values = PathValues()
      for place in parts.indices {
        guard case .value(let name) = parts[place] else { continue }
        guard let value = path.text(place).decodingPercents(isForm: false) else { return nil }
        values.add(name, value)
      }
      return values
    }
  }

  /// The path of a request, in its parts.
  private struct PathParts {
    let bytes: [UInt8]
    private(set) var ranges: [Range<Int>] = []

    init(_ path: String) {
      bytes = Array(path.utf8)
      ranges.reserveCapacity(8)
      var start = 0
      for place in bytes.indices where bytes[place] == UInt8(ascii: "/") {
        ranges.append(start..<place)
        start = place + 1
      }
      ranges.append(start..<bytes.count)
    }

    func isEqual(_ place: Int, to text: [UInt8]) -> Bool {
      let range = ranges[place]
      guard range.count == text.count else { return false }
      for offset in text.indices where bytes[range.lowerBound + offset] != text[offset] { return false }
      return true
    }

    func text(_ place: Int) -> String { String(decoding: bytes[ranges[place]], as: UTF8.self) }
  }

  /// Finds the route of a path. A part that is written out goes before one in braces.
  func match(_ method: String, _ path: String) -> Match {
    let parts = PathParts(path)
    guard parts.ranges.count < byPartCount.count else { return .nothing }
    let patterns = byPartCount[parts.ranges.count]
    var found: [Int] = []
    for place in patterns.indices where patterns[place].matches(parts) {
      if let first = found.first, patterns[place].valueCount != patterns[first].valueCount {
        if patterns[place].valueCount > patterns[first].valueCount { continue }
        found.removeAll()
      }
      found.append(place)
    }
    let wanted = method == HTTPMethod.head.rawValue ? HTTPMethod.get.rawValue : method
    guard let place = found.first(where: { patterns[$0].route.method.rawValue == wanted }) ?? found.first,
      // Escapes that are not whole are so for every route of the path.
      let values = patterns[place].values(of: parts)
    else { return .nothing }
    guard patterns[place].route.method.rawValue == wanted else {
      return .methods(found.map { patterns[$0].route.method })
    }
    return .route(patterns[place].route, values: values)
  }
}

package import TextFormats
package import ZoneEngine

extension JSONError {
  /// An error about what cannot be with the zones of somebody: what was found, and what would be right instead.
  ///
  /// - Parameter expected: what is expected of every value there.
  package init(_ error: ZoneError, expected: String, at position: JSONPosition, path: JSONPath) {
    let parts = "\(error)".split(separator: ": expected ", maxSplits: 1)
    let expected = parts.count == 2 ? "\(expected): \(parts[1])" : expected
    self.init(.notAllowed(String(parts[0])), expected: expected, at: position, path: path)
  }
}

extension JSONObjectReader {
  /// The same about a member, or about the whole object when it has no such member.
  package func error(_ error: ZoneError, expected: String, about key: String) -> JSONError {
    let place = self.error(.missingKey, expected: expected, about: key)
    return JSONError(error, expected: expected, at: place.position, path: place.path)
  }
}

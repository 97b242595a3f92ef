/// Where a value stands in a JSON document: `plan.steps[2].target`.
package struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// One step into a value.
  package enum Component: Hashable, Sendable {
    /// A member of an object.
    case key(String)
    /// An element of an array, from 0.
    case index(Int)
  }

  /// The steps from the document's root.
  package private(set) var components: [Component] = []

  /// The document itself.
  package static let root = JSONPath()

  init() {}

  /// The path of a member.
  package func appending(key: String) -> JSONPath {
    var path = self
    path.components.append(.key(key))
    return path
  }

  /// The path of an element.
  package func appending(index: Int) -> JSONPath {
    var path = self
    path.components.append(.index(index))
    return path
  }

  /// The path of the value that holds this one; `nil` for the root.
  var parent: JSONPath? {
    guard !components.isEmpty else { return nil }
    var path = self
    path.components.removeLast()
    return path
  }

  /// The same path below one more step.
  func prefixed(by component: Component) -> JSONPath {
    var path = self
    path.components.insert(component, at: 0)
    return path
  }

  /// How long the text of a path may be before its beginning is left out, in bytes.
  private static let longestText = 300

  /// Keys joined by points, indices in brackets; a key that is not a plain word stands quoted in brackets. What is left
  /// out of a long key, and of the beginning of a long path, is shown as `…`.
  package var description: String {
    var texts: [String] = []
    var length = 0
    for component in components.reversed() {
      let text = Self.text(of: component)
      length += text.utf8.count
      guard length <= Self.longestText || texts.isEmpty else {
        texts.append("…")
        break
      }
      texts.append(text)
    }
    let text = texts.reversed().joined()
    return text.hasPrefix(".") ? String(text.dropFirst()) : text
  }

  private static func text(of component: Component) -> String {
    switch component {
    case .index(let index): return "[\(index)]"
    case .key(let key):
      let short = JSONError.brief(key)
      return short.utf8.allSatisfy(isPlain) && !short.isEmpty ? "." + short : "[" + JSONError.quoted(key) + "]"
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: byte >= 0x80
    }
  }
}

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

  /// Keys joined by points, indices in brackets; a key that is not a plain word stands quoted in brackets.
  package var description: String {
    var text = ""
    for component in components {
      switch component {
      case .index(let index): text += "[\(index)]"
      case .key(let key):
        if key.utf8.allSatisfy(Self.isPlain), !key.isEmpty {
          text += text.isEmpty ? key : "." + key
        } else {
          var quoted: [UInt8] = []
          JSONWriter.appendQuoted(key, to: &quoted)
          text += "[" + String(decoding: quoted, as: UTF8.self) + "]"
        }
      }
    }
    return text
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: byte >= 0x80
    }
  }
}

/// The key of a member of a JSON object: a name that stands in the program, and is written as it is, or a text that is known
/// only when it runs.
package struct JSONKey: ExpressibleByStringLiteral, Sendable {
  enum Name: Sendable {
    case literal(StaticString)
    case text(String)
  }

  let name: Name

  /// A name that stands in the program.
  ///
  /// - Precondition: it has no quotes, backslashes or control characters, which is looked at in debug builds.
  package init(stringLiteral name: StaticString) {
    assert(Self.isPlain(name), "a JSON key in the program needs no escapes: \(name)")
    self.name = .literal(name)
  }

  /// A text of any characters.
  package init(_ name: String) { self.name = .text(name) }

  private static func isPlain(_ name: StaticString) -> Bool {
    "\(name)".utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  }
}

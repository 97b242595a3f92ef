/// A text that no description, log or error shows.
package struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The text itself, for the one who signs.
  package let text: String

  /// Keeps a text.
  package init(_ text: String) { self.text = text }

  /// What stands for it, whatever it is.
  package var description: String { "(secret)" }
  /// What stands for it, whatever it is.
  package var debugDescription: String { description }
  /// Nothing of it.
  package var customMirror: Mirror { Mirror(self, children: []) }

  /// Whether it can stand in the header of a request: ASCII without spaces and control characters.
  package var isHeaderText: Bool { !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}

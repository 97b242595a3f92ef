/// A text that no description, log or error shows.
package struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The text itself, for the one who signs.
  let text: String

  /// Keeps a text.
  package init(_ text: String) { self.text = text }

  /// What stands for it, whatever it is.
  package var description: String { "(secret)" }
  /// What stands for it, whatever it is.
  package var debugDescription: String { description }
  /// Nothing of it.
  package var customMirror: Mirror { Mirror(self, children: []) }

  /// Whether it can stand in the header of a request: ASCII without spaces and control characters.
  var isHeaderText: Bool { !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}

/// What requests to a store are signed with.
package struct StoreCredentials: Sendable {
  /// The identity of the key.
  package let accessKeyID: Secret
  /// The key.
  package let secretAccessKey: Secret
  /// What goes with keys that hold for a while only.
  package let sessionToken: Secret?

  /// Creates credentials.
  package init(accessKeyID: Secret, secretAccessKey: Secret, sessionToken: Secret?) {
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = sessionToken
  }
}

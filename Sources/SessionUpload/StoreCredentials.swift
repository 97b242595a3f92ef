package import TextFormats

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

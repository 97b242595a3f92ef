package import TextFormats
internal import WorkoutSession

/// A secret that was just made, with what is kept of it.
package struct IssuedSecret: Sendable {
  /// The secret, which is shown once and kept nowhere.
  package let secret: String
  /// What is kept.
  package let grant: AccessGrant

  /// A token.
  package static func token(
    _ scopes: Set<Scope>, person: String?, session: String?, group: String?, days: Int, now: WallClockTime
  ) -> IssuedSecret {
    let caller = Caller(
      .token, id: AccessSecret.makeID(), scopes: scopes, person: person, session: session, group: group)
    return IssuedSecret("coach", caller, seconds: Int64(days) * 86_400, now: now, request: nil)
  }

  /// A key, with which an app of a person writes and nothing else.
  ///
  /// - Parameter request: what a session is begun with, as JSON; absent for the usual one.
  package static func key(
    _ person: String, request: String?, days: Int, now: WallClockTime
  ) -> IssuedSecret {
    let caller = Caller(.key, id: AccessSecret.makeID(), scopes: [.send], person: person)
    return IssuedSecret("key", caller, seconds: Int64(days) * 86_400, now: now, request: request)
  }

  init(_ prefix: String, _ caller: Caller, seconds: Int64, now: WallClockTime, request: String?) {
    secret = AccessSecret.make(prefix)
    grant = AccessGrant(
      caller, digest: AccessSecret.digest(of: secret), createdAt: now,
      expiresAt: WallClockTime(nanoseconds: now.nanoseconds + seconds * 1_000_000_000), request: request)
  }

  /// Writes the record of a token, with its secret.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "token")
      writer.member("tokenID", grant.caller.id)
      writer.member("token", secret)
      grant.writeMembers(to: &writer)
    }
    writer.endLine()
  }
}

extension AccessGrant {
  /// Writes the record of a token, without its secret.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "token")
      writer.member("tokenID", caller.id)
      writeMembers(to: &writer)
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.array("scopes") { writer in
      for scope in Scope.allCases where caller.scopes.contains(scope) { writer.value(scope.rawValue) }
    }
    writer.member("person", caller.person)
    writer.member("session", caller.session)
    writer.member("group", caller.group)
    writer.member("createdAt", createdAt)
    writer.member("expiresAt", expiresAt)
  }
}

extension IssuedSecret {
  /// Writes the record of a key, with its secret and the URL to type into an app.
  ///
  /// - Parameters:
  ///   - url: where the service is reached.
  ///   - warning: why it cannot be used yet; absent when it can.
  package func writeKey(url: String, warning: String?, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "key")
      writer.member("keyID", grant.caller.id)
      writer.member("key", secret)
      writer.member("url", "\(url)/v1/in/\(secret)")
      grant.writeKeyMembers(to: &writer)
      writer.member("warning", warning)
    }
    writer.endLine()
  }
}

extension AccessGrant {
  /// Writes the record of a key, without its secret.
  package func writeKeyObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "key")
      writer.member("keyID", caller.id)
      writeKeyMembers(to: &writer)
    }
  }

  fileprivate func writeKeyMembers(to writer: inout JSONWriter) {
    writer.member("person", caller.person)
    writer.member("createdAt", createdAt)
    writer.member("expiresAt", expiresAt)
  }
}

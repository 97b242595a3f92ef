import CoachService
import TextFormats
import WorkoutSession

/// Lets nobody in any more with a token or a key, or as somebody of a provider.
enum SecretRevocation {
  /// What a terminal revokes.
  enum Kind {
    case token, key, identity

    /// What the audit says of it.
    fileprivate var action: AuditLog.Action {
      switch self {
      case .token: .tokenRevoked
      case .key: .keyRevoked
      case .identity: .identityRemoved
      }
    }

    /// Where its record has its name.
    fileprivate var member: JSONKey {
      switch self {
      case .token: "tokenID"
      case .key: "keyID"
      case .identity: "identityID"
      }
    }
  }

  /// Revokes what has a name, and prints the record of that where records are asked for.
  ///
  /// - Throws: `CommandFailure` when there is none of the identity, or what the store throws.
  static func run(_ id: String, _ kind: Kind, _ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let place = try StoreOfService(parsed, for: .changing)
    let store = place.store
    do {
      switch kind {
      case .token: try await store.revoke(id, .token)
      case .key: try await store.revoke(id, .key)
      case .identity: try await store.removeIdentity(id)
      }
    } catch let error as ServiceStoreError {
      throw CommandFailure("\(error)", .noInput)
    }
    let now = try await store.now()
    await store.close()
    await place.audit(kind.action, subject: id, at: now)
    guard parsed[OutputOptions.format] != .text else { return 0 }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "revoked")
      writer.member(kind.member, id)
    }
    writer.endLine()
    try console.write(writer.bytes)
    return 0
  }
}

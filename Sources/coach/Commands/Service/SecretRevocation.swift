import CoachService
import TextFormats
import WorkoutSession

/// Lets nobody in any more with a token or a key.
enum SecretRevocation {
  /// The two kinds of secrets that a terminal revokes.
  enum Kind {
    case token, key
  }

  /// Revokes a secret by its identity, and prints the record of that where records are asked for.
  ///
  /// - Throws: `CommandFailure` when there is none of the identity, or what the store throws.
  static func run(_ id: String, _ kind: Kind, _ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let dataFolder = try DataFolder.path(parsed[OutputOptions.dataFolder])
    let store = ServiceStore(dataFolder: dataFolder)
    do {
      try await store.revoke(id, kind == .token ? .token : .key)
    } catch let error as ServiceStoreError {
      throw CommandFailure("\(error)", .noInput)
    }
    await store.close()
    AuditLog(dataFolder: dataFolder).note(
      kind == .token ? .tokenRevoked : .keyRevoked, by: nil, subject: id, at: SystemWallClock.now())
    guard parsed[OutputOptions.format] != .text else { return 0 }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "revoked")
      writer.member(kind == .token ? "tokenID" : "keyID", id)
    }
    writer.endLine()
    try console.write(writer.bytes)
    return 0
  }
}

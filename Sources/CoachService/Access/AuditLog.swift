package import FleetStore
internal import Synchronization
package import TextFormats

/// `audit.jsonl` in the data folder, or the audit in the database that instances share: who was let in and refused, which secrets
/// were made, what was exported and deleted. It never has values of somebody's health, positions, secrets or bodies.
package final class AuditLog: Sendable {
  /// The name of the file.
  package static let fileName = "audit.jsonl"

  /// What is written down.
  package enum Action: String, CaseIterable, Hashable, Sendable {
    case signedIn, signedOut, signInRefused
    case tokenCreated, tokenRevoked, keyCreated, keyRevoked, linkCreated
    case identityAdded, identityRemoved
    case exported, imported, deleted
    case personChanged, personDeleted
    case groupCreated, groupDeleted, memberJoined, memberChanged, memberLeft
    case refused
  }

  /// The most bytes of one that is read as a whole: a million lines.
  package static let mostBytes = 192 << 20

  private enum Place {
    case file(StoredPath)
    case database(AuditQueue)
  }

  private let place: Place
  private let writing = Mutex(())

  /// The log of a data folder.
  package init(dataFolder: StoredPath) { place = .file(dataFolder + "/" + Self.fileName) }

  /// The log of all instances; nothing is opened until something is noted.
  ///
  /// - Parameter name: what the server lists the connection as.
  package init(_ address: PostgresAddress, name: String) {
    place = .database(AuditQueue(FleetAudit(address, name: name)))
  }

  /// Writes what waits for the database, as far as that can be done now.
  package func close() async {
    if case .database(let queue) = place { await queue.close() }
  }

  /// Writes a line down. What cannot be written is not worth refusing a request for.
  ///
  /// - Parameters:
  ///   - caller: who did it; absent where that is not known.
  ///   - subject: the identity of what it was done to, which is no name of a person.
  ///   - reason: one word of a closed list that says why; absent where the action says it.
  package func note(
    _ action: Action, by caller: Caller?, subject: String? = nil, reason: String? = nil, at now: WallClockTime
  ) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", 1)
      writer.member("type", "audit")
      writer.member("time", now)
      writer.member("action", action.rawValue)
      writer.member("by", caller?.id)
      writer.member("kind", caller?.kind.rawValue)
      writer.member("subject", subject)
      writer.member("reason", reason)
    }
    writer.endLine()
    let bytes = writer.bytes
    switch place {
    case .database(let queue): queue.append(bytes)
    case .file(let path):
      writing.withLock { _ in
        guard let file = try? POSIXFile(writing: path, .append) else { return }
        try? file.write(bytes.span)
        try? file.close()
      }
    }
  }
}

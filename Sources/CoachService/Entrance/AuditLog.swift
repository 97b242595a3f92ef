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
  /// How many lines could not be written to the file, and whether that was said.
  private let lost = Mutex<(count: Int, isSaid: Bool)>((0, false))
  private let report: @Sendable (String) -> Void

  /// The log of a data folder.
  package convenience init(dataFolder: StoredPath) { self.init(dataFolder: dataFolder) { ServiceNotice.say($0) } }

  /// The same.
  ///
  /// - Parameter report: is given a line when lines are lost, and when that is over.
  init(dataFolder: StoredPath, report: @escaping @Sendable (String) -> Void) {
    place = .file(dataFolder + "/" + Self.fileName)
    self.report = report
  }

  /// The log of all instances; nothing is opened until something is noted.
  ///
  /// - Parameter name: what the server lists the connection as.
  package init(_ address: PostgresAddress, name: String) {
    place = .database(AuditQueue(FleetAudit(address, name: name)))
    report = { ServiceNotice.say($0) }
  }

  /// How many lines are in no audit, because they could not be written.
  package var lostCount: Int {
    switch place {
    case .file: lost.withLock { $0.count }
    case .database(let queue): queue.lostCount
    }
  }

  /// Writes what waits for the database, as far as that can be done now.
  package func close() async {
    if case .database(let queue) = place { await queue.close() }
  }

  /// Writes a line down. What cannot be written is not worth refusing a request for, and is counted and said once.
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
    case .file(let path): write(bytes, to: path)
    }
  }

  private func write(_ line: [UInt8], to path: StoredPath) {
    let news = lost.withLock { lost -> String? in
      do {
        let file = try POSIXFile(writing: path, .append)
        try file.write(line.span)
        try file.close()
        defer { lost.isSaid = false }
        return lost.isSaid ? "\(Self.fileName): is written again" : nil
      } catch {
        lost.count += 1
        defer { lost.isSaid = true }
        return lost.isSaid ? nil : "\(Self.fileName): its lines are lost until it can be written: \(error)"
      }
    }
    if let news { report(news) }
  }
}

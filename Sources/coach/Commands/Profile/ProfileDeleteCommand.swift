import CoachService
import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession

/// `coach profile delete`: a profile, or everything of a person, for good.
enum ProfileDeleteCommand {
  /// Asks on a terminal, and deletes.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    let name = parsed[Operands.profile]
    let store = try ProfileRequest.store(parsed)
    let isAll = parsed[ProfileOptions.allData]
    return try await HistoryRequest.with(parsed) { history in
      let hasProfile = try store.names().contains(name)
      guard hasProfile || isAll else { throw ProfileStoreError.missing(name) }
      if !parsed[HistoryOptions.yes] {
        // A profile that cannot be read can be deleted, and its sessions stay.
        let sessions = isAll ? try await history.sessionNames(of: history.keys(ofPersonNamed: name)).count : 0
        let what = (hasProfile ? ["the profile \(name)"] : []) + (isAll ? [words(sessions)] : [])
        guard try Agreement.isGiven("profile delete", [what.joined(separator: " and ")], console) else { return 0 }
      }
      let audit = try AuditLog(ofServiceIn: history.dataFolder)
      let identity = try? store.profile(named: name).id
      var sessions = 0
      if isAll {
        let isKnown = hasProfile ? true : try await !history.sessionNames(of: history.keys(ofPersonNamed: name)).isEmpty
        if isKnown { try await forgetSecrets(of: name, in: history.dataFolder) }
        let progress = ProgressLine("deleting")
        defer { progress.end() }
        let report = try await history.erase(personNamed: name) { progress.show($0) }
        progress.end()
        sessions = report.sessions
        if report.unreadable > 0 {
          console.complain(
            "\(history.dataFolder)/sessions: \(report.unreadable) cannot be read, so that nobody knows whose they are: "
              + "coach history check names them")
        }
      } else {
        // Before, so that a deletion which is cut off leaves nothing to whoever is called so next; after, for what was made meanwhile.
        try await forgetAuthority(of: name, in: history.dataFolder)
        try store.remove(name, keepsName: true)
        try await forgetAuthority(of: name, in: history.dataFolder)
      }
      audit?.note(.personDeleted, by: nil, subject: identity?.description, at: SystemWallClock.now())
      try report(name, hadProfile: hasProfile, sessions: sessions, isAll: isAll, parsed, console)
      return 0
    }
  }

  private static func forgetAuthority(of name: String, in dataFolder: StoredPath) async throws {
    guard let service = try ServiceStore(existingIn: dataFolder) else { return }
    try await service.forgetAuthority(of: name)
    await service.close()
  }

  /// Takes what a service has given to somebody all of whose data are about to go. What is live there has no folder that would say whose
  /// it is.
  ///
  /// - Throws: `SessionInUse` where a session of theirs is live; nothing is changed then.
  private static func forgetSecrets(of name: String, in dataFolder: StoredPath) async throws {
    guard let service = try ServiceStore(existingIn: dataFolder) else { return }
    let live = try await service.forgetSecrets(of: name, unlessAny: { try SessionMark.isHeld($0, in: dataFolder) })
    await service.close()
    if let live { throw SessionInUse(sessionID: live) }
  }

  private static func words(_ sessions: Int) -> String { sessions == 1 ? "1 session" : "\(sessions) sessions" }

  private static func report(
    _ name: String, hadProfile: Bool, sessions: Int, isAll: Bool, _ parsed: ParsedArguments, _ console: Console
  ) throws {
    guard parsed[OutputOptions.format] != .text else {
      return try console.line("\(name): deleted" + (isAll ? ", with \(words(sessions))" : "; the sessions are kept"))
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "profileDeleted")
      writer.member("name", name)
      writer.member("profile", hadProfile)
      writer.member("sessions", sessions)
    }
    writer.endLine()
    try console.write(writer.bytes)
  }
}

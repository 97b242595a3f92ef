internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// What was erased of a person.
package struct ErasureReport: Hashable, Sendable {
  /// How many sessions are gone.
  package let sessions: Int
  /// How many folders lie among the sessions that cannot be read, so that nobody knows whose they are.
  package let unreadable: Int
}

/// The decision to erase all data of a person, as it stands in `erasing/` until it is carried out.
private struct Erasure {
  private static let version = 1

  /// What the person is called; absent in decisions of earlier versions about somebody without a profile.
  let name: String?
  /// The name of the profile; absent when it is gone already.
  let profile: String?
  let keys: PersonKeys

  init(name: String, hasProfile: Bool, keys: PersonKeys) {
    self.name = name
    profile = hasProfile ? name : nil
    self.keys = keys
  }

  /// Reads a decision.
  ///
  /// - Throws: `FileError`, or `RecordingError` with the file when it is none.
  static func read(_ path: StoredPath) throws -> Erasure {
    let text = try POSIXFile(reading: path).readAll(maximumBytes: StoredProfile.largestBytes)
    do {
      return try Erasure(json: text)
    } catch let error as JSONError {
      throw RecordingError(path: path.path, problem: "\(error)")
    }
  }

  private init(json text: [UInt8]) throws {
    var reader = try JSONObjectReader(try JSONValue.parse(text.span))
    try reader.requireVersion(Self.version)
    profile = try reader.optional("profile", .nonEmptyString)
    name = try reader.optional("name", .nonEmptyString) ?? profile
    keys = PersonKeys(try reader.required("keys", .array(of: .nonEmptyString)))
    try reader.finish()
  }

  func write(to path: StoredPath) throws(FileError) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", Self.version)
      writer.member("name", name)
      writer.member("profile", profile)
      writer.array("keys") { for text in keys.texts { $0.value(text) } }
    }
    writer.endLine()
    let text = writer.bytes
    try FileSystem.writeAtomically(text.span, to: path)
  }
}

extension HistoryWorker {
  /// Erases all data of a person: the profile, all sessions, what the index knows of them, and what is kept elsewhere. A name without a profile
  /// stands for the sessions that say it and whose profile is gone.
  ///
  /// The decision is first written to `erasing/`: from there on a process that dies is followed by
  /// ``finishErasures()`` of the next start. Then the profile goes, each session as by ``delete(_:)``, and the decision.
  /// - Parameter identity: whose profile it has to be; absent for whoever has the name.
  /// - Throws: `ProfileStoreError.missing` when there is neither a profile nor a session of the name, or the profile is somebody else's,
  ///   `SessionInUse` while a process records one of them, `FileError`, `RecordingError` or `DatabaseError` when it cannot be finished now.
  func erase(
    personNamed name: String, as identity: ProfileIdentity? = nil, _ report: (WorkProgress) -> Void
  ) throws -> ErasureReport {
    let store = ProfileStore(dataFolder: dataFolder)
    // A session that is being imported is in no list, and none may come meanwhile.
    let lock = try ImportLock.take(dataFolder, waitingMilliseconds: busyMilliseconds)
    defer { lock.release() }
    let keys = try keys(ofPersonNamed: name)
    let hasProfile = try FileSystem.has(store.path(of: name))
    if !hasProfile, let problem = try store.profiles().problems.first {
      // Sessions without a profile could be this person's or anybody else's.
      throw RecordingError(path: store.folder.path, problem: "a profile cannot be read: \(problem)")
    }
    let sessions = try sessionNames(of: keys)
    guard hasProfile || !sessions.isEmpty else { throw ProfileStoreError.missing(name) }
    for sessionID in sessions {
      try requireNotRecorded(sessionID)
      try requireNoStrangers(in: sessionID)
    }
    // Looked up last, just before it is decided: the sessions that were found are those of whoever has the name.
    if let identity { try store.require(identity, named: name) }
    try FileSystem.createFolder(erasingFolder)
    let decision = erasingFolder + "/" + Self.erasure
    try Erasure(name: name, hasProfile: hasProfile, keys: keys).write(to: decision)
    try FileSystem.syncFolder(dataFolder)
    return try finishErasure(decision) { done in
      lock.touch()
      report(done)
    }
  }

  /// Finishes erasures that were cut off; `false` when there are none, or another process is at it or imports, so that the
  /// next start looks again.
  ///
  /// - Throws: `SessionInUse`, `FileError` or `DatabaseError` when they cannot be finished now; the next start tries again.
  @discardableResult
  func finishErasures() throws -> Bool {
    guard hasUnfinishedErasures, let lock = try ImportLock.takeIfFree(dataFolder) else { return false }
    defer { lock.release() }
    let names = try FileSystem.listIfPresent(erasingFolder)
    let isDecided = names.contains(Self.erasure)
    if isDecided { _ = try finishErasure(erasingFolder + "/" + Self.erasure) { _ in } }
    // What was never decided.
    for name in names where TemporaryName.final(of: name) == Self.erasure {
      try FileSystem.removeIfPresent(erasingFolder + "/" + name)
    }
    try FileSystem.removeIfEmpty(erasingFolder)
    return isDecided
  }

  private func finishErasure(_ decision: StoredPath, _ report: (WorkProgress) -> Void) throws -> ErasureReport {
    let erasure = try Erasure.read(decision)
    let store = ProfileStore(dataFolder: dataFolder)
    if let profile = erasure.profile { try store.remove(profile, keepsName: false) }
    let sessions = try sessionNames(of: erasure.keys)
    for (done, sessionID) in sessions.enumerated() {
      try delete(sessionID)
      report(WorkProgress(done: done + 1, total: sessions.count))
    }
    if try hasIndex { try writer.wait { try $0.database().checkpoint() } }
    try store.forgetNames(of: erasure.keys)
    if let name = erasure.name {
      try MotionFolder.removeAll(of: name, in: dataFolder)
      try onDelete(.person(named: name), dataFolder)
    }
    let unreadable = try folders().count { !isReadableSession($0) }
    try FileSystem.remove(decision)
    try FileSystem.removeIfEmpty(erasingFolder)
    return ErasureReport(sessions: sessions.count, unreadable: unreadable)
  }

  private func requireNotRecorded(_ sessionID: String) throws {
    guard try SessionMark.all(in: dataFolder).contains(sessionID) else { return }
    guard try SessionMark.take(sessionID, in: dataFolder) != nil else { throw SessionInUse(sessionID: sessionID) }
  }

  private func isReadableSession(_ sessionID: String) -> Bool {
    (try? SessionFolderRecording(path: SessionFolder.path(of: sessionID, in: dataFolder))) != nil
  }
}

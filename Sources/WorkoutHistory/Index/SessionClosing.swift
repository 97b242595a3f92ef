package import SessionStore
package import TextFormats
internal import WorkoutSession

/// What was done to close a session.
package struct ClosedSession: Hashable, Sendable {
  /// The identity of the session.
  package let sessionID: String
  /// How its recording came to its end; `nil` when nothing of it had been recorded, so that it is gone.
  package let state: SessionState?
  /// Files whose last line was cut off and dropped, with its bytes.
  package let tornLines: [String: Int]
}

/// What became of a session whose process was gone.
package enum Recovery: Sendable {
  /// It is closed and in the history.
  case closed(ClosedSession)
  /// It cannot be closed; it stays as it is, and the next start tries again.
  case failed(sessionID: String, any Error)
}

/// The folder of a session whose recording is over, made whole and read.
struct PreparedClosing: Sendable {
  let closed: ClosedSession
  /// What the index is to say of it; absent where nothing had been recorded.
  let reading: SessionReading?

  /// Heals a folder without a summary: torn last lines are dropped, the journal is completed from the raw logs, the summary
  /// is written. One with a summary is read. Everything can be repeated.
  ///
  /// - Throws: `FileError`, `RecordingError` or `ZoneError`; the raw logs are as they were.
  init(_ sessionID: String, in dataFolder: StoredPath) throws {
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    guard try SessionFolder.isRecorded(folder) else {
      try SessionFolder.removeUnrecorded(folder)
      closed = ClosedSession(sessionID: sessionID, state: nil, tornLines: [:])
      reading = nil
      return
    }
    if let summary = try SessionSummaryFile.read(in: folder) {
      try EndedInputs.keep(sessionID, in: dataFolder)
      closed = ClosedSession(sessionID: sessionID, state: summary.state, tornLines: [:])
      reading = try SessionReading(sessionID, in: dataFolder)
    } else {
      let healed = try SessionHealing.heal(folder)
      try FileSystem.removeIfPresent(folder + "/" + SessionFolder.inputs)
      let torn = Dictionary(healed.torn.map { ($0.file, $0.bytes) }, uniquingKeysWith: +)
      closed = ClosedSession(sessionID: sessionID, state: .recovered, tornLines: torn)
      reading = try SessionReading(healed, sessionID, in: dataFolder)
    }
    _ = try reading?.digest.get()
  }
}

extension SessionReading {
  /// What a folder says that was just healed: its replay is not made twice.
  fileprivate init(_ healed: SessionHealing.Healed, _ sessionID: String, in dataFolder: StoredPath) throws {
    let manifest = healed.recording.manifest
    guard manifest.sessionID == sessionID, (try? healed.recording.labels()) != nil,
      let digest = SessionDigest(manifest, healed.pipeline, state: .recovered, badLines: nil)
    else {
      // Its own error says what is wrong.
      try self.init(sessionID, in: dataFolder)
      return
    }
    try self.init(digest, in: dataFolder)
  }
}

extension HistoryWorker {
  /// Closes a session whose recording is over: one that has just ended and one whose process is gone take the same way.
  ///
  /// - Throws: `FileError`, `RecordingError`, `ZoneError` or `DatabaseError`; the raw logs are as they were.
  func close(_ sessionID: String) throws -> ClosedSession {
    let prepared = try PreparedClosing(sessionID, in: dataFolder)
    if let reading = prepared.reading, try writer.wait(for: { try $0.agreeNow(with: [reading]) }) != [] {
      try add(sessionID)
    }
    return prepared.closed
  }

  /// Takes sessions into the index that are recorded to their end and whose process died before it did so.
  ///
  /// - Throws: `FileError` when the marks cannot be looked at, `DatabaseError` when the index cannot be used.
  func closeEnded() throws {
    for sessionID in try SessionMark.all(in: dataFolder) {
      guard try SessionFolder.hasEnded(SessionFolder.path(of: sessionID, in: dataFolder)),
        let mark = try SessionMark.take(sessionID, in: dataFolder)
      else { continue }
      do {
        _ = try close(sessionID)
        try mark.remove()
      } catch let error as DatabaseError {
        throw error
      } catch {
        // What cannot be closed is reported by the next start.
      }
    }
  }

  /// Closes those of several sessions whose process is gone, healing them at a time, and returns what became of each.
  ///
  /// - Throws: `FileError` when a mark cannot be looked at.
  func recover(_ names: some Sequence<String>) throws -> [Recovery] {
    let now = SystemWallClock.now()
    var marks: [SessionMark] = []
    var failed: [Recovery] = []
    for name in names {
      do {
        // A service goes on with those that are its own.
        guard try !SessionMark.isResumable(name, in: dataFolder, now: now) else { continue }
        if let mark = try SessionMark.take(name, in: dataFolder) { marks.append(mark) }
      } catch let error as FileError where error.isOfPath {
        // A folder that cannot be written is no reason to leave the others as they are.
        failed.append(.failed(sessionID: name, error))
      }
    }
    return failed + recover(marks)
  }

  private func recover(_ marks: [SessionMark]) -> [Recovery] {
    let prepared = ParallelWork.map(marks.map(\.sessionID)) { [dataFolder] name in
      Result { try PreparedClosing(name, in: dataFolder) }
    }
    let readings = prepared.map { (try? $0.get().reading).map { [$0] } ?? [] }
    let agreed = writer.wait { $0.agreeEach(with: readings) }
    var recoveries: [Recovery] = []
    for (mark, (prepared, agreed)) in zip(marks, zip(prepared, agreed)) {
      do {
        let closed = try prepared.get().closed
        if try !agreed.get().isEmpty { try add(mark.sessionID) }
        try mark.remove()
        recoveries.append(.closed(closed))
      } catch {
        recoveries.append(.failed(sessionID: mark.sessionID, error))
      }
    }
    return recoveries
  }
}

extension History {
  /// Closes a session whose recording is over: one that has just ended and one whose process is gone take the same way.
  ///
  /// A folder without a summary is healed first: torn last lines are dropped, the journal is completed from the raw
  /// logs, the summary is written. Then the session is taken into the index, together with others that are closed at the
  /// same time. Everything can be repeated.
  /// - Throws: `FileError`, `RecordingError`, `ZoneError` or `DatabaseError`; the raw logs are as they were.
  package func close(_ sessionID: String) async throws -> ClosedSession {
    let prepared = try await change { worker in try PreparedClosing(sessionID, in: worker.dataFolder) }
    if let reading = prepared.reading { try await agree(with: reading) }
    return prepared.closed
  }

  /// Closes a session that has just ended, without reading its folder: its logs, journal and summary are on the disk, and the
  /// digest says the same. It is taken into the index together with others that are closed at the same time.
  ///
  /// - Parameter digest: what the index keeps of it; absent where the folder has to be read.
  /// - Throws: as ``close(_:)``.
  package func close(_ sessionID: String, digest: SessionDigest?) async throws -> ClosedSession {
    guard let digest, let reading = try? SessionReading(digest, in: dataFolder), !reading.isAbsent else {
      return try await close(sessionID)
    }
    precondition(reading.name == sessionID, "a digest is of its session")
    try await agree(with: reading)
    return ClosedSession(sessionID: sessionID, state: digest.state, tornLines: [:])
  }

  /// Takes a session into the index; from its folder, where that is another one by now.
  private func agree(with reading: SessionReading) async throws {
    guard try await writer.agree(with: [reading]) != [] else { return }
    try await change { try $0.add(reading.name) }
  }

  /// Closes every session whose process is gone, many at a time, and returns what became of each, in the order of their
  /// names. A task that is cancelled leaves the rest as it is.
  ///
  /// - Throws: `FileError` when the marks cannot be looked at.
  package func recover(_ report: @Sendable (WorkProgress) -> Void = { _ in }) async throws -> [Recovery] {
    // What journals of processes that are gone hold comes to the folders first, all of it at once.
    _ = try await change { try LiveJournal.recoverAll(in: $0.dataFolder) }
    return try await recover(SessionMark.all(in: dataFolder), report)
  }

  /// Closes those sessions whose process is gone and whose names begin with a text, and no others: for who asks for one of
  /// them.
  ///
  /// - Throws: as ``recover(_:)``.
  package func recover(beginningWith prefix: String) async throws -> [Recovery] {
    try await recover(SessionMark.all(in: dataFolder).filter { $0.hasPrefix(prefix) }) { _ in }
  }

  /// How many sessions are healed before they are taken in together.
  private static let mostAtOnce = 32

  private func recover(_ names: [String], _ report: @Sendable (WorkProgress) -> Void) async throws -> [Recovery] {
    var recoveries: [Recovery] = []
    for start in stride(from: 0, to: names.count, by: Self.mostAtOnce) {
      if start > 0, Task.isCancelled { break }
      let end = min(start + Self.mostAtOnce, names.count)
      recoveries += try await change { try $0.recover(names[start..<end]) }
      report(WorkProgress(done: end, total: names.count))
    }
    return recoveries
  }
}

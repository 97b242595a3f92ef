internal import Recordings
internal import SessionStore
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Sessions that an import has written beside the others, and that wait to get their places together.
///
/// Until ``HistoryWorker/publish(_:)`` nobody sees them, and whoever takes the lock of imports next removes them.
final class ImportBatch {
  /// A session whose folder is written.
  struct Written {
    /// The identity of the session.
    let sessionID: String
    /// What the index keeps of it; absent where the folder has to be read.
    let digest: SessionDigest?
  }

  /// From how many recordings on the file system is synced as a whole, and not each file of each session.
  static let fewestTogether = 8

  /// The lock of imports, with the folder in which sessions are written.
  let lock: ImportLock
  /// Whether the sessions are not on the disk yet.
  let isSyncedTogether: Bool
  private var written: [Written] = []
  /// The people whose profiles were there since the lock was taken.
  private var people: Set<String> = []

  /// A batch of nothing yet.
  init(_ lock: ImportLock, isSyncedTogether: Bool) {
    self.lock = lock
    self.isSyncedTogether = isSyncedTogether
  }

  /// Takes a session that is written.
  func append(_ session: Written) { written.append(session) }

  /// Gives all sessions away.
  func take() -> [Written] {
    defer { written = [] }
    return written
  }

  /// Whether the profile of a person was there since the lock was taken.
  func hasProfile(_ key: String) -> Bool { people.contains(key) }

  /// Notes that the profile of a person is there.
  func noteProfile(_ key: String) { people.insert(key) }

  /// Whether a workout of a span may be one of those that are written.
  func mayHold(_ span: ClosedRange<Int64>) -> Bool {
    written.contains { session in
      guard let digest = session.digest else { return true }
      let start = digest.manifest.start.nanoseconds
      return WorkoutTrace.overlaps(span, start...(start &+ digest.summary.elapsed.nanoseconds))
    }
  }
}

extension HistoryWorker {
  /// Writes the folder of a workout beside the sessions; its identity.
  ///
  /// - Throws: `FileError`, `RecordingError` or `ZoneError` when it cannot be written.
  func write(_ workout: ImportedWorkout, _ session: SessionRequest, to batch: ImportBatch) throws -> String {
    let recording = workout.recording
    let content = try ImportedContent(recording)
    let sessionID = try unusedName(
      start: workout.start, session.coaching.activity, content.digest, beside: batch.lock.folder)
    let manifest = SessionManifest(
      sessionID: sessionID, start: workout.start, utcOffsetSeconds: workout.utcOffsetSeconds,
      request: session.coaching, streams: content.streams, durationLimit: nil, person: session.person,
      origin: recording.origin,
      source: SessionManifest.Source(
        file: FileSystem.name(of: recording.path),
        format: recording.facts.format, device: recording.facts.device,
        energyKilocalories: recording.facts.statedKilocalories,
        subSport: recording.facts.subSport(as: session.coaching.activity)),
      randomization: session.randomization, recognition: workout.recognition?.facts)
    let recorder = try SessionRecorder(folder: batch.lock.folder + "/" + sessionID, manifest: manifest)
    var course = try ImportedCourse(manifest, recognizing: workout.recognition, into: recorder)
    try course.run(recording, isSynced: !batch.isSyncedTogether) { batch.lock.touch() }
    batch.lock.touch()
    for notice in workout.notices + course.notices { workout.notice?(sessionID, notice) }
    let digest = SessionDigest(manifest, course.pipeline, state: .complete, badLines: nil)
    batch.append(ImportBatch.Written(sessionID: sessionID, digest: digest))
    return sessionID
  }

  /// Gives the sessions of a batch their places, once all of them are on the disk, and takes them into the index. The batch is
  /// empty then.
  ///
  /// - Throws: `FileError` or `DatabaseError`. Those that have their places are closed by the next start, and of the others
  ///   nothing is left.
  func publish(_ batch: ImportBatch) throws {
    let written = batch.take()
    guard !written.isEmpty else { return }
    let sessions = dataFolder + "/" + SessionFolder.sessions
    try FileSystem.createFolder(sessions)
    // From here on the next start closes the sessions, should this process not come to it.
    let marks = try written.map { try SessionMark.make($0.sessionID, in: dataFolder) }
    if batch.isSyncedTogether {
      try batch.lock.syncFileSystem()
    } else {
      try SessionMark.syncAll(in: dataFolder)
    }
    for session in written {
      try FileSystem.rename(
        batch.lock.folder + "/" + session.sessionID, to: SessionFolder.path(of: session.sessionID, in: dataFolder))
    }
    try FileSystem.syncFolder(sessions)
    batch.lock.touch()
    try takeIn(written, marks)
  }

  /// Takes sessions into the index in one transaction, and removes their marks. What fails of one fails for it alone.
  private func takeIn(_ written: [ImportBatch.Written], _ marks: [SessionMark]) throws {
    let readings = try written.map { session in
      try session.digest.map { [try SessionReading($0, in: dataFolder)] } ?? []
    }
    let agreed = writer.wait { $0.agreeEach(with: readings) }
    var problem: (any Error)?
    for (session, (mark, agreed)) in zip(written, zip(marks, agreed)) {
      do {
        if session.digest == nil {
          _ = try close(session.sessionID)
        } else if try !agreed.get().isEmpty {
          try add(session.sessionID)
        }
        try mark.remove()
      } catch {
        problem = problem ?? error
      }
    }
    if let problem { throw problem }
  }

  /// A name that no session has. The digits follow from the content, so that the same file gets the same name.
  ///
  /// - Throws: `FileError` when it cannot be found out whether one has it.
  private func unusedName(
    start: WallClockTime, _ activity: Activity, _ digest: UInt32, beside folder: StoredPath
  ) throws(FileError) -> String {
    var digits = digest
    while true {
      let name = SessionFolder.name(start: start, activity: activity, random: digits)
      // A mark without a folder is what a process has left that died, and the next start removes it.
      if try !FileSystem.has(SessionFolder.path(of: name, in: dataFolder)), try !FileSystem.has(folder + "/" + name),
        try !SessionMark.exists(name, in: dataFolder)
      {
        return name
      }
      digits &+= 1
    }
  }
}

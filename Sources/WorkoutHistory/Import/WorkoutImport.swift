package import Recordings
internal import SessionStore
package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// How a recording becomes a session of the history.
package struct ImportRequest: Sendable {
  /// What a session of a day is judged by, and who it is of; its activity stands unless ``takesSport``.
  package let requestOfDay: @Sendable (CivilDate?) throws -> SessionRequest
  /// The start of a recording that states none.
  package var start: WallClockTime?
  /// Whether the activity is taken from the sport that the recording states.
  package var takesSport = true
  /// Whether a recording that says more of a workout than the session that holds it takes its place.
  package var replaces = false
  /// Puts what somebody said of silences and of a ceiling over those of a session that keeps what was asked of it.
  package var silences: (@Sendable (inout CoachingRequest) throws -> Void)?
  /// The options, as they were typed, by which a session that is there would be judged otherwise than it is; of one whose place
  /// is taken without those that count.
  package var unheeded: (@Sendable (_ kept: SessionManifest, _ isReplaced: Bool) throws -> [String])?
  /// Whether the person has a profile, without which nothing is added: whoever deletes it may erase all that is theirs.
  package var needsProfile = false
  /// Draws the strategy of each session that is added; absent where it is chosen.
  package var randomizer: SessionRandomizer?
  /// By what activities are recognised in recordings with motion, as in a live session; absent where none are.
  package var recognition: RecognitionSettings?
  /// Hears what people want to know of a recording that is added as a session, such as that it lacks what the model needs.
  package var notice: (@Sendable (_ sessionID: String, _ line: String) -> Void)?
  /// Hears what is odd about a recording as the session that is added, such as positions that are too far apart for its activity.
  package var oddity: (@Sendable (_ sessionID: String, _ warning: RecordingWarning) -> Void)?

  /// Creates a request that is the same on all days.
  package init(_ request: CoachingRequest, person: SessionPerson?) {
    self.init { _ in SessionRequest(coaching: request, person: person) }
  }

  /// Creates a request that depends on the day of the session.
  package init(_ requestOfDay: @escaping @Sendable (CivilDate?) throws -> SessionRequest) {
    self.requestOfDay = requestOfDay
  }
}

/// What became of a workout that was to be imported.
package enum ImportOutcome: Hashable, Sendable {
  /// It is in the history, as the session with this identity.
  case added(sessionID: String)
  /// It is in the history, and took the place of a session that held the same workout and said less of it.
  case replaced(sessionID: String, earlier: String)
  /// It is there already, recorded live as nobody's, and is the person's of the import now.
  case assigned(sessionID: String)
  /// It is there already.
  case duplicate(sessionID: String)
  /// It is there already, and the recording says more of it; the obstacle is why it cannot take the session's place.
  case outdone(sessionID: String, gains: [WorkoutGain], obstacle: ReplacementObstacle?)
  /// It cannot be a session, and why.
  case refused(reason: String)
}

extension HistoryWorker {
  /// Takes the activities of a recording into the history, each as a session of its own: its workouts, and its days where
  /// it has no workout or `withDays`. A recording of a single session becomes one. An activity without any reading is none.
  ///
  /// - Returns: what became of each activity with a reading; nothing where none has one.
  /// - Throws: as for one session; those before it are in the history.
  func add(
    _ recording: Recording, _ request: ImportRequest, withDays: Bool
  ) throws -> [ImportOutcome] {
    guard recording.facts.sampleCount > 0 else { return [] }
    let hasWorkouts = recording.activities.contains(where: \.isWorkout)
    let wanted = recording.activities.filter { $0.isWorkout || withDays || !hasWorkouts }
    guard wanted.count > 1 || wanted.count < recording.activities.count else { return [try add(recording, request)] }
    var outcomes: [ImportOutcome] = []
    var gathered = GatheredRecordings()
    // No lock is held while the file is read on.
    do {
      try recording.forEachActivity(wanted) { _, alone in
        guard alone.facts.sampleCount > 0 else { return }
        gathered.append(alone)
        if gathered.isEnough { outcomes += try add(gathered.take(), request) }
      }
    } catch {
      _ = try add(gathered.take(), request)
      throw error
    }
    return outcomes + (try add(gathered.take(), request))
  }

  /// Takes a recording into the history, unless the same workout is there and is not to be replaced.
  ///
  /// The folder is written beside the sessions and gets its place when it is whole, so that a process that dies leaves
  /// no half of a workout. What is replaced is deleted after that, so that one of the two is there at any time. A workout
  /// is the same when a session of the same person, or of nobody in particular, has its time and readings; see
  /// ``WorkoutTrace/isSameWorkout(as:)``.
  /// - Throws: `FileError`, `RecordingError` or `DatabaseError`; `ProfileStoreError.missing` when the person needs a profile and
  ///   that was deleted meanwhile; `ZoneError` when the request has no zones on that day, or what it throws itself.
  func add(_ recording: Recording, _ request: ImportRequest) throws -> ImportOutcome {
    try add([recording], request)[0]
  }

  /// Takes several recordings into the history, as one after another, in as few turns of disk and index as that takes.
  ///
  /// - Returns: what became of each; those that were added are on the disk.
  /// - Throws: as for one; those before it are in the history.
  private func add(_ recordings: [Recording], _ request: ImportRequest) throws -> [ImportOutcome] {
    var outcomes: [ImportOutcome] = []
    var begun: ImportBatch?
    defer { begun?.lock.release() }
    do {
      for recording in recordings {
        let workout: ImportedWorkout
        switch try ImportedWorkout.make(recording, request) {
        case .success(let accepted): workout = accepted
        case .failure(let refusal):
          outcomes.append(.refused(reason: refusal.reason))
          continue
        }
        let batch = try begun ?? beginImport(of: recordings.count, request)
        begun = batch
        outcomes.append(try add(workout, request, to: batch))
      }
      if let begun { try publish(begun) }
    } catch {
      if let begun { try publish(begun) }
      throw error
    }
    return outcomes
  }

  private func beginImport(of count: Int, _ request: ImportRequest) throws -> ImportBatch {
    let lock = try ImportLock.take(dataFolder, waitingMilliseconds: busyMilliseconds)
    do {
      // What another import had ready when it was killed is a session already, and the same workout may be here.
      try closeEnded()
      guard try !hasIndex || isWhole() else {
        throw DatabaseError.busy(
          History.path(in: dataFolder).path, "it is being made anew: try again when it is done")
      }
    } catch {
      lock.release()
      throw error
    }
    // A draw looks at the sessions before it, so that each has to have its place.
    return ImportBatch(lock, isSyncedTogether: request.randomizer == nil && count >= ImportBatch.fewestTogether)
  }

  private func add(_ workout: ImportedWorkout, _ request: ImportRequest, to batch: ImportBatch) throws -> ImportOutcome
  {
    var session = workout.session
    if request.needsProfile, let person = session.person { try requireProfile(of: person, in: batch) }
    if request.randomizer != nil || batch.mayHold(workout.span) { try publish(batch) }
    let known = try known(workout)
    if request.replaces, let person = session.person, let live = known.first, known.count == 1, live.isOfNobody {
      try assign(live.sessionID, to: person)
      try noteUnheeded(request, live, as: live.sessionID)
      return .assigned(sessionID: live.sessionID)
    }
    if let outcome = try outcome(of: known, replacing: request.replaces) {
      if let stays = known.first(where: { $0.sessionID == outcome.sessionID }) {
        try noteUnheeded(request, stays, as: stays.sessionID)
      }
      return outcome
    }
    var keepsPerson = false
    if let old = known.first {
      keepsPerson = session.keepsPerson(of: old.manifest)
      session = try session.keeping(old.manifest, on: workout.day, request.silences)
    }
    // What is not added draws nothing.
    if let randomizer = request.randomizer {
      session = try randomizer.draw(for: session, on: workout.day, loop: .open, in: dataFolder)
    }
    let sessionID = try write(workout, session, to: batch)
    if let oddity = request.oddity {
      let warnings = try workout.recording.warningsOfFile(as: session.coaching.activity)
      for warning in warnings where warning.kind == .fasterThanSport { oddity(sessionID, warning) }
    }
    guard let old = known.first else { return .added(sessionID: sessionID) }
    if keepsPerson { try noteUnheeded(request, old, as: sessionID, isReplaced: true) }
    try publish(batch)
    try replace(old.sessionID, by: sessionID)
    return .replaced(sessionID: sessionID, earlier: old.sessionID)
  }

  /// Says by which options a workout that is there is not judged, where somebody asked to replace it: nobody else would notice
  /// that they had no effect.
  private func noteUnheeded(
    _ request: ImportRequest, _ known: KnownWorkout, as sessionID: String, isReplaced: Bool = false
  ) throws {
    guard request.replaces, let notice = request.notice,
      let options = try request.unheeded?(known.manifest, isReplaced), !options.isEmpty
    else { return }
    notice(sessionID, known.words(notJudgedBy: options, isReplaced: isReplaced))
  }

  /// Makes sure that a person has the profile that was read when the import began. Asked while imports are locked, for which an
  /// erasure waits: so it finds what was added before, and nothing is added after it.
  private func requireProfile(of person: SessionPerson, in batch: ImportBatch) throws {
    let key = SessionPerson.key(profileID: person.profileID, name: person.name)
    guard !batch.hasProfile(key) else { return }
    let store = ProfileStore(dataFolder: dataFolder)
    let isThere =
      if let id = person.profileID {
        try store.profiles().readable.contains { $0.id == id }
      } else {
        try FileSystem.status(store.path(of: person.name)) != nil
      }
    guard isThere else { throw ProfileStoreError.missing(person.name) }
    batch.noteProfile(key)
  }

  /// What is said of a session that was imported elsewhere, where the same workout is in the history; `nil` where it is new.
  ///
  /// - Parameter folder: the folder of the session.
  /// - Throws: `FileError`, `RecordingError` or `DatabaseError` when something cannot be read.
  func duplicate(of folder: StoredPath) throws -> ImportOutcome? {
    let session = try SessionFolderRecording(path: folder)
    let (start, elapsed) = (session.manifest.start, try session.facts().elapsed)
    let known = try known(
      start: start, elapsed: elapsed, of: session.manifest.who, isRecognized: session.manifest.recognition != nil,
      hasMotion: session.manifest.streams.contains(.motion)
    ) { try WorkoutTrace(of: session, elapsed: elapsed) }
    let outcome = try outcome(of: known, replacing: false)
    guard case .outdone(let sessionID, let gains, .recordedLive)? = outcome else { return outcome }
    return .outdone(sessionID: sessionID, gains: gains, obstacle: .recordedLiveElsewhere)
  }

  /// The sessions that hold the same workout.
  private func known(_ workout: ImportedWorkout) throws -> [KnownWorkout] {
    try known(
      start: workout.start, elapsed: workout.recording.facts.elapsed, of: workout.session.person,
      isRecognized: workout.recognition != nil, hasMotion: workout.recording.facts.motionCount > 0
    ) { try WorkoutTrace(of: workout.recording, start: workout.start) }
  }

  /// - Parameters:
  ///   - isRecognized: whether activities are recognised in the recording.
  ///   - hasMotion: whether it has motion, in which they could be.
  private func known(
    start: WallClockTime, elapsed: SessionTime, of person: SessionPerson?, isRecognized: Bool, hasMotion: Bool,
    _ makeTrace: () throws -> WorkoutTrace?
  ) throws -> [KnownWorkout] {
    let span = start.nanoseconds...(start.nanoseconds &+ elapsed.nanoseconds)
    let keys = try person.map { person in
      let owner = try people().owner(profileID: person.profileID, name: person.name)
      return owner.map { PersonKeys($0) }
        ?? PersonKeys([SessionPerson.key(profileID: person.profileID, name: person.name)])
    }
    let candidates = try sessions(around: start, elapsed).filter { entry in
      let other = entry.start.nanoseconds...(entry.start.nanoseconds &+ entry.elapsed.nanoseconds)
      guard WorkoutTrace.overlaps(span, other) else { return false }
      guard let keys, entry.person != nil else { return true }
      return keys.contain(profileID: entry.profileID, name: entry.person)
    }
    guard !candidates.isEmpty, let trace = try makeTrace() else { return [] }
    var known: [KnownWorkout] = []
    for candidate in candidates {
      let folder = SessionFolder.path(of: candidate.sessionID, in: dataFolder)
      do {
        guard try traces.has(candidate.sessionID) || SessionFolder.hasSession(folder) else { continue }
        let other = try traces.trace(of: candidate.sessionID) {
          try WorkoutTrace(of: SessionFolderRecording(path: folder), elapsed: candidate.elapsed)
        }
        guard trace.isSameWorkout(as: other), try SessionFolder.hasSession(folder) else { continue }
        let session = try SessionFolderRecording(path: folder)
        // A session of nobody may be this person's, who was not asked then.
        let isOwned = person != nil && session.manifest.who == nil
        let losesActivities = !isRecognized && session.manifest.recognition != nil
        let isRecognizedFirst = isRecognized && session.manifest.recognition == nil
        let beside: [WorkoutGain] = (isRecognizedFirst ? [.activities] : []) + (isOwned ? [.person] : [])
        known.append(
          KnownWorkout(
            sessionID: candidate.sessionID, manifest: session.manifest, gains: trace.gains(over: other) + beside,
            isOutdone: trace.isBetter(than: other) || !beside.isEmpty && trace.hasAll(of: other),
            recognizedOnly: losesActivities ? .recognized(hasMotion: hasMotion) : nil))
      } catch let error as FileError where error.isMissing && FileSystem.lacksFolder(folder) {
        // It has just been deleted.
      }
    }
    return known
  }
}

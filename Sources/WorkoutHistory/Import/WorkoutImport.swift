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
  /// Draws the strategy of each session that is added; absent where it is chosen.
  package var randomizer: SessionRandomizer?

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
  /// It is there already.
  case duplicate(sessionID: String)
  /// It is there already, and the recording says more of it; the obstacle is why it cannot take the session's place.
  case outdone(sessionID: String, gains: [WorkoutGain], obstacle: ReplacementObstacle?)
  /// It cannot be a session, and why.
  case refused(reason: String)
}

extension HistoryWorker {
  /// Takes the activities of a recording into the history, each as a session of its own: its workouts, and its days where
  /// it has no workout or `withDays`. A recording of a single session becomes one.
  ///
  /// - Throws: as for one session; those before it are in the history.
  func add(
    _ recording: Recording, _ request: ImportRequest, withDays: Bool
  ) throws -> [ImportOutcome] {
    let hasWorkouts = recording.activities.contains(where: \.isWorkout)
    let wanted = recording.activities.filter { $0.isWorkout || withDays || !hasWorkouts }
    guard wanted.count > 1 || wanted.count < recording.activities.count else { return [try add(recording, request)] }
    var outcomes: [ImportOutcome] = []
    try recording.forEachActivity(wanted) { _, alone in outcomes.append(try add(alone, request)) }
    return outcomes
  }

  /// Takes a recording into the history, unless the same workout is there and is not to be replaced.
  ///
  /// The folder is written beside the sessions and gets its place when it is whole, so that a process that dies leaves
  /// no half of a workout. What is replaced is deleted after that, so that one of the two is there at any time. A workout
  /// is the same when a session of the same person, or of nobody in particular, has its time and readings; see
  /// ``WorkoutTrace/isSameWorkout(as:)``.
  /// - Throws: `FileError`, `RecordingError` or `DatabaseError`; `ZoneError` when the request has no zones on that day, or
  ///   what it throws itself.
  func add(_ recording: Recording, _ request: ImportRequest) throws -> ImportOutcome {
    guard let start = recording.facts.start ?? request.start else {
      return .refused(reason: "it states no time of day: say when it began with --start")
    }
    guard start.adding(nanoseconds: recording.facts.elapsed.nanoseconds) != nil else {
      return .refused(reason: "its times lie outside of the years 1678 to 2261")
    }
    let utcOffsetSeconds = SystemWallClock.utcOffsetSeconds(at: start)
    var session = try request.requestOfDay(start.civilDate(utcOffsetSeconds: utcOffsetSeconds))
    if request.takesSport { session.coaching.activity = Activity(ofSport: recording.facts.sport) }
    let lock = try ImportLock.take(dataFolder, waitingMilliseconds: busyMilliseconds)
    defer { lock.release() }
    // What another import had ready when it was killed is a session already, and the same workout may be here.
    try closeEnded()
    guard try !hasIndex || isWhole() else {
      throw DatabaseError.busy(
        History.path(in: dataFolder).path, "it is being made anew: try again when it is done")
    }
    let known = try known(recording, start: start, person: session.person)
    if let outcome = try outcome(of: known, replacing: request.replaces) { return outcome }
    if let old = known.first { session = session.keeping(old.manifest) }
    // What is not added draws nothing.
    if let randomizer = request.randomizer {
      session = try randomizer.draw(
        for: session, on: start.civilDate(utcOffsetSeconds: utcOffsetSeconds), loop: .open, in: dataFolder)
    }
    let sessionID = try write(
      recording, session, start: start, utcOffsetSeconds: utcOffsetSeconds, under: lock)
    guard let old = known.first else { return .added(sessionID: sessionID) }
    try delete(old.sessionID)
    return .replaced(sessionID: sessionID, earlier: old.sessionID)
  }

  /// The sessions that hold the same workout.
  private func known(
    _ recording: Recording, start: WallClockTime, person: SessionPerson?
  ) throws -> [KnownWorkout] {
    let keys = try person.map { person in
      let owner = try people().owner(profileID: person.profileID, name: person.name)
      return owner.map { PersonKeys($0) }
        ?? PersonKeys([SessionPerson.key(profileID: person.profileID, name: person.name)])
    }
    let span = start.nanoseconds...(start.nanoseconds &+ recording.facts.elapsed.nanoseconds)
    let candidates = try sessions(around: start, recording.facts.elapsed).filter { entry in
      let other = entry.start.nanoseconds...(entry.start.nanoseconds &+ entry.elapsed.nanoseconds)
      guard WorkoutTrace.overlaps(span, other) else { return false }
      guard let keys, entry.person != nil else { return true }
      return keys.contain(profileID: entry.profileID, name: entry.person)
    }
    guard !candidates.isEmpty, let trace = try WorkoutTrace(of: recording, start: start) else { return [] }
    var known: [KnownWorkout] = []
    for candidate in candidates {
      let folder = SessionFolder.path(of: candidate.sessionID, in: dataFolder)
      do {
        guard traces.has(candidate.sessionID) || SessionFolder.isSession(folder) else { continue }
        let other = try traces.trace(of: candidate.sessionID) {
          try WorkoutTrace(of: SessionFolderRecording(path: folder), elapsed: candidate.elapsed)
        }
        guard let other, trace.isSameWorkout(as: other), SessionFolder.isSession(folder) else { continue }
        let session = try SessionFolderRecording(path: folder)
        known.append(
          KnownWorkout(
            sessionID: candidate.sessionID, manifest: session.manifest, gains: trace.gains(over: other),
            isOutdone: trace.isBetter(than: other)))
      } catch let error as FileError where error.isMissing && !FileSystem.isFolder(folder) {
        // It has just been deleted.
      }
    }
    return known
  }

  private func write(
    _ recording: Recording, _ session: SessionRequest, start: WallClockTime, utcOffsetSeconds: Int,
    under lock: ImportLock
  ) throws -> String {
    let request = session.coaching
    let content = try ImportedContent(recording)
    let sessionID = unusedName(start: start, request.activity, content.digest)
    let manifest = SessionManifest(
      sessionID: sessionID, start: start, utcOffsetSeconds: utcOffsetSeconds, request: request,
      streams: content.streams, durationLimit: nil, person: session.person,
      origin: recording.origin,
      source: SessionManifest.Source(
        file: FileSystem.name(of: recording.path),
        format: recording.facts.format, device: recording.facts.device),
      randomization: session.randomization)
    let folder = lock.folder + "/" + sessionID
    let recorder = try SessionRecorder(folder: folder, manifest: manifest)
    let pipeline = try ImportedContent.record(recording, manifest, into: recorder) { lock.touch() }
    let sessions = dataFolder + "/" + SessionFolder.sessions
    try FileSystem.createFolder(sessions)
    // From here on the next start closes the session, should this process not come to it.
    let mark = try SessionMark.make(sessionID, in: dataFolder)
    try FileSystem.rename(folder, to: SessionFolder.path(of: sessionID, in: dataFolder))
    try FileSystem.syncFolder(sessions)
    let digest = SessionDigest(manifest, pipeline, state: .complete, badLines: nil)
    if let reading = try digest.map({ try SessionReading($0, in: dataFolder) }) {
      if try !writer.wait(for: { try $0.agreeNow(with: [reading]) }).isEmpty { try add(sessionID) }
    } else {
      _ = try close(sessionID)
    }
    try mark.remove()
    return sessionID
  }

  /// A name that no session has. The digits follow from the content, so that the same file gets the same name.
  private func unusedName(start: WallClockTime, _ activity: Activity, _ digest: UInt32) -> String {
    var digits = digest
    while true {
      let name = SessionFolder.name(start: start, activity: activity, random: digits)
      // A mark without a folder is what a process has left that died, and the next start removes it.
      if !FileSystem.exists(SessionFolder.path(of: name, in: dataFolder)),
        !SessionMark.exists(name, in: dataFolder)
      {
        return name
      }
      digits &+= 1
    }
  }
}

/// What an import looks for in a recording before it writes it, and how it writes it.
private struct ImportedContent {
  /// The streams that have samples.
  let streams: [SampleStream]
  /// A number that follows from all samples.
  let digest: UInt32

  init(_ recording: Recording) throws {
    var streams: Set<SampleStream> = []
    var hash = ContentHash()
    try recording.forEachInput { input in
      guard case .sample(let sample) = input else { return }
      streams.insert(sample.reading.stream)
      hash.add(word: UInt64(bitPattern: sample.time.nanoseconds))
      switch sample.reading {
      case .heartRate(let value), .cadence(let value), .distance(let value), .speed(let value),
        .rrInterval(let value):
        hash.add(word: value.bitPattern)
      case .steps(let count): hash.add(word: UInt64(bitPattern: Int64(count)))
      case .location(let fix):
        hash.add(word: fix.coordinate.latitudeDegrees.bitPattern)
        hash.add(word: fix.coordinate.longitudeDegrees.bitPattern)
      case .motion: break
      }
    }
    self.streams = SampleStream.allCases.filter(streams.contains)
    digest = UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32)
  }

  /// How many inputs are gathered between two writes.
  private static let inputsPerWrite = 8_192

  /// Runs a recording through the pipeline of a live session and writes everything that a live session writes; `progress` is
  /// called now and then. The session at its end.
  static func record(
    _ recording: Recording, _ manifest: SessionManifest, into recorder: SessionRecorder, _ progress: () -> Void
  ) throws -> SessionPipeline {
    var pipeline = SessionPipeline(settings: try manifest.settings(), durationLimit: nil)
    pipeline.observe(from: manifest.start, utcOffsetSeconds: manifest.utcOffsetSeconds, within: .live)
    var events: [SessionEvent] = []
    var inputs = 0
    for label in recording.facts.labels.changes { recorder.append(label: label) }
    pipeline.begin(into: &events)
    try recording.forEachInput { input in
      let (latest, isPaused) = (pipeline.latest, pipeline.engine.isPaused)
      LongSilence.forEachBridged(input, after: latest, isPaused: isPaused) { input in
        switch input {
        case .unplaced, .advance: break
        case .command(let command, let time):
          pipeline.perform(command, at: time, into: &events)
          recorder.append(.command(command, at: max(time, pipeline.engine.now), id: ""))
        case .sample(let sample):
          let admission = pipeline.take(sample, into: &events)
          recorder.append(admission == .standby ? .standby(sample) : .sample(sample))
        }
      }
      for event in events { recorder.append(event: event) }
      events.removeAll(keepingCapacity: true)
      inputs += 1
      if inputs.isMultiple(of: inputsPerWrite) {
        try recorder.flush()
        progress()
      }
    }
    pipeline.finish(at: pipeline.latest, reason: .endOfInput, into: &events)
    for event in events { recorder.append(event: event) }
    recorder.append(.command(.stop, at: pipeline.engine.now, id: ""))
    try recorder.finish(pipeline, badLines: nil)
    return pipeline
  }
}

internal import LiveCoaching
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// The live sessions of the service, and those that ended a moment ago, so that a request which is sent again finds its answer.
package final class ServiceSessions: Sendable {
  /// How many live sessions a person has at most; without a person, a token.
  package static let livePerPerson = 3
  /// How long a session lives without a sample, in nanoseconds.
  package static let longestSilence: Int64 = 1_800_000_000_000
  /// How long one that is paused does, in nanoseconds.
  package static let longestPause: Int64 = 21_600_000_000_000
  /// How long one of a key does, in nanoseconds.
  package static let longestSilenceOfKey: Int64 = 600_000_000_000
  /// From when on a silence counts no more, in nanoseconds: longer than any that a session outlives.
  static let longestKnownSilence = 2 * longestPause
  /// How many seconds lie at most between two attempts to close one whose folder cannot be written.
  static let longestRetrySeconds: UInt64 = 8
  /// How often one is tried to be closed whose folder can be read, and is wrong.
  static let mostAttempts = 8
  /// How long the start waits at most for sessions that were over, in nanoseconds.
  private static let longestStart: Int64 = 3_000_000_000
  /// For how long it counts that nothing could be begun, in nanoseconds.
  private static let memoryOfFailure: Int64 = 10_000_000_000
  /// For how long it counts whether there was room, in nanoseconds: anybody may ask, and an answer costs a file.
  private static let memoryOfRoom: Int64 = 1_000_000_000
  /// How long one is known after its end, in nanoseconds.
  static let memoryOfEnded: Int64 = 600_000_000_000

  let settings: ServiceSettings
  let store: ServiceStore
  let history: History
  /// The other instances; absent where a service runs alone.
  let fleet: ServiceFleet?
  let takeovers = SessionTakeovers()
  /// Sessions that are over, for who sends their last lines again after a takeover.
  let retaken = RetakenSessions()
  /// What is said of sessions that cannot be taken over.
  let stranded = RareNotes()
  let fleetHistory = FleetHistory()
  let fleetProfiles = FleetProfileCache()
  /// What removes inputs of sessions that are over.
  let endedDesk = FileDesk()
  /// What waits for the profiles of a folder.
  let profileDesk = FileDesk()
  let clock: any LiveClock
  let metrics: ServiceMetrics
  /// Who somebody is by now.
  let access: ServiceAccess
  let registry: SessionRegistry
  let hosted = Mutex<[String: HostedSession]>([:])
  let recovery = SessionRecovery()
  /// Those that are being begun. Their identities are in the store already, so that a request which is sent again meanwhile finds them: it
  /// waits until there is a session to send to.
  let beginnings = SessionGates()
  /// Those that were let go, and whose folders are written or removed still: whoever takes one over waits for that.
  let departures = SessionGates()
  /// What removes their folders.
  let departureDesk = FileDesk()
  /// How often shards had been lost when sessions were let go of last.
  let seenLosses = Atomic(0)
  /// Who begins a session and who deletes its person, in a service alone.
  let personTurns = PersonTurns()
  /// How many streams everybody has, those of boards and requests that wait among them.
  let streamPlaces = StreamPlaces()
  let streams: OpenStreams<EventStream>
  /// Requests that wait for an event of a session or a board.
  let polls: OpenStreams<LongPoll>
  /// Until when it counts what another process has ended before this one began, in nanoseconds of the clock that nobody sets.
  let endOfEarlier: Int64
  let adoptedAt = Mutex(Int64.min / 2)
  let looks = Mutex(SessionLooks())
  /// When the last session could not be begun because of a file; absent once one was begun after it.
  private let failedAt = Mutex<Int64?>(nil)
  /// Whether there was no room when somebody asked last, and when that was.
  private let fullness = Mutex<(isFull: Bool, at: Int64)?>(nil)
  /// What ends because of the time.
  let endings = SessionClosings()
  /// What is over and could not be closed at once.
  let retries = SessionClosings()

  init(
    _ settings: ServiceSettings, store: ServiceStore, history: History, clock: any LiveClock, metrics: ServiceMetrics,
    access: ServiceAccess
  ) {
    self.settings = settings
    self.store = store
    self.history = history
    self.clock = clock
    endOfEarlier = clock.elapsed() + Self.memoryOfEnded
    self.metrics = metrics
    self.access = access
    streams = OpenStreams(metrics, streamPlaces)
    polls = OpenStreams(metrics, streamPlaces)
    fleet = settings.fleet
    registry = SessionRegistry(
      dataFolder: settings.dataFolder, policy: .service, shardCount: SessionRegistry.usualShardCount,
      limit: settings.sessionLimit, clock: clock, sharedLog: settings.fleet?.store)
  }

  /// What was taken and is not on the disk, or in the database.
  var commitQueue: CommitQueue { registry.commitQueue }

  /// Whether what is taken now cannot be kept.
  package var isUnavailable: Bool { registry.isUnavailable || fleet?.isAway ?? false }

  /// Why that is so.
  var unavailability: String {
    fleet == nil
      ? "nothing can be kept now: the disk is full, fails or falls behind"
      : "nothing can be kept now: the database is away"
  }

  /// Whether there is no room for what comes next, as it was a moment ago.
  var isDiskFull: Bool {
    guard fleet == nil else { return false }
    return fullness.withLock { known in
      let now = clock.elapsed()
      if let known, now - known.at < Self.memoryOfRoom { return known.isFull }
      let isFull = settings.isFull(settings.dataFolder)
      known = (isFull, now)
      return isFull
    }
  }

  /// Whether nothing new can be begun: folders of what is kept cannot be changed, or nothing can be opened there; for some seconds also
  /// when it failed the last time that somebody began a session.
  var refusesNewSessions: Bool {
    if let failed = failedAt.withLock({ $0 }), clock.elapsed() - failed < Self.memoryOfFailure { return true }
    let data = settings.dataFolder
    // A session that begins has something in each of them.
    let made = [SessionFolder.sessions, SessionMark.folderName, LiveJournal.folderName].map { data + "/" + $0 }
    // One of which the system cannot say whether it is there counts as one that is.
    let folders = [data] + made.filter { (try? FileSystem.has($0)) ?? true }
    return folders.contains { FileSystem.problemOfChanging($0) != nil } || (try? FileSystem.list(data)) == nil
  }

  /// How many sessions are live.
  package var liveCount: Int { hosted.withLock { $0.values.count { $0.endedAt == nil } } }

  /// How many that have ended are in memory.
  var rememberedCount: Int { hosted.withLock { $0.values.count { $0.endedAt != nil } } }

  /// How long each commit took since the last call, in nanoseconds.
  package func takeCommitTimes() async -> [Int64] { await registry.takeCommitTimes() }

  /// Begins a session.
  ///
  /// - Parameters:
  ///   - key: what the sender calls its request, with the hash of its body.
  ///   - isOfSecret: whether who asks has a secret, which has to hold still when the session is kept.
  /// - Returns: its identity.
  /// - Throws: `ServiceProblem` when it may not be begun, or what keeps it from being kept.
  func begin(
    _ order: SessionOrder, by caller: Caller, isPersonRequired: Bool, key: (name: String, body: [UInt8])?,
    isOfSecret: Bool = false, now: WallClockTime
  ) async throws -> String {
    // Instances see to it in their database.
    guard fleet == nil, let person = order.person else {
      return try await beginNow(
        order, by: caller, isPersonRequired: isPersonRequired, key: key, isOfSecret: isOfSecret, now: now)
    }
    return try await personTurns.sharing(person) {
      try await beginNow(
        order, by: caller, isPersonRequired: isPersonRequired, key: key, isOfSecret: isOfSecret, now: now)
    }
  }

  private func beginNow(
    _ order: SessionOrder, by caller: Caller, isPersonRequired: Bool, key: (name: String, body: [UInt8])?,
    isOfSecret: Bool, now: WallClockTime
  ) async throws -> String {
    guard !isUnavailable else { throw ServiceProblem.unavailable(unavailability) }
    // Nobody begins what they may not see, whatever the order says of its person.
    guard caller.acts(for: order.person) else { throw ServiceProblem.nobody(pointer: "/person") }
    try order.requireBirth()
    var order = order
    if order.person != nil { try await bringProfiles() }
    let person = try order.complete(in: settings.dataFolder, isRequired: isPersonRequired)
    let configuration = try order.configuration(settings.models)
    if let fleet, let model = configuration.recognition?.model { try await fleet.keep(model) }
    let activity = order.coaching.activity
    let (id, random, hold) = try await drawIdentity {
      SessionFolder.name(start: now, activity: activity, random: $0)
    }
    let row = BegunSession(
      id: id, person: order.person, maker: caller.id, request: order.json, createdAt: now)
    beginnings.begin(id)
    defer { beginnings.end(id) }
    // The same request, sent again, is answered whatever the limits are.
    func keep() async throws -> ServiceStore.Beginning {
      try await store.begin(
        row, key: key, liveLimit: Self.livePerPerson, under: hold, as: person?.profileID, isOfSecret: isOfSecret)
    }
    var outcome = try await keep()
    if case .tooMany = outcome, await makeRoom(for: order.person, maker: caller.id) { outcome = try await keep() }
    switch outcome {
    case .repeated(let session): return try await begun(session)
    case .different: throw ServiceProblem.differentBody
    case .revoked: throw ServiceProblem.revoked(caller)
    case .gone: throw ServiceProblem.nobody(pointer: "/person")
    case .renamed:
      throw ServiceProblem.unavailable(
        "the person has another name by now: expected the same request again", retryAfterSeconds: 1)
    case .tooMany:
      throw ServiceProblem.tooMany(
        "\(Self.livePerPerson) sessions are live: expected one of them to end", retryAfterSeconds: 60)
    case .new: break
    }
    do {
      let recording = LiveRecording(
        dataFolder: settings.dataFolder, request: SessionRequest(coaching: order.coaching, person: person),
        random: random,
        origin: order.origin, inputs: ["http"], sessionID: id, shared: hold.map { SharedPlace($0) },
        motionLog: settings.motionLog)
      let running = try await registry.begin(configuration, recording: recording)
      try await running.requireKept()
      let session = HostedSession(
        row, isOfKey: caller.kind == .key, running, configuration, elapsed: clock.elapsed(),
        hold: hold, order: order, profile: person?.profileID)
      hosted.withLock { $0[id] = session }
      failedAt.withLock { $0 = nil }
      return id
    } catch {
      if error is FileError { failedAt.withLock { $0 = clock.elapsed() } }
      try await store.forgetBeginning(of: id, under: hold)
      if let full = error as? SessionRegistry.Full {
        throw ServiceProblem.unavailable("\(full)", retryAfterSeconds: 60)
      }
      throw error
    }
  }

  /// The session that the same request has led to before, once it can be sent to.
  ///
  /// - Throws: `ServiceProblem` when it could not be begun after all, and what the store throws.
  func begun(_ id: String) async throws -> String {
    await beginnings.wait(for: id)
    guard try await store.session(id) != nil else {
      throw ServiceProblem.unavailable("the session could not be begun", retryAfterSeconds: 1)
    }
    return id
  }

  /// Begins to go on with the sessions that were live when the service ended: see ``recovery``.
  ///
  /// - Throws: what the store throws, and `RecordingError` for a journal of a newer version.
  func open() async throws {
    // In a fleet they are taken over when somebody asks for them, or in their turn.
    guard fleet == nil else { return }
    try LiveJournal.requireKnownVersions(in: settings.dataFolder)
    let keys = Set(try await store.grants().filter { $0.caller.kind == .key }.map(\.caller.id))
    let (desk, dataFolder) = (FileDesk(), settings.dataFolder)
    recovery.begin(try await store.openSessions().map(\.id)) {
      // What journals of processes that are gone hold comes to the folders first.
      try await desk.run { try LiveJournal.recoverAll(in: dataFolder) }
    } resume: { [self] id, error in
      do {
        // What its folder has is not all that was answered: it goes on after a start that can write there.
        if let error { throw error }
        // Whose it is may have changed since the start.
        guard let row = try await store.openSession(id) else { return }
        try await resume(row, isOfKey: keys.contains(row.maker))
      } catch {
        // Its folder is as it was; the history closes it when it has rested for long enough.
        ServiceNotice.say("\(id): cannot go on: \(ServiceProblem(describing: error).detail)")
      }
    } finish: { [self] in
      // What was changed while one went on was noted of those alone that did already. What cannot be read is looked at again later.
      try? await noteOwners()
      await endings.wait(atMost: Self.longestStart)
    }
  }

  private func resume(_ row: BegunSession, isOfKey: Bool) async throws {
    let folder = SessionFolder.path(of: row.id, in: settings.dataFolder)
    let now = clock.now()
    guard try SessionMark.exists(row.id, in: settings.dataFolder) else {
      return try await store.end(row.id, clock: row.clock, at: now)
    }
    guard try !FileSystem.has(folder + "/" + SessionFolder.summary) else {
      _ = try await history.close(row.id)
      if let mark = try SessionMark.take(row.id, in: settings.dataFolder) { try mark.remove() }
      return try await store.end(row.id, clock: row.clock, at: now)
    }
    try await resume(row, isOfKey: isOfKey, nil)
  }

  /// Whether the profile of a name is one of an identity; `nil` where it cannot be read, so that nobody can say.
  func isProfile(_ id: ProfileID, called name: String) -> Bool? {
    do {
      return try ProfileStore(dataFolder: settings.dataFolder).profile(named: name).id == id
    } catch ProfileStoreError.missing {
      return false
    } catch {
      return nil
    }
  }

  /// Goes on with a session whose folder is here.
  ///
  /// - Parameter log: what instances share of it; absent where a service runs alone.
  func resume(_ row: BegunSession, isOfKey: Bool, _ log: SharedSessionLog?) async throws {
    let folder = SessionFolder.path(of: row.id, in: settings.dataFolder)
    let order = try SessionOrder(stored: row.request, of: row.person)
    var sizes: [SessionFile: Int] = [:]
    for file in SessionFile.allCases { sizes[file] = try FileSystem.status(folder + "/" + file.name)?.size }
    var inputs = try sizes[.inputs].map { _ in try SessionInputReader(folder + "/" + SessionFolder.inputs) }
    var earlier = EarlierInputs(countsSteps: isOfKey)
    let begun = try sizes[.manifest].map { _ in try SessionFolderRecording(path: folder) }
    let manifest = begun?.manifest
    let recorded = manifest?.recognition
    let configuration = try order.configuration(
      try await models(for: order, recorded: recorded), recorded: recorded)
    // Of one that has not begun yet the profile says who it is, of another one whether it is still the one of then.
    if order.person != nil { try await bringProfiles() }
    var copy = order
    let person = try manifest.map(\.who) ?? copy.complete(in: settings.dataFolder, isRequired: false)
    let recording = LiveRecording(
      dataFolder: settings.dataFolder, request: SessionRequest(coaching: order.coaching, person: person),
      random: 0, origin: order.origin, inputs: ["http"], sessionID: row.id, manifest: manifest, shared: log?.place,
      motionLog: settings.motionLog, countedStreams: try begun?.countedStreams())
    let running = try await registry.resume(
      configuration, recording: recording, sizes: sizes,
      recordCount: try log?.decisions.count ?? SessionRecordFile.count(folder)
    ) {
      let next = try inputs?.next() ?? []
      earlier.note(next)
      return next
    }
    // Nobody sent anything while nobody had it, and a start is no sample.
    let silence = earlier.silence(at: clock.now(), since: row.createdAt)
    let session = HostedSession(
      row, isOfKey: isOfKey, running, configuration, elapsed: clock.elapsed() - min(silence, Self.longestKnownSilence),
      hold: log?.hold, order: order, profile: person?.profileID, earlier)
    // A profile that had no identity then may be that of anybody who has the name.
    if let name = row.person, let id = manifest?.who?.profileID, isProfile(id, called: name) == false {
      session.noteOrphan()
      try await store.disown(row.id)
    }
    hosted.withLock { $0[row.id] = session }
    looks.withLock { $0.expect(session.lastInput + session.longestSilence) }
    guard await running.state == .ended else { return }
    if log == nil { endings.begin(row.id) { [self] in await close(session) } } else { await close(session) }
  }
}

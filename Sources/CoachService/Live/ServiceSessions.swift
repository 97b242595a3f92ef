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
  /// How long one is known after its end, in nanoseconds.
  static let memoryOfEnded: Int64 = 600_000_000_000

  let settings: ServiceSettings
  let store: ServiceStore
  let history: History
  /// The other instances; absent where a service runs alone.
  let fleet: ServiceFleet?
  let takeovers = SessionTakeovers()
  let fleetHistory = FleetHistory()
  let fleetProfiles = FleetProfileCache()
  /// What waits for the profiles of a folder.
  let lessons = FileDesk()
  private let clock: any LiveClock
  let metrics: ServiceMetrics
  let registry: SessionRegistry
  private let hosted = Mutex<[String: HostedSession]>([:])
  let beginnings = SessionBeginnings()
  let streams: OpenStreams<EventStream>
  private let adoptedAt = Mutex(Int64.min / 2)

  init(
    _ settings: ServiceSettings, store: ServiceStore, history: History, clock: any LiveClock, metrics: ServiceMetrics
  ) {
    self.settings = settings
    self.store = store
    self.history = history
    self.clock = clock
    self.metrics = metrics
    streams = OpenStreams(metrics)
    fleet = settings.fleet
    registry = SessionRegistry(
      dataFolder: settings.dataFolder, policy: .service, shardCount: SessionRegistry.usualShardCount,
      limit: settings.sessionLimit, clock: clock, sharedLog: settings.fleet?.store)
  }

  /// Whether what is taken now cannot be kept.
  package var isUnavailable: Bool { registry.isUnavailable || fleet?.isAway ?? false }

  /// Why that is so.
  var unavailability: String {
    fleet == nil
      ? "nothing can be kept now: the disk is full or fails" : "nothing can be kept now: the database is away"
  }

  /// How many sessions are live.
  package var liveCount: Int { hosted.withLock { $0.values.count { $0.endedAt == nil } } }

  /// How many that have ended are in memory.
  var rememberedCount: Int { hosted.withLock { $0.values.count { $0.endedAt != nil } } }

  /// How long each commit took since the last call, in nanoseconds.
  package func takeCommitTimes() async -> [Int64] { await registry.takeCommitTimes() }

  // MARK: - Beginning

  /// Begins a session.
  ///
  /// - Parameter key: what the sender calls its request, with the hash of its body.
  /// - Returns: its identity.
  /// - Throws: `ServiceProblem` when it may not be begun, or what keeps it from being kept.
  func begin(
    _ order: SessionOrder, by caller: Caller, isPersonRequired: Bool, key: (name: String, body: [UInt8])?,
    now: WallClockTime
  ) async throws -> String {
    guard !isUnavailable else { throw ServiceProblem.unavailable(unavailability) }
    var order = order
    if order.person != nil { try await bringProfiles() }
    let person = try order.complete(in: settings.dataFolder, isRequired: isPersonRequired)
    let configuration = try order.configuration(settings.models)
    let activity = order.coaching.activity
    let (id, random, hold) = try drawIdentity { SessionFolder.name(start: now, activity: activity, random: $0) }
    let row = BegunSession(
      id: id, person: order.person, maker: caller.id, request: order.json, createdAt: now)
    beginnings.begin(id)
    defer { beginnings.end(id) }
    // The same request, sent again, is answered whatever the limits are.
    switch try await store.begin(row, key: key, liveLimit: Self.livePerPerson, under: hold) {
    case .repeated(let session): return try await begun(session)
    case .different: throw ServiceProblem.differentBody
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
        row, isOfKey: caller.kind == .key, running, configuration, now: now, elapsed: clock.elapsed(),
        hold: hold, origin: order.origin)
      hosted.withLock { $0[id] = session }
      return id
    } catch {
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

  /// Goes on with the sessions that were live when the service ended.
  ///
  /// - Throws: what the store and the folders throw.
  func open() async throws {
    // In a fleet they are taken over when somebody asks for them, or in their turn.
    guard fleet == nil else { return }
    // What journals of processes that are gone hold comes to the folders first.
    try LiveJournal.recoverAll(in: settings.dataFolder)
    let keys = Set(try await store.grants().filter { $0.caller.kind == .key }.map(\.caller.id))
    for row in try await store.openSessions() {
      do {
        try await resume(row, isOfKey: keys.contains(row.maker))
      } catch {
        // Its folder is as it was; the history closes it when it has rested for long enough.
        ServiceNotice.say("\(row.id): cannot go on: \(ServiceProblem(describing: error).detail)")
      }
    }
  }

  private func resume(_ row: BegunSession, isOfKey: Bool) async throws {
    let folder = SessionFolder.path(of: row.id, in: settings.dataFolder)
    let now = clock.now()
    guard SessionMark.exists(row.id, in: settings.dataFolder) else { return try await store.end(row.id, at: now) }
    guard !FileSystem.exists(folder + "/" + SessionFolder.summary) else {
      _ = try await history.close(row.id)
      if let mark = try SessionMark.take(row.id, in: settings.dataFolder) { try mark.remove() }
      return try await store.end(row.id, at: now)
    }
    try await resume(row, isOfKey: isOfKey, nil)
  }

  /// Goes on with a session whose folder is here.
  ///
  /// - Parameter log: what instances share of it; absent where a service runs alone.
  func resume(_ row: BegunSession, isOfKey: Bool, _ log: SharedSessionLog?) async throws {
    let folder = SessionFolder.path(of: row.id, in: settings.dataFolder)
    let now = clock.now()
    let order = try SessionOrder(stored: row.request)
    var sizes: [SessionFile: Int] = [:]
    for file in SessionFile.allCases { sizes[file] = try FileSystem.status(folder + "/" + file.name)?.size }
    let inputs = try sizes[.inputs].map { _ in
      try POSIXFile(reading: folder + "/" + SessionFolder.inputs).readAll(maximumBytes: 1 << 30)
    }
    let manifest = try sizes[.manifest].map { _ in try SessionFolderRecording(path: folder).manifest }
    let configuration = try order.configuration(settings.models, recorded: manifest?.recognition)
    // Of one that has not begun yet the profile says who it is.
    if manifest == nil, order.person != nil { try await bringProfiles() }
    var copy = order
    let person = try manifest.map(\.who) ?? copy.complete(in: settings.dataFolder, isRequired: false)
    let recording = LiveRecording(
      dataFolder: settings.dataFolder, request: SessionRequest(coaching: order.coaching, person: person),
      random: 0, origin: order.origin, inputs: ["http"], sessionID: row.id, manifest: manifest, shared: log?.place,
      motionLog: settings.motionLog)
    let running = try await registry.resume(
      configuration, recording: recording, inputs: inputs ?? [], sizes: sizes,
      recordCount: try log?.decisions.count ?? SessionRecordFile.count(folder))
    let session = HostedSession(
      row, isOfKey: isOfKey, running, configuration, now: now, elapsed: clock.elapsed(), hold: log?.hold,
      origin: order.origin)
    hosted.withLock { $0[row.id] = session }
    if await running.state == .ended { await close(session) }
  }

  // MARK: - Finding

  /// All sessions in memory.
  var all: [HostedSession] { hosted.withLock { Array($0.values) } }

  /// A session in memory, whosever it is; `nil` for another one.
  func known(_ id: String) -> HostedSession? { hosted.withLock { $0[id] } }

  /// Takes a session out of memory; `false` where it is not there any more.
  func drop(_ session: HostedSession) -> Bool {
    hosted.withLock { hosted in
      guard hosted[session.id] === session else { return false }
      hosted[session.id] = nil
      return true
    }
  }

  /// Whether it is time to look for sessions that nobody has asked for; then the next time counts from now.
  func isAdoptionDue(_ now: Int64, after span: Int64) -> Bool {
    adoptedAt.withLock { last in
      guard now - last >= span else { return false }
      last = now
      return true
    }
  }

  /// A session that is live, or ended a moment ago, where it is somebody's to see; `nil` for another one.
  package func session(_ id: String, for caller: Caller) -> HostedSession? {
    guard let session = hosted.withLock({ $0[id] }) else { return nil }
    if let only = caller.session, only != id { return nil }
    return caller.mayUse(person: session.person, maker: session.maker) ? session : nil
  }

  /// The live sessions that are somebody's to see, the newest first.
  package func live(for caller: Caller) -> [HostedSession] {
    hosted.withLock { Array($0.values) }
      .filter { $0.endedAt == nil && caller.mayUse(person: $0.person, maker: $0.maker) }
      .filter { caller.session == nil || caller.session == $0.id }
      .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
  }

  /// The live sessions of some people.
  func live(of people: Set<String>) -> [String: [HostedSession]] {
    Dictionary(
      grouping: hosted.withLock { Array($0.values) }.filter { session in
        session.endedAt == nil && session.person.map(people.contains) ?? false
      },
      by: { $0.person ?? "" })
  }

  /// Whether a session of somebody is live.
  func hasLive(person: String) -> Bool {
    hosted.withLock { $0.values.contains { $0.endedAt == nil && $0.person == person } }
  }

  /// The live session that a key or token began last; `nil` when there is none.
  package func newest(by maker: String) -> HostedSession? {
    hosted.withLock { Array($0.values) }.filter { !$0.isOver && $0.maker == maker }
      .max { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  /// Lets go of sessions that are over and deleted: nothing is answered of them any more, and nothing of them stays in a
  /// journal.
  func forget(_ ids: [String]) async {
    for id in ids {
      let session = hosted.withLock { hosted in
        hosted[id]?.endedAt == nil ? nil : hosted.removeValue(forKey: id)
      }
      await session?.running.leave()
    }
    await registry.forgetClosed()
  }

  /// The same for those that somebody else has deleted, as at a terminal.
  ///
  /// - Throws: what the store throws.
  func forgetDeleted() async throws {
    var deleted: [String] = []
    for session in hosted.withLock({ Array($0.values) }) where session.endedAt != nil {
      if try await store.session(session.id) == nil { deleted.append(session.id) }
    }
    if !deleted.isEmpty { await forget(deleted) }
  }

  // MARK: - Taking

  /// Takes lines for a session.
  ///
  /// - Parameter sender: which of several that send for the caller it is, each with a clock of its own.
  /// - Throws: `ServiceProblem` when they cannot be taken; then nothing of them is.
  func take(
    _ bytes: [UInt8], batch: String?, for session: HostedSession, by caller: Caller, sender: String? = nil,
    now: WallClockTime
  ) async throws -> LiveReport {
    if session.isOver {
      guard let batch, let outcome = await session.running.outcome(ofBatch: batch) else {
        throw ServiceProblem(.sessionEnded, "the session is over: expected a live one")
      }
      return LiveReport(repeating: outcome)
    }
    guard !isUnavailable else { throw ServiceProblem.unavailable(unavailability) }
    let report = await session.running.take(
      request: bytes, batch: batch, from: session.feed(of: sender ?? caller.id, now: now, elapsed: clock.elapsed()),
      now: now)
    try await conclude(report, session)
    return report
  }

  /// Hands lines over for a session that is not over; what came of them is delivered by a thread that may not be held up, and
  /// ``conclude(_:_:)`` follows unless it is plain.
  ///
  /// - Throws: `ServiceProblem` when they cannot be taken; then nothing of them is, and nothing is delivered.
  func take(
    _ bytes: [UInt8], batch: String?, for session: HostedSession, by caller: Caller, now: WallClockTime,
    _ deliver: @escaping @Sendable (LiveReport) -> Void
  ) throws(ServiceProblem) {
    guard !isUnavailable else { throw ServiceProblem.unavailable(unavailability) }
    session.running.take(
      request: bytes, batch: batch, from: session.feed(of: caller.id, now: now, elapsed: clock.elapsed()),
      now: now, deliver)
  }

  /// Does what follows from lines that were taken: counts them, and closes a session that they have ended.
  ///
  /// - Throws: `ServiceProblem` when they could not be kept.
  func conclude(_ report: LiveReport, _ session: HostedSession) async throws {
    if report.isLost { throw await lost(session) }
    metrics.count(samples: report.lineCount, cues: report.events.count(where: \.isCue))
    if report.state == .ended {
      await close(session)
    } else if report.state == .standby, report.events.contains(where: \.isStopBeforeBegin) {
      // Nothing of it is kept, and it makes room for another one.
      _ = await session.running.end(.stop, now: clock.now())
      await close(session)
    }
  }

  /// Closes a session that is over: its folder is whole, and it comes into the history.
  private func close(_ session: HostedSession) async {
    guard session.beginClosing() else { return }
    // Until the history has it, it is among those that are live: else it would be nowhere for a moment.
    defer { session.noteEnd(elapsed: clock.elapsed()) }
    var lesson: Lesson?
    do {
      if await session.running.settle() {
        lesson = await self.lesson(of: session)
        try await session.running.closeRecording(in: history)
      } else if await session.running.session?.start == nil {
        try await session.running.discard()
      } else {
        guard fleet == nil else { return await letGo(session) }
        return ServiceNotice.say("\(session.id): its end cannot be kept now; the next start closes it")
      }
      try await store.end(session.id, at: clock.now(), under: session.hold)
      // After that, so that no session teaches twice, whatever becomes of this process.
      if let lesson { await learn(lesson) }
    } catch {
      ServiceNotice.say("\(session.id): cannot be closed now: \(ServiceProblem(describing: error).detail)")
    }
  }

  // MARK: - Time

  /// Ends what has rested for too long, and closes what has ended by itself.
  func tick(_ access: ServiceAccess) async {
    await tickFleet()
    let now = clock.now()
    let elapsed = clock.elapsed()
    let all = all
    let ended = all.compactMap { session in session.endedAt.map { (session: session, at: $0) } }
      .sorted { $0.at > $1.at }
    for (place, one) in ended.enumerated()
    where place >= settings.rememberedEnds || elapsed - one.at > Self.memoryOfEnded {
      hosted.withLock { _ = $0.removeValue(forKey: one.session.id) }
      await one.session.running.leave()
    }
    for session in all {
      guard let silence = session.silence(at: elapsed) else { continue }
      if session.running.hasEnded {
        await close(session)
        continue
      }
      guard silence > (session.isOfKey ? Self.longestSilenceOfKey : Self.longestSilence) else { continue }
      if await session.running.state != .paused || silence > Self.longestPause {
        _ = await session.running.end(.endOfInput, now: now)
        await close(session)
      }
    }
    for stream in streams.all { await stream.tick(now, holds: access.holds(stream.caller)) }
  }

  /// Writes everything down that was taken.
  func close() async {
    streams.end()
    await registry.shutDown()
  }
}

extension SessionEvent {
  /// Whether it is a cue.
  fileprivate var isCue: Bool {
    if case .engine(.decision(let decision)) = self, case .cue = decision.outcome { return true }
    return false
  }

  /// Whether it refuses a stop because the session has not begun.
  fileprivate var isStopBeforeBegin: Bool {
    guard case .acknowledgement(let answer) = self else { return false }
    return answer.command == .stop && answer.refusal == .notStarted
  }
}

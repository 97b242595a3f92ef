internal import ActivityRecognition
private import Dispatch
package import FleetStore
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutHistory

/// This instance as one of several in front of one database: its leases, and what waits for the database beside the shared threads.
///
/// ```
/// request ─► ServiceSessions.reach ─► held here and in memory: as ever
///                                ├─► held here: taken over from its log
///                                └─► held elsewhere: 421 with the URL of the holder
/// ```
package final class ServiceFleet: Sendable {
  /// The leases and the logs.
  let store: FleetStore
  /// Where the database is.
  let address: PostgresAddress
  /// What the history is read from in place of the database; absent where there is none.
  let replica: HistoryReplica?

  /// Nanoseconds of a clock that only goes forward, and goes on while the machine sleeps.
  let elapsed: @Sendable () -> Int64

  /// How long somebody waits at most for what this instance does not have yet, in nanoseconds: a lease and a takeover. A proxy gives up
  /// after five seconds.
  static let longestWait: Int64 = 4_500_000_000
  /// How long two looks lie apart whether there is something that was free.
  private static let lookNanoseconds: UInt64 = 250_000_000
  /// How long two looks at the months lie apart, in nanoseconds.
  private static let monthsNanoseconds: Int64 = 3_600_000_000_000

  private let models = FleetModels()
  private let leases = DispatchQueue(label: "coach.fleet.leases")
  private let works = DispatchQueue(label: "coach.fleet.reading")
  private let folders = DispatchQueue(label: "coach.fleet.folders")
  private struct State {
    var isAway = false
    var isOutdated = false
    var isStopping = false
    /// When the tables of the months were made last, by the clock that only goes forward.
    var monthsAt = Int64.min / 2
    var folder: CacheFolderMark?
    /// A turn of the leases that somebody waits for.
    var renewal: Task<Void, Never>?
  }
  private let state = Mutex(State())

  /// An instance that is reached at a URL; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - leaseSeconds: how long its leases last.
  ///   - replica: where a replica of the database is, which the history is read from.
  ///   - restSeconds: how long a replica that cannot be read is left alone.
  ///   - elapsed: nanoseconds of a clock that only goes forward, and goes on while the machine sleeps.
  package init(
    _ address: PostgresAddress, url: String, leaseSeconds: Double = FleetStore.usualLeaseSeconds,
    replica: PostgresAddress? = nil, restSeconds: Double = HistoryReplica.usualRestSeconds,
    elapsed: @escaping @Sendable () -> Int64 = { MonotonicClock.sinceBoot }
  ) {
    let name = FleetStore.newName()
    self.address = address
    self.elapsed = elapsed
    store = FleetStore(
      address, name: name, url: url, leaseSeconds: leaseSeconds, elapsed: elapsed, notice: ServiceNotice.say)
    self.replica = replica.map { HistoryReplica($0, name: "coach \(name)", restSeconds: restSeconds) }
  }

  /// Where other instances, and a proxy in front, reach this one.
  var url: String { store.url }

  /// The time of day that all instances go by.
  var time: DatabaseClock { store.time }

  /// The name of its connections in the database.
  var connectionName: String { "coach \(store.name)" }

  /// Whether the database cannot be reached, as far as is known.
  var isAway: Bool { state.withLock { $0.isAway || $0.isOutdated } }

  /// Takes the data folder as a cache, brings the schema up to date, and takes the first leases.
  ///
  /// - Throws: `CacheFolderMark.Refused`, `FileError` or `PostgresError`.
  func open(_ dataFolder: StoredPath) throws {
    let folder = try CacheFolderMark.take(dataFolder)
    state.withLock { $0.folder = folder }
    try store.open()
    if try store.adoptTransactions() {
      ServiceNotice.say("the database was restored into another server: its sessions are numbered as there now")
    }
    try store.keepLeases()
    try store.readTime()
    if let replica { replica.begin(try store.reader.identity()) }
    makeMonths()
    keepLeasesAgain()
  }

  private func keepLeasesAgain() {
    leases.asyncAfter(deadline: .now() + store.leaseSeconds / 3) { [weak self] in
      guard let self, !state.withLock({ $0.isStopping }) else { return }
      keepLeases()
      makeMonths()
      keepLeasesAgain()
    }
  }

  /// Has the tables of the months to come be made, and what is worth nothing any more be deleted, once an hour: the queue of the leases
  /// does not wait for it. Without that nothing is lost.
  private func makeMonths() {
    let now = MonotonicClock.now
    let isDue = state.withLock { state in
      guard now - state.monthsAt > Self.monthsNanoseconds, !state.isAway, !state.isOutdated else { return false }
      state.monthsAt = now
      return true
    }
    guard isDue else { return }
    works.async {
      do throws(PostgresError) {
        try self.store.makeMonths()
        try self.store.forgetFailures()
      } catch {
        ServiceNotice.say("\(error)")
      }
    }
  }

  private func keepLeases() {
    do throws(PostgresError) {
      try store.keepLeases()
      let wasAway = state.withLock { state in
        defer { state.isAway = false }
        return state.isAway
      }
      if wasAway { ServiceNotice.say("the database is reached again") }
      // Without it the time goes on as before.
      try? store.readTime()
    } catch {
      let isNews = state.withLock { state in
        let isNews = !state.isAway && !state.isOutdated
        if error.kind == .newerSchema { state.isOutdated = true } else { state.isAway = true }
        return isNews
      }
      if isNews { ServiceNotice.say("\(error)") }
    }
  }

  /// Whether what is held here is nobody else's: nothing is held, or the leases last.
  private var isCertain: Bool { store.isLeased || store.leases.isEmpty }

  /// Makes sure that what is held here is nobody else's, before somebody is answered from memory. Those that come at the same time share
  /// one turn. While the database is away what is in memory is how things are: without it nobody else takes over.
  func renewLeases() async {
    guard !isCertain, !isAway else { return }
    await takeTurn { self.isCertain }
  }

  /// Takes leases that are over without waiting for the next turn. Those that come at the same time share one. Nothing is done while the
  /// database is away.
  func takeExpired() async { if !isAway { await takeTurn { false } } }

  /// Waits until something is held here, as by an instance that has just started: for as long as the lease of one that hangs and a turn
  /// last. While the database is away nothing is waited for.
  func waitForPart() async {
    let end = MonotonicClock.now + Self.longestWait
    while store.leases.isEmpty, !isAway, !state.withLock({ $0.isStopping }), MonotonicClock.now < end {
      await takeExpired()
      guard store.leases.isEmpty else { return }
      do { try await Task.sleep(nanoseconds: Self.lookNanoseconds) } catch { return }
    }
  }

  /// Takes a turn of the leases, or waits for one that is under way.
  ///
  /// - Parameter isDone: whether it is needed no longer when it begins.
  private func takeTurn(unless isDone: @escaping @Sendable () -> Bool) async {
    let turn = state.withLock { state in
      if let turn = state.renewal { return turn }
      let turn = Task {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          leases.async {
            // One that has given its leases back takes none again.
            if !self.state.withLock({ $0.isStopping }), !isDone() { self.keepLeases() }
            continuation.resume()
          }
        }
        self.state.withLock { $0.renewal = nil }
      }
      state.renewal = turn
      return turn
    }
    await turn.value
  }

  /// Gives the leases back when everything is written, and lets go of the folder.
  func close() async {
    state.withLock { $0.isStopping = true }
    await replica?.close()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      // Behind a turn that is under way.
      leases.async {
        // Those that cannot be given back expire.
        try? self.store.leave()
        self.store.close()
        continuation.resume()
      }
    }
    state.withLock { state in
      state.folder?.release()
      state.folder = nil
    }
  }

  /// Does what waits for the database, one after another.
  func work<Value: Sendable>(_ body: @escaping @Sendable (FleetStore) throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      works.async { continuation.resume(with: Result { try body(self.store) }) }
    }
  }

  /// Writes to the data folder, one after another: nobody who asks the database waits for the disk.
  func write<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      folders.async { continuation.resume(with: Result { try body() }) }
    }
  }

  /// What happened to the history since somebody looked last, as it is by now: read from the replica once that is as new as the
  /// database is now, else from the database.
  func history(since horizon: Int64) async throws -> SharedHistory {
    if let replica, replica.isUsable {
      let position = try await work { store in try store.reader.position() }
      if let news = await replica.read(at: position, { try $0.history(since: horizon) }) { return news }
    }
    return try await work { store in try store.history(since: horizon) }
  }

  /// The log of a session that is over, from the replica where that has its end, else from the database.
  func logOfEnded(_ id: String) async throws -> SharedSessionLog? {
    if let log = await replica?.read(at: nil, { try $0.log(of: id) }) ?? nil, log.isOver { return log }
    return try await work { store in try store.log(of: id) }
  }

  /// Whether a session is held here as it was when it came into memory, and its log has nothing else of it.
  func holds(_ hold: SharedHold) -> Bool { store.hold(of: hold.sessionID) == hold && !store.isSetAside(hold) }

  /// Forgets what is deleted from the history, at every instance.
  func forget(_ deletion: History.Deletion) throws {
    try ServiceStore.forget(deletion, inDatabase: address, name: connectionName)
  }

  /// Forgets everything of a person at every instance; see `ServiceStore`.
  func forget(
    person: String, sessions: [String], others: [String], by caller: Caller? = nil
  ) throws -> ServiceStore.ForgottenPerson {
    try ServiceStore.forget(
      person: person, sessions: sessions, others: others, by: caller, inDatabase: address, name: connectionName)
  }

  /// Forgets what somebody was called last whose profile is gone.
  func forgetName(of keys: PersonKeys) async throws {
    try await work { store in
      try store.changeFormerPeople { text in
        var people = FormerPeople(text: text)
        return people.forget(keys) ? people.text : text
      }
    }
  }

  /// Keeps the model with which a session begins, for whoever goes on with it.
  func keep(_ model: SharedModel) async throws {
    try await work { [models, address, connectionName] _ in
      let copies = FleetCopies(address, name: connectionName)
      defer { copies.close() }
      try models.keep(model, in: copies)
    }
  }

  /// The model of a session that goes on; `nil` where the database has none.
  func model(named name: String, hash: String?) async throws -> SharedModel? {
    try await work { [models, address, connectionName] _ in
      let copies = FleetCopies(address, name: connectionName)
      defer { copies.close() }
      return try models.model(named: name, hash: hash, in: copies)
    }
  }

  /// Whether another instance has a session, and can be asked. One that was reached where this one is now is gone: it is this one before
  /// it was started again.
  func isElsewhere(_ holder: ShardHolder) -> Bool {
    holder.url != nil && holder.url != url && !holder.isExpired && holder.name != store.name
  }

  /// Why a session is not answered here: another instance has it, or nobody at the moment.
  func elsewhere(_ holder: ShardHolder) -> ServiceProblem {
    guard let url = holder.url, isElsewhere(holder) else { return .beingTakenOver }
    var problem = ServiceProblem(.misdirected, "another instance has the session: expected the request at Location")
    problem.instance = url
    return problem
  }
}

/// An instance that somebody has asked for a session and that did not answer, as a proxy says of it.
struct UnansweringInstance: Sendable {
  /// The header in which it says so: what the instance that was asked first had in `Location`.
  static let header = "Coach-Unanswered"
  /// Where it was asked; absent where nobody was asked in vain.
  private let url: String?
  /// Until when it is waited, by the monotonic clock.
  private let end: Int64
  /// Whether this instance ends, so that nobody waits here.
  private let isStopping: @Sendable () -> Bool

  /// Creates one.
  ///
  /// - Parameters:
  ///   - url: where it was asked; `nil` where nobody was.
  ///   - isStopping: whether this instance ends.
  init(_ url: String?, isStopping: @escaping @Sendable () -> Bool) {
    self.url = url
    self.isStopping = isStopping
    end = MonotonicClock.now + ServiceFleet.longestWait
  }

  /// Whether it is waited no longer.
  var isOver: Bool { MonotonicClock.now >= end || isStopping() }

  /// Whether a session is not answered because it is that instance that has it, or nobody at the moment, so that it is another one's soon.
  func explains(_ problem: ServiceProblem) -> Bool {
    if problem == .beingTakenOver { return true }
    guard problem.code == .misdirected, let url, let instance = problem.instance else { return false }
    return url == instance || url.hasPrefix(instance + "/")
  }
}

extension ServiceProblem {
  /// A session that nobody has at the moment.
  static let beingTakenOver = ServiceProblem.unavailable(
    "the session is being taken over: expected the same request again", retryAfterSeconds: 1)
}

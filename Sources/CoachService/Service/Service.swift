package import LiveCoaching
internal import Synchronization
internal import TextFormats
package import WorkoutHistory

/// The service: sessions over HTTP.
///
/// ```
/// HTTPServer ─► ServiceRouter ─► Route ─► handler ─► ServiceSessions ─► RunningSession (LiveCoaching)
///                   │                         ├────► History
///             ServiceAccess ◄─ ServiceStore ◄─┘
/// ```
///
/// A request is parsed and handed over; everything that decides lives in `LiveCoaching`.
package final class Service: Sendable {
  /// What was asked for.
  package let settings: ServiceSettings
  /// What is kept beside the sessions.
  package let store: ServiceStore
  /// Who asks.
  package let access: ServiceAccess
  /// How people come in to the pages.
  package let signIns: SignIns
  /// The live sessions.
  package let sessions: ServiceSessions
  /// The boards of groups.
  let boards: GroupBoards
  /// The sessions that are over.
  package let history: History
  /// What waits for files.
  package let files = FileDesk()
  /// Who did what.
  package let audit: AuditLog
  /// What is counted.
  package let metrics: ServiceMetrics
  /// The clock; of several instances all have the time of their database.
  package let clock: any LiveClock
  /// Under which names it may be asked for.
  package let hosts: HostList
  /// The name that is asked for by TLS alone once a browser has seen it; absent where this service does not speak TLS, or the
  /// owner has given it no name.
  let strictHost: String?
  /// All routes.
  package let routes: RouteTable
  /// Where it is reached.
  package let url: String

  /// Signing in with a provider; absent where there is none.
  let openID: OpenIDSignIn?
  /// What reads the files of others.
  let programs: ProgramRunner
  /// The models that these may be given.
  let modelFiles: ModelFiles
  let log: ServiceLog
  /// Which refusals were written down lately.
  let refusals = RareNotes()
  let senders = SenderDesk()
  let takenAnswers = TakenAnswers()
  private let stopping = Atomic(false)

  /// Whether the service stops, and takes nothing more.
  package var isStopping: Bool { stopping.load(ordering: .relaxed) }

  /// Says that the service stops: event streams end, and it is not ready any more.
  package func beginToStop() {
    stopping.store(true, ordering: .relaxed)
    sessions.streams.end()
    sessions.polls.end()
    boards.streams.end()
    programs.stop()
  }

  /// The profiles.
  var profiles: ServiceProfiles { ServiceProfiles(service: self) }

  /// Creates a service of some routes that is reached at a URL; nothing is opened yet.
  init(_ settings: ServiceSettings, url: String, clock: any LiveClock, routes: RouteTable) {
    self.routes = routes
    self.settings = settings
    let clock: any LiveClock = settings.fleet.map { FleetClock(machine: clock, shared: $0.time) } ?? clock
    self.clock = clock
    self.url = settings.publicURL ?? url
    store =
      settings.fleet.map { ServiceStore($0.address, name: $0.connectionName) }
      ?? ServiceStore(dataFolder: settings.dataFolder)
    let origins = Set([self.url, url, url.replacing("127.0.0.1", with: "localhost")])
    access = ServiceAccess(
      store: store, origins: origins, cookie: SignInCookie(isSecure: settings.tls != nil || settings.isBehindProxy),
      elapsed: settings.fleet?.elapsed
    ) { clock.now() }
    history =
      settings.fleet.map { History(dataFolder: settings.dataFolder, in: $0) }
      ?? History(dataFolder: settings.dataFolder)
    audit =
      settings.fleet.map { AuditLog($0.address, name: $0.connectionName) } ?? AuditLog(dataFolder: settings.dataFolder)
    signIns = SignIns(store: store, access: access, audit: audit)
    openID = settings.openID.map { [url = self.url] in
      OpenIDSignIn($0, url: url, isShared: settings.fleet != nil, fetching: settings.fetching)
    }
    metrics = ServiceMetrics()
    programs = ProgramRunner(program: settings.program, dataFolder: settings.dataFolder)
    modelFiles = ModelFiles()
    log = ServiceLog(isJSON: settings.logsJSON, metrics: metrics)
    strictHost = settings.tls == nil ? nil : settings.publicURL.flatMap(Self.strictHost)
    let names = [self.url, settings.fleet?.url].compactMap { $0.flatMap(URLParts.host) }
    hosts = HostList(names, allowsAddresses: settings.isReachable)
    sessions = ServiceSessions(settings, store: store, history: history, clock: clock, metrics: metrics, access: access)
    boards = GroupBoards(store: store, sessions: sessions, metrics: metrics, clock: clock)
    // Whoever gets a secret after the name of somebody who was deleted, at a terminal or at another instance, finds nothing of theirs, and
    // whoever has another name by now finds what is theirs.
    access.followChanges { [weak sessions] in try await sessions?.owners() ?? {} }
  }

  /// The name of a URL that is bound to TLS: not a name of the loopback, which other programs of the machine have too, and no
  /// number, for which browsers do not keep it.
  private static func strictHost(_ url: String) -> String? {
    guard url.hasPrefix("https://"), let host = URLParts.host(of: url)?.lowercased(), !host.isEmpty,
      !HostList.isLoopback(host), !HostList.isAddress(host)
    else { return nil }
    return host
  }

  /// Where a request comes from, as it is counted: behind a proxy what that has added last, where it is the number of a machine, else the
  /// proxy itself. What stands before is whatever the client has sent.
  func address(of head: HTTPHead) -> String {
    guard settings.isBehindProxy, let header = head.values(of: "X-Forwarded-For").last,
      let last = header.split(separator: ",", omittingEmptySubsequences: false).last,
      let counted = CountedAddress.number(String(last).trimmingSpaces)
    else { return CountedAddress.text(head.address) }
    return counted
  }

  /// Opens what is kept, and begins to go on with the sessions that were live: requests about them wait meanwhile.
  ///
  /// - Throws: what the store and the folders throw.
  package func open() async throws {
    try settings.fleet?.open(settings.dataFolder)
    try await store.noteURL(url)
    if let openID { try await store.note(issuer: openID.issuer) }
    try await store.removeExpired(before: clock.now())
    try await access.refresh(always: true)
    _ = access.takeChange()
    try await sessions.open()
  }

  /// Waits until all sessions go on that were live when the service ended, and can.
  package func waitForSessions() async { await sessions.recovery.wait() }

  /// What has to be done each second. Each is done apart from the others, so that what waits for a disk or a session holds up
  /// nothing else.
  package enum Turn: CaseIterable, Sendable {
    /// Ends the streams of those whose secrets were revoked.
    case access
    /// Notes whose sessions are by now, and which were deleted elsewhere.
    case owners
    /// Ends sessions that have rested for too long.
    case time
    /// Says how sessions stand to those who watch them.
    case states
    /// The boards.
    case boards
    /// Counts commits.
    case counts
  }

  /// Takes a turn.
  package func take(_ turn: Turn) async {
    switch turn {
    case .access:
      // What cannot be read now is looked at by the next turn.
      try? await access.refresh()
      sessions.endStreams(access)
      boards.streams.endUnheld(access)
    case .owners:
      guard access.takeChange() else { return }
      do {
        try await sessions.noteOwners()
        try await sessions.forgetDeleted()
      } catch {
        // Nothing else would say again that something was deleted, or that a person was.
        access.keepChange()
      }
    case .time: await sessions.passTime()
    case .states: await sessions.sendStates(access)
    case .boards: await boards.tick(access)
    case .counts: metrics.count(commits: await sessions.takeCommitTimes())
    }
  }

  /// Takes each turn once, one after another, and waits for what each has begun.
  package func tick() async {
    for turn in Turn.allCases {
      await take(turn)
      await sessions.endings.wait()
    }
  }

  /// Writes everything down that was taken. Live sessions go on after the next start.
  package func close() async {
    boards.streams.end()
    await sessions.close()
    await audit.close()
    await settings.fleet?.close()
    await history.close()
    await store.close()
  }
}

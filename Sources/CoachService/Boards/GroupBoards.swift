internal import FleetStore
internal import LiveCoaching
internal import Synchronization
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The boards of groups, for those who watch them.
///
/// A board is made anew of what is kept of the group and of the live sessions each time. When somebody leaves, or shares less,
/// that takes effect before it is answered: a board that was being made meanwhile is thrown away.
package final class GroupBoards: Sendable {
  /// How long what is known of sessions and boards is kept without being asked for, in nanoseconds.
  private static let memory: Int64 = 600_000_000_000
  private static let largestRunSilence: Int64 = 30_000_000_000

  private struct Key: Hashable {
    let group: String
    let audience: RunnerGroup.Audience
    let units: UnitSystem
  }

  private struct Reader: Hashable {
    let audience: RunnerGroup.Audience
    let units: UnitSystem
  }

  private struct Known {
    var content: [UInt8] = []
    var number: Int64 = 0
    var time: Int64 = 0
    /// What a reader has at once when it changes.
    var tiles: [GroupTile.News] = []
    var change: Int?
    /// Its number.
    var news = 0
    /// The boards of the last second, by their numbers: which of them readers have is not known before they ask.
    var recent: [Int64: GroupBoard.Mark] = [:]
  }

  private struct Ages {
    var heartRate = ReadingAge()
    var place = ReadingAge()
    var time: Int64
  }

  private struct State {
    /// How often the members of any group have changed.
    var change = 0
    /// How often any board has had news.
    var news = 0
    var known: [Key: Known] = [:]
    var ages: [String: Ages] = [:]
  }

  private let store: ServiceStore
  private let sessions: ServiceSessions
  let streams: OpenStreams<GroupStream>
  private let elsewhere = GlanceExchange()
  private let clock: any LiveClock
  private let state = Mutex(State())

  init(
    store: ServiceStore, sessions: ServiceSessions, metrics: ServiceMetrics, clock: any LiveClock
  ) {
    self.store = store
    self.sessions = sessions
    streams = OpenStreams(metrics, sessions.streamPlaces)
    self.clock = clock
  }

  // MARK: - Making

  private var change: Int { state.withLock { $0.change } }

  /// The board of a group as somebody sees it and reads its advice; `nil` when it is not there for them.
  ///
  /// - Throws: what the store throws.
  private func board(of id: String, for caller: Caller, in units: UnitSystem) async throws -> GroupBoard? {
    while true {
      let change = change
      guard let group = try await store.group(id), let audience = group.audience(of: caller) else { return nil }
      let board = await board(of: group, for: audience, in: units, change)
      if change == self.change { return board }
    }
  }

  private func board(
    of group: RunnerGroup, for audience: RunnerGroup.Audience, in units: UnitSystem, _ change: Int
  ) async -> GroupBoard {
    let members = group.members(for: audience)
    if sessions.fleet != nil { elsewhere.watch(members.filter { !$0.shares.isEmpty }.map(\.person)) }
    let runs = sessions.live(of: Set(members.map(\.person)))
    var tiles: [GroupTile] = []
    for member in members { tiles.append(await tile(of: member, runs[member.person] ?? [], in: units)) }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("groupID", group.id)
      writer.member("name", group.name)
      writer.array("members") { writer in for tile in GroupTile.sorted(tiles) { tile.writeObject(to: &writer) } }
    }
    let content = writer.bytes
    let news = tiles.map(\.news)
    let (milliseconds, elapsed) = (clock.now().nanoseconds / 1_000_000, clock.elapsed())
    let known = state.withLock { state -> Known in
      let key = Key(group: group.id, audience: audience, units: units)
      var known = state.known[key] ?? Known()
      if known.change != change || known.tiles != news {
        (known.change, known.tiles) = (change, news)
        state.news += 1
        known.news = state.news
      }
      if known.content != content {
        known.number = max(known.number + 1, milliseconds)
        known.content = content
        known.recent = known.recent.filter { elapsed - $0.value.time < GroupBoard.stepNanoseconds }
        known.recent[known.number] = GroupBoard.Mark(news: known.news, time: elapsed)
      }
      known.time = elapsed
      state.known[key] = known
      return known
    }
    let head = Array(
      "{\"version\":\(SessionRecords.version),\"type\":\"board\",\"number\":\(known.number),".utf8)
    return GroupBoard(
      number: known.number, change: change, news: known.news, recent: known.recent, elapsed: elapsed,
      milliseconds: milliseconds, line: head + content.dropFirst() + [UInt8(ascii: "\n")])
  }

  private func tile(of member: GroupMember, _ runs: [HostedSession], in units: UnitSystem) async -> GroupTile {
    guard !member.shares.isEmpty else { return GroupTile(member) }
    var all = elsewhere.runs(of: member.person).filter { sessions.known($0.sessionID) == nil }
    if let session = newest(of: runs), let glance = await glance(at: session) { all.append(glance) }
    return GroupTile(member, all.max(by: RunGlance.isLess), in: units)
  }

  /// How a live session stands; `nil` for one to which nothing has come yet.
  private func glance(at session: HostedSession) async -> RunGlance? {
    guard let live = await session.running.session, live.start != nil, live.state != .ended else { return nil }
    // What was there before the service began is not known to be fresh.
    guard session.hasInput else {
      return RunGlance(live, of: session, isFed: false, heartRateAge: nil, placeAge: nil)
    }
    let now = clock.elapsed()
    let isFed = isFed(session, now)
    return state.withLock { state in
      var ages = state.ages[session.id] ?? Ages(time: 0)
      ages.time = now
      let heartRateAge = live.pipeline.engine.newestReading.map {
        ages.heartRate.age(of: $0.time, in: live, lastInput: session.lastInput, now: now)
      }
      let placeAge = live.pipeline.newest.place.map {
        ages.place.age(of: $0.time, in: live, lastInput: session.lastInput, now: now)
      }
      state.ages[session.id] = ages
      return RunGlance(live, of: session, isFed: isFed, heartRateAge: heartRateAge, placeAge: placeAge)
    }
  }

  /// Whether something comes to a session.
  private func isFed(_ session: HostedSession, _ now: Int64) -> Bool {
    session.lastInput > now - Self.largestRunSilence
  }

  /// The run of somebody who has several: the newest of those to which something comes.
  private func newest(of runs: [HostedSession]) -> HostedSession? {
    let now = clock.elapsed()
    return runs.max {
      RunGlance.isLess((isFed($0, now), $0.createdAt, $0.id), than: (isFed($1, now), $1.createdAt, $1.id))
    }
  }

  // MARK: - Reading

  /// Begins a stream; `nil` when the group is not there for who asks.
  ///
  /// - Parameters:
  ///   - units: those in which who asks reads advice.
  ///   - place: the place that was taken for it.
  /// - Throws: what the store throws.
  func stream(
    of id: String, for client: StreamClient, in units: UnitSystem, after last: Int64?, place: StreamPlace
  ) async throws -> NewestBuffer? {
    let stream = GroupStream(of: id, for: client, in: units, after: last)
    guard let board = try await board(of: id, for: client.caller, in: units) else { return nil }
    stream.offer(board, now: clock.elapsed())
    streams.add(stream, in: place)
    // The stream is kept here until its reader leaves: its buffer holds neither.
    stream.buffer.onCancel { [weak streams, weak stream] in
      if let stream { streams?.remove(stream) }
    }
    // Somebody may have left before the stream was known.
    if board.change != change { await refresh(id) }
    return stream.buffer
  }

  /// The record of the board when it has another number and may follow the one that the reader has, as on a stream, waiting until it
  /// may, or the request does not wait any longer; empty when it may not.
  ///
  /// - Parameters:
  ///   - units: those in which who asks reads advice.
  ///   - poll: the request; absent where it is answered at once.
  ///   - holds: whether who asks may still.
  /// - Throws: `ServiceProblem` when the group is not there for who asks, or what the store throws.
  func poll(
    _ id: String, for caller: Caller, in units: UnitSystem, after last: Int64?, _ poll: LongPoll?,
    while holds: @Sendable () -> Bool
  ) async throws -> [UInt8] {
    while true {
      guard let board = try await board(of: id, for: caller, in: units) else { throw ServiceProblem.notFound }
      if last.map(board.follows) ?? true { return board.line }
      guard let poll, poll.isWaiting, holds() else { return [] }
      await poll.pause()
    }
  }

  // MARK: - What changes

  /// Takes effect of a change of members: when it returns, no stream shows what holds no more.
  ///
  /// - Parameter id: the group; absent where it may be any.
  func membersChanged(of id: String?) async {
    state.withLock { $0.change += 1 }
    await refresh(id)
  }

  private func refresh(_ id: String?) async {
    await refresh(streams.all.filter { id == nil || $0.group == id })
  }

  /// Makes the boards of streams and gives them to these; anew where the members have changed meanwhile.
  private func refresh(_ streams: [GroupStream]) async {
    for (id, streams) in Dictionary(grouping: streams, by: \.group) {
      // What is kept cannot be read now; the next look may.
      while let isCurrent = try? await refresh(streams, of: id), !isCurrent {}
    }
  }

  /// Gives streams the board of their group; `false` when the members have changed before all had it.
  private func refresh(_ streams: [GroupStream], of id: String) async throws -> Bool {
    let change = change
    let group = try await store.group(id)
    var boards: [Reader: GroupBoard] = [:]
    for stream in streams {
      guard let group, let audience = group.audience(of: stream.caller) else {
        stream.end()
        continue
      }
      let reader = Reader(audience: audience, units: stream.units)
      let board: GroupBoard
      if let known = boards[reader] {
        board = known
      } else {
        board = await self.board(of: group, for: audience, in: stream.units, change)
      }
      boards[reader] = board
      let now = clock.elapsed()
      let isCurrent = state.withLock { state in
        guard change == state.change else { return false }
        stream.offer(board, now: now)
        return true
      }
      guard isCurrent else { return false }
      stream.buffer.wake()
    }
    return true
  }

  /// What happens each second, and a little more often: a look at each board that somebody watches.
  func tick(_ access: ServiceAccess) async {
    streams.endUnheld(access)
    let watched = streams.all.filter { access.holds($0.caller) }
    await exchange()
    await refresh(watched)
    let oldest = clock.elapsed() - Self.memory
    state.withLock { state in
      state.known = state.known.filter { $0.value.time > oldest }
      state.ages = state.ages.filter { $0.value.time > oldest }
    }
  }

  /// Gives other instances the runs here that are watched there, and takes theirs. Nothing is done where a service runs alone.
  private func exchange() async {
    guard let fleet = sessions.fleet, !fleet.isAway else { return }
    // One that was stopped and goes on shows nobody how runs were that another one has by now.
    await sessions.renewLeases()
    // What cannot be had now grows old on the boards, and is had by the next turn.
    try? await elsewhere.exchange(fleet) { people in
      var glances: [FleetStore.Glance] = []
      for (person, runs) in sessions.live(of: people) {
        for session in runs where session.hold.map(fleet.holds) ?? false {
          guard let glance = await glance(at: session) else { continue }
          glances.append(FleetStore.Glance(session: session.id, person: person, content: glance.bytes))
        }
      }
      return glances
    }
  }
}

internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// A page of the list of sessions, live ones among those that are over, the newest first.
struct SessionListing {
  /// How many sessions a page has when nothing is said.
  static let usualLimit = 100
  /// How many it has at most.
  static let largestLimit = 1_000

  private let call: ServiceCall
  private let caller: Caller
  private var filter = History.Filter()
  private let limit: Int
  /// Whether only live sessions are asked for, only others, or both.
  private let isLive: Bool?
  /// What is looked for among those that are over.
  private let search: SessionSearch

  private struct Item {
    let place: History.Filter.Place
    let write: (inout JSONWriter) -> Void

    init(place: History.Filter.Place, write: @escaping (inout JSONWriter) -> Void) {
      self.place = place
      self.write = write
    }

    init(_ entry: SessionEntry) {
      self.init(place: entry.place) { entry.writeObject(to: &$0) }
    }
  }

  /// Reads the query.
  ///
  /// - Throws: `ServiceProblem` for a value that cannot be, or a person that is not theirs to see.
  init(_ call: ServiceCall) async throws {
    self.call = call
    caller = try call.requireCaller()
    limit = try call.integer("limit", 1...Self.largestLimit) ?? Self.usualLimit
    let (first, last) = (try call.day("from"), try call.day("to"))
    let clock = LocalClock.ofThisMachine()
    filter.from = try first.map { day throws(ServiceProblem) in try Self.instant(clock.start(of: day), "from") }
    filter.until = try last.map { day throws(ServiceProblem) in
      try Self.instant(day.adding(days: 1).flatMap(clock.start(of:)), "to")
    }
    filter.place = try call.parameter("cursor").map(Self.place)
    search = try await call.sessionSearch()
    switch call.parameter("state") {
    case nil: isLive = nil
    case "live"?: isLive = true
    case let word?:
      guard let state = SessionState(rawValue: word) else {
        throw ServiceProblem.parameter("state", expected: "live, complete or recovered")
      }
      filter.state = state
      isLive = false
    }
    let person = call.parameter("person")
    if let own = caller.person {
      guard person.map(own.hasBytes) ?? true else { throw ServiceProblem.notFound }
      filter.person = own
    } else if let person {
      filter.person = person
      try await requireSeen(person)
    }
  }

  /// Makes sure that there is somebody of a name, as far as who asks may know.
  ///
  /// - Throws: `ServiceProblem` or `ProfileStoreError` where there is nobody for them.
  private func requireSeen(_ person: String) async throws {
    // A live session may be of somebody who has neither a profile nor a session that is over.
    if call.service.sessions.live(for: caller).contains(where: { isWanted($0.person) }) { return }
    // Who may see one session knows of its person alone, and who may watch one group learns from that who is in it.
    guard caller.session == nil, caller.group == nil else {
      if let only = caller.session, try await isSession(only, of: person) { return }
      throw ServiceProblem.notFound
    }
    try await call.service.history.requirePerson(named: person)
  }

  /// Whether a session that who asks may see is somebody's, here in the history or live elsewhere.
  private func isSession(_ id: String, of person: String) async throws -> Bool {
    if try await call.service.history.session(exactly: id, ofPersonNamed: person) != nil { return true }
    return try await call.service.sessions.elsewhere(for: caller).contains { isWanted($0.person) }
  }

  /// The record of the page.
  func bytes() async throws -> [UInt8] {
    // Nobody knows what a live session will have come to, so that none is found.
    var items = filter.state == .recovered || !search.isEmpty ? [] : try await liveItems()
    if isLive != true {
      let closed = try await closedItems()
      // One that was closed meanwhile is both.
      let known = Set(closed.map(\.place.sessionID))
      items = items.filter { !known.contains($0.place.sessionID) } + closed
    }
    items.sort { ($0.place.start, $0.place.sessionID) > ($1.place.start, $1.place.sessionID) }
    let page = items.prefix(limit)
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "sessions")
      writer.array("sessions") { writer in for item in page { item.write(&writer) } }
      if items.count > limit, let last = page.last { writer.member("next", Self.text(of: last.place)) }
    }
    writer.endLine()
    return writer.bytes
  }

  private func liveItems() async throws -> [Item] {
    var items: [Item] = []
    for session in call.service.sessions.live(for: caller) {
      guard items.count <= limit else { break }
      let place = History.Filter.Place(start: session.createdAt, sessionID: session.id)
      guard isWanted(session.person), isWanted(place), isLive != false || session.isOver,
        let listing = await LiveListing(session), isLive != listing.isOver
      else { continue }
      items.append(Item(place: place) { listing.writeObject(to: &$0) })
    }
    guard isLive != false else { return items }
    for row in try await call.service.sessions.elsewhere(for: caller) {
      let place = History.Filter.Place(start: row.createdAt, sessionID: row.id)
      guard isWanted(row.person), isWanted(place) else { continue }
      items.append(Item(place: place) { row.writeLiveObject(to: &$0) })
    }
    return items
  }

  private func isWanted(_ place: History.Filter.Place) -> Bool {
    if let from = filter.from, place.start < from { return false }
    if let until = filter.until, place.start >= until { return false }
    guard let last = filter.place else { return true }
    return (place.start, place.sessionID) < (last.start, last.sessionID)
  }

  /// One session more than the page has, so that it is known whether the list goes on. What is not theirs is left out, so that
  /// some more may have to be read.
  private func closedItems() async throws -> [Item] {
    guard search.isEmpty else { return try await foundItems() }
    if let only = caller.session {
      guard let entry = try await call.visibleSession(only) else { return [] }
      let isWanted = isWanted(entry.place) && (filter.state == nil || entry.state == filter.state)
      return isWanted ? [Item(entry)] : []
    }
    guard caller.group == nil else { return [] }
    var items: [Item] = []
    var filter = filter
    filter.limit = limit + 1
    while items.count <= limit {
      let entries = try await call.service.history.sessions(filter)
      for entry in entries where try await call.maySee(entry) { items.append(Item(entry)) }
      guard entries.count > limit, let last = entries.last else { break }
      filter.place = last.place
    }
    return items
  }

  /// One session more than the page has of those that are looked for.
  private func foundItems() async throws -> [Item] {
    guard caller.group == nil else { return [] }
    var items: [Item] = []
    for entry in try await call.service.history.sessions(filter, search) {
      guard items.count <= limit else { break }
      if try await call.maySee(entry) { items.append(Item(entry)) }
    }
    return items
  }

  private func isWanted(_ person: String?) -> Bool {
    filter.person.map { wanted in person.map(wanted.hasBytes) ?? false } ?? true
  }

  private static func instant(_ time: WallClockTime?, _ name: String) throws(ServiceProblem) -> WallClockTime {
    guard let time else { throw .parameter(name, expected: "a day from 1678 to 2200") }
    return time
  }

  // MARK: - Cursors

  private static func text(of place: History.Filter.Place) -> String { "\(place.start.nanoseconds)_\(place.sessionID)" }

  private static func place(_ text: String) throws(ServiceProblem) -> History.Filter.Place {
    let parts = text.split(separator: "_", maxSplits: 1)
    guard parts.count == 2, let nanoseconds = Int64(parts[0]), SessionFolder.isName(String(parts[1])) else {
      throw ServiceProblem.parameter("cursor", expected: "what next was of the page before")
    }
    return History.Filter.Place(start: WallClockTime(nanoseconds: nanoseconds), sessionID: String(parts[1]))
  }
}

extension BegunSession {
  /// Writes the record of a live session at another instance: what is known of it without asking there.
  fileprivate func writeLiveObject(to writer: inout JSONWriter) {
    let order = request.isEmpty ? nil : try? SessionOrder(stored: request, of: person)
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "session")
      writer.member("sessionID", id)
      writer.member("startTime", createdAt)
      writer.member("activity", order?.coaching.activity.label)
      writer.member("state", "live")
      writer.member("person", person)
      writer.member("target", order?.coaching.target?.text)
      writer.member("origin", order?.origin.rawValue)
    }
  }
}

extension SessionEntry {
  /// Where it stands in a list.
  fileprivate var place: History.Filter.Place { History.Filter.Place(start: start, sessionID: sessionID) }
}

extension ServiceCall {
  /// A query parameter that is a day.
  ///
  /// - Throws: `ServiceProblem` when it is none.
  func day(_ name: String) throws(ServiceProblem) -> CivilDate? {
    guard let text = parameter(name) else { return nil }
    guard let day = CivilDate(iso8601: text) else { throw .parameter(name, expected: "a day such as 2026-11-20") }
    return day
  }
}

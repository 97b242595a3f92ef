internal import LiveCoaching
internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// Lists of sessions, as HTML.
enum SessionList {
  /// A run that is live, here or at another instance.
  struct LiveRun: Hashable, Sendable {
    let id: String
    let person: String?
    let createdAt: WallClockTime
  }

  /// The runs that are live.
  static func live(_ runs: [LiveRun]) -> String {
    let items = runs.map { run in
      let name = run.person.map { "Run of \($0)" } ?? "Run"
      return """
        <li><h3><bdi>\(PageAnswer.escaped(name))</bdi></h3>
        <p class="soft">began \(PageAnswer.escaped(time(run.createdAt)))</p>
        <p><a class="button main" href="/live/\(run.id.encodingPercents)">Watch</a></p></li>
        """
    }
    return "<ul class=\"cards\">\(items.joined())</ul>"
  }

  /// Runs that are over.
  static func table(_ entries: [SessionEntry], withPerson: Bool, _ units: UnitSystem) -> String {
    let rows = entries.map { entry in
      let began = CalendarText.minute(entry.start, utcOffsetSeconds: entry.utcOffsetSeconds)
      let words = [withPerson ? entry.line.personLabel ?? "–" : nil, entry.activity].compactMap(\.self)
        .map { "<bdi>\(PageAnswer.escaped($0))</bdi>" }
      let below = entry.person == nil ? words.suffix(1) : words[...]
      let numbers = [
        QuantityText.clockRounded(entry.active), entry.compliance.map { QuantityText.percent($0) } ?? "–",
        entry.meanHeartRate.map { QuantityText.number($0, decimals: 0) } ?? "–",
        entry.distanceMeters.map { units.distance(meters: $0) } ?? "–",
      ]
      // A narrow screen has the words under the beginning, so that the numbers need no scrolling.
      return """
        <tr><th scope="row"><a href="/sessions/\(entry.sessionID.encodingPercents)">\(PageAnswer.escaped(began))</a>\
        <span class="narrow">\(below.joined(separator: ", "))</span></th>\
        \(words.map { "<td class=\"broad\">\($0)</td>" }.joined())\
        \(numbers.map { "<td>\(PageAnswer.escaped($0))</td>" }.joined())</tr>
        """
    }
    let words = [withPerson ? "Person" : nil, "Activity"].compactMap(\.self)
    let numbers = ["Active", "In target", "Mean bpm", "Distance"]
    return """
      <div class="scroll" role="region" aria-label="Runs" tabindex="0"><table><thead><tr><th scope="col">Began</th>\
      \(words.map { "<th scope=\"col\" class=\"broad\">\($0)</th>" }.joined())\
      \(numbers.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead><tbody>\(rows.joined())</tbody></table></div>
      """
  }

  private static func time(_ time: WallClockTime) -> String {
    CalendarText.timeOfDay(time, utcOffsetSeconds: SystemWallClock.utcOffsetSeconds(at: time))
  }
}

extension ServiceCall {
  /// The units in which somebody reads, by the profile; metric where there is none.
  func units(of person: String?) async -> UnitSystem { await preferences(of: person).units ?? .metric }

  /// How somebody wants to read and hear, by the profile; nothing is said where there is none.
  func preferences(of person: String?) async -> Preferences {
    guard let person else { return Preferences() }
    let profile = try? await service.profiles.profile(named: person)
    return profile?.preferences ?? Preferences()
  }

  /// What the caller sees and hears of a live session: in their own way, else in that of its runner.
  func watch(of session: HostedSession) async -> LiveWatch {
    let row = try? await service.store.session(session.id)
    let order = row.flatMap { $0.request.isEmpty ? nil : try? SessionOrder(stored: $0.request, of: $0.person) }
    let activity = order?.coaching.activity ?? .unlabelled
    var bests: [BestEffort] = []
    if let person = session.person, order?.origin != .simulated {
      var filter = History.Filter()
      filter.person = person
      filter.includesSimulated = false
      // A run is not kept waiting by a history that cannot be read.
      bests = (try? await service.history.records(filter, activity: activity.label))?.map(\.effort) ?? []
    }
    let person = (try? requireCaller())?.person ?? session.person
    return LiveWatch(
      activity, await preferences(of: person), bests: bests, session.configuration.settings)
  }

  /// The runs that are over and those that are live, each of them once: one that has just ended is still among the live ones
  /// until the history has it.
  func runs(_ filter: History.Filter) async throws -> (over: [SessionEntry], live: [SessionList.LiveRun]) {
    let caller = try requireCaller()
    let here = service.sessions.live(for: caller).map { run in
      SessionList.LiveRun(id: run.id, person: run.person, createdAt: run.createdAt)
    }
    let elsewhere = try await service.sessions.elsewhere(for: caller).map { run in
      SessionList.LiveRun(id: run.id, person: run.person, createdAt: run.createdAt)
    }
    let over = try await service.history.sessions(filter)
    let known = Set(over.map(\.sessionID))
    let live = (here + elsewhere).filter { !known.contains($0.id) }
    return (over, live.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) })
  }
}

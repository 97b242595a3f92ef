internal import FleetStore
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutHistory

/// How far the history of an instance is that of all.
final class FleetHistory: Sendable {
  private struct State {
    var horizon: Int64 = 0
    var problem: (any Error)?
    var isWhole = false
    var behind = 0
    var leftOut: Set<String> = []
  }

  // The first turn brings everything, which may take minutes: another one beside it would bring all of it again.
  private let looks = SharedLook(.oneAfterAnother)
  private let state = Mutex(State())

  /// Whether everything that had ended when this instance started is there.
  var isWhole: Bool { state.withLock { $0.isWhole } }
  /// How many sessions that ended are still to be brought, as far as is known.
  var behind: Int { state.withLock { $0.behind } }

  /// Brings the history up to date. Those that come at the same time share one turn, which began after all of them came.
  ///
  /// - Throws: what `body` throws, which is given the horizon and says the next one.
  func bring(_ body: @escaping @Sendable (Int64) async throws -> Int64) async throws {
    await looks.take { [self] in
      do {
        let next = try await body(state.withLock { $0.horizon })
        state.withLock { state in
          state.horizon = max(state.horizon, next)
          state.problem = nil
          state.isWhole = true
        }
      } catch {
        state.withLock { $0.problem = error }
      }
    }
    if let problem = state.withLock({ $0.problem }) { throw problem }
  }

  /// Notes how many are still to be brought.
  func note(behind count: Int) { state.withLock { $0.behind = count } }

  /// Whether no history can take a session, as was found before.
  func isLeftOut(_ id: String) -> Bool { state.withLock { $0.leftOut.contains(id) } }

  /// Notes that no history can take a session, so that it is not tried again until this instance starts anew.
  func leaveOut(_ id: String) { state.withLock { _ = $0.leftOut.insert(id) } }
}

extension ServiceSessions {
  /// Brings the history of this instance up to date: sessions that ended at others come into it, and what was deleted there goes.
  /// Nothing is done where a service runs alone.
  ///
  /// - Throws: what the database, the folders and the index throw.
  func bringHistory() async throws {
    guard let fleet else { return }
    // Whose a session is, is found by the profiles.
    try await bringProfiles()
    try await fleetHistory.bring { [self] horizon in
      let news = try await fleet.history(since: horizon)
      let deleted = Set(news.deleted)
      let ended = news.ended.filter { !deleted.contains($0) && !fleetHistory.isLeftOut($0) }
      for (place, id) in ended.enumerated() {
        fleetHistory.note(behind: ended.count - place)
        do {
          try await takeOver(id, isOver: true)
        } catch let error as RecordingError {
          // One that no history can take is left out of it everywhere.
          fleetHistory.leaveOut(id)
          ServiceNotice.say("\(id): left out of the history: \(error.problem)")
        }
      }
      fleetHistory.note(behind: 0)
      var isWhole = true
      for noted in news.noted where !deleted.contains(noted.id) {
        if try await !take(noted) { isWhole = false }
      }
      for id in news.deleted where try await history.session(exactly: id) != nil {
        try await history.delete(id)
        await forget([id])
      }
      return isWhole ? news.horizon : horizon
    }
  }

  /// Takes what is written down about a session into the history of this instance; `false` where that is to be tried again, because
  /// the session is just coming into it.
  private func take(_ noted: SharedHistory.Noted) async throws -> Bool {
    let (id, notes): (String, SessionNotes)
    do {
      (id, notes) = (noted.id, try noted.notes.map { try SessionNotes(file: $0) } ?? SessionNotes())
    } catch {
      ServiceNotice.say("\(noted.id): what is written down about it cannot be read: \(error)")
      return true
    }
    guard try await history.session(exactly: id) != nil else { return known(id) == nil }
    do {
      _ = try await history.editNotes(of: id) { $0 = notes }
      return true
    } catch is SessionInUse {
      return false
    }
  }

  /// The live sessions at other instances that are somebody's to see, the newest first.
  ///
  /// - Throws: what the store throws.
  func elsewhere(for caller: Caller) async throws -> [BegunSession] {
    guard fleet != nil else { return [] }
    let rows: [BegunSession]
    if let person = caller.person {
      rows = try await store.openSessions(of: person)
    } else {
      rows = try await store.openSessions()
    }
    return rows.reversed().filter { row in
      known(row.id) == nil && (caller.session ?? row.id) == row.id
        && caller.mayUse(person: row.person, maker: row.maker)
    }
  }

  /// Whether a session of somebody is live, here or at another instance.
  ///
  /// - Throws: what the store throws.
  func hasLiveAnywhere(person: String) async throws -> Bool {
    if hasLive(person: person) { return true }
    return fleet == nil ? false : try await !store.openSessions(of: person).isEmpty
  }
}

internal import FleetStore
internal import LiveCoaching
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutHistory

/// The history of all instances, and the sessions that are live at others.
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
      let late = fleetHistory.late.subtracting(news.ended).sorted()
      let ended = (news.ended + late).filter { !deleted.contains($0) && !fleetHistory.isLeftOut($0) }
      for (place, id) in ended.enumerated() {
        fleetHistory.note(behind: ended.count - place)
        fleetHistory.note(id, isLate: try await !bring(id, fleet))
      }
      fleetHistory.note(behind: 0)
      var isWhole = true
      for noted in news.noted where !deleted.contains(noted.id) {
        if try await !take(noted) { isWhole = false }
      }
      var wasElsewhere = false
      for id in news.deleted {
        fleetHistory.note(id, isLate: false)
        // Asked before the history: what is on its way there was read before it was deleted, and is to go when it has come.
        let isComing = takeovers.isPending(id) || known(id) != nil
        if try await history.session(exactly: id) != nil {
          try await history.delete(id)
          await forget([id])
        } else if let session = known(id), !session.isOver {
          // By hand, while it was live: there is nothing to go on with.
          letGo(session)
        } else if isComing {
          isWhole = false
        } else {
          wasElsewhere = true
        }
      }
      // What journals here have of one that was let go goes at once, too.
      if wasElsewhere { await registry.forgetClosed() }
      return isWhole ? news.horizon : horizon
    }
  }

  /// Brings a session that is over into the history of this instance; `false` where it is in memory here, and not there yet: who has it
  /// closes it in a moment, or lets go of it, and the next turn looks again.
  private func bring(_ id: String, _ fleet: ServiceFleet) async throws -> Bool {
    do {
      let isHere = known(id).map { !isLost($0, fleet) } ?? false
      if !isHere, try await takeOver(id, isOver: true) { return true }
      return try await history.session(exactly: id) != nil
    } catch let error as RecordingError {
      // One that no history can take is left out of it everywhere.
      fleetHistory.leaveOut(id)
      ServiceNotice.say("\(id): left out of the history: \(error.problem)")
      return true
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

internal import SessionStore
internal import WorkoutSession

/// Those who read the records of the sessions of a shard as they come.
extension SessionShard {
  /// Begins to deliver the records of a session that come from now on to a reader.
  ///
  /// - Returns: the reader and what is needed to read those before; `nil` for a session of which nothing is kept.
  func attach(_ number: SessionNumber) -> (reader: EventReader, session: JournaledSession)? {
    guard let slot = slot(number), let journaled = slot.journaled else { return nil }
    let reader = EventReader(after: slot.encoder?.recordCount ?? 0)
    guard slot.session.state != .ended else {
      // All of its records come before this reader. Others may still wait for the last ones, which are not committed yet.
      reader.end()
      return (reader, journaled)
    }
    slot.isWatched = true
    broadcast.add(reader, of: journaled.sessionID)
    return (reader, journaled)
  }

  /// Delivers nothing more to a reader.
  func detach(_ reader: EventReader, _ number: SessionNumber) {
    guard let slot = slot(number), let journaled = slot.journaled else { return }
    slot.isWatched = broadcast.remove(reader, of: journaled.sessionID)
    guard !slot.isWatched, let notices = slot.notices else { return }
    (slot.lastNotice, slot.notices) = (notices.last, nil)
    slot.session.endWatching()
  }

  /// What people want to know of a session that happened after a notice, and the number of the newest one. With the first call of
  /// somebody who reads its records they begin to be kept, which the last reader that leaves ends.
  ///
  /// - Parameter last: the number of the last one that is known; `nil` for whoever begins to look, and gets none of before.
  func notices(after last: Int?, _ number: SessionNumber) -> (new: [LiveNotice], last: Int) {
    // Of one whose last reader has left nothing is kept, whoever asks a moment later.
    guard let slot = slot(number), slot.isWatched else { return ([], last ?? 0) }
    if slot.notices == nil {
      slot.notices = LiveNotices(after: slot.lastNotice)
      slot.session.beginWatching()
    }
    guard let notices = slot.notices else { return ([], last ?? 0) }
    return (last.map { notices.after($0) } ?? [], notices.last)
  }
}

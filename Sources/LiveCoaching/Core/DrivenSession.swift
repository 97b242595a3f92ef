package import WorkoutSession
package import TextFormats

/// A live session whose time moves with whoever drives it: one of this process, or one that a service holds.
package protocol DrivenSession: Sendable {
  /// Takes the next bytes of a stream of lines.
  func feed(_ bytes: [UInt8], from feed: LiveFeed, now: WallClockTime) async -> LiveReport
  /// Takes lines of a source that makes them itself.
  func take(_ lines: [LiveLine], from feed: LiveFeed, now: WallClockTime) async -> LiveReport
  /// Takes note that a stream of lines is over; a last line without its end is still a line.
  func finish(_ feed: LiveFeed, now: WallClockTime) async -> LiveReport
  /// Takes note that time has passed without input.
  func tick(now: WallClockTime) async -> LiveReport
  /// Ends the session.
  func end(_ reason: SessionEvent.EndReason, now: WallClockTime) async -> LiveReport
  /// Refuses all commands of a sender from now on.
  func refuseCommands(of feed: LiveFeed) async
  /// Whether something may have come of it since without any input here, whatever clock it goes by: its answers come later, and others
  /// may send to it.
  var isHeldElsewhere: Bool { get }
  /// The session as it stands; `nil` when it was let go.
  var session: LiveSession? { get async }
  /// The folder of the session once all of it is saved on this machine.
  var savedFolder: String? { get async }
  /// The identity of the session; absent before it begins, or when nothing is kept.
  var sessionID: String? { get async }
}

extension RunningSession: DrivenSession {
  package var isHeldElsewhere: Bool { false }
}

extension DrivenSession {
  /// Takes lines that come from nowhere, as keys do.
  package func take(_ lines: [LiveLine], now: WallClockTime) async -> LiveReport {
    await take(lines, from: LiveFeed(source: 0), now: now)
  }
}

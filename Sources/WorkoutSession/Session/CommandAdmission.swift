internal import TextFormats
internal import ZoneEngine

/// What a session knows of itself when a command arrives: whether it carries the command out, and at which of its times.
///
/// It is pure. Whether the same command was answered before, ``CommandAnswers`` knows.
struct CommandAdmission {
  /// What becomes of a command.
  enum Verdict: Hashable {
    /// It is carried out at this time of the session.
    case carryOut(at: SessionTime)
    /// It changes nothing.
    case refuse(CommandRefusal)

    /// Why it changes nothing; `nil` where it is carried out.
    var refusal: CommandRefusal? { if case .refuse(let refusal) = self { refusal } else { nil } }
  }

  let state: LiveSession.State
  /// Whether it is paused because somebody stood still: a pause by hand makes that one by hand, which motion does not end.
  var isPausedByMotion = false
  /// Whether the strategy was drawn, so that it cannot be changed.
  let isStrategyDrawn: Bool
  /// What moves the session on between samples.
  let clock: SessionClock
  let timebase: SessionTimebase
  /// The time of the newest sample or tick.
  let latest: SessionTime
  /// What the clock of the machine shows as time of the session; absent where that does not follow it.
  let wall: SessionTime?
  /// The time of day.
  let arrival: WallClockTime

  /// What becomes of a command.
  ///
  /// - Parameters:
  ///   - stamp: when it was issued; `nil` for now.
  ///   - clockAhead: what the clock of its sender is ahead of the session; `nil` for what keeps its own time, whose stamps are believed.
  func verdict(on command: SessionCommand, issuedAt stamp: Stamp?, clockAhead: SessionTime?) -> Verdict {
    guard let stamp else { return verdict(on: command, at: wall) }
    guard state == .standby else {
      return verdict(on: command, stamp: timebase.time(of: stamp), clockAhead: clockAhead)
    }
    if case .wall(let issued) = stamp, clock == .wall,
      SessionTimebase.span(from: issued, to: arrival) > LiveSession.stalenessLimit
    {
      return .refuse(.stale)
    }
    if command == .start, !stamp.isLikely(arrival: arrival) {
      return .refuse(refusal(of: command) ?? .implausibleTime)
    }
    return verdict(on: command, at: nil)
  }

  /// What becomes of a command with a stamp, in a session that has begun.
  private func verdict(on command: SessionCommand, stamp: SessionTime, clockAhead: SessionTime?) -> Verdict {
    let now = max(latest, wall ?? .zero)
    var issued = stamp
    if let clockAhead {
      issued = issued - clockAhead
      // What is issued later than the machine's clock shows is meant for now.
      if timebase.followsWallClock { issued = min(issued, now) }
      let patience = state == .paused ? TimeCourse.longestPause : TimeCourse.longestSilence
      guard issued <= max(now, timebase.firstStamp) + patience else {
        return .refuse(refusal(of: command) ?? .implausibleTime)
      }
    }
    return now - issued > LiveSession.stalenessLimit ? .refuse(.stale) : verdict(on: command, at: issued)
  }

  /// What becomes of a command whose time, if there is one, is believed. Nothing is carried out before the newest sample.
  private func verdict(on command: SessionCommand, at time: SessionTime?) -> Verdict {
    refusal(of: command).map { .refuse($0) } ?? .carryOut(at: max(latest, time ?? latest))
  }

  /// Why a session in this state does not carry out a command; `nil` when it does.
  private func refusal(of command: SessionCommand) -> CommandRefusal? {
    switch (state, command) {
    case (.ended, _): .ended
    case (.standby, .start): nil
    case (.standby, _): .notStarted
    case (_, .start): .alreadyStarted
    case (.paused, .pause): isPausedByMotion ? nil : .alreadyPaused
    case (.recording, .resume): .notPaused
    case (_, .strategy): isStrategyDrawn ? .randomized : nil
    case (_, .recognized), (_, .answered), (_, .ended): .notAllowed
    case (_, .pause), (_, .resume), (_, .lap), (_, .stop), (_, .target): nil
    }
  }
}

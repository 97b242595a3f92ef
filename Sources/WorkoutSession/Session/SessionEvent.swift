package import ZoneEngine

/// What a command asks for.
package enum SessionCommand: String, CaseIterable, Hashable, Sendable {
  /// Begin to record.
  case start
  /// Stop the clock of the session.
  case pause
  /// Let it run again.
  case resume
  /// Mark a lap; begins the next step of a plan when the current one is open.
  case lap
  /// End the session.
  case stop
}

/// Why a command was refused.
package enum CommandRefusal: String, CaseIterable, Hashable, Sendable {
  /// It was issued more than 30 s ago.
  case stale
  /// Its time cannot belong to this session.
  case implausibleTime
  /// The session has not begun.
  case notStarted
  /// The session is recording already.
  case alreadyStarted
  /// The session is paused already.
  case alreadyPaused
  /// The session is not paused.
  case notPaused
  /// The session is over.
  case ended
}

/// The answer to a command.
package struct Acknowledgement: Hashable, Sendable {
  /// The identity of the command.
  package let id: String
  /// Why it was refused; absent when it was carried out.
  package let refusal: CommandRefusal?
  /// Whether the same command had been answered before and was not carried out again.
  package let isRepeated: Bool
}

/// Everything that a session tells, in time order.
package enum SessionEvent: Hashable, Sendable {
  /// The session begins.
  case started(at: SessionTime)
  /// What the engine tells.
  case engine(EngineEvent)
  /// A lap begins; `number` counts from 1 and is the lap that begins.
  case lap(at: SessionTime, number: Int)
  /// Another heart-rate source took over because the first was silent.
  case sourceChanged(at: SessionTime, from: String?, to: String?)
  /// The duration limit comes near.
  case countdown(at: SessionTime, remaining: SessionTime)
  /// The answer to a command.
  case acknowledgement(Acknowledgement)
  /// The session is over.
  case ended(at: SessionTime, reason: EndReason)

  /// Why a session ended.
  package enum EndReason: String, Hashable, Sendable {
    /// A command.
    case stop
    /// The input came to its end.
    case endOfInput
    /// The duration limit.
    case durationLimit
    /// A signal, such as Ctrl-C.
    case interrupted
    /// Its process was gone; it ends with the last that was on the disk.
    case recovered
  }

  /// When it happened; `nil` for an answer.
  package var time: SessionTime? {
    switch self {
    case .engine(let event): event.time
    case .started(let time), .lap(let time, _), .sourceChanged(let time, _, _), .countdown(let time, _),
      .ended(let time, _):
      time
    case .acknowledgement: nil
    }
  }
}

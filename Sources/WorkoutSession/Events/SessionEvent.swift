package import ZoneEngine

/// What a command asks for.
package enum SessionCommand: Hashable, Sendable {
  /// Begin to record.
  case start
  /// Stop the clock of the session.
  case pause
  /// Let it run again.
  case resume
  /// Mark a lap; ends the step of a plan that has no end in time.
  case lap
  /// End the session.
  case stop
  /// Ask for another target; its zone is one of the session's.
  case target(TargetRequest)
  /// Judge by another strategy.
  case strategy(FeedbackStrategy)
  /// The session ended for another reason than a stop that somebody sent; nobody sends it.
  case ended(SessionEvent.EndReason)
  /// What a recogniser found in the motion; nobody sends it.
  case recognized(Recognition)
  /// What a program answered to the question of a time; nobody sends it.
  case answered(AskedAnswer, at: SessionTime)

  /// Those that say everything by their name.
  package static let plain: [SessionCommand] = [.start, .pause, .resume, .lap, .stop]

  /// The name, as it is sent and logged.
  package var word: String {
    switch self {
    case .start: "start"
    case .pause: "pause"
    case .resume: "resume"
    case .lap: "lap"
    case .stop, .ended: "stop"
    case .target: "target"
    case .strategy: "strategy"
    case .recognized(let found): found.word
    case .answered: "answer"
    }
  }

  /// What is asked for beside the name, as text.
  package var value: String? {
    switch self {
    case .target(let target): target.text
    case .strategy(let strategy): strategy.specification
    case .recognized(let found): found.value
    case .answered(let answer, let time): "\(LoggedAnswers.text(of: time)) \(answer.word)"
    case .ended(let reason): reason.rawValue
    case .start, .pause, .resume, .lap, .stop: nil
    }
  }

  /// The command of a name and what is asked for beside it; `nil` for another name, or for a value that is none. Whether a
  /// target is one depends on the zones; see ``isPossible(in:)``.
  package init?(word: String, value: String?) {
    switch (word, value) {
    case ("stop", let text?):
      guard let reason = SessionEvent.EndReason(rawValue: text), reason != .stop else { return nil }
      self = .ended(reason)
    case ("target", let text?): self = .target(TargetRequest(text))
    case ("strategy", let text?):
      guard let strategy = try? FeedbackStrategy(specification: text) else { return nil }
      self = .strategy(strategy)
    case ("answer", let text?):
      guard let (answer, time) = LoggedAnswers.read(text) else { return nil }
      self = .answered(answer, at: time)
    default:
      if let found = Recognition(word: word, value: value) {
        self = .recognized(found)
        return
      }
      guard value == nil, let command = Self.plain.first(where: { $0.word == word }) else { return nil }
      self = command
    }
  }
}

extension SessionCommand {
  /// What somebody would send for the same, so that what was recognised in one session is no secret to another: a pause for one
  /// that stillness began. `nil` for what nobody sends.
  package var asSent: SessionCommand? {
    switch self {
    case .recognized(.pause): .pause
    case .recognized(.resume): .resume
    case .recognized(.activity), .recognized(.differs), .recognized(.steps), .answered: nil
    case .ended: .stop
    case .start, .pause, .resume, .lap, .stop, .target, .strategy: self
    }
  }

  /// What a log has of the end of a session: a stop for a stop.
  package static func end(for reason: SessionEvent.EndReason) -> SessionCommand {
    reason == .stop ? .stop : .ended(reason)
  }

  /// Whether the zones have what is asked for.
  package func isPossible(in zones: HeartRateZones) -> Bool {
    problem(in: zones) == nil
  }

  /// Why it cannot be carried out: the zones do not have its target. `nil` for one that can be.
  package func problem(in zones: HeartRateZones) -> ZoneError? {
    guard case .target(let target) = self, case .failure(let problem) = target.resolved(in: zones) else { return nil }
    return problem
  }
}

/// Which changes that were made in a session a replay makes too: what somebody asks for today wins over both what was asked
/// for at the start and what was changed later.
package struct FollowedChanges: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Changes of the target.
  package static let target = FollowedChanges(rawValue: 1)
  /// Changes of the strategy.
  package static let strategy = FollowedChanges(rawValue: 2)
  /// What was recognised in the motion.
  package static let recognized = FollowedChanges(rawValue: 4)
  /// All of them, so that a session is judged as it was.
  package static let all: FollowedChanges = [.target, .strategy, .recognized]

  /// Whether a command is carried out.
  package func contains(_ command: SessionCommand) -> Bool {
    switch command {
    case .target: contains(FollowedChanges.target)
    case .strategy: contains(FollowedChanges.strategy)
    case .recognized: contains(FollowedChanges.recognized)
    case .start, .pause, .resume, .lap, .stop, .ended, .answered: true
    }
  }
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
  /// The strategy was drawn; another would falsify the arm.
  case randomized
  /// Its sender may not send commands.
  case notAllowed
  /// It is none of the commands.
  case unknownCommand
  /// It has no identity to answer to.
  case missingID
  /// Something that it asks for cannot be: a target that is not in the zones, no strategy, no time.
  case impossibleValue
}

/// The answer to a command.
package struct Acknowledgement: Hashable, Sendable {
  /// The identity of the command; absent when it had none.
  package let id: String?
  /// Why it was refused; absent when it was carried out.
  package let refusal: CommandRefusal?
  /// Whether the same command had been answered before and was not carried out again.
  package let isRepeated: Bool
  /// What was to be done; absent where it was none of the commands, and where it had been answered before.
  package var command: SessionCommand?

  /// Creates an answer.
  package init(id: String?, refusal: CommandRefusal?, isRepeated: Bool, command: SessionCommand? = nil) {
    self.id = id
    self.refusal = refusal
    self.isRepeated = isRepeated
    self.command = command
  }
}

/// Everything that a session emits, in time order.
package enum SessionEvent: Hashable, Sendable {
  /// The session begins.
  case started(at: SessionTime)
  /// What the engine emits.
  case engine(EngineEvent)
  /// A lap begins; `number` counts from 1 and is the lap that begins.
  case lap(at: SessionTime, number: Int)
  /// Another heart-rate source took over because the first was silent.
  case sourceChanged(at: SessionTime, from: String?, to: String?)
  /// The motion sensors say that somebody does something else.
  case activity(at: SessionTime, RecognizedActivity)
  /// Somebody does something else than the step of the plan asks for.
  case activityDiffers(at: SessionTime, asked: StepActivity, RecognizedActivity)
  /// The duration limit comes near.
  case countdown(at: SessionTime, remaining: SessionTime)
  /// Samples of a stream had stamps with no place in the session and decided nothing; reported once, after the first that has
  /// one.
  case rejected(at: SessionTime, SampleStream)
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
    case .started(let time), .lap(let time, _), .sourceChanged(let time, _, _), .activity(let time, _),
      .activityDiffers(let time, _, _), .countdown(let time, _), .rejected(let time, _), .ended(let time, _):
      time
    case .acknowledgement: nil
    }
  }
}

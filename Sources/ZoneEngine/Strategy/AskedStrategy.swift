/// Asks somebody outside of the engine at every moment of a schedule: a program that a researcher wrote.
///
/// It is a value like every other strategy, and starts nothing: who answers is given to the engine as an ``AskedJudge``, and
/// where nobody is given, no question is answered.
public struct AskedStrategy: Hashable, Sendable {
  /// The version of the protocol in which programs are asked, as `docs/policies.md` has it.
  public static let protocolVersion = 1

  /// When it asks.
  public let schedule: CheckSchedule
  /// How it was asked for, such as `exec:./policy.py`.
  public let specification: String
  /// The SHA-256 of the program that answers, in hexadecimal digits.
  public let programHash: String

  /// Creates the strategy.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for an interval outside 1…86,400 s.
  public init(every: SessionTime, specification: String, programHash: String) throws(ZoneError) {
    schedule = try CheckSchedule(every: every)
    self.specification = specification
    self.programHash = programHash
  }
}

extension FeedbackStrategy {
  /// The SHA-256 of the program that answers, in hexadecimal digits; absent where none is asked.
  package var programHash: String? {
    if case .asked(let asked) = self { asked.programHash } else { nil }
  }
}

/// What somebody outside of the engine is asked.
public struct AskedQuestion: Sendable {
  /// The moment.
  public let time: SessionTime
  /// The moment in active time.
  public let active: SessionTime
  /// The newest accepted heart rate as displayed; absent only where another quantity is asked for.
  public let heartRateBPM: Int?
  /// How old it is.
  public let heartRateAge: SessionTime?
  /// The target in force.
  public let target: ResolvedTarget
  /// Where the heart rate, or the quantity that is asked for, lies.
  public let side: TargetSide
  /// The newest value of the quantity that is asked for, in metres per second, steps a minute or the inverse of α1; absent
  /// where that is the heart rate.
  public let measured: Double?
  /// The heart rates that were held in the interval of the schedule before the moment, each from its start on, oldest first.
  public let held: [HeldRun]

  /// A heart rate that was held from some time on.
  public struct HeldRun: Hashable, Sendable {
    /// Since when; the start of the interval for one that was held before.
    public let start: SessionTime
    /// Up to when.
    public let end: SessionTime
    /// The heart rate as displayed.
    public let beatsPerMinute: Int

    /// Creates a run.
    public init(start: SessionTime, end: SessionTime, beatsPerMinute: Int) {
      self.start = start
      self.end = end
      self.beatsPerMinute = beatsPerMinute
    }
  }
}

/// What is answered.
public enum AskedAnswer: Hashable, Sendable {
  /// A cue.
  case cue(CueAction)
  /// No cue.
  case silence
  /// Nobody answered.
  case missing

  /// The word for it: that of the action, `silence` or `missing`.
  public var word: String {
    switch self {
    case .cue(let action): action.rawValue
    case .silence: "silence"
    case .missing: "missing"
    }
  }

  /// The answer of a word; `nil` for another one.
  public init?(word: String) {
    switch word {
    case "silence": self = .silence
    case "missing": self = .missing
    default:
      guard let action = CueAction(rawValue: word) else { return nil }
      self = .cue(action)
    }
  }
}

/// Answers the questions of an ``AskedStrategy``. It is asked from within the engine, in order of time, and nothing goes on
/// until it has answered.
public protocol AskedJudge: AnyObject, Sendable {
  /// The answer to a question.
  func answer(_ question: AskedQuestion) -> AskedAnswer
}

extension CueAction {
  /// The side of the target from which the action leads into it.
  public var side: TargetSide {
    switch self {
    case .speedUp: .under
    case .hold: .inside
    case .slowDown: .over
    }
  }
}

/// What keeps a cue back after a strategy has judged. All are off unless they are asked for, because the two strategies
/// of the Wise paper know none.
public struct Guardrails: Hashable, Sendable {
  /// Active time at the start of a session in which no cue is given; zero is off.
  public let warmUp: SessionTime
  /// The shortest time of the session between two cues; zero is off.
  public let minimumInterval: SessionTime

  /// Active time after a change of step or target, and after a pause, in which no cue is given; zero is off.
  public let grace: SessionTime

  /// The longest that a grace, or the time between two reminders, is in a step of a plan: half of its length, so that a cue
  /// comes while there is as much time to follow it as there was to do without; `nil` for a step of no known length. In a step of
  /// some metres a grace ends where half of them are covered.
  static func longestSilence(inStepOf length: SessionTime?) -> SessionTime? {
    length.map { SessionTime(nanoseconds: $0.nanoseconds / 2) }
  }

  /// Nothing is kept back but what can never be a cue.
  public static let off = Guardrails()

  /// Those of ``CoachPreset/runner``: two time constants of the heart rate at the start, one after a change. Source: Hunt,
  /// Fankhauser & Saengsuwan 2015, 10.1186/s12938-015-0112-7 (57.6 s).
  static let runner = Guardrails(warmUp: .seconds(120), grace: .seconds(60))

  private init(warmUp: SessionTime = .zero, grace: SessionTime = .zero) {
    self.warmUp = warmUp
    minimumInterval = .zero
    self.grace = grace
  }

  /// Creates guardrails.
  ///
  /// - Throws: ``ZoneError/outOfRange(quantity:value:expected:)`` for a span outside 0…86,400 s.
  public init(warmUp: SessionTime, minimumInterval: SessionTime, grace: SessionTime = .zero) throws(ZoneError) {
    for (span, name) in [(warmUp, "warm-up"), (minimumInterval, "minimum interval"), (grace, "grace")]
    where span < .zero || span > .seconds(86_400) {
      throw ZoneError.outOfRange(
        quantity: "\(name) in seconds", value: Decimal.text(span.seconds), expected: "0…86400")
    }
    self.warmUp = warmUp
    self.minimumInterval = minimumInterval
    self.grace = grace
  }
}

extension SessionTime {
  /// The shorter of a span and a limit, where there is one.
  func atMost(_ limit: SessionTime?) -> SessionTime { limit.map { min(self, $0) } ?? self }
}

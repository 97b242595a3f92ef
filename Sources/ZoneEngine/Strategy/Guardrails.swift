/// What keeps a cue back after a strategy has judged. Both are off unless they are asked for, because the two strategies
/// of the Wise paper know neither.
public struct Guardrails: Hashable, Sendable {
  /// Active time at the start of a session in which no cue is given; zero is off.
  public let warmUp: SessionTime
  /// The shortest time of the session between two cues; zero is off.
  public let minimumInterval: SessionTime

  /// Nothing is kept back but what can never be a cue.
  public static let off = Guardrails()

  private init() {
    warmUp = .zero
    minimumInterval = .zero
  }

  /// Creates guardrails.
  ///
  /// - Throws: ``ZoneError/outOfRange(quantity:value:expected:)`` for a span outside 0…86,400 s.
  public init(warmUp: SessionTime, minimumInterval: SessionTime) throws(ZoneError) {
    for (span, name) in [(warmUp, "warm-up"), (minimumInterval, "minimum interval")]
    where span < .zero || span > .seconds(86_400) {
      throw ZoneError.outOfRange(
        quantity: "\(name) in seconds", value: Decimal.text(span.seconds), expected: "0…86400")
    }
    self.warmUp = warmUp
    self.minimumInterval = minimumInterval
  }
}

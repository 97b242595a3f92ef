/// Moments of active time at the multiples of an interval, each moved by a random span of its own where they are not to
/// be foreseen: somebody who knows when the next judgement comes can work for it alone.
public struct CheckSchedule: Hashable, Sendable {
  /// The time between two moments, before any is moved.
  public let every: SessionTime
  /// The most that a moment is moved, to either side, in whole seconds; zero when every moment can be foreseen.
  public let jitter: SessionTime
  /// Chooses the spans; the same seed gives the same moments.
  public let seed: UInt32

  /// Creates moments at the multiples of an interval.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for an interval outside 1…86,400 s, or when the jitter is not less
  ///   than half of it, so that two moments could change places.
  public init(every: SessionTime, jitter: SessionTime = .zero, seed: UInt32 = 0) throws(ZoneError) {
    _ = try StrategyParameter.every.checked(every.seconds, of: "schedule")
    guard jitter >= .zero, jitter + jitter < every else {
      throw ZoneError.strategy(
        text: "jitter=\(Decimal.text(jitter.seconds))",
        expected: "less than half of the \(Decimal.text(every.seconds)) s between two judgements")
    }
    self.every = every
    self.jitter = jitter
    self.seed = seed
  }

  /// Creates moments of a preset, whose numbers stand in this module.
  ///
  /// - Precondition: the interval is in 1…86,400 s, and the jitter is under half of it.
  init(presetEvery every: SessionTime, jitter: SessionTime = .zero, seed: UInt32 = 0) {
    precondition(StrategyParameter.every.range.contains(every.seconds), "a preset has a possible interval")
    precondition(jitter >= .zero && jitter + jitter < every, "a preset has a possible jitter")
    self.every = every
    self.jitter = jitter
    self.seed = seed
  }

  /// Whether somebody who has seen some moments knows the next one.
  public var isForeseeable: Bool { jitter < .seconds(1) }

  /// The moment with a number, in active time; they count from 1.
  public func moment(_ number: Int) -> SessionTime {
    let regular = SessionTime(
      nanoseconds: every.nanoseconds.multipliedReportingOverflow(by: Int64(number)).partialValue)
    guard !isForeseeable else { return regular }
    let most = jitter.nanoseconds / 1_000_000_000
    let unit = CounterRandom(seed: UInt64(seed), 0x5C4E_D01E).unit(at: UInt64(number))
    return regular + .seconds(Int(unit * Double(2 * most + 1)) - Int(most))
  }
}

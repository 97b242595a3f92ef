/// How the numbers of a person differ from session to session, each of which is fitted by itself, beyond what their own errors explain.
///
/// What all sessions give together has an interval that knows of noise alone. Here a session is one of many, whose numbers differ with
/// heat, ground and whatever else a day has. Spread: DerSimonian & Laird 1986, 10.1016/0197-2456(86)90046-2; interval of the mean:
/// Hartung & Knapp 2001, 10.1002/sim.791 (both cited from memory).
package struct BetweenSessions: Hashable, Sendable {
  /// One of the numbers.
  package struct Number: Hashable, Sendable {
    /// The mean over sessions, with its 95 % interval.
    package let mean: RunnerFit.Interval
    /// The standard deviation between sessions, without that of their own errors; 0 where these explain all.
    package let spread: Double

    /// The number of some sessions, each with its standard error above zero; `nil` of fewer than two.
    init?(_ values: [(value: Double, error: Double)]) {
      guard values.count > 1 else { return nil }
      func mean(_ weights: [Double]) -> Double {
        zip(weights, values).reduce(0) { $0 + $1.0 * $1.1.value } / weights.reduce(0, +)
      }
      func squares(_ weights: [Double], around mean: Double) -> Double {
        zip(weights, values).reduce(0) { $0 + $1.0 * ($1.1.value - mean) * ($1.1.value - mean) }
      }
      let degrees = Double(values.count - 1)
      let own = values.map { 1 / ($0.error * $0.error) }
      let total = own.reduce(0, +)
      let excess = squares(own, around: mean(own)) - degrees
      let between = max(0, excess / (total - own.reduce(0) { $0 + $1 * $1 } / total))
      let weights = values.map { 1 / ($0.error * $0.error + between) }
      let center = mean(weights)
      let error = (squares(weights, around: center) / (degrees * weights.reduce(0, +))).squareRoot()
      let width = error * StudentT(degreesOfFreedom: degrees).twoSidedQuantile(0.05)
      self.mean = RunnerFit.Interval(center, (center - width)...(center + width))
      spread = between.squareRoot()
    }
  }

  /// The fewest sessions of which it is said; two say next to nothing of how sessions differ.
  static let fewest = 3

  /// Of how many sessions it can be said.
  package let sessions: Int
  /// See ``RunnerFit/gain``.
  package let gain: Number
  /// See ``RunnerFit/timeConstant``.
  package let timeConstant: Number
  /// See ``RunnerFit/drift``.
  package let drift: Number

  /// - Parameters:
  ///   - fits: what each session gives by itself.
  ///   - slope: how much the uptake rises a m/s.
  init?(_ fits: [DelayProfile.MostLikely], slope: Double) {
    func number(
      _ value: (HeartRateResponse.Estimate) -> Double, _ error: (HeartRateResponse.StandardErrors) -> Double
    ) -> Number? {
      Number(fits.map { (value($0.estimate), error($0.errors)) })
    }
    guard fits.count >= Self.fewest, let gain = number({ $0.rise * slope }, { $0.rise * slope }),
      let timeConstant = number(\.timeConstant, \.timeConstant), let drift = number(\.drift, \.drift)
    else { return nil }
    (self.gain, self.timeConstant, self.drift) = (gain, timeConstant, drift)
    sessions = fits.count
  }
}

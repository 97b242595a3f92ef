internal import ZoneEngine

/// How many people a micro-randomised trial needs, by the formula for a standardised proximal effect.
///
/// With N people, q coefficients of the working model and p of the effect the test has the noncentral F distribution of p and
/// N − q − p degrees of freedom with N·dᵀ·Q·d, Q = Σ τ(t)·ρ·(1 − ρ)·Z(t)·Z(t)ᵀ; d is the effect in standard deviations of the
/// outcome, τ how often a cue is available, ρ its probability.
///
/// Source: Liao, Klasnja, Tewari & Murphy 2016, Stat. Med. 35:1944–1971, 10.1002/sim.6847; checked against the authors'
/// program in R, MRTSampleSize 0.3.0 (`PowerCal`, `SampleSize`), for effects that are constant.
package struct TrialPower: Hashable, Sendable {
  /// The most people that are looked for.
  package static let largest = 100_000

  /// Decision points of a person, all sessions together.
  package let points: Int
  /// The probability of a cue that is available.
  package let probability: Double
  /// How often a cue is available.
  package let availability: Double
  /// The effect in standard deviations of the outcome.
  package let effect: Double
  /// Coefficients of the working model, with its constant.
  package let controls: Int
  /// The probability of finding an effect where there is none.
  package let alpha: Double

  /// Creates a plan.
  ///
  /// - Precondition: probabilities are above 0, below 1 and availability at most 1.
  package init(
    points: Int, probability: Double, availability: Double, effect: Double, controls: Int, alpha: Double
  ) {
    precondition(points > 0 && controls > 0 && probability > 0 && probability < 1 && availability > 0)
    self.points = points
    self.probability = probability
    self.availability = availability
    self.effect = effect
    self.controls = controls
    self.alpha = alpha
  }

  /// The probability of finding the effect with a number of people; 0 with fewer than there are coefficients.
  package func power(people: Int) -> Double {
    let degrees = people - controls - 1
    guard degrees > 0 else { return 0 }
    let information = Double(points) * availability * probability * (1 - probability)
    let distribution = FisherF(1, Double(degrees))
    return distribution.upperProbability(
      distribution.upperQuantile(alpha), noncentrality: Double(people) * effect * effect * information)
  }

  /// The fewest people who find the effect with a probability; `nil` where more than ``largest`` would be needed.
  package func people(power wanted: Double) -> Int? {
    var (low, high) = (controls + 1, controls + 2)
    while power(people: high) < wanted {
      guard high < Self.largest else { return nil }
      (low, high) = (high, min(Self.largest, high * 2))
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      if power(people: middle) < wanted { low = middle } else { high = middle }
    }
    return high
  }
}

/// Made trials with an effect that is known, for power by simulation and for what intervals cover.
///
/// The outcome has a part of the person, one that is seen before the point, one that is left of the cue before, and noise that
/// keeps 0.3 of itself from point to point; a cue adds the effect. After a cue the next one has half of the probability, so that
/// the weights are put to the test.
package struct TrialSimulation: Sendable {
  /// What is asked.
  package let plan: TrialPower
  /// How many people.
  package let people: Int
  /// Where the random numbers begin.
  package let seed: UInt64

  /// Prepares trials.
  package init(_ plan: TrialPower, people: Int, seed: UInt64) {
    self.plan = plan
    self.people = people
    self.seed = seed
  }

  /// The available points of a trial.
  package func rows(ofTrial trial: Int) -> [CenteredLeastSquares.Row] {
    var rows: [CenteredLeastSquares.Row] = []
    for person in 0..<people {
      let draws = CounterRandom(seed: seed, UInt64(trial), UInt64(person), 1)
      let normal = NormalSequence(CounterRandom(seed: seed, UInt64(trial), UInt64(person), 2))
      let own = normal.pair(at: 0).0 * 0.5
      var noise = normal.pair(at: 0).1
      var wasGiven = false
      for point in 1...plan.points {
        let (seen, fresh) = normal.pair(at: UInt64(point))
        noise = 0.3 * noise + (1 - 0.09).squareRoot() * fresh
        let isAvailable = draws.unit(at: UInt64(2 * point)) < plan.availability
        let probability = wasGiven ? plan.probability / 2 : plan.probability
        let isGiven = isAvailable && draws.unit(at: UInt64(2 * point + 1)) < probability
        let outcome = own + 0.4 * seen - (wasGiven ? 0.2 : 0) + noise + (isGiven ? plan.effect : 0)
        if isAvailable {
          rows.append(
            CenteredLeastSquares.Row(
              person: person, probability: probability, isGiven: isGiven, outcome: outcome, controls: [seen]))
        }
        wasGiven = isGiven
      }
    }
    return rows
  }

  /// What came of trials, each by itself: how many were estimated, found an effect, and covered the true one.
  package func run(_ trials: Int) -> (estimated: Int, found: Int, covered: Int) {
    var (estimated, found, covered) = (0, 0, 0)
    for trial in 0..<trials {
      guard let result = try? CenteredLeastSquares(rows(ofTrial: trial), numerator: plan.probability) else { continue }
      estimated += 1
      let effect = result.effects[0]
      if effect.probability < plan.alpha { found += 1 }
      if effect.confidence.lower <= plan.effect, plan.effect <= effect.confidence.upper { covered += 1 }
    }
    return (estimated, found, covered)
  }
}

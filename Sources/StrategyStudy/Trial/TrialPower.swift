internal import ZoneEngine

/// How many people a micro-randomised trial needs, by the formula for a standardised proximal effect.
///
/// With N people, q coefficients of the working model and p of the effect the test has the noncentral F distribution of p and
/// N − q − p degrees of freedom with N·dᵀ·Q·d, Q = Σ τ(t)·ρ·(1 − ρ)·Z(t)·Z(t)ᵀ; d is the effect in standard deviations of what
/// the working model leaves of the outcome, τ how often a cue is available, ρ its probability.
///
/// Two things are added to it, which trials of few people and changing probabilities need. Where the probability changes, a point
/// weighs as the mean of 1 ÷ (ρ·(1 − ρ)) over the points says, because that is what the weights of ``CenteredLeastSquares`` make
/// of its variance. And its errors, corrected for few people, are larger by √(N ÷ (N − 1)) where all have as many points.
///
/// Source: Liao, Klasnja, Tewari & Murphy 2016, Stat. Med. 35:1944–1971, 10.1002/sim.6847; checked against the authors'
/// program in R, MRTSampleSize 0.3.0 (`PowerCal`, `SampleSize`), for effects that are constant. Of what is added: none, derived
/// here, and held against made trials.
package struct TrialPower: Hashable, Sendable {
  /// The most people that are looked for.
  package static let largest = 100_000

  /// Decision points of a person, all sessions together.
  package let points: Int
  /// The probability of a cue that is available.
  package let probability: Double
  /// The probability at a point after one with a cue.
  package let probabilityAfterCue: Double
  /// How often a cue is available.
  package let availability: Double
  /// The effect in standard deviations of what the working model leaves of the outcome.
  package let effect: Double
  /// Coefficients of the working model, with its constant.
  package let controls: Int
  /// The probability of finding an effect where there is none.
  package let alpha: Double

  /// Creates a plan.
  ///
  /// - Precondition: probabilities are above 0, below 1 and availability at most 1.
  package init(
    points: Int, probability: Double, probabilityAfterCue: Double, availability: Double, effect: Double, controls: Int,
    alpha: Double
  ) {
    precondition(points > 0 && controls > 0 && availability > 0 && availability <= 1)
    precondition(probability > 0 && probability < 1 && probabilityAfterCue > 0 && probabilityAfterCue < 1)
    self.points = points
    self.probability = probability
    self.probabilityAfterCue = probabilityAfterCue
    self.availability = availability
    self.effect = effect
    self.controls = controls
    self.alpha = alpha
  }

  /// The share of points that come after a cue, once that no longer depends on how the session began.
  package var shareAfterCue: Double {
    availability * probability / (1 + availability * (probability - probabilityAfterCue))
  }

  /// The probability of finding the effect with a number of people; 0 with fewer than there are coefficients.
  package func power(people: Int) -> Double {
    func variance(_ probability: Double) -> Double { 1 / (probability * (1 - probability)) }
    let after = shareAfterCue
    let mean = (1 - after) * variance(probability) + after * variance(probabilityAfterCue)
    return power(people: people, variance: mean, errors: Double(people) / Double(people - 1))
  }

  /// The same by the published formula alone: one probability, and errors that no correction makes larger.
  package func publishedPower(people: Int) -> Double {
    power(people: people, variance: 1 / (probability * (1 - probability)), errors: 1)
  }

  private func power(people: Int, variance: Double, errors: Double) -> Double {
    let degrees = people - controls - 1
    guard degrees > 0 else { return 0 }
    let distribution = FisherF(1, Double(degrees))
    return distribution.upperProbability(
      distribution.upperQuantile(alpha) * errors,
      noncentrality: Double(people) * effect * effect * Double(points) * availability / variance)
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
/// keeps 0.3 of itself from point to point; a cue adds the effect, in standard deviations of what the working model, which knows
/// what is seen alone, leaves of all that.
package struct TrialSimulation: Sendable {
  /// The most points of a trial, of all its people: all of one trial are kept while it is analysed.
  package static let largestPoints = 5_000_000

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

  // Standard deviations of the part of the person and of noise, and what is left of the cue before.
  private static let (own, left) = (0.5, 0.2)

  /// What a cue adds, where the noise has a standard deviation of 1.
  package var addedByCue: Double {
    let after = plan.shareAfterCue
    return plan.effect * (1 + Self.own * Self.own + Self.left * Self.left * after * (1 - after)).squareRoot()
  }

  /// The available points of a trial.
  package func rows(ofTrial trial: Int) -> [CenteredLeastSquares.Row] {
    var rows: [CenteredLeastSquares.Row] = []
    let added = addedByCue
    for person in 0..<people {
      let draws = CounterRandom(seed: seed, UInt64(trial), UInt64(person), 1)
      let normal = NormalSequence(CounterRandom(seed: seed, UInt64(trial), UInt64(person), 2))
      let own = normal.pair(at: 0).0 * Self.own
      var noise = normal.pair(at: 0).1
      var wasGiven = false
      for point in 1...plan.points {
        let (seen, fresh) = normal.pair(at: UInt64(point))
        noise = 0.3 * noise + (1 - 0.09).squareRoot() * fresh
        let isAvailable = draws.unit(at: UInt64(2 * point)) < plan.availability
        let probability = wasGiven ? plan.probabilityAfterCue : plan.probability
        let isGiven = isAvailable && draws.unit(at: UInt64(2 * point + 1)) < probability
        let outcome = own + 0.4 * seen - (wasGiven ? Self.left : 0) + noise + (isGiven ? added : 0)
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
    let added = addedByCue
    for trial in 0..<trials {
      guard let result = try? CenteredLeastSquares(rows(ofTrial: trial), numerator: plan.probability) else { continue }
      estimated += 1
      let effect = result.effects[0]
      if effect.probability < plan.alpha { found += 1 }
      if effect.confidence.lower <= added, added <= effect.confidence.upper { covered += 1 }
    }
    return (estimated, found, covered)
  }
}

internal import ZoneEngine

/// The best fit for each delay, of which the most likely one and its interval are taken.
struct DelayProfile {
  /// How long the blocks are that are drawn for the interval. Source: ours; blocks of 30 to 120 s gave the same intervals in made
  /// people.
  private static let blockSeconds = 60
  private static let draws = 1_000
  /// How far the likelihood of a delay may lie below the highest that it could still come out first of a draw, by its logarithm.
  private static let fall = 12.0
  /// From where the noise is looked for, and from where the time constant beside it.
  private static let guess = ResponseNoise(memory: 0.99, innovation: 0.1)
  private static let timeConstantGuess = 45.0
  /// How often noise and time constant are looked for in turn; mostly it is twice.
  private static let mostTurns = 6

  private let response: HeartRateResponse
  /// What was fitted; nothing where the movement says nothing.
  private var known: [Int: HeartRateResponse.Estimate] = [:]

  /// Begins with nothing fitted.
  init(_ response: HeartRateResponse) { self.response = response }

  /// The best time constant for a delay, and all else; `nil` where the movement says nothing.
  mutating func mostLikely(at delay: Int) -> HeartRateResponse.Estimate? {
    if let estimate = known[delay] { return estimate }
    let near = known.values.max { ($0.logLikelihood, $1.delay) < ($1.logLikelihood, $0.delay) }
    let found = best(delay: delay, noise: near?.remembered ?? Self.guess)
    known[delay] = found
    return found
  }

  /// The most likely estimate of all, with what chance may do to it.
  typealias MostLikely = (estimate: HeartRateResponse.Estimate, errors: HeartRateResponse.StandardErrors)

  /// Time constant and delay of the highest likelihood: for a delay the best time constant, and of the delays the best. A longer
  /// delay goes with a shorter time constant, so that to move one and then the other would stop between them.
  mutating func mostLikely() throws(RunnerFit.Refusal) -> MostLikely {
    var (low, high) = (RunnerFit.delays.lowerBound, RunnerFit.delays.upperBound)
    while high - low > 2 {
      let third = (high - low) / 3
      let (left, right) = (low + max(1, third), high - max(1, third))
      if likelihood(left) > likelihood(right) { high = right } else { low = left }
    }
    var chosen: HeartRateResponse.Estimate?
    for delay in low...high {
      guard let estimate = mostLikely(at: delay), estimate.logLikelihood > chosen?.logLikelihood ?? -.infinity else {
        continue
      }
      chosen = estimate
    }
    // Where the heart rate does not rise with the speed, any time constant may come out.
    guard let chosen, let errors = response.standardErrors(of: chosen), chosen.rise > 1.96 * errors.rise else {
      throw .noResponse
    }
    let constants = RunnerFit.timeConstants
    guard chosen.timeConstant > constants.lowerBound * 1.05, chosen.timeConstant < constants.upperBound / 1.05 else {
      throw .noTimeConstant
    }
    return (chosen, errors)
  }

  /// The 95 % interval of the delay, in seconds: which delays come out first when blocks of seconds are drawn anew, with putting
  /// back, each delay with what fits best beside it; half a second wider at both ends, since a whole second stands for what rounds
  /// to it.
  ///
  /// The curvature of the likelihood, which the other intervals are made of, says too little of a delay: where the speed changes in steps
  /// the likelihood has a corner at each. Source: ours, after the bootstrap of Efron 1979, Ann. Stat. 7:1–26 (cited from memory).
  mutating func interval(around best: HeartRateResponse.Estimate) -> ClosedRange<Double> {
    let delays = near(best)
    let blocks = delays.compactMap { known[$0] }.map {
      response.likelihoods(of: $0, blockSeconds: Self.blockSeconds)
    }
    let count = blocks.first?.count ?? 0
    guard count > 0, blocks.count == delays.count else { return Double(best.delay)...Double(best.delay) }
    let random = CounterRandom(seed: 0, UInt64(count))
    var firsts: [Int] = []
    for draw in 0..<Self.draws {
      var sums = [Double](repeating: 0, count: delays.count)
      for place in 0..<count {
        let block = min(count - 1, Int(random.unit(at: UInt64(draw * count + place)) * Double(count)))
        for index in sums.indices { sums[index] += blocks[index][block] }
      }
      var first = 0
      for index in sums.indices where sums[index] > sums[first] { first = index }
      firsts.append(delays[first])
    }
    firsts.sort()
    let left = firsts.count / 40
    let (low, high) = (min(best.delay, firsts[left]), max(best.delay, firsts[firsts.count - 1 - left]))
    return max(0, Double(low) - 0.5)...Double(high) + 0.5
  }

  /// The delays around the best one that are not much less likely, ascending.
  private mutating func near(_ best: HeartRateResponse.Estimate) -> [Int] {
    let least = best.logLikelihood - Self.fall
    var (low, high) = (best.delay, best.delay)
    while low > RunnerFit.delays.lowerBound, likelihood(low - 1) > least { low -= 1 }
    while high < RunnerFit.delays.upperBound, likelihood(high + 1) > least { high += 1 }
    return Array(low...high)
  }

  private mutating func likelihood(_ delay: Int) -> Double { mostLikely(at: delay)?.logLikelihood ?? -.infinity }

  /// The most likely time constant for a delay: that for a noise and the noise for that, in turn. Neither says much of the other, so that
  /// this is settled soon, and cheaper than a noise for each time constant that is tried.
  private func best(delay: Int, noise guess: ResponseNoise) -> HeartRateResponse.Estimate? {
    func noise(_ constant: Double, from guess: ResponseNoise) -> ResponseNoise? {
      response.noise(timeConstant: constant, delay: delay, from: guess)
    }
    var likeliest: ResponseNoise? = guess == Self.guess ? noise(Self.timeConstantGuess, from: guess) : guess
    var found: HeartRateResponse.Estimate?
    for _ in 0..<Self.mostTurns {
      guard let before = likeliest,
        let best = bestTimeConstant({ response.estimate(timeConstant: $0, delay: delay, noise: before) }),
        let next = noise(best.timeConstant, from: before)
      else { return nil }
      found = response.estimate(timeConstant: best.timeConstant, delay: delay, noise: next)
      if next.isNear(before) { break }
      likeliest = next
    }
    return found
  }

  /// The most likely time constant, by golden sections of its logarithm to 0.3 %.
  private func bestTimeConstant(
    _ estimate: (_ constant: Double) -> HeartRateResponse.Estimate?
  ) -> HeartRateResponse.Estimate? {
    func inside(_ low: Double, _ high: Double, _ part: Double) -> Double {
      low * PortableMath.power(high / low, part)
    }
    let golden = 0.618_033_988_75
    var (low, high) = (RunnerFit.timeConstants.lowerBound, RunnerFit.timeConstants.upperBound)
    var (left, right) = (estimate(inside(low, high, 1 - golden)), estimate(inside(low, high, golden)))
    while high / low > 1.003 {
      guard let a = left, let b = right else { return left ?? right }
      if a.logLikelihood > b.logLikelihood {
        high = b.timeConstant
        right = a
        left = estimate(inside(low, high, 1 - golden))
      } else {
        low = a.timeConstant
        left = b
        right = estimate(inside(low, high, golden))
      }
    }
    guard let a = left, let b = right else { return left ?? right }
    return a.logLikelihood > b.logLikelihood ? a : b
  }
}

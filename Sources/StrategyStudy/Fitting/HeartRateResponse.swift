/// How a heart rate answered a movement, by the model of virtual runners: a first-order response to the oxygen that the
/// movement costs, with a delay and a drift, and noise that is remembered.
///
/// ```
/// y(t) = level + rise · F[cost(t − delay)] + drift · F[t] + start · (1 − 1/τ)^t + e(t),   e(t) = φ e(t − 1) + white noise
/// ```
///
/// F is the filter s(t + 1) = s(t) + (u(t) − s(t))/τ of ``Heart``. Level and start are those of each stretch without a gap, all else
/// is the person's. For given τ and delay the rest is linear, so that its likelihood is found by generalised least squares, with φ
/// by iteration (Cochrane & Orcutt 1949, 10.1080/01621459.1949.10483290; cited from memory). What was done before a stretch is not
/// known; what it led to is in the start, and what is still on its way, as long as the delay, is one of two assumptions.
///
/// Readings in whole beats have the white noise of rounding on top, of a variance that is known. Beside it the memory looks shorter from
/// one second to the next than it is, so that there memory and innovation are those of the highest likelihood of all three together.
struct HeartRateResponse {
  /// A stretch of seconds in which everything is known.
  struct Stretch {
    /// Beats per minute.
    let heartRate: [Double]
    /// What the movement costs, in ml/(kg·min) over rest.
    let cost: [Double]
    /// The second of the session at which it begins.
    let start: Int
    /// The variance of what rounding adds to the readings, in bpm²; 0 for readings that were not rounded.
    var rounding = 0.0
    /// What was done before it is assumed to have cost; absent for what its first second does.
    var costBefore: Double?

    /// Its first seconds.
    func prefix(_ count: Int) -> Stretch {
      Stretch(
        heartRate: Array(heartRate.prefix(count)), cost: Array(cost.prefix(count)), start: start, rounding: rounding,
        costBefore: costBefore)
    }
  }

  /// What fits best for a time constant and a delay.
  struct Estimate {
    /// Seconds.
    let timeConstant: Double
    /// Seconds from the movement to the begin of the answer.
    let delay: Int
    /// Bpm for each ml/(kg·min).
    let rise: Double
    /// Bpm a minute.
    let drift: Double
    /// Standard errors of rise and drift, when time constant and delay are known.
    let errors: (rise: Double, drift: Double)
    /// What part of the noise is left after a second.
    let memory: Double
    /// The standard deviation of what noise is new each second, in bpm.
    let innovation: Double
    /// The natural logarithm of the likelihood, less a constant.
    let logLikelihood: Double

    /// The standard deviation of the noise around the course, in bpm.
    var noise: Double { innovation / (1 - memory * memory).squareRoot() }
    /// The time constant of the noise in seconds.
    var noiseSeconds: Double { -1 / PortableMath.log(memory) }
    /// The noise, of which rounding is no part.
    var remembered: ResponseNoise { ResponseNoise(memory: memory, innovation: innovation * innovation) }
  }

  private static let largestIterations = 30

  let stretches: [Stretch]
  /// Whether readings were rounded.
  var isRounded: Bool { stretches.contains { $0.rounding > 0 } }

  /// Fits the linear part to readings that were not rounded, and the noise; `nil` where the movement says nothing.
  func estimate(timeConstant: Double, delay: Int, memory guess: Double = 0.99) -> Estimate? {
    let columns = stretches.map { ResponseColumns($0, timeConstant: timeConstant, delay: delay) }
    let count = columns.reduce(0) { $0 + $1.heartRate.count }
    var memory = guess
    var solved: (rise: Double, drift: Double, inverse: (Double, Double, Double), squares: Double)?
    for _ in 0..<Self.largestIterations {
      var sums = ResponseSums()
      // Without rounding the variance of what is new divides out.
      let noise = ResponseNoise(memory: memory, innovation: 1)
      for column in columns { sums.add(column.projected(noise)) }
      guard let next = sums.solved else { return nil }
      solved = next
      var products = 0.0
      var squares = 0.0
      for column in columns {
        let (product, square) = column.autocorrelation(rise: next.rise, drift: next.drift, noise)
        products += product
        squares += square
      }
      guard squares > 0 else { return nil }
      let found = min(ResponseNoise.longestMemory, max(0, products / squares))
      let isSettled = (found - memory).magnitude < 1e-6
      memory = found
      if isSettled { break }
    }
    guard let solved, solved.squares > 0 else { return nil }
    let variance = solved.squares / Double(count)
    let first = 0.5 * Double(stretches.count) * PortableMath.log(max(1e-12, 1 - memory * memory))
    return Estimate(
      timeConstant: timeConstant, delay: delay, rise: solved.rise, drift: solved.drift,
      errors: ((solved.inverse.0 * variance).squareRoot(), (solved.inverse.2 * variance).squareRoot()),
      memory: memory, innovation: variance.squareRoot(),
      logLikelihood: -0.5 * Double(count) * PortableMath.log(variance) + first)
  }

  /// Fits the linear part for a noise that is known; `nil` where the movement says nothing.
  func estimate(timeConstant: Double, delay: Int, noise: ResponseNoise) -> Estimate? {
    let columns = stretches.map { ResponseColumns($0, timeConstant: timeConstant, delay: delay) }
    var sums = ResponseSums()
    for column in columns { sums.add(column.projected(noise)) }
    guard let solved = sums.solved, solved.squares > 0 else { return nil }
    let count = Double(columns.reduce(0) { $0 + $1.heartRate.count })
    return Estimate(
      timeConstant: timeConstant, delay: delay, rise: solved.rise, drift: solved.drift,
      errors: ((solved.inverse.0 * noise.innovation).squareRoot(), (solved.inverse.2 * noise.innovation).squareRoot()),
      memory: noise.memory, innovation: noise.innovation.squareRoot(),
      logLikelihood: -0.5
        * (count * (PortableMath.log(noise.innovation) - 1) + sums.logarithms + solved.squares / noise.innovation))
  }

  /// The most likely noise for a time constant and a delay; `nil` where the movement says nothing.
  func noise(timeConstant: Double, delay: Int, from guess: ResponseNoise) -> ResponseNoise? {
    let columns = stretches.map { ResponseColumns($0, timeConstant: timeConstant, delay: delay) }
    let count = Double(columns.reduce(0) { $0 + $1.heartRate.count })
    return ResponseNoise.likeliest(from: guess) { noise in
      var sums = ResponseSums()
      for column in columns { sums.add(column.projected(noise)) }
      guard let solved = sums.solved else { return nil }
      return count * PortableMath.log(noise.innovation) + sums.logarithms + solved.squares / noise.innovation
    }
  }

  /// How far off numbers of an estimate may be by chance, when none of them is known, nor the delay.
  struct StandardErrors {
    /// Of ``Estimate/rise``.
    let rise: Double
    /// Of ``Estimate/drift``.
    let drift: Double
    /// Of ``Estimate/timeConstant``, in seconds.
    let timeConstant: Double
  }

  /// The standard errors of an estimate: the inverse of the information of the likelihood, with the slopes of the course by
  /// differences; `nil` where the numbers cannot be distinguished.
  ///
  /// Beside rounding the noise is that of the highest restricted likelihood, of what is left beside all that was fitted (Patterson &
  /// Thompson 1971, 10.1093/biomet/58.3.545; cited from memory): what the course follows of it makes the most likely one look shorter.
  func standardErrors(of estimate: Estimate) -> StandardErrors? {
    let slopes = ResponseSlopes(stretches, of: estimate)
    var noise = estimate.remembered
    if isRounded {
      guard let left = ResponseNoise.likeliest(from: noise, deviance: slopes.restrictedDeviance) else { return nil }
      noise = left
    }
    let innovation = noise.innovation.squareRoot()
    return Self.inverseDiagonal(slopes.information(noise)).map { diagonal in
      func error(_ place: Int) -> Double { (diagonal[place] * innovation * innovation).squareRoot() }
      return StandardErrors(rise: error(0), drift: error(1), timeConstant: error(2))
    }
  }

  /// What each block of seconds adds to the logarithm of the likelihood of an estimate, less a constant; the last block of a stretch
  /// has what is left over.
  func likelihoods(of estimate: Estimate, blockSeconds: Int) -> [Double] {
    let variance = estimate.innovation * estimate.innovation
    let perSecond = 0.5 * PortableMath.log(variance)
    return stretches.flatMap { stretch in
      let left = ResponseColumns(stretch, timeConstant: estimate.timeConstant, delay: estimate.delay).noise(
        of: estimate)
      // Without rounding it is the same for each delay, but for the first second.
      let whitening =
        stretch.rounding > 0 ? ResponseNoise.Whitening(estimate.remembered, rounding: stretch.rounding) : nil
      let blocks = max(1, left.count / blockSeconds)
      return (0..<blocks).map { block in
        let range = (block * blockSeconds)..<(block + 1 < blocks ? (block + 1) * blockSeconds : left.count)
        let seconds = left[range]
        let squares = seconds.reduce(0) { $0 + $1 * $1 }
        return -perSecond * Double(seconds.count) - 0.5 * squares / variance
          - 0.5 * (whitening?.logarithm(of: range) ?? 0)
      }
    }
  }

  /// The diagonal of the inverse of a symmetric matrix; `nil` where it has none.
  private static func inverseDiagonal(_ matrix: SquareMatrix) -> [Double]? {
    // Columns have very different sizes.
    let scale = (0..<matrix.size).map { matrix[$0, $0].squareRoot() }
    guard scale.allSatisfy({ $0 > 0 }) else { return nil }
    var scaled = matrix
    for row in 0..<matrix.size {
      for column in 0..<matrix.size { scaled[row, column] /= scale[row] * scale[column] }
    }
    var diagonal: [Double] = []
    for place in 0..<matrix.size {
      var unit = [Double](repeating: 0, count: matrix.size)
      unit[place] = 1
      guard let solved = scaled.solution(of: unit), solved[place] > 0 else { return nil }
      diagonal.append(solved[place] / (scale[place] * scale[place]))
    }
    return diagonal
  }

  /// The heart rate that an estimate foresees for all of each stretch, when only the beginning of it is known: its level and
  /// start are found from the first `known` seconds, the rest follows from the movement.
  func foreseen(_ estimate: Estimate, known: (Stretch) -> Int) -> [[Double]] {
    stretches.map { stretch in
      let all = ResponseColumns(stretch, timeConstant: estimate.timeConstant, delay: estimate.delay)
      let columns = ResponseColumns(
        stretch.prefix(known(stretch)), timeConstant: estimate.timeConstant, delay: estimate.delay)
      let (level, start) = columns.nuisance(rise: estimate.rise, drift: estimate.drift, estimate.remembered)
      return stretch.heartRate.indices.map { second in
        level + start * all.decay[second] + estimate.rise * all.cost[second] + estimate.drift * all.minutes[second]
      }
    }
  }
}

/// How a heart rate answered a movement, by the model of virtual runners: a first-order response to the oxygen that the
/// movement costs, with a delay and a drift, and noise that is remembered.
///
/// ```
/// y(t) = level + rise · F[cost(t − delay)] + drift · F[t] + start · (1 − 1/τ)^t + e(t),   e(t) = φ e(t − 1) + white noise
/// ```
///
/// F is the filter s(t + 1) = s(t) + (u(t) − s(t))/τ of ``Heart``. Level and start are those of each stretch without a gap, all else
/// is the person's. For given τ, delay and noise the rest is linear, so that its likelihood is found by generalised least squares; memory
/// and innovation are those of the highest likelihood. Only readings are in it, whenever they came: of the seconds between them nothing is
/// known but the movement. What was done before a stretch is not known; what it led to is in the start, and what is still on its way, as
/// long as the delay, is one of two assumptions.
///
/// Readings in whole beats have the white noise of rounding on top, of a variance that is known: beside it the memory looks shorter from
/// one second to the next than it is.
struct HeartRateResponse {
  /// A stretch of seconds in which the movement is known, with readings of the heart rate on the way.
  struct Stretch {
    /// Beats per minute, by the seconds since the begin of the stretch; all of them lie in it.
    let readings: [MovementTrace.Point]
    /// Seconds from the reading before to each; 0 for the first.
    let spacings: [Double]
    /// What the movement of each second costs, in ml/(kg·min) over rest.
    let cost: [Double]
    /// The second of the session at which it begins.
    let start: Int
    /// The variance of what rounding adds to the readings, in bpm²; 0 for readings that were not rounded.
    var rounding: Double
    /// What was done before it is assumed to have cost; absent for what its first second does.
    var costBefore: Double?

    init(
      readings: [MovementTrace.Point], cost: [Double], start: Int, rounding: Double = 0, costBefore: Double? = nil
    ) {
      let readings = readings.filter { $0.seconds <= Double(cost.count - 1) }
      spacings = readings.indices.map { $0 == 0 ? 0 : readings[$0].seconds - readings[$0 - 1].seconds }
      self.readings = readings
      (self.cost, self.start, self.rounding, self.costBefore) = (cost, start, rounding, costBefore)
    }

    /// How many seconds it lasts.
    var seconds: Int { cost.count }

    /// Its first seconds.
    func prefix(_ count: Int) -> Stretch {
      Stretch(
        readings: readings, cost: Array(cost.prefix(count)), start: start, rounding: rounding, costBefore: costBefore)
    }

    /// The values of a course, a number a second, at the readings, on lines between seconds.
    func atReadings(_ course: [Double]) -> [Double] {
      readings.map { reading in
        let second = Int(reading.seconds)
        let part = reading.seconds - Double(second)
        return part > 0 ? course[second] + (course[second + 1] - course[second]) * part : course[second]
      }
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

  let stretches: [Stretch]

  /// Fits the linear part for a noise that is known; `nil` where the movement says nothing.
  func estimate(timeConstant: Double, delay: Int, noise: ResponseNoise) -> Estimate? {
    guard let (solution, deviance) = Self.solved(columns(timeConstant, delay), noise), solution.squares > 0 else {
      return nil
    }
    let innovation = noise.innovation
    return Estimate(
      timeConstant: timeConstant, delay: delay, rise: solution.rise, drift: solution.drift,
      errors: (
        (solution.variances.rise * innovation).squareRoot(), (solution.variances.drift * innovation).squareRoot()
      ),
      memory: noise.memory, innovation: innovation.squareRoot(), logLikelihood: -0.5 * deviance)
  }

  /// The most likely noise for a time constant and a delay; `nil` where the movement says nothing.
  func noise(timeConstant: Double, delay: Int, from guess: ResponseNoise) -> ResponseNoise? {
    let columns = columns(timeConstant, delay)
    return ResponseNoise.likeliest(from: guess) { Self.solved(columns, $0)?.deviance }
  }

  private func columns(_ timeConstant: Double, _ delay: Int) -> [ResponseColumns] {
    stretches.map { ResponseColumns($0, timeConstant: timeConstant, delay: delay) }
  }

  /// The linear part of all stretches, and minus twice the logarithm of its likelihood, less a constant; `nil` where the movement says
  /// nothing.
  private static func solved(
    _ columns: [ResponseColumns], _ noise: ResponseNoise
  ) -> (solution: ResponseSums.Solution, deviance: Double)? {
    var sums = ResponseSums()
    for column in columns { sums.add(column.projected(noise)) }
    guard let solution = sums.solved else { return nil }
    let count = Double(columns.reduce(0) { $0 + $1.heartRate.count })
    return (
      solution,
      count * PortableMath.log(noise.innovation) + sums.logarithms + solution.squares / noise.innovation
    )
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
  /// The noise is that of the highest restricted likelihood, of what is left beside all that was fitted (Patterson & Thompson 1971,
  /// 10.1093/biomet/58.3.545; cited from memory): what the course follows of it makes the most likely one look shorter.
  func standardErrors(of estimate: Estimate) -> StandardErrors? {
    let slopes = ResponseSlopes(stretches, of: estimate)
    guard let noise = ResponseNoise.likeliest(from: estimate.remembered, deviance: slopes.restrictedDeviance) else {
      return nil
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
    let noise = estimate.remembered
    return stretches.flatMap { stretch in
      let columns = ResponseColumns(stretch, timeConstant: estimate.timeConstant, delay: estimate.delay)
      let whitening = columns.whitening(noise)
      let left = columns.noise(of: estimate, whitening)
      let blocks = max(1, stretch.seconds / blockSeconds)
      var first = 0
      return (1...blocks).map { block in
        let end =
          stretch.readings[first...].firstIndex { block < blocks && $0.seconds >= Double(block * blockSeconds) }
          ?? left.count
        let readings = first..<end
        first = end
        let squares = left[readings].reduce(0) { $0 + $1 * $1 }
        return -0.5
          * (PortableMath.log(noise.innovation) * Double(readings.count) + squares / noise.innovation
            + whitening.logarithm(of: readings))
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

  /// The heart rate that an estimate foresees for all readings of each stretch, when only the beginning of it is known: its level and
  /// start are found from the first `known` seconds, the rest follows from the movement.
  func foreseen(_ estimate: Estimate, known: (Stretch) -> Int) -> [[Double]] {
    stretches.map { stretch in
      let all = ResponseColumns(stretch, timeConstant: estimate.timeConstant, delay: estimate.delay)
      let columns = ResponseColumns(
        stretch.prefix(known(stretch)), timeConstant: estimate.timeConstant, delay: estimate.delay)
      let (level, start) = columns.nuisance(rise: estimate.rise, drift: estimate.drift, estimate.remembered)
      return stretch.readings.indices.map { place in
        level + start * all.decay[place] + estimate.rise * all.cost[place] + estimate.drift * all.minutes[place]
      }
    }
  }
}

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
    let columns = stretches.map { Columns($0, timeConstant: timeConstant, delay: delay) }
    let count = columns.reduce(0) { $0 + $1.heartRate.count }
    var memory = guess
    var solved: (rise: Double, drift: Double, inverse: (Double, Double, Double), squares: Double)?
    for _ in 0..<Self.largestIterations {
      var sums = NormalSums()
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
    let columns = stretches.map { Columns($0, timeConstant: timeConstant, delay: delay) }
    var sums = NormalSums()
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
    let columns = stretches.map { Columns($0, timeConstant: timeConstant, delay: delay) }
    let count = Double(columns.reduce(0) { $0 + $1.heartRate.count })
    return ResponseNoise.likeliest(from: guess) { noise in
      var sums = NormalSums()
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
    let slopes = Slopes(stretches, of: estimate)
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
      let left = Columns(stretch, timeConstant: estimate.timeConstant, delay: estimate.delay).noise(of: estimate)
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
      let all = Columns(stretch, timeConstant: estimate.timeConstant, delay: estimate.delay)
      let beginning = Stretch(
        heartRate: Array(stretch.heartRate.prefix(known(stretch))), cost: Array(stretch.cost.prefix(known(stretch))),
        start: stretch.start, rounding: stretch.rounding, costBefore: stretch.costBefore)
      let columns = Columns(beginning, timeConstant: estimate.timeConstant, delay: estimate.delay)
      let (level, start) = columns.nuisance(rise: estimate.rise, drift: estimate.drift, estimate.remembered)
      return stretch.heartRate.indices.map { second in
        level + start * all.decay[second] + estimate.rise * all.cost[second] + estimate.drift * all.minutes[second]
      }
    }
  }
}

/// How the course of an estimate changes with rise, drift, time constant and delay, in this order.
private struct Slopes {
  private static let numbers = 4

  private let parts: [(columns: Columns, slopes: [[Double]])]
  private let count: Int

  init(_ stretches: [HeartRateResponse.Stretch], of estimate: HeartRateResponse.Estimate) {
    let (constant, delay) = (estimate.timeConstant, estimate.delay)
    let step = 0.01 * constant
    let earlier = max(0, delay - 1)
    parts = stretches.map { stretch in
      func cost(_ constant: Double, _ delay: Int) -> [Double] {
        Columns(stretch, timeConstant: constant, delay: delay).cost
      }
      func slope(_ above: [Double], _ below: [Double], _ distance: Double) -> [Double] {
        above.indices.map { estimate.rise * (above[$0] - below[$0]) / distance }
      }
      let here = Columns(stretch, timeConstant: constant, delay: delay)
      return (
        here,
        [
          here.cost, here.minutes,
          slope(cost(constant + step, delay), cost(constant - step, delay), 2 * step),
          slope(cost(constant, delay + 1), cost(constant, earlier), Double(delay + 1 - earlier)),
        ]
      )
    }
    count = parts.reduce(0) { $0 + $1.columns.heartRate.count }
  }

  /// The sums of products of the slopes beside level and start, in units of the innovation.
  func information(_ noise: ResponseNoise) -> SquareMatrix { products(noise) { $0.slopes }.matrix }

  /// Minus twice the logarithm of the restricted likelihood of a noise, less a constant; `nil` where the slopes cannot be distinguished.
  func restrictedDeviance(_ noise: ResponseNoise) -> Double? {
    var (matrix, sums) = products(noise) { $0.slopes + [$0.columns.heartRate] }
    var logarithms = 0.0
    for pivot in 0..<Self.numbers {
      guard matrix[pivot, pivot] > 0 else { return nil }
      logarithms += PortableMath.log(matrix[pivot, pivot])
      for row in (pivot + 1)..<matrix.size {
        let factor = matrix[row, pivot] / matrix[pivot, pivot]
        for column in pivot..<matrix.size { matrix[row, column] -= factor * matrix[pivot, column] }
      }
    }
    // What is left of the squares of the heart rate.
    let squares = matrix[Self.numbers, Self.numbers]
    guard squares > 0 else { return nil }
    return Double(count - sums.directions - Self.numbers) * PortableMath.log(noise.innovation) + sums.logarithms
      + sums.directionLogarithms + logarithms + squares / noise.innovation
  }

  private func products(
    _ noise: ResponseNoise, of columns: ((columns: Columns, slopes: [[Double]])) -> [[Double]]
  ) -> (matrix: SquareMatrix, sums: NormalSums) {
    var matrix = SquareMatrix(size: parts.first.map { columns($0).count } ?? 0)
    var sums = NormalSums()
    for part in parts {
      let (left, determinants) = part.columns.left(of: columns(part), noise)
      sums.add(determinants)
      for row in left.indices {
        for column in left.indices { matrix[row, column] += left[row].dot(left[column]) }
      }
    }
    return (matrix, sums)
  }
}

/// The columns of the linear part for a stretch.
private struct Columns {
  let heartRate: [Double]
  let cost: [Double]
  let minutes: [Double]
  let decay: [Double]
  private let rounding: Double

  init(_ stretch: HeartRateResponse.Stretch, timeConstant: Double, delay: Int) {
    heartRate = stretch.heartRate
    rounding = stretch.rounding
    let count = stretch.cost.count
    let part = 1 / timeConstant
    let before = stretch.costBefore ?? stretch.cost.first ?? 0
    var (answer, clock) = (before, Double(stretch.start) / 60)
    var share = 1.0
    var (cost, minutes, decay) = ([Double](), [Double](), [Double]())
    for second in 0..<count {
      cost.append(answer)
      minutes.append(clock)
      decay.append(share)
      answer += ((second < delay ? before : stretch.cost[second - delay]) - answer) * part
      clock += (Double(stretch.start + second) / 60 - clock) * part
      share *= 1 - part
    }
    (self.cost, self.minutes, self.decay) = (cost, minutes, decay)
  }

  private func whitening(_ noise: ResponseNoise) -> ResponseNoise.Whitening {
    ResponseNoise.Whitening(noise, rounding: rounding)
  }

  /// The sums of products of what is left of heart rate, cost and minutes beside level and start.
  func projected(_ noise: ResponseNoise) -> NormalSums {
    var (left, sums) = left(of: [heartRate, cost, minutes], noise)
    let (y, x, t) = (left[0], left[1], left[2])
    (sums.xx, sums.xt, sums.tt) = (x.dot(x), x.dot(t), t.dot(t))
    (sums.xy, sums.ty, sums.yy) = (x.dot(y), t.dot(y), y.dot(y))
    return sums
  }

  /// What is left of columns beside level and start, without what is remembered of noise, and the determinants of both.
  func left(of columns: [[Double]], _ noise: ResponseNoise) -> (columns: [[Double]], sums: NormalSums) {
    let whitening = whitening(noise)
    let (basis, logarithm) = basis(whitening)
    let left = columns.map { column in
      var values = whitening.whitened(column)
      for direction in basis { values.subtract(direction, values.dot(direction)) }
      return values
    }
    let sums = NormalSums(
      logarithms: whitening.logarithm(of: 0..<heartRate.count), directions: basis.count, directionLogarithms: logarithm)
    return (left, sums)
  }

  /// The noise that is new each second.
  func noise(of estimate: HeartRateResponse.Estimate) -> [Double] {
    let left = left(of: [heartRate, cost, minutes], estimate.remembered).columns
    return left[0].indices.map { left[0][$0] - estimate.rise * left[1][$0] - estimate.drift * left[2][$0] }
  }

  /// Two columns at right angles that span level and start, and the logarithm of the determinant of their products.
  private func basis(_ whitening: ResponseNoise.Whitening) -> (directions: [[Double]], logarithm: Double) {
    var level = whitening.whitened([Double](repeating: 1, count: decay.count))
    var start = whitening.whitened(decay)
    var logarithm = PortableMath.log(max(1e-300, level.dot(level)))
    level.scale(to: 1)
    start.subtract(level, start.dot(level))
    let rest = start.dot(start)
    guard rest > 1e-9 else { return ([level], logarithm) }
    logarithm += PortableMath.log(rest)
    start.scale(to: 1)
    return ([level, start], logarithm)
  }

  /// Level and start for given rise and drift.
  func nuisance(rise: Double, drift: Double, _ noise: ResponseNoise) -> (level: Double, start: Double) {
    let rest = heartRate.indices.map { heartRate[$0] - rise * cost[$0] - drift * minutes[$0] }
    let whitening = whitening(noise)
    let y = whitening.whitened(rest)
    let one = whitening.whitened([Double](repeating: 1, count: y.count))
    let fall = whitening.whitened(decay)
    let (aa, ab, bb, ay, by) = (one.dot(one), one.dot(fall), fall.dot(fall), one.dot(y), fall.dot(y))
    let determinant = aa * bb - ab * ab
    guard determinant > 1e-9 * aa * bb else { return (aa > 0 ? ay / aa : 0, 0) }
    return ((ay * bb - by * ab) / determinant, (by * aa - ay * ab) / determinant)
  }

  /// Sums of products of the noise of a second with that of the one before, and of squares of the latter.
  func autocorrelation(rise: Double, drift: Double, _ noise: ResponseNoise) -> (products: Double, squares: Double) {
    let (level, start) = nuisance(rise: rise, drift: drift, noise)
    var (products, squares) = (0.0, 0.0)
    var before: Double?
    for second in heartRate.indices {
      let noise =
        heartRate[second] - rise * cost[second] - drift * minutes[second] - level - start * decay[second]
      if let before {
        products += noise * before
        squares += before * before
      }
      before = noise
    }
    return (products, squares)
  }
}

/// Sums of products of two columns x, t and of y.
private struct NormalSums {
  var xx = 0.0
  var xt = 0.0
  var tt = 0.0
  var xy = 0.0
  var ty = 0.0
  var yy = 0.0
  /// The logarithm of the determinant of the covariance of the noise, in units of the innovation.
  var logarithms = 0.0
  /// How many levels and starts were taken out.
  var directions = 0
  /// The logarithm of the determinant of their products.
  var directionLogarithms = 0.0

  mutating func add(_ other: NormalSums) {
    xx += other.xx
    xt += other.xt
    tt += other.tt
    xy += other.xy
    ty += other.ty
    yy += other.yy
    logarithms += other.logarithms
    directions += other.directions
    directionLogarithms += other.directionLogarithms
  }

  /// The least squares solution, the inverse matrix and the squares that are left; `nil` where the columns are alike.
  var solved: (rise: Double, drift: Double, inverse: (Double, Double, Double), squares: Double)? {
    let determinant = xx * tt - xt * xt
    guard xx > 0, tt > 0, determinant > 1e-9 * xx * tt else { return nil }
    let rise = (xy * tt - ty * xt) / determinant
    let drift = (ty * xx - xy * xt) / determinant
    return (rise, drift, (tt / determinant, -xt / determinant, xx / determinant), yy - rise * xy - drift * ty)
  }
}

extension [Double] {
  fileprivate func dot(_ other: [Double]) -> Double {
    var sum = 0.0
    for index in indices { sum += self[index] * other[index] }
    return sum
  }

  fileprivate mutating func subtract(_ other: [Double], _ factor: Double) {
    for index in indices { self[index] -= factor * other[index] }
  }

  fileprivate mutating func scale(to length: Double) {
    let factor = length / Swift.max(1e-300, dot(self).squareRoot())
    for index in indices { self[index] *= factor }
  }
}

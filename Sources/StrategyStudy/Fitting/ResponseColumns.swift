/// The columns of the linear part for a stretch, a number for each of its readings.
struct ResponseColumns {
  let heartRate: [Double]
  let cost: [Double]
  let minutes: [Double]
  let decay: [Double]
  private let rounding: Double
  private let spacings: [Double]

  init(_ stretch: HeartRateResponse.Stretch, timeConstant: Double, delay: Int) {
    heartRate = stretch.readings.map(\.value)
    rounding = stretch.rounding
    spacings = stretch.spacings
    let part = 1 / timeConstant
    let before = stretch.costBefore ?? stretch.cost.first ?? 0
    var (answer, clock) = (before, Double(stretch.start) / 60)
    var share = 1.0
    var (cost, minutes, decay) = ([Double](), [Double](), [Double]())
    for second in stretch.cost.indices {
      cost.append(answer)
      minutes.append(clock)
      decay.append(share)
      answer += ((second < delay ? before : stretch.cost[second - delay]) - answer) * part
      clock += (Double(stretch.start + second) / 60 - clock) * part
      share *= 1 - part
    }
    self.cost = stretch.atReadings(cost)
    self.minutes = stretch.atReadings(minutes)
    self.decay = stretch.atReadings(decay)
  }

  /// What finds the new part of each reading.
  func whitening(_ noise: ResponseNoise) -> ResponseNoise.Whitening {
    ResponseNoise.Whitening(noise, rounding: rounding, spacings: spacings)
  }

  /// The sums of products of what is left of heart rate, cost and minutes beside level and start.
  func projected(_ noise: ResponseNoise) -> ResponseSums {
    var (left, sums) = left(of: [heartRate, cost, minutes], noise)
    let (y, x, t) = (left[0], left[1], left[2])
    (sums.xx, sums.xt, sums.tt) = (x.dot(x), x.dot(t), t.dot(t))
    (sums.xy, sums.ty, sums.yy) = (x.dot(y), t.dot(y), y.dot(y))
    return sums
  }

  /// What is left of columns beside level and start, without what is remembered of noise, and the determinants of both.
  func left(of columns: [[Double]], _ noise: ResponseNoise) -> (columns: [[Double]], sums: ResponseSums) {
    left(of: columns, whitening(noise))
  }

  private func left(
    of columns: [[Double]], _ whitening: ResponseNoise.Whitening
  ) -> (columns: [[Double]], sums: ResponseSums) {
    let (basis, logarithm) = basis(whitening)
    let left = columns.map { column in
      var values = whitening.whitened(column)
      for direction in basis { values.subtract(direction, values.dot(direction)) }
      return values
    }
    let sums = ResponseSums(
      logarithms: whitening.logarithm(of: 0..<heartRate.count), directions: basis.count, directionLogarithms: logarithm)
    return (left, sums)
  }

  /// The noise that is new in each reading, made as large as that of a second.
  func noise(of estimate: HeartRateResponse.Estimate, _ whitening: ResponseNoise.Whitening) -> [Double] {
    let left = left(of: [heartRate, cost, minutes], whitening).columns
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
}

/// Sums of products of two columns x, t and of y.
struct ResponseSums {
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

  mutating func add(_ other: ResponseSums) {
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

  /// The least squares solution.
  struct Solution {
    /// The factor of x.
    let rise: Double
    /// The factor of t.
    let drift: Double
    /// What the variance of the noise is multiplied with to be those of rise and drift.
    let variances: (rise: Double, drift: Double)
    /// The squares that are left.
    let squares: Double
  }

  /// The least squares solution; `nil` where the columns are alike.
  var solved: Solution? {
    let determinant = xx * tt - xt * xt
    guard xx > 0, tt > 0, determinant > 1e-9 * xx * tt else { return nil }
    let rise = (xy * tt - ty * xt) / determinant
    let drift = (ty * xx - xy * xt) / determinant
    return Solution(
      rise: rise, drift: drift, variances: (tt / determinant, xx / determinant),
      squares: yy - rise * xy - drift * ty)
  }
}

extension [Double] {
  /// The sum of products with another column of the same length.
  func dot(_ other: [Double]) -> Double {
    var sum = 0.0
    for index in indices { sum += self[index] * other[index] }
    return sum
  }

  /// Takes away so much of another column of the same length.
  mutating func subtract(_ other: [Double], _ factor: Double) {
    for index in indices { self[index] -= factor * other[index] }
  }

  /// Makes a column of this length, in the sense of the root of the sum of its squares.
  mutating func scale(to length: Double) {
    let factor = length / Swift.max(1e-300, dot(self).squareRoot())
    for index in indices { self[index] *= factor }
  }
}

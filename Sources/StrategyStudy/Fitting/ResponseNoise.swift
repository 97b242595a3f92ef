/// The noise of a heart rate around its course: a part of it is remembered from second to second, the rest is new. What rounding
/// adds to readings in whole beats is remembered by nobody and comes on top of it.
///
/// ```
/// e(t) = memory · e(t − 1) + white noise of the variance `innovation`,   reading(t) = course(t) + e(t) + rounding
/// ```
struct ResponseNoise: Equatable {
  /// The variance of what rounding to whole beats adds, in bpm²: that of a number that lies anywhere from −½ to ½ alike (Sheppard).
  static let wholeBeats = 1.0 / 12
  /// The largest part of the noise that is left after a second.
  static let longestMemory = 0.9995
  /// The smallest variance of what is new each second that is looked for beside rounding, in bpm². Source: ours; a hundredth of a
  /// beat, far below what readings in whole beats can show.
  private static let smallestInnovation = 1e-4
  private static let largestSteps = 40

  /// What part of the noise is left after a second.
  var memory: Double
  /// The variance of what is new each second, in bpm².
  var innovation: Double

  /// What finds the new part of readings one after the other, by the filter of Kalman 1960, 10.1115/1.3662552 (cited from memory): exact
  /// for noise that is remembered and, on top of it, the white noise of rounding, with any spans between the readings.
  struct Whitening {
    /// What part of the noise at the reading before is left at each.
    private var kept: [Double] = []
    /// What part of the new in a reading is of the noise, and not of its rounding.
    private var shares: [Double] = []
    /// What the new in a reading is multiplied with to have the variance of the innovation.
    private var scales: [Double] = []
    /// The logarithm of the variance of the new in a reading over that of the innovation.
    private var logarithms: [Double] = []

    /// Begins with what a reading is expected to be when nothing before it is known.
    ///
    /// - Parameter spacings: seconds from the reading before to each; what the first of them is does not matter.
    init(_ noise: ResponseNoise, rounding: Double, spacings: [Double]) {
      let ratio = rounding / noise.innovation
      // Variances of what is remembered, over that of the innovation: of any second, and of what is expected of this one.
      let usual = 1 / (1 - noise.memory * noise.memory)
      var variance = usual
      for (index, spacing) in spacings.enumerated() {
        let isFirst = index == 0
        let part = isFirst ? 0 : noise.left(after: spacing)
        let before = variance
        if !isFirst {
          let known = before * ratio / (before + ratio)
          variance = usual + part * part * (known - usual)
        }
        kept.append(part)
        if !isFirst, (variance - before).magnitude <= 1e-12 * before {
          // Settled: nothing changes any more.
          variance = before
          shares.append(shares[index - 1])
          scales.append(scales[index - 1])
          logarithms.append(logarithms[index - 1])
        } else {
          let total = variance + ratio
          shares.append(variance / total)
          scales.append(1 / total.squareRoot())
          logarithms.append(PortableMath.log(total))
        }
      }
    }

    /// A column, a number a reading, without what is remembered of its noise; all of it has the variance of the innovation.
    func whitened(_ values: [Double]) -> [Double] {
      var result = values
      var noise = 0.0
      for index in values.indices {
        let expected = kept[index] * noise
        let new = values[index] - expected
        result[index] = new * scales[index]
        noise = expected + shares[index] * new
      }
      return result
    }

    /// The logarithm of the determinant of the covariance of some readings, of whose likelihood it is a part, in units of the innovation.
    func logarithm(of readings: Range<Int>) -> Double { logarithms[readings].reduce(0, +) }
  }

  /// What part of the noise is left after some seconds.
  private func left(after seconds: Double) -> Double {
    if seconds == 1 { return memory }
    return memory > 0 ? PortableMath.power(memory, seconds) : 0
  }

  /// The noise of the least deviance, by the steps of Newton in the logarithms of what is forgotten each second and of the innovation,
  /// with slopes by differences; `nil` where there is no deviance.
  ///
  /// - Parameter deviance: is given noises whose memory may lie a little beyond its limits.
  static func likeliest(from guess: ResponseNoise, deviance: (ResponseNoise) -> Double?) -> ResponseNoise? {
    var place = Place(guess)
    guard var least = deviance(place.noise) else { return nil }
    for _ in 0..<largestSteps {
      guard let step = place.step(least, deviance) else { return nil }
      var part = 1.0
      var next = place.moved(step, part)
      var value = deviance(next.noise)
      while part > 0.01, value.map({ $0 > least }) ?? true {
        part /= 2
        next = place.moved(step, part)
        value = deviance(next.noise)
      }
      guard let value, value <= least else { break }
      let way = max((next.forgotten - place.forgotten).magnitude, (next.innovation - place.innovation).magnitude)
      (place, least) = (next, value)
      if way < 1e-3 { break }
    }
    return place.noise
  }

  /// Whether another one is so much alike that a course that was found with one is that of the other.
  func isNear(_ other: ResponseNoise) -> Bool {
    let (place, far) = (Place(self), Place(other))
    return (place.forgotten - far.forgotten).magnitude < 0.02 && (place.innovation - far.innovation).magnitude < 0.02
  }

  /// A noise by the logarithms of what is forgotten each second and of the innovation.
  private struct Place {
    private static let difference = 0.05
    private static let longestStep = 1.5
    private static let leastForgotten = PortableMath.log(1 - longestMemory)
    private static let leastInnovation = PortableMath.log(smallestInnovation)

    var forgotten: Double
    var innovation: Double

    init(_ noise: ResponseNoise) {
      forgotten = PortableMath.log(1 - noise.memory)
      innovation = PortableMath.log(max(smallestInnovation, noise.innovation))
    }

    private init(_ forgotten: Double, _ innovation: Double) {
      (self.forgotten, self.innovation) = (forgotten, innovation)
    }

    var noise: ResponseNoise {
      ResponseNoise(memory: 1 - PortableMath.exp(forgotten), innovation: PortableMath.exp(innovation))
    }

    /// A part of a step from here, at most to the limits.
    func moved(_ step: (forgotten: Double, innovation: Double), _ part: Double) -> Place {
      Place(
        min(0, max(Self.leastForgotten, forgotten + part * step.forgotten)),
        max(Self.leastInnovation, innovation + part * step.innovation))
    }

    /// Where the deviance, taken for a paraboloid, is least; along one of the two only where the other is at its limit.
    func step(
      _ here: Double, _ deviance: (ResponseNoise) -> Double?
    ) -> (forgotten: Double, innovation: Double)? {
      let h = Self.difference
      func value(_ x: Double, _ y: Double) -> Double? { deviance(Place(forgotten + x, innovation + y).noise) }
      guard let left = value(-h, 0), let right = value(h, 0), let down = value(0, -h), let up = value(0, h),
        let both = value(h, h)
      else { return nil }
      let (slopeX, slopeY) = ((right - left) / (2 * h), (up - down) / (2 * h))
      let (xx, yy) = ((right - 2 * here + left) / (h * h), (up - 2 * here + down) / (h * h))
      let xy = (both - right - up + here) / (h * h)
      func limited(_ step: Double) -> Double { min(Self.longestStep, max(-Self.longestStep, step)) }
      // Downhill where the deviance is no bowl.
      func alone(_ slope: Double, _ bend: Double) -> Double {
        bend > 0 ? limited(-slope / bend) : slope > 0 ? -Self.longestStep : slope < 0 ? Self.longestStep : 0
      }
      let isStuckX = (forgotten <= Self.leastForgotten && slopeX > 0) || (forgotten >= 0 && slopeX < 0)
      let isStuckY = innovation <= Self.leastInnovation && slopeY > 0
      let determinant = xx * yy - xy * xy
      guard !isStuckX, !isStuckY, xx > 0, determinant > 1e-6 * xx * yy else {
        return (isStuckX ? 0 : alone(slopeX, xx), isStuckY ? 0 : alone(slopeY, yy))
      }
      return (limited((xy * slopeY - yy * slopeX) / determinant), limited((xy * slopeX - xx * slopeY) / determinant))
    }
  }
}

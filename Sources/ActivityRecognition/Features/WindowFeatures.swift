/// The features of a window: 621 numbers made of its channels, in metres, seconds and radians.
///
/// What helped in measurements on recordings of 23 people: the frame along gravity, the parts of the window in order, slopes,
/// the turn about gravity, quantiles, spectra, autocorrelation. Only one thread may use it at a time.
@safe
final class WindowFeatures {
  typealias Channels = SIMD16<Float>

  static let count = 621
  static let quantiles: [Float] = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]
  static let bands = [1..<4, 4..<9, 9..<26]
  static let lags = [5, 10, 15, 20, 25, 30, 40, 50, 60]
  static let searchedLags = 25..<75

  let points: Int
  let series: ChannelSeries
  /// The same without the mean of each channel.
  private let centred: ChannelSeries
  private let sorted: ChannelSeries
  private let comparisons: [(low: Int, high: Int)]
  private let waves: Waves
  private let slopes: [Float]
  private var output: [Float] = []

  /// Prepares for windows of so many points.
  ///
  /// - Precondition: there are at least 100 points.
  init(points: Int) {
    precondition(points >= 100, "a window has at least a second")
    self.points = points
    series = ChannelSeries(capacity: points)
    centred = ChannelSeries(capacity: points)
    sorted = ChannelSeries(capacity: points)
    comparisons = Self.mergeExchange(points)
    waves = Waves(points: points)
    slopes = (0..<points).map { Float(-1 + 2 * Double($0) / Double(points - 1)) }
    output.reserveCapacity(Self.count)
  }

  /// Appends the features of a window.
  func append(of samples: ArraySlice<SIMD8<Float>>, to features: inout [Float]) {
    precondition(samples.count == points, "the window has the length that was prepared for")
    output.removeAll(keepingCapacity: true)
    series.fill(samples)
    let mean = series.mean(0..<points)
    let spread = series.spread(0..<points, from: mean)
    for index in 0..<points { unsafe centred.base[index] = series.base[index] - mean }
    put(mean)
    put(spread)
    putQuantiles()
    putChange()
    putSpectra()
    putCrossings()
    putOrder()
    putTilt(samples, mean)
    putTurn(samples)
    putLift()
    putCorrelations(spread)
    putAutocorrelations()
    precondition(output.count == Self.count, "every feature is there")
    features += output
  }

  private func put(_ channels: Channels) {
    for channel in 0..<ChannelSeries.count { output.append(channels[channel]) }
  }

  /// The order statistics, interpolated between two ranks.
  private func putQuantiles() {
    for index in 0..<points { unsafe sorted.base[index] = series.base[index] }
    for (low, high) in comparisons {
      let (a, b) = unsafe (sorted.base[low], sorted.base[high])
      let isLater = a .> b
      unsafe sorted.base[low] = a.replacing(with: b, where: isLater)
      unsafe sorted.base[high] = b.replacing(with: a, where: isLater)
    }
    for quantile in Self.quantiles {
      let place = quantile * Float(points - 1)
      let low = min(Int(place), points - 1)
      let high = min(low + 1, points - 1)
      let (a, b) = unsafe (sorted.base[low], sorted.base[high])
      put(a + (b - a) * (place - Float(low)))
    }
  }

  /// The comparisons of a sorting network. Source: Knuth, *The Art of Computer Programming* 3, 5.2.2, algorithm M (Batcher).
  private static func mergeExchange(_ count: Int) -> [(low: Int, high: Int)] {
    var comparisons: [(low: Int, high: Int)] = []
    var top = 1
    while top * 2 < count { top *= 2 }
    var p = top
    while p > 0 {
      var (q, r, d) = (top, 0, p)
      while true {
        for index in 0..<count - d where index & p == r { comparisons.append((index, index + d)) }
        guard q != p else { break }
        (d, q, r) = (q - p, q / 2, p)
      }
      p /= 2
    }
    return comparisons
  }

  private func putChange() {
    var sum = Channels.zero
    for index in 1..<points {
      let difference = unsafe series.base[index] - series.base[index - 1]
      sum += difference.replacing(with: -difference, where: difference .< 0)
    }
    put(sum / Float(points - 1))
  }

  private func putSpectra() {
    for bin in 1..<13 { put(waves.power(bin, of: centred, tapered: false).squareRoot()) }
    let powers = (1..<26).map { waves.power($0, of: centred, tapered: true) }
    let total = powers.reduce(.zero, +) + 1e-9
    var (entropy, strongest, strongestBin) = (Channels.zero, powers[0], Channels.zero)
    for (index, power) in powers.enumerated() {
      let share = power / total
      for channel in 0..<ChannelSeries.count {
        entropy[channel] -= share[channel] * Float(FixedMath.log(Double(share[channel]) + 1e-12))
      }
      let isStronger = power .> strongest
      strongest = strongest.replacing(with: power, where: isStronger)
      strongestBin = strongestBin.replacing(with: Channels(repeating: Float(index)), where: isStronger)
    }
    put(entropy)
    put(strongestBin)
    for band in Self.bands {
      let sum = powers[band.lowerBound - 1..<band.upperBound - 1].reduce(.zero, +)
      var level = Channels.zero
      for channel in 0..<ChannelSeries.count { level[channel] = Float(FixedMath.log(Double(sum[channel]) + 1e-6)) }
      put(level)
    }
  }

  private func putCrossings() {
    var count = Channels.zero
    let one = Channels(repeating: 1)
    for index in 1..<points {
      let (a, b) = unsafe (centred.base[index - 1], centred.base[index])
      let changes = (a .> 0) .^ (b .> 0) .| ((a .< 0) .^ (b .< 0))
      count += Channels.zero.replacing(with: one, where: changes)
    }
    put(count / Float(points - 1))
  }

  /// Fifths of the window, slopes, and where the largest and smallest values are.
  private func putOrder() {
    let length = points / 5
    var spreads: [Channels] = []
    for part in 0..<5 {
      let range = part * length..<(part + 1) * length
      let mean = series.mean(range)
      put(mean)
      spreads.append(series.spread(range, from: mean))
    }
    for spread in spreads { put(spread) }
    var (first, second) = (Channels.zero, Channels.zero)
    var (largest, smallest) = unsafe (series.base[0], series.base[0])
    var (largestAt, smallestAt) = (Channels.zero, Channels.zero)
    for index in 0..<points {
      let slope = slopes[index]
      let value = unsafe series.base[index]
      let centredValue = unsafe centred.base[index]
      first += centredValue * slope
      second += centredValue * (slope * slope)
      let place = Channels(repeating: Float(index))
      let (isLarger, isSmaller) = (value .> largest, value .< smallest)
      largest = largest.replacing(with: value, where: isLarger)
      largestAt = largestAt.replacing(with: place, where: isLarger)
      smallest = smallest.replacing(with: value, where: isSmaller)
      smallestAt = smallestAt.replacing(with: place, where: isSmaller)
    }
    put(first / Float(points))
    put(second / Float(points))
    put(largestAt / Float(points))
    put(smallestAt / Float(points))
  }

  /// Which way is down at the beginning and at the end, and how far they are apart.
  private func putTilt(_ samples: ArraySlice<SIMD8<Float>>, _ mean: Channels) {
    func direction(_ part: ArraySlice<SIMD8<Float>>) -> SIMD4<Float> {
      var sum = SIMD8<Float>.zero
      for sample in part { sum += sample }
      let mean = sum.lowHalf * (ChannelSeries.metersPerGravity / Float(part.count))
      let direction = SIMD4(mean[0], mean[1], mean[2], 0)
      return direction / (ChannelSeries.length(direction) + 1e-9)
    }
    let (begin, end) = (direction(samples.prefix(points / 4)), direction(samples.suffix(points / 4)))
    output.append(Float(FixedMath.arccosine(Double(ChannelSeries.sum(begin * end)))))
    for axis in 0..<3 { output.append(end[axis] - begin[axis]) }
    for axis in 0..<3 { output.append(begin[axis]) }
    for axis in 0..<3 { output.append(end[axis]) }
    let (x, y, z) = (Double(mean[0]), Double(mean[1]), Double(mean[2]))
    output.append(Float(FixedMath.angle(y: x, x: (y * y + z * z).squareRoot())))
    output.append(Float(FixedMath.angle(y: y, x: z)))
  }

  /// How far the device turned: about gravity and about its own axes.
  private func putTurn(_ samples: ArraySlice<SIMD8<Float>>) {
    var turned = SIMD8<Float>.zero
    var (lowest, highest) = (SIMD8<Float>(repeating: .infinity), SIMD8<Float>(repeating: -.infinity))
    var index = 0
    for sample in samples {
      var step = sample
      step[0] = unsafe series.base[index][ChannelSeries.yaw]
      turned += step * 0.01
      lowest = lowest.replacing(with: turned, where: turned .< lowest)
      highest = highest.replacing(with: turned, where: turned .> highest)
      index += 1
    }
    output.append(turned[0])
    output.append(abs(turned[0]))
    output.append(highest[0] - lowest[0])
    for axis in 3..<6 { output.append(turned[axis]) }
    for axis in 3..<6 { output.append(highest[axis] - lowest[axis]) }
  }

  /// How the device rose and sank, by the acceleration along gravity.
  private func putLift() {
    var (velocity, height): (Float, Float) = (0, 0)
    var (highest, lowest): (Float, Float) = (-.infinity, .infinity)
    var (highestAt, lowestAt) = (0, 0)
    var middle: Float = 0
    for index in 0..<points {
      velocity += unsafe centred.base[index][8] * 0.01
      height += velocity
      if velocity > highest { (highest, highestAt) = (velocity, index) }
      if velocity < lowest { (lowest, lowestAt) = (velocity, index) }
      if index == points / 2 { middle = height }
    }
    output += [highest, lowest, Float(highestAt) / Float(points), Float(lowestAt) / Float(points), middle, height]
  }

  private func putCorrelations(_ spread: Channels) {
    for first in 0..<5 {
      var sum = SIMD8<Float>.zero
      for index in 0..<points {
        let value = unsafe centred.base[index].lowHalf
        sum += value * value[first]
      }
      for second in first + 1..<6 {
        output.append(sum[second] / Float(points) / (spread[first] * spread[second] + 1e-6))
      }
    }
  }

  /// How alike the lengths of acceleration and rotation and the acceleration along gravity are to themselves a while later.
  private func putAutocorrelations() {
    let values = (0..<points).map { index in
      let value = unsafe centred.base[index]
      return SIMD4(value[6], value[7], value[8], 0)
    }
    let last = Self.searchedLags.upperBound
    let alike = (0..<last).map { lag in
      var sum = SIMD4<Float>.zero
      for index in 0..<points - lag { sum += values[index] * values[index + lag] }
      return sum
    }
    for channel in 0..<3 {
      let whole = alike[0][channel] + 1e-9
      for lag in Self.lags { output.append(alike[lag][channel] / whole) }
      var (best, bestLag): (Float, Int) = (-.infinity, 0)
      for lag in Self.searchedLags where alike[lag][channel] > best { (best, bestLag) = (alike[lag][channel], lag) }
      output.append(best / whole)
      output.append(Float(bestLag))
    }
  }
}

/// Cosines and sines of whole numbers of waves in a window, plain and tapered by a Hann window.
private struct Waves {
  private let cosines: [Float]
  private let sines: [Float]
  private let taperedCosines: [Float]
  private let taperedSines: [Float]
  private let points: Int

  init(points: Int) {
    self.points = points
    var tables: [[Float]] = [[], [], [], []]
    for bin in 0..<26 {
      for point in 0..<points {
        let turn = Double(bin * point % points) / Double(points)
        let wave = FixedMath.cosineAndSine(radians: 2 * Double.pi * turn)
        let taper =
          0.5 - 0.5 * FixedMath.cosineAndSine(radians: 2 * Double.pi * Double(point) / Double(points - 1)).cosine
        tables[0].append(Float(wave.cosine))
        tables[1].append(Float(wave.sine))
        tables[2].append(Float(wave.cosine * taper))
        tables[3].append(Float(wave.sine * taper))
      }
    }
    (cosines, sines, taperedCosines, taperedSines) = (tables[0], tables[1], tables[2], tables[3])
  }

  /// The power of every channel at so many waves in a window.
  func power(_ bin: Int, of series: ChannelSeries, tapered: Bool) -> SIMD16<Float> {
    var (real, imaginary) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
    let cosines = (tapered ? taperedCosines : cosines).span
    let sines = (tapered ? taperedSines : sines).span
    let start = bin * points
    for point in 0..<points {
      let value = unsafe series.base[point]
      real += value * cosines[start + point]
      imaginary += value * sines[start + point]
    }
    return real * real + imaginary * imaginary
  }
}

/// How the variation of intervals grows with the number of beats that are looked at: detrended fluctuation analysis over short
/// spans, called DFA-α1.
///
/// The sum of the deviations from the mean is cut into boxes of 4 to 16 beats that follow each other, the rest at the end left
/// out. From each a straight line is taken. α1 is the slope of the logarithm of what remains, as root of its mean square over all
/// boxes, against the logarithm of their size. No further trend is taken from the intervals before.
///
/// Source: C.-K. Peng, S. Havlin, H. E. Stanley and A. L. Goldberger, *Quantification of scaling exponents and crossover
/// phenomena in nonstationary heartbeat time series*, Chaos 5:82–87, 1995, equations 1 and 2. Box sizes: T. Gronwald and
/// O. Hoos, *Correlation properties of heart rate variability during endurance exercise*, 2020; B. Rogers et al. 2021.
public enum FluctuationAnalysis {
  /// The sizes of the boxes.
  public static let boxSizes = 4...16
  /// The fewest intervals that give a value: two of the largest boxes.
  public static let fewestIntervals = 32

  /// α1 of intervals; `nil` for fewer than ``fewestIntervals``, and where a size leaves no variation at all.
  ///
  /// - Complexity: O(n) for each size.
  public static func alpha1(of intervals: [Double]) -> Double? {
    guard intervals.count >= fewestIntervals else { return nil }
    let mean = intervals.reduce(0, +) / Double(intervals.count)
    var profile: [Double] = []
    profile.reserveCapacity(intervals.count)
    var sum = 0.0
    for interval in intervals {
      sum += interval - mean
      profile.append(sum)
    }
    var line = LineThroughPoints()
    for size in boxSizes {
      let square = meanSquare(of: profile, boxSize: size)
      // What remains of rounding alone is no variation.
      guard square > 1e-12 else { return nil }
      line.add(x: LibraryMath.log(Double(size)), y: LibraryMath.log(square) / 2)
    }
    return line.slope
  }

  /// The mean square of what straight lines through boxes leave.
  private static func meanSquare(of profile: [Double], boxSize size: Int) -> Double {
    let boxes = profile.count / size
    let middle = Double(size - 1) / 2
    let spread = Double(size * (size * size - 1)) / 12
    var total = 0.0
    for box in 0..<boxes {
      let first = box * size
      var sum = 0.0
      for index in 0..<size { sum += profile[first + index] }
      let mean = sum / Double(size)
      var (along, square) = (0.0, 0.0)
      for index in 0..<size {
        let value = profile[first + index] - mean
        along += (Double(index) - middle) * value
        square += value * value
      }
      total += max(0, square - along * along / spread) / Double(size)
    }
    return total / Double(boxes)
  }
}

/// A straight line through points by least squares.
public struct LineThroughPoints: Hashable, Sendable {
  /// How many points there are.
  public private(set) var count = 0
  private var (sumX, sumY, sumXX, sumXY, sumYY) = (0.0, 0.0, 0.0, 0.0, 0.0)

  /// Creates a line through no point.
  public init() {}

  /// Adds a point.
  public mutating func add(x: Double, y: Double) {
    count += 1
    sumX += x
    sumY += y
    sumXX += x * x
    sumXY += x * y
    sumYY += y * y
  }

  private var spread: Double { sumXX - sumX * sumX / Double(count) }
  private var along: Double { sumXY - sumX * sumY / Double(count) }

  /// How much y grows with x; `nil` for fewer than two different x.
  public var slope: Double? { count > 1 && spread > 0 ? along / spread : nil }

  /// Where the line comes to a y; `nil` for a level line, and for none.
  public func x(atY y: Double) -> Double? {
    guard let slope, slope != 0 else { return nil }
    return sumX / Double(count) + (y - sumY / Double(count)) / slope
  }

  /// The share of the variation of y that the line explains; `nil` where nothing varies.
  public var determination: Double? {
    let variation = count > 0 ? sumYY - sumY * sumY / Double(count) : 0
    guard count > 1, spread > 0, variation > 0 else { return nil }
    return min(1, along * along / spread / variation)
  }
}

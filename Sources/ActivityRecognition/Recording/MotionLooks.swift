/// What the values of a file look like, for units that no name states, and for those that one states wrongly.
///
/// A row or two decide nothing: accelerations over twenty times the median, and turns that are fast for fewer than three samples, are
/// glitches.
struct MotionLooks: Hashable, Sendable {
  /// One in how many samples is of a fast turn at least.
  private static let fastPart = 20_000
  /// How many samples are looked at for what is typical.
  private static let mostSamples = 10_000

  /// The sum of the lengths of the accelerations, and of how many.
  private(set) var accelerationSum = 0.0
  private(set) var accelerationCount = 0
  /// The length that is typical, that of which one in ten is shorter, and how far lengths are from the typical one in the mean.
  private(set) var medianLength: Float = 0
  private(set) var lowLength: Float = 0
  private(set) var meanDeviation: Float = 0
  /// The turn that is typical.
  private(set) var medianTurn: Float = 0
  /// Whether turns are faster than ``MotionLimits/fastestTurn``.
  private(set) var hasFastTurns = false

  /// Of no rows.
  init() {}

  /// Of rows, in our units where the factors of them are known, else in those of the file.
  init(_ trials: [[SIMD8<Float>]], acceleration: SIMD3<Double>?, rotationRate: SIMD3<Double>?) {
    let (a, g) = (SIMD3<Float>(acceleration ?? .one), SIMD3<Float>(rotationRate ?? .one))
    self.init(trials, length: { $0.length(a) }, turn: { $0.turn(g) })
  }

  /// Of rows whose lengths are known.
  init(_ rows: MotionLengths) { self.init([rows], length: { $0.acceleration }, turn: { $0.turn }) }

  @inline(__always)
  private init<Rows: RandomAccessCollection>(
    _ trials: [Rows], length: (Rows.Element) -> Float, turn: (Rows.Element) -> Float
  ) where Rows.Index == Int {
    let count = trials.reduce(0) { $0 + $1.count }
    let step = max(1, count / Self.mostSamples)
    var (lengths, turns): ([Float], [Float]) = ([], [])
    var next = 0
    for trial in trials {
      while next < trial.count {
        let (length, turn) = (length(trial[next]), turn(trial[next]))
        if !length.isNaN { lengths.append(length) }
        if !turn.isNaN { turns.append(turn) }
        next += step
      }
      next -= trial.count
    }
    guard !lengths.isEmpty else { return }
    lengths.sort()
    turns.sort()
    medianLength = lengths[lengths.count / 2]
    lowLength = lengths[lengths.count / 10]
    medianTurn = turns.isEmpty ? 0 : turns[turns.count / 2]
    let largest = medianLength > 0 ? medianLength * Float(MotionLimits.largestShare) : .infinity
    let near = lengths.filter { $0 <= largest }
    meanDeviation = near.reduce(0) { $0 + abs($1 - medianLength) } / Float(max(1, near.count))
    let needed = min(MotionLimits.fastInRow, count)
    var fast = 0
    for trial in trials {
      var row = 0
      for sample in trial {
        let length = length(sample)
        if length <= largest {
          accelerationSum += Double(length)
          accelerationCount += 1
        }
        row = Double(turn(sample)) > MotionLimits.fastestTurn ? row + 1 : 0
        if row == needed { fast += row } else if row > needed { fast += 1 }
      }
    }
    hasFastTurns = fast > 0 && fast * Self.fastPart >= count
  }

  /// The mean length of the accelerations.
  var meanLength: Double { accelerationSum / Double(max(1, accelerationCount)) }

  /// Whether accelerations have gravity in them and are in g beyond doubt: lengths are about 1, and few are much less.
  var isPlainlyInGravities: Bool { (0.8...1.3).contains(medianLength) && lowLength >= 0.7 * medianLength }

  /// Whether turns are in radians beyond doubt: who moves so much does not turn so little as these were in degrees.
  var isPlainlyInRadians: Bool {
    !hasFastTurns && meanDeviation > 0.1 * medianLength && (0.3...10).contains(medianTurn)
  }

  /// The unit in which accelerations of a mean length look like those of a person; `nil` for none.
  static func unit(ofMean mean: Double) -> AccelerationUnit? {
    let (limit, least) = (MotionLimits.largestMean, MotionLimits.smallestMean)
    if mean <= limit { return .gravities }
    if mean * AccelerationUnit.metric.gravities <= limit { return .metric }
    let thousandths = mean * AccelerationUnit.thousandths.gravities
    return thousandths >= least && thousandths <= limit ? .thousandths : nil
  }

  /// A unit of acceleration.
  enum AccelerationUnit: Hashable, Sendable, CaseIterable {
    case gravities
    case metric
    case thousandths

    /// Multiples of standard gravity.
    var gravities: Double {
      switch self {
      case .gravities: 1
      case .metric: MotionColumnName.gravitiesPerMeter
      case .thousandths: 0.001
      }
    }

    /// As it is written.
    var text: String {
      switch self {
      case .gravities: "g"
      case .metric: "m/s²"
      case .thousandths: "mg"
      }
    }
  }

  /// Why the values of a file cannot be used.
  enum Problem: Error, Hashable, Sendable {
    /// Accelerations of a mean length, in the unit that is stated, where one is.
    case acceleration(mean: Double, unit: String?)

    var text: String {
      switch self {
      case .acceleration(let mean, let unit):
        "an acceleration of \(mean < 1e15 ? (mean * 10).rounded() / 10 : mean)\(unit.map { " \($0)" } ?? "") in the mean: "
          + "expected that of a person, in g, mg or m/s²"
      }
    }
  }
}

extension SIMD8<Float> {
  fileprivate func length(_ factors: SIMD3<Float>) -> Float {
    SIMD3(self[0], self[1], self[2]).length(factors)
  }

  fileprivate func turn(_ factors: SIMD3<Float>) -> Float {
    SIMD3(self[3], self[4], self[5]).length(factors)
  }
}

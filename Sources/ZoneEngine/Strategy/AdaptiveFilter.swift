/// A Kalman filter of a runner: the course of the heart rate, the level that the runner's own pace leads to, what cues changed of
/// it, slow variability, and how much a cue changes, all in bpm.
struct AdaptiveFilter: Sendable {
  private static let count = 5
  private static let (course, level, changed, slow, perCue) = (0, 1, 2, 3, 4)

  /// Standard deviation and time constant of slow variability. Source: Wang & Hunt 2021 for the first, an assumption for the second.
  private static let (slowBPM, slowSeconds) = (2.5, 20.0)
  /// Variance of a reading: 2 bpm, and the rounding.
  private static let readingVariance = 4.1
  /// How much variance of the course, of the level and of what cues changed a second adds. Source: none.
  private static let (courseDrift, levelDrift, changedDrift) = (0.05, 0.2, 0.02)
  /// How much a cue differs from the one before, as a part of what cues change. Source: none.
  private static let cueSpread = 0.9
  /// What a cue changes before anything is known, and how people differ in it. Source: none.
  private static let cuePrior = (mean: 10.0, spread: 3.0)
  /// How people's own pace differs from what the target wants.
  private static let levelSpread = 17.0
  /// The step and the number of steps of a forecast.
  private static let (stepSeconds, steps) = (10.0, 22)

  /// How well it foresaw the readings, beside the others.
  var weight = 0.125
  /// The direction of a cue that has not shown yet.
  var pending = 0.0

  private let rate: Double
  private let relapse: Double
  private var mean = InlineArray<5, Double>(repeating: 0)
  private var covariance = InlineArray<25, Double>(repeating: 0)
  /// What a step of a forecast leaves of the distance to the level, and of what cues changed.
  private let (stepKept, stepChanged): (Double, Double)

  init(_ timeConstant: Double, relapse seconds: Double?, _ middleBPM: Double) {
    rate = 1 / timeConstant
    relapse = seconds.map { 1 / $0 } ?? 0
    stepKept = LibraryMath.exp(-Self.stepSeconds / timeConstant)
    stepChanged = LibraryMath.exp(-Self.stepSeconds * (seconds.map { 1 / $0 } ?? 0))
    mean[Self.level] = middleBPM
    mean[Self.perCue] = Self.cuePrior.mean
    self[Self.course, Self.course] = 25
    self[Self.level, Self.level] = Self.levelSpread * Self.levelSpread
    self[Self.slow, Self.slow] = Self.slowBPM * Self.slowBPM
    self[Self.perCue, Self.perCue] = Self.cuePrior.spread * Self.cuePrior.spread
  }

  private subscript(_ row: Int, _ column: Int) -> Double {
    get { covariance[row * Self.count + column] }
    set { covariance[row * Self.count + column] = newValue }
  }

  /// The first reading.
  mutating func begin(_ bpm: Double) { mean[Self.course] = bpm }

  /// The heart is elsewhere than was thought.
  mutating func moveTo(_ bpm: Double) {
    mean[Self.course] = bpm
    mean[Self.slow] = 0
    self[Self.course, Self.course] += 100
    self[Self.level, Self.level] += 100
  }

  /// Adds a multiple of a state to another one.
  private mutating func add(_ factor: Double, of source: Int, to target: Int, keeping kept: Double = 1) {
    mean[target] = kept * mean[target] + factor * mean[source]
    for column in 0..<Self.count { self[target, column] = kept * self[target, column] + factor * self[source, column] }
    for row in 0..<Self.count { self[row, target] = kept * self[row, target] + factor * self[row, source] }
  }

  /// Goes on for some seconds.
  mutating func predict(_ seconds: Double) {
    if pending != 0 {
      add(pending, of: Self.perCue, to: Self.changed)
      let spread = Self.cueSpread * mean[Self.perCue]
      self[Self.changed, Self.changed] += spread * spread
      pending = 0
    }
    let kept = LibraryMath.exp(-seconds * rate)
    add(1 - kept, of: Self.level, to: Self.course, keeping: kept)
    add(1 - kept, of: Self.changed, to: Self.course)
    if relapse > 0 { add(0, of: Self.level, to: Self.changed, keeping: LibraryMath.exp(-seconds * relapse)) }
    let slowKept = LibraryMath.exp(-seconds / Self.slowSeconds)
    add(0, of: Self.level, to: Self.slow, keeping: slowKept)
    self[Self.slow, Self.slow] += Self.slowBPM * Self.slowBPM * (1 - slowKept * slowKept)
    self[Self.course, Self.course] += Self.courseDrift * seconds
    self[Self.level, Self.level] += Self.levelDrift * seconds
    self[Self.changed, Self.changed] += Self.changedDrift * seconds
  }

  private var variance: Double {
    self[Self.course, Self.course] + 2 * self[Self.course, Self.slow] + self[Self.slow, Self.slow]
      + Self.readingVariance
  }

  /// How far a reading is from what is expected, in standard deviations.
  func distance(of reading: Double) -> Double {
    (reading - mean[Self.course] - mean[Self.slow]).magnitude / variance.squareRoot()
  }

  /// Takes a reading; returns the weight that follows from it, not yet in proportion to the others.
  mutating func update(_ reading: Double) -> Double {
    let (variance, miss) = (variance, reading - mean[Self.course] - mean[Self.slow])
    var gain = InlineArray<5, Double>(repeating: 0)
    for row in 0..<Self.count { gain[row] = (self[row, Self.course] + self[row, Self.slow]) / variance }
    for row in 0..<Self.count {
      mean[row] += gain[row] * miss
      for column in 0..<Self.count { self[row, column] -= gain[row] * gain[column] * variance }
    }
    // A cue has no other direction than it says.
    mean[Self.perCue] = max(1, mean[Self.perCue])
    weight *= LibraryMath.exp(-0.5 * miss * miss / variance) / variance.squareRoot()
    return weight
  }

  /// The course of the heart rate in some seconds, if nothing is said.
  func expected(in seconds: Double) -> Double {
    let kept = LibraryMath.exp(-seconds * rate)
    let left = relapse > 0 ? LibraryMath.exp(-seconds * relapse) : 1
    let changed = left * (mean[Self.changed] + pending * mean[Self.perCue])
    return kept * mean[Self.course] + (1 - kept) * (mean[Self.level] + changed)
  }

  /// The seconds in the target that are expected within the forecast, with so many cues, one every 20 s.
  func secondsInTarget(cues: Int, _ direction: Double, _ lower: Double, _ upper: Double) -> Double {
    var (course, kept, sum) = (mean[Self.course], 1.0, 0.0)
    var changed = mean[Self.changed] + pending * mean[Self.perCue]
    let levels = self[Self.level, Self.level] + self[Self.changed, Self.changed] + 2 * self[Self.level, Self.changed]
    for step in 0..<Self.steps {
      if step % 2 == 0, step / 2 < cues { changed += direction * mean[Self.perCue] }
      course += (mean[Self.level] + changed - course) * (1 - stepKept)
      changed *= stepChanged
      kept *= stepKept
      let unknown = (1 - kept) * (1 - kept) * (levels + Self.levelDrift * Self.stepSeconds * Double(step) / 2)
      let spread = (Self.slowBPM * Self.slowBPM + kept * kept * self[Self.course, Self.course] + max(0, unknown))
        .squareRoot()
      sum += Self.share(below: (upper - course) / spread) - Self.share(below: (lower - course) / spread)
    }
    return sum * Self.stepSeconds
  }

  /// About the share of a normal distribution below a number of standard deviations, off by 0.01 at most, of a root alone.
  private static func share(below z: Double) -> Double {
    let scaled = z * (0.798 + 0.14 * z * z)
    return 0.5 + 0.5 * scaled / (1 + scaled * scaled).squareRoot()
  }
}

/// A Kalman filter of a runner, under one assumption of who that is (``AdaptiveHabit``).
///
/// It follows six quantities in bpm: the course of the heart rate, the level that the runner's own pace leads to, what cues changed
/// of it, the sway of pace and ground, slow variability, and how much a cue changes that is followed.
///
/// Source of the filter: Kalman 1960, J. Basic Eng. 82:35. Of the variances: none but where one is named; tuned on virtual runners.
struct AdaptiveFilter: Sendable {
  /// A value a quantity, in this order; the last two are not used.
  private typealias Quantities = SIMD8<Double>
  private static let count = 6
  private static let (course, level, changed, sway, slow, perCue) = (0, 1, 2, 3, 4, 5)

  /// Standard deviation and time constant of slow variability. Source: Wang & Hunt 2021 for the first, an assumption for the second.
  fileprivate static let variability = (bpm: 2.5, seconds: 20.0)
  /// Standard deviation and time constant of what pace and ground change.
  fileprivate static let swaying = (bpm: 4.0, seconds: 75.0)
  /// Variance of a reading.
  private static let readingVariance = 3.2
  /// How much variance of the course, of the level and of what cues changed a second adds.
  private static let (courseDrift, levelDrift, changedDrift) = (0.05, 0.4, 0.02)
  /// How much a cue that is followed differs from the one before, as a part of what it changes.
  private static let cueSpread = 0.8
  /// How people differ in what a cue that is followed changes, in bpm, and the least that is believed.
  private static let cue = (spread: 4.0, least: 3.0)
  /// How people's own pace differs from what the target wants.
  private static let levelSpread = 17.0
  /// What part of the gap somebody who steers by the heart rate corrects in a second, and the largest gap in bpm.
  private static let steering = (rate: 0.4 / 15, gap: 25.0)
  /// The step of a forecast in seconds, the number of steps, and how many steps lie between two cues of a row.
  private static let (stepSeconds, steps, stepsBetweenCues) = (10.0, 28, 2)

  /// How well it foresaw the readings, beside the others.
  var weight: Double
  /// The direction of a cue that has not shown yet: 1 for faster, −1 for slower, 0 for none.
  var pending = 0.0
  /// The newest reading that was believed, in bpm.
  var seen = 0.0
  /// Who the runner is assumed to be.
  let habit: AdaptiveHabit

  private var mean = Quantities.zero
  private var covariance = InlineArray<6, Quantities>(repeating: .zero)
  private let look: Decay
  private let ahead: Decay

  /// What is left of quantities after some seconds.
  private struct Decay: Sendable {
    let seconds, course, changed, sway, slow: Double

    init(_ seconds: Double, of habit: AdaptiveHabit) {
      self.seconds = seconds
      course = LibraryMath.exp(-seconds / habit.timeConstant)
      changed = habit.relapseSeconds.map { LibraryMath.exp(-seconds / $0) } ?? 1
      sway = LibraryMath.exp(-seconds / AdaptiveFilter.swaying.seconds)
      slow = LibraryMath.exp(-seconds / AdaptiveFilter.variability.seconds)
    }
  }

  /// Knows nothing but the assumption, and what is thought before.
  init(_ habit: AdaptiveHabit, _ prior: RunnerPrior, middleBPM: Double) {
    self.habit = habit
    weight = prior.share(of: habit)
    look = Decay(5, of: habit)
    ahead = Decay(Self.stepSeconds, of: habit)
    mean[Self.level] = middleBPM
    mean[Self.perCue] = Double(prior.cueBPM)
    covariance[Self.course][Self.course] = 25
    covariance[Self.level][Self.level] = Self.levelSpread * Self.levelSpread
    covariance[Self.sway][Self.sway] = Self.swaying.bpm * Self.swaying.bpm
    covariance[Self.slow][Self.slow] = Self.variability.bpm * Self.variability.bpm
    covariance[Self.perCue][Self.perCue] = Self.cue.spread * Self.cue.spread
  }

  /// What a cue that is followed changes, in bpm.
  var cueBPM: Double { mean[Self.perCue] }

  /// The first reading.
  mutating func begin(_ bpm: Double) {
    mean[Self.course] = bpm
    seen = bpm
  }

  /// The heart is elsewhere than was thought.
  mutating func moveTo(_ bpm: Double) {
    mean[Self.course] = bpm
    mean[Self.slow] = 0
    covariance[Self.course][Self.course] += 100
    covariance[Self.level][Self.level] += 100
  }

  /// How far somebody aims to go who steers by a heart rate, in bpm.
  private static func gap(_ bpm: Double, _ aim: ClosedRange<Double>) -> Double {
    min(steering.gap, max(-steering.gap, min(aim.upperBound, max(aim.lowerBound, bpm)) - bpm))
  }

  /// A cue changes the pace: by all of it for the part of the people who follow, by nothing for the others.
  private mutating func takeCue() {
    let part = habit.follows * pending
    mean[Self.changed] += part * mean[Self.perCue]
    covariance[Self.changed] += part * covariance[Self.perCue]
    for row in 0..<Self.count { covariance[row][Self.changed] += part * covariance[row][Self.perCue] }
    let spread = habit.follows * (1 - habit.follows) + Self.cueSpread * Self.cueSpread
    covariance[Self.changed][Self.changed] += mean[Self.perCue] * mean[Self.perCue] * spread
    pending = 0
  }

  /// Goes on for some seconds.
  mutating func predict(_ seconds: Double, aim: ClosedRange<Double>) {
    if pending != 0 { takeCue() }
    let left = seconds == look.seconds ? look : Decay(seconds, of: habit)
    let led = 1 - left.course
    let kept = Quantities(left.course, 1, left.changed, left.sway, left.slow, 1, 0, 0)
    let steady = mean[Self.level] + mean[Self.changed] + mean[Self.sway]
    mean *= kept
    mean[Self.course] += led * steady
    if habit.steers { mean[Self.level] += Self.steering.rate * seconds * Self.gap(seen, aim) }
    for row in 0..<Self.count {
      let before = covariance[row]
      covariance[row] = before * kept
      covariance[row][Self.course] += led * (before[Self.level] + before[Self.changed] + before[Self.sway])
    }
    let leading = covariance[Self.level] + covariance[Self.changed] + covariance[Self.sway]
    covariance[Self.course] = left.course * covariance[Self.course] + led * leading
    covariance[Self.changed] *= left.changed
    covariance[Self.sway] *= left.sway
    covariance[Self.slow] *= left.slow
    covariance[Self.course][Self.course] += Self.courseDrift * seconds
    covariance[Self.level][Self.level] += Self.levelDrift * seconds
    covariance[Self.changed][Self.changed] += Self.changedDrift * seconds
    covariance[Self.sway][Self.sway] += Self.swaying.bpm * Self.swaying.bpm * (1 - left.sway * left.sway)
    covariance[Self.slow][Self.slow] += Self.variability.bpm * Self.variability.bpm * (1 - left.slow * left.slow)
  }

  private var variance: Double {
    covariance[Self.course][Self.course] + 2 * covariance[Self.course][Self.slow]
      + covariance[Self.slow][Self.slow] + Self.readingVariance
  }

  /// How far a reading is from what is expected, in standard deviations.
  func distance(of reading: Double) -> Double {
    (reading - mean[Self.course] - mean[Self.slow]).magnitude / variance.squareRoot()
  }

  /// Takes a reading; returns the weight that follows from it, not yet in proportion to the others.
  mutating func update(_ reading: Double) -> Double {
    let (variance, miss) = (variance, reading - mean[Self.course] - mean[Self.slow])
    let gain = (covariance[Self.course] + covariance[Self.slow]) / variance
    mean += gain * miss
    let taken = gain * variance
    for row in 0..<Self.count { covariance[row] -= gain[row] * taken }
    // A cue has no other direction than it says.
    mean[Self.perCue] = max(Self.cue.least, mean[Self.perCue])
    weight *= LibraryMath.exp(-0.5 * miss * miss / variance) / variance.squareRoot()
    seen = reading
    return weight
  }

  /// The course of the heart rate in some seconds, if nothing is said.
  func expected(in seconds: Double, aim: ClosedRange<Double>) -> Double {
    let changed = mean[Self.changed] + pending * habit.follows * mean[Self.perCue]
    if habit.steers {
      var (course, level) = (mean[Self.course], mean[Self.level] + changed + mean[Self.sway])
      for _ in 0..<Int(seconds / look.seconds) {
        level += Self.steering.rate * look.seconds * Self.gap(course, aim)
        course += (level - course) * (1 - look.course)
      }
      return course
    }
    let left = Decay(seconds, of: habit)
    // What sways is on its way back meanwhile.
    let sway = LibraryMath.exp(-0.5 * seconds / Self.swaying.seconds) * mean[Self.sway]
    return left.course * mean[Self.course] + (1 - left.course) * (mean[Self.level] + left.changed * changed + sway)
  }

  /// The seconds in the target that are expected within the forecast, with so many cues in a direction, one every 20 s.
  func secondsInTarget(
    cues: Int, _ direction: Double, _ target: ClosedRange<Double>, aim: ClosedRange<Double>
  ) -> Double {
    var (course, level, sway) = (mean[Self.course], mean[Self.level], mean[Self.sway])
    var changed = mean[Self.changed] + pending * habit.follows * mean[Self.perCue]
    let perCue = direction * habit.follows * mean[Self.perCue]
    let levels =
      covariance[Self.level][Self.level] + covariance[Self.changed][Self.changed] + covariance[Self.sway][Self.sway] + 2
      * (covariance[Self.level][Self.changed] + covariance[Self.level][Self.sway] + covariance[Self.changed][Self.sway])
    var (kept, sum, left) = (1.0, 0.0, cues)
    for step in 0..<Self.steps {
      if step % Self.stepsBetweenCues == 0, left > 0 {
        changed += perCue
        left -= 1
      }
      if habit.steers { level += Self.steering.rate * Self.stepSeconds * Self.gap(course, aim) }
      course += (level + changed + sway - course) * (1 - ahead.course)
      changed *= ahead.changed
      sway *= ahead.sway
      kept *= ahead.course
      let unknown = (1 - kept) * (1 - kept) * (levels + Self.levelDrift * Self.stepSeconds * Double(step) / 2)
      let known = Self.variability.bpm * Self.variability.bpm + kept * kept * covariance[Self.course][Self.course]
      let precision = 1 / (known + max(0, unknown)).squareRoot()
      sum += Self.share(below: (target.upperBound - course) * precision)
      sum -= Self.share(below: (target.lowerBound - course) * precision)
    }
    return sum * Self.stepSeconds
  }

  /// About the share of a normal distribution below a number of standard deviations, off by 0.01 at most, of a root alone.
  private static func share(below z: Double) -> Double {
    let scaled = z * (0.798 + 0.14 * z * z)
    return 0.5 + 0.5 * scaled / (1 + scaled * scaled).squareRoot()
  }
}

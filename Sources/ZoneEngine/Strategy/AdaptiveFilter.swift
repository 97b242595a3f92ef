/// Two Kalman filters of a runner, under assumptions of who that is (``AdaptiveHabit``) that differ in the share of cues that are
/// followed alone: a lane each, the same arithmetic in both.
///
/// Each follows six quantities in bpm: the course of the heart rate, the level that the runner's own pace leads to, what cues changed
/// of it, the sway of pace and ground, slow variability, and how much a cue changes that is followed.
///
/// Source of the filter: Kalman 1960, J. Basic Eng. 82:35. Of the variances: none but where one is named; tuned on virtual runners.
struct AdaptiveFilter: Sendable {
  /// A value a filter.
  typealias Lanes = AdaptiveQuantities.Lanes

  /// Standard deviation and time constant of slow variability. Source: Wang & Hunt 2021 for the first, an assumption for the second.
  static let variabilityBPM = 2.5, variabilitySeconds = 20.0
  /// Standard deviation and time constant of what pace and ground change.
  static let swayBPM = 4.0, swaySeconds = 75.0
  /// Variance of a reading.
  private static let readingVariance = 3.2
  /// How much variance of the course and of what cues changed a second adds.
  private static let courseDrift = 0.05, changedDrift = 0.02
  /// How much variance of the level a second adds.
  static let levelDrift = 0.4
  /// How much a cue that is followed differs from the one before, as a part of what it changes.
  private static let cueSpread = 0.8
  /// How people differ in what a cue that is followed changes, in bpm, and the least that is believed.
  private static let cueDeviation = 4.0, leastCue = 3.0
  /// How people's own pace differs from what the target wants.
  private static let levelSpread = 17.0
  /// The step in seconds by which somebody is foreseen who steers, and the times of a forecast in such steps.
  private static let steeredSeconds = 5.0, soonSteps = 6, laterSteps = 12

  /// Which of the two an assumption is.
  static let lanes = 2

  /// How well each foresaw the readings, beside the others.
  var weights: Lanes
  /// The direction of a cue that has not shown yet: 1 for faster, −1 for slower, 0 for none.
  var pending = 0.0
  /// The newest reading that was believed, in bpm.
  private(set) var seen = 0.0
  /// Who the runner is assumed to be, by lane.
  let habits: (AdaptiveHabit, AdaptiveHabit)

  private let follows: Lanes
  private let steers: Bool
  private var mean = AdaptiveQuantities()
  private var covariance = AdaptiveCovariance()
  /// What is left after the time from the last look to this one, kept because most are equally far apart.
  private var look: AdaptiveDecay
  private let soon: AdaptiveDecay
  private let later: AdaptiveDecay
  private let steered: AdaptiveDecay
  private let ahead: AdaptiveDecay

  /// Knows nothing but the assumptions, and what is thought before.
  init(_ habits: (AdaptiveHabit, AdaptiveHabit), _ prior: RunnerPrior, middleBPM: Double) {
    self.habits = habits
    let habit = habits.0
    weights = Lanes(prior.share(of: habit), prior.share(of: habits.1))
    follows = Lanes(habit.follows, habits.1.follows)
    steers = habit.steers
    steered = AdaptiveDecay(Self.steeredSeconds, of: habit)
    look = steered
    soon = AdaptiveDecay(Self.steeredSeconds * Double(Self.soonSteps), of: habit)
    later = AdaptiveDecay(Self.steeredSeconds * Double(Self.laterSteps), of: habit)
    ahead = AdaptiveDecay(AdaptiveOutlook.stepSeconds, of: habit)
    mean.level = Lanes(repeating: middleBPM)
    mean.perCue = Lanes(repeating: Double(prior.cueBPM))
    covariance.course.course = Lanes(repeating: 25)
    covariance.level.level = Lanes(repeating: Self.levelSpread * Self.levelSpread)
    covariance.sway.sway = Lanes(repeating: Self.swayBPM * Self.swayBPM)
    covariance.slow.slow = Lanes(repeating: Self.variabilityBPM * Self.variabilityBPM)
    covariance.perCue.perCue = Lanes(repeating: Self.cueDeviation * Self.cueDeviation)
  }

  /// What a cue that is followed changes, in bpm.
  var cueBPM: Lanes { mean.perCue }

  /// The first reading.
  mutating func begin(_ bpm: Double) {
    mean.course = Lanes(repeating: bpm)
    seen = bpm
  }

  /// The heart is elsewhere than was thought.
  mutating func moveTo(_ bpm: Double) {
    mean.course = Lanes(repeating: bpm)
    mean.slow = .zero
    covariance.course.course += 100
    covariance.level.level += 100
  }

  /// A cue changes the pace: by all of it for the part of the people who follow, by nothing for the others.
  private mutating func takeCue() {
    let part = follows * pending
    mean.changed += part * mean.perCue
    covariance.takeCue(part)
    let spread = follows * (1 - follows) + Self.cueSpread * Self.cueSpread
    covariance.changed.changed += mean.perCue * mean.perCue * spread
    pending = 0
  }

  /// Goes on for some seconds.
  mutating func predict(_ seconds: Double, aim: ClosedRange<Double>) {
    if pending != 0 { takeCue() }
    if seconds != look.seconds { look = AdaptiveDecay(seconds, of: habits.0) }
    let left = look
    let led = 1 - left.course
    mean.goOn(left, led: led)
    if steers { mean.level += AdaptiveHabit.steeringRate * seconds * AdaptiveHabit.gap(seen, aim) }
    covariance.goOn(left, led: led)
    covariance.course.course += Self.courseDrift * seconds
    covariance.level.level += Self.levelDrift * seconds
    covariance.changed.changed += Self.changedDrift * seconds
    covariance.sway.sway += Self.swayBPM * Self.swayBPM * (1 - left.sway * left.sway)
    covariance.slow.slow += Self.variabilityBPM * Self.variabilityBPM * (1 - left.slow * left.slow)
  }

  private var variances: Lanes {
    covariance.course.course + 2 * covariance.course.slow
      + covariance.slow.slow + Self.readingVariance
  }

  private func misses(_ reading: Double) -> Lanes { reading - mean.course - mean.slow }

  /// How far a reading is from what is expected, in standard deviations.
  func distances(of reading: Double) -> Lanes {
    let (misses, variances) = (misses(reading), variances)
    return Lanes(misses[0].magnitude, misses[1].magnitude) / variances.squareRoot()
  }

  /// Takes a reading; the weights that follow from it are not yet in proportion to the others.
  mutating func update(_ reading: Double) {
    let (variances, misses) = (variances, misses(reading))
    let gain = (covariance.course + covariance.slow) / variances
    mean = mean + gain * misses
    covariance.take(gain, variances)
    // A cue has no other direction than it says.
    let least = Lanes(repeating: Self.leastCue)
    mean.perCue = least.replacing(with: mean.perCue, where: mean.perCue .>= least)
    let exponents = -0.5 * misses * misses / variances
    let likelihoods = Lanes(LibraryMath.exp(exponents[0]), LibraryMath.exp(exponents[1]))
    weights *= likelihoods / variances.squareRoot()
    seen = reading
  }

  /// The course of the heart rate in 30 and in 60 s, if nothing is said.
  @inline(__always)
  func expected(aim: ClosedRange<Double>) -> (soon: Lanes, later: Lanes) {
    let changed = mean.changed + pending * follows * mean.perCue
    guard steers else {
      return (level(after: soon, changed), level(after: later, changed))
    }
    var (course, level) = (mean.course, mean.level + changed + mean.sway)
    var soon = course
    for step in 0..<Self.laterSteps {
      if step == Self.soonSteps { soon = course }
      level += AdaptiveHabit.steeringRate * Self.steeredSeconds * AdaptiveHabit.gaps(course, aim)
      course += (level - course) * (1 - steered.course)
    }
    return (soon, course)
  }

  /// The course after some seconds of somebody who does not steer.
  private func level(after left: AdaptiveDecay, _ changed: Lanes) -> Lanes {
    // What sways is on its way back meanwhile.
    let sway = left.halfwaySway * mean.sway
    return left.course * mean.course + (1 - left.course) * (mean.level + left.changed * changed + sway)
  }

  /// What the filter of a lane expects of cues in a direction.
  @inline(__always)
  func outlook(_ lane: Int, direction: Double) -> AdaptiveOutlook {
    let perCue = mean.perCue[lane]
    let levels =
      covariance.level.level + covariance.changed.changed + covariance.sway.sway + 2
      * (covariance.level.changed + covariance.level.sway + covariance.changed.sway)
    return AdaptiveOutlook(
      weight: weights[lane], follows: follows[lane], steers: steers, left: ahead, course: mean.course[lane],
      level: mean.level[lane], changed: mean.changed[lane] + pending * follows[lane] * perCue, sway: mean.sway[lane],
      cue: direction * follows[lane] * perCue, courseVariance: covariance.course.course[lane],
      levelVariance: levels[lane])
  }
}

/// What is left of quantities of a runner after some seconds.
struct AdaptiveDecay: Sendable {
  let seconds, course, changed, sway, slow: Double
  /// What is left of the sway after half of the time.
  let halfwaySway: Double

  init(_ seconds: Double, of habit: AdaptiveHabit) {
    self.seconds = seconds
    course = LibraryMath.exp(-seconds / habit.timeConstant)
    changed = habit.relapseSeconds.map { LibraryMath.exp(-seconds / $0) } ?? 1
    sway = LibraryMath.exp(-seconds / AdaptiveFilter.swaySeconds)
    slow = LibraryMath.exp(-seconds / AdaptiveFilter.variabilitySeconds)
    halfwaySway = LibraryMath.exp(-0.5 * seconds / AdaptiveFilter.swaySeconds)
  }
}

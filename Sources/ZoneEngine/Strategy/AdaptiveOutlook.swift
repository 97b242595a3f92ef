/// What one filter of the adaptive strategy expects of series of cues, one every 20 s, within the next 280 s.
struct AdaptiveOutlook {
  /// How many cues the series have.
  static let series: InlineArray<5, Int> = [1, 2, 3, 5, 8]
  /// The step of a forecast in seconds.
  static let stepSeconds = 10.0
  /// The number of steps, and how many of them lie between two cues of a series.
  static let steps = 28, stepsBetweenCues = 2

  /// How much the filter weighs.
  let weight: Double
  /// The share of cues that are followed.
  let follows: Double
  /// Whether the runner steers by the heart rate on the wrist.
  let steers: Bool
  /// What is left of the quantities after a step.
  let left: AdaptiveDecay
  /// The quantities in bpm; a cue counts in its direction, for the part of the people who follow.
  let course, level, changed, sway, cue: Double
  /// The variances of the course and of what it follows.
  let courseVariance, levelVariance: Double

  /// How many more seconds in the target are expected with each series of cues than without one; those that nobody asks for
  /// may be left at 0.
  func gains(
    _ target: ClosedRange<Double>, aim: ClosedRange<Double>,
    wanted: InlineArray<5, Bool> = InlineArray(repeating: true)
  ) -> InlineArray<5, Double> {
    let (wantsSome, wantsMany) = (wanted[1] || wanted[2], wanted[3] || wanted[4])
    var (few, some, many) = (Pair(self, 0, 1), Pair(self, 2, 3), Pair(self, 5, 8))
    var (kept, sway) = (1.0, sway)
    for step in 0..<Self.steps {
      kept *= left.course
      let unknown =
        (1 - kept) * (1 - kept) * (levelVariance + AdaptiveFilter.levelDrift * Self.stepSeconds * Double(step) / 2)
      let known = AdaptiveFilter.variabilityBPM * AdaptiveFilter.variabilityBPM + kept * kept * courseVariance
      let precision = 1 / (known + max(0, unknown)).squareRoot()
      few.goOn(self, step, sway: sway, precision, target, aim)
      if wantsSome { some.goOn(self, step, sway: sway, precision, target, aim) }
      if wantsMany { many.goOn(self, step, sway: sway, precision, target, aim) }
      sway *= left.sway
    }
    let silent = few.seconds[0]
    var gains = InlineArray<5, Double>(repeating: 0)
    gains[0] = few.seconds[1] - silent
    if wantsSome { (gains[1], gains[2]) = (some.seconds[0] - silent, some.seconds[1] - silent) }
    if wantsMany { (gains[3], gains[4]) = (many.seconds[0] - silent, many.seconds[1] - silent) }
    return gains
  }

  /// Two series of cues.
  private struct Pair {
    typealias Lanes = SIMD2<Double>

    private let cues: Lanes
    private var course, level, changed: Lanes
    private var sum = Lanes.zero

    var seconds: Lanes { sum * AdaptiveOutlook.stepSeconds }

    init(_ outlook: AdaptiveOutlook, _ first: Double, _ second: Double) {
      cues = Lanes(first, second)
      course = Lanes(repeating: outlook.course)
      level = Lanes(repeating: outlook.level)
      changed = Lanes(repeating: outlook.changed)
    }

    @inline(__always)
    mutating func goOn(
      _ outlook: AdaptiveOutlook, _ step: Int, sway: Double, _ precision: Double, _ target: ClosedRange<Double>,
      _ aim: ClosedRange<Double>
    ) {
      if step % AdaptiveOutlook.stepsBetweenCues == 0 {
        let given = Double(step / AdaptiveOutlook.stepsBetweenCues)
        changed += Lanes(repeating: outlook.cue).replacing(with: 0, where: cues .<= given)
      }
      if outlook.steers {
        level += AdaptiveHabit.steeringRate * AdaptiveOutlook.stepSeconds * AdaptiveHabit.gaps(course, aim)
      }
      course += (level + changed + sway - course) * (1 - outlook.left.course)
      changed *= outlook.left.changed
      sum += Self.share(below: (target.upperBound - course) * precision)
      sum -= Self.share(below: (target.lowerBound - course) * precision)
    }

    /// About the share of a normal distribution below a number of standard deviations, off by 0.01 at most, of a root alone.
    @inline(__always)
    private static func share(below z: Lanes) -> Lanes {
      let scaled = z * (0.798 + 0.14 * z * z)
      return 0.5 + 0.5 * scaled / (1 + scaled * scaled).squareRoot()
    }
  }
}

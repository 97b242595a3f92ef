/// The steps ahead of an ``AdaptiveOutlook`` of somebody who does not steer: the heart rate is then a sum of what there is now, each
/// with a factor that depends on the step alone. In single precision, four steps at once.
///
/// That is quick, and near enough to know what is far from a price.
struct AdaptiveHorizon: Sendable {
  /// How far seconds in the target are from those of ``AdaptiveOutlook/gains(_:aim:)`` at most.
  ///
  /// Rounding to 2⁻²⁴ of at most 250 bpm in each of a step's operations, which a following heart forgets with 1 − exp(−10/80), puts
  /// the heart rate off by less than 0.001 bpm; a share rises by 0.16 a bpm at most, and there are 2 · 2 · 280 of them in a gain: 0.18 s. The
  /// roots, off by up to 0.00066, all to one side, add 0.00066 · 2 · 280 = 0.37 s.
  static let errorSeconds = 0.75
  private static let mostBPM = 250.0, mostVariance = 1e4

  private typealias Lanes = SIMD4<Float>

  /// The factors of four steps.
  private struct Steps {
    var course = Lanes.zero
    var level = Lanes.zero
    var changed = Lanes.zero
    var sway = Lanes.zero
    var twoCues = Lanes.zero
    var threeCues = Lanes.zero
    var fiveCues = Lanes.zero
    var eightCues = Lanes.zero
    var courseVariance = Lanes.zero
    var levelVariance = Lanes.zero
    var levelDrift = Lanes.zero
  }

  private let steps: [Steps]

  /// Those of pairs of filters, in the order of ``AdaptiveHabit/all``; absent where the runner steers.
  static let all: [AdaptiveHorizon?] = stride(from: 0, to: AdaptiveHabit.all.count, by: AdaptiveFilter.lanes).map {
    let habit = AdaptiveHabit.all[$0]
    return habit.steers ? nil : AdaptiveHorizon(AdaptiveDecay(AdaptiveOutlook.stepSeconds, of: habit))
  }

  init(_ left: AdaptiveDecay) {
    var steps = [Steps](repeating: Steps(), count: AdaptiveOutlook.steps / Lanes.scalarCount)
    var (kept, changedLeft, swayLeft, changed, sway) = (1.0, 1.0, 1.0, [Double](), 0.0)
    for step in 0..<AdaptiveOutlook.steps {
      changed.append((changed.last ?? 0) * left.course + (1 - left.course) * changedLeft)
      sway = sway * left.course + (1 - left.course) * swayLeft
      kept *= left.course
      changedLeft *= left.changed
      swayLeft *= left.sway
      let (place, lane) = step.quotientAndRemainder(dividingBy: Lanes.scalarCount)
      func after(_ cues: Int) -> Float {
        Float(
          (0..<cues).reduce(0) { sum, cue in
            let since = step - cue * AdaptiveOutlook.stepsBetweenCues
            return since < 0 ? sum : sum + changed[since]
          })
      }
      steps[place].course[lane] = Float(kept)
      steps[place].level[lane] = Float(1 - kept)
      steps[place].changed[lane] = after(1)
      steps[place].sway[lane] = Float(sway)
      steps[place].twoCues[lane] = after(2)
      steps[place].threeCues[lane] = after(3)
      steps[place].fiveCues[lane] = after(5)
      steps[place].eightCues[lane] = after(8)
      steps[place].courseVariance[lane] = Float(kept * kept)
      steps[place].levelVariance[lane] = Float((1 - kept) * (1 - kept))
      steps[place].levelDrift[lane] = Float(AdaptiveFilter.levelDrift * AdaptiveOutlook.stepSeconds * Double(step) / 2)
    }
    self.steps = steps
  }

  /// Whether its numbers are those of a heart, for which single precision is good.
  func isGood(for outlook: AdaptiveOutlook) -> Bool {
    let (changed, sway) = (outlook.changed.magnitude + 8 * outlook.cue.magnitude, outlook.sway.magnitude)
    return max(outlook.course.magnitude, outlook.level.magnitude, changed, sway) < Self.mostBPM
      && max(outlook.courseVariance.magnitude, outlook.levelVariance.magnitude) < Self.mostVariance
  }

  /// About the gains of an outlook that this is good for.
  func gains(_ outlook: AdaptiveOutlook, _ target: ClosedRange<Double>) -> InlineArray<5, Double> {
    func all(_ number: Double) -> Lanes { Lanes(repeating: Float(number)) }
    let (upper, lower) = (all(target.upperBound), all(target.lowerBound))
    let (course, level, changed) = (all(outlook.course), all(outlook.level), all(outlook.changed))
    let (sway, cue) = (all(outlook.sway), all(outlook.cue))
    let (courseVariance, levelVariance) = (all(outlook.courseVariance), all(outlook.levelVariance))
    let variability = all(AdaptiveFilter.variabilityBPM * AdaptiveFilter.variabilityBPM)
    var (one, two, three, five, eight) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    let steps = steps.span
    for index in steps.indices {
      var silent = steps[index].course * course
      silent += steps[index].level * level
      silent += steps[index].changed * changed
      silent += steps[index].sway * sway
      let unknown = steps[index].levelVariance * (levelVariance + steps[index].levelDrift)
      var variance = unknown.replacing(with: Lanes.zero, where: unknown .< Lanes.zero)
      variance += steps[index].courseVariance * courseVariance
      variance += variability
      let precision = Self.separateRoot(of: variance)
      let inTarget = Self.twiceShare(silent, lower, upper, precision)
      one += Self.twiceShare(silent + steps[index].changed * cue, lower, upper, precision) - inTarget
      two += Self.twiceShare(silent + steps[index].twoCues * cue, lower, upper, precision) - inTarget
      three += Self.twiceShare(silent + steps[index].threeCues * cue, lower, upper, precision) - inTarget
      five += Self.twiceShare(silent + steps[index].fiveCues * cue, lower, upper, precision) - inTarget
      eight += Self.twiceShare(silent + steps[index].eightCues * cue, lower, upper, precision) - inTarget
    }
    return [Self.seconds(one), Self.seconds(two), Self.seconds(three), Self.seconds(five), Self.seconds(eight)]
  }

  /// Twice the shares of normal distributions between two limits.
  ///
  /// A function of its own, since the compiler takes the lanes of a longer one apart.
  @inline(never)
  private static func twiceShare(_ middle: Lanes, _ lower: Lanes, _ upper: Lanes, _ precision: Lanes) -> Lanes {
    twiceShare(below: (upper - middle) * precision) - twiceShare(below: (lower - middle) * precision)
  }

  /// Twice the share below a number of standard deviations, less one.
  @inline(__always)
  private static func twiceShare(below z: Lanes) -> Lanes {
    let scaled = z * (Lanes(repeating: 0.798) + Lanes(repeating: 0.14) * (z * z))
    return scaled * inverseRoot(of: Lanes(repeating: 1) + scaled * scaled)
  }

  /// One by the root of a positive number, off by 0.00066 of it at most: a first guess of its bits, and a step of Newton's method with
  /// the constants that are best for it. Source: Kadlec 2010, "Improving the fast inverse square root".
  @inline(__always)
  private static func inverseRoot(of number: Lanes) -> Lanes {
    let bits = SIMD4<UInt32>(
      number[0].bitPattern, number[1].bitPattern, number[2].bitPattern, number[3].bitPattern)
    let first = SIMD4<UInt32>(repeating: 0x5F1F_FFF9) &- bits &>> SIMD4<UInt32>(repeating: 1)
    let guess = Lanes(
      Float(bitPattern: first[0]), Float(bitPattern: first[1]), Float(bitPattern: first[2]),
      Float(bitPattern: first[3]))
    return guess * Lanes(repeating: 0.703952253) * (Lanes(repeating: 2.38924456) - number * guess * guess)
  }

  /// The same as a function of its own, for the same reason.
  @inline(never)
  private static func separateRoot(of number: Lanes) -> Lanes { inverseRoot(of: number) }

  @inline(__always)
  private static func seconds(_ twice: Lanes) -> Double {
    Double((twice[0] + twice[1]) + (twice[2] + twice[3])) * (AdaptiveOutlook.stepSeconds / 2)
  }
}

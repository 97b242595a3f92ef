/// The steps ahead of an ``AdaptiveOutlook`` in single precision: quick, and near enough to know what is far from a price.
///
/// The heart rate of somebody who does not steer is a sum of what there is now, each with a factor that depends on the step alone: four
/// steps are calculated at once. Of somebody who steers it is followed step by step, four series of cues at once.
struct AdaptiveHorizon: Sendable {
  /// How far seconds in the target are from those of ``AdaptiveOutlook/gains(_:aim:)`` at most.
  ///
  /// The roots of shares, off by up to 0.00066, all to one side, add 0.00066 · 2 · 280 = 0.37 s. That of the precision moves a share by
  /// 0.00017 at most, since 0.25 is the largest product of a distance and of the density there, and there are 2 · 2 · 280 of them in a gain:
  /// 0.19 s. Rounding to 2⁻²⁴ of at most 900 bpm in each of a step's operations, of which a heart of 80 s and its steering forget 0.06 a step,
  /// puts the heart rate off by less than 0.002 bpm; a share rises by 0.16 a bpm at most: 0.36 s.
  static let errorSeconds = 1.1
  private static let mostBPM = 300.0, mostVariance = 1e4

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
  /// How much of a gap the heart closes in a step, and what is left of what cues changed and of the sway.
  private let led, changedLeft, swayLeft: Float

  /// Those of pairs of filters, in the order of ``AdaptiveHabit/all``.
  static let all: [AdaptiveHorizon] = stride(from: 0, to: AdaptiveHabit.all.count, by: AdaptiveFilter.lanes).map {
    AdaptiveHorizon(AdaptiveDecay(AdaptiveOutlook.stepSeconds, of: AdaptiveHabit.all[$0]))
  }

  /// From which of ``steps`` on two cues differ from more, and five from eight: all begin with the same cues.
  private static let firstAfterTwo = 2 * AdaptiveOutlook.stepsBetweenCues / Lanes.scalarCount
  private static let firstAfterFive = 5 * AdaptiveOutlook.stepsBetweenCues / Lanes.scalarCount

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
    led = Float(1 - left.course)
    self.changedLeft = Float(left.changed)
    self.swayLeft = Float(left.sway)
  }

  /// The level, and what cues changed of it. Where that stays, both lead to the same, and are taken together: apart they may grow without
  /// end, one against the other, where nobody answers.
  private func leading(_ outlook: AdaptiveOutlook) -> (level: Double, changed: Double) {
    changedLeft == 1 ? (outlook.level + outlook.changed, 0) : (outlook.level, outlook.changed)
  }

  /// Whether its numbers are those of a heart, for which single precision is good.
  func isGood(for outlook: AdaptiveOutlook) -> Bool {
    let leading = leading(outlook)
    let (changed, sway) = (leading.changed.magnitude + 8 * outlook.cue.magnitude, outlook.sway.magnitude)
    return max(outlook.course.magnitude, leading.level.magnitude, changed, sway) < Self.mostBPM
      && max(outlook.courseVariance.magnitude, outlook.levelVariance.magnitude) < Self.mostVariance
  }

  /// About the gains of an outlook that this is good for.
  func gains(
    _ outlook: AdaptiveOutlook, _ target: ClosedRange<Double>, aim: ClosedRange<Double>
  ) -> InlineArray<5, Double> {
    outlook.steers ? steered(outlook, target, aim) : unsteered(outlook, target)
  }

  @inline(never)
  private func unsteered(_ outlook: AdaptiveOutlook, _ target: ClosedRange<Double>) -> InlineArray<5, Double> {
    let (upper, lower) = (Self.four(target.upperBound), Self.four(target.lowerBound))
    let leading = leading(outlook)
    let (course, level) = (Self.four(outlook.course), Self.four(leading.level))
    let (changed, sway, cue) = (Self.four(leading.changed), Self.four(outlook.sway), Self.four(outlook.cue))
    var (one, two, three, five, eight) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    let steps = steps.span
    for index in steps.indices {
      var silent = steps[index].course * course
      silent += steps[index].level * level
      silent += steps[index].changed * changed
      silent += steps[index].sway * sway
      let precision = precision(outlook, index)
      let inTarget = Self.twiceShare(silent, lower, upper, precision)
      one += Self.twiceShare(silent + steps[index].changed * cue, lower, upper, precision) - inTarget
      var more = Self.twiceShare(silent + steps[index].twoCues * cue, lower, upper, precision) - inTarget
      two += more
      guard index >= Self.firstAfterTwo else {
        three += more
        five += more
        eight += more
        continue
      }
      three += Self.twiceShare(silent + steps[index].threeCues * cue, lower, upper, precision) - inTarget
      more = Self.twiceShare(silent + steps[index].fiveCues * cue, lower, upper, precision) - inTarget
      five += more
      if index >= Self.firstAfterFive {
        more = Self.twiceShare(silent + steps[index].eightCues * cue, lower, upper, precision) - inTarget
      }
      eight += more
    }
    return [Self.seconds(one), Self.seconds(two), Self.seconds(three), Self.seconds(five), Self.seconds(eight)]
  }

  @inline(never)
  private func steered(
    _ outlook: AdaptiveOutlook, _ target: ClosedRange<Double>, _ aim: ClosedRange<Double>
  ) -> InlineArray<5, Double> {
    let limits = (lower: Self.four(target.lowerBound), upper: Self.four(target.upperBound))
    let aims = (lower: Self.four(aim.lowerBound), upper: Self.four(aim.upperBound))
    let (leading, cue) = (leading(outlook), Self.four(outlook.cue))
    var few = SteeredSeries(
      cues: Lanes(0, 1, 2, 3), course: Self.four(outlook.course), level: Self.four(leading.level),
      changed: Self.four(leading.changed))
    var many = few
    var (sway, step) = (Float(outlook.sway), 0)
    for index in steps.indices {
      let precision = precision(outlook, index)
      for lane in 0..<Lanes.scalarCount {
        let swaying = Lanes(repeating: sway)
        let share = Lanes(repeating: precision[lane])
        if step == 3 * AdaptiveOutlook.stepsBetweenCues { many = few.fiveAndEight }
        if step.isMultiple(of: AdaptiveOutlook.stepsBetweenCues) {
          let given = Lanes(repeating: Float(step / AdaptiveOutlook.stepsBetweenCues))
          few.changed += cue.replacing(with: Lanes.zero, where: few.cues .<= given)
          many.changed += cue.replacing(with: Lanes.zero, where: many.cues .<= given)
        }
        few.goOn(swaying, self, aims, limits, share)
        // More than three cues differ from three where a fourth can be given.
        if step >= 3 * AdaptiveOutlook.stepsBetweenCues { many.goOn(swaying, self, aims, limits, share) }
        sway *= swayLeft
        step += 1
      }
    }
    let seconds = Float(AdaptiveOutlook.stepSeconds / 2)
    let (fewer, more) = ((few.sum - few.sum[0]) * seconds, (many.sum - few.sum[0]) * seconds)
    return [Double(fewer[1]), Double(fewer[2]), Double(fewer[3]), Double(more[0]), Double(more[1])]
  }

  /// Four series of cues of somebody who steers.
  private struct SteeredSeries {
    /// How many cues each has.
    let cues: Lanes
    var course, level, changed: Lanes
    var sum = Lanes.zero

    /// Series of five and of eight cues, of one of three after its third.
    var fiveAndEight: SteeredSeries {
      func last(_ lanes: Lanes) -> Lanes { Lanes(repeating: lanes[3]) }
      return SteeredSeries(
        cues: Lanes(5, 8, 8, 8), course: last(course), level: last(level), changed: last(changed), sum: last(sum))
    }

    /// Goes on for a step.
    @inline(__always)
    mutating func goOn(
      _ sway: Lanes, _ horizon: AdaptiveHorizon, _ aim: (lower: Lanes, upper: Lanes),
      _ target: (lower: Lanes, upper: Lanes),
      _ precision: Lanes
    ) {
      let most = Lanes(repeating: Float(AdaptiveHabit.widestGap))
      let rate = Lanes(repeating: Float(AdaptiveHabit.steeringRate * AdaptiveOutlook.stepSeconds))
      var gap = least(greatest(course, aim.lower), aim.upper) - course
      gap = least(greatest(gap, -most), most)
      level += rate * gap
      let leading = level + changed + sway
      course += (leading - course) * Lanes(repeating: horizon.led)
      changed *= Lanes(repeating: horizon.changedLeft)
      sum += AdaptiveHorizon.twiceShare(course, target.lower, target.upper, precision)
    }
  }

  @inline(__always)
  private static func four(_ number: Double) -> Lanes { Lanes(repeating: Float(number)) }

  /// One by the standard deviations of the heart rate in four steps.
  @inline(__always)
  private func precision(_ outlook: AdaptiveOutlook, _ index: Int) -> Lanes {
    let unknown = steps[index].levelVariance * (Self.four(outlook.levelVariance) + steps[index].levelDrift)
    var variance = unknown.replacing(with: Lanes.zero, where: unknown .< Lanes.zero)
    variance += steps[index].courseVariance * Self.four(outlook.courseVariance)
    variance += Self.four(AdaptiveFilter.variabilityBPM * AdaptiveFilter.variabilityBPM)
    return Self.separateRoot(of: variance)
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

/// The greater number in each lane, and the lesser one: an instruction each.
@inline(__always)
private func greatest(_ left: SIMD4<Float>, _ right: SIMD4<Float>) -> SIMD4<Float> {
  left.replacing(with: right, where: left .< right)
}

@inline(__always)
private func least(_ left: SIMD4<Float>, _ right: SIMD4<Float>) -> SIMD4<Float> {
  left.replacing(with: right, where: right .< left)
}

/// What a pair of filters of ``AdaptiveCourse`` follows, in bpm, or a row of how much is known of it: a lane a filter.
///
/// Named fields, so that reading one never copies the others.
struct AdaptiveQuantities: Sendable {
  /// A value a filter.
  typealias Lanes = SIMD2<Double>

  /// The course of the heart rate.
  var course = Lanes.zero
  /// The level that the runner's own pace leads to.
  var level = Lanes.zero
  /// What cues changed of it.
  var changed = Lanes.zero
  /// The sway of pace and ground.
  var sway = Lanes.zero
  /// Slow variability.
  var slow = Lanes.zero
  /// How much a cue changes that is followed.
  var perCue = Lanes.zero

  /// Where the heart rate goes.
  @inline(__always)
  var leading: Lanes { level + changed + sway }

  /// Goes on: the course follows, and what fades fades.
  @inline(__always)
  mutating func goOn(_ left: AdaptiveDecay, led: Double) {
    let leading = leading
    course = course * left.course + led * leading
    changed *= left.changed
    sway *= left.sway
    slow *= left.slow
  }

  /// A value for each quantity, of that of two.
  @inline(__always)
  private static func each(
    _ left: Self, _ right: Self, _ body: (Lanes, Lanes) -> Lanes
  ) -> Self {
    Self(
      course: body(left.course, right.course), level: body(left.level, right.level),
      changed: body(left.changed, right.changed), sway: body(left.sway, right.sway), slow: body(left.slow, right.slow),
      perCue: body(left.perCue, right.perCue))
  }

  @inline(__always)
  static func + (left: Self, right: Self) -> Self { each(left, right) { $0 + $1 } }

  @inline(__always)
  static func - (left: Self, right: Self) -> Self { each(left, right) { $0 - $1 } }

  @inline(__always)
  static func * (left: Self, right: Lanes) -> Self { each(left, left) { value, _ in value * right } }

  @inline(__always)
  static func / (left: Self, right: Lanes) -> Self { each(left, left) { value, _ in value / right } }
}

/// How much is known of quantities, and of each together with each: their covariance.
struct AdaptiveCovariance: Sendable {
  typealias Lanes = AdaptiveQuantities.Lanes

  var course = AdaptiveQuantities()
  var level = AdaptiveQuantities()
  var changed = AdaptiveQuantities()
  var sway = AdaptiveQuantities()
  var slow = AdaptiveQuantities()
  var perCue = AdaptiveQuantities()

  /// Goes on, without what is added.
  @inline(__always)
  mutating func goOn(_ left: AdaptiveDecay, led: Double) {
    level.goOn(left, led: led)
    changed.goOn(left, led: led)
    var leading = level + changed
    changed = changed * Lanes(repeating: left.changed)
    sway.goOn(left, led: led)
    leading = leading + sway
    sway = sway * Lanes(repeating: left.sway)
    course.goOn(left, led: led)
    course = course * Lanes(repeating: left.course) + leading * Lanes(repeating: led)
    slow.goOn(left, led: led)
    slow = slow * Lanes(repeating: left.slow)
    perCue.goOn(left, led: led)
  }

  /// What a part of what a cue changes adds to what cues changed.
  mutating func takeCue(_ part: Lanes) {
    changed = changed + perCue * part
    course.changed += part * course.perCue
    level.changed += part * level.perCue
    changed.changed += part * changed.perCue
    sway.changed += part * sway.perCue
    slow.changed += part * slow.perCue
    perCue.changed += part * perCue.perCue
  }

  /// Takes off what a reading has shown.
  @inline(__always)
  mutating func take(_ gain: AdaptiveQuantities, _ variances: Lanes) {
    let taken = gain * variances
    course = course - taken * gain.course
    level = level - taken * gain.level
    changed = changed - taken * gain.changed
    sway = sway - taken * gain.sway
    slow = slow - taken * gain.slow
    perCue = perCue - taken * gain.perCue
  }
}

/// Who a runner may be: what a filter of ``AdaptiveCourse`` assumes, and what the others assume differently.
struct AdaptiveHabit: Hashable, Sendable {
  /// The time constant of the heart rate in seconds.
  let timeConstant: Double
  /// The time constant in seconds with which what a cue changed is lost; absent where it is kept.
  let relapseSeconds: Double?
  /// Whether the runner steers by the heart rate on the wrist.
  let steers: Bool
  /// The share of cues that are followed.
  let follows: Double

  /// Whether the heart rate follows slowly.
  var isSlow: Bool { timeConstant > 60 }
  /// Whether most cues are followed.
  var isFollower: Bool { follows == Self.mostFollow }

  /// What part of the gap somebody who steers by the heart rate corrects in a second, and the largest gap in bpm.
  static let steeringRate = 0.4 / 15, widestGap = 25.0

  /// How far somebody aims to go who steers by a heart rate, in bpm.
  static func gap(_ bpm: Double, _ aim: ClosedRange<Double>) -> Double {
    min(widestGap, max(-widestGap, min(aim.upperBound, max(aim.lowerBound, bpm)) - bpm))
  }

  /// The same for two heart rates.
  @inline(__always)
  static func gaps(_ bpm: SIMD2<Double>, _ aim: ClosedRange<Double>) -> SIMD2<Double> {
    typealias Lanes = SIMD2<Double>
    let (lower, upper) = (Lanes(repeating: aim.lowerBound), Lanes(repeating: aim.upperBound))
    let (least, most) = (Lanes(repeating: -widestGap), Lanes(repeating: widestGap))
    let atLeast = lower.replacing(with: bpm, where: bpm .>= lower)
    let gap = upper.replacing(with: atLeast, where: atLeast .< upper) - bpm
    let limited = least.replacing(with: gap, where: gap .>= least)
    return most.replacing(with: limited, where: limited .< most)
  }

  /// The share of cues that somebody follows who follows most of them.
  static let mostFollow = 0.85

  /// Two time constants; keeps, loses or steers; follows most cues or three of ten. Source of the time constants: within the
  /// 57.6 ± 23.6 s of Hunt, Fankhauser & Saengsuwan 2015, 10.1186/s12938-015-0112-7. Of the rest: none, tuned on virtual runners.
  static let all: [AdaptiveHabit] = [40.0, 80].flatMap { timeConstant in
    [(nil, false), (230.0, false), (nil, true)].flatMap { (relapse: Double?, steers: Bool) in
      [mostFollow, 0.3].map { (follows: Double) in
        AdaptiveHabit(timeConstant: timeConstant, relapseSeconds: relapse, steers: steers, follows: follows)
      }
    }
  }
}

/// What ``AdaptiveStrategy`` knows of a runner: twelve Kalman filters, one for each ``AdaptiveHabit``, weighted by how well they
/// foresee the readings.
///
/// Memory is constant, about 7 KB beside the engine; a look costs a few thousand operations, and some thousand more for each filter that
/// counts where the target is or will be left.
struct AdaptiveCourse: Sendable {
  /// What is expected.
  struct Forecast {
    /// The heart rate in bpm when a cue of now has begun to show, without one.
    var soon = 0.0
    /// The heart rate in bpm in 60 s without a word.
    var later = 0.0
  }

  /// Readings that are further off are not believed, in standard deviations of every filter.
  private static let widest = 4.0
  /// The longest time that readings are not believed.
  private static let longestDisbelief = SessionTime.seconds(130)
  /// After a longer gap, as a pause makes it, the heart rate is where it is read.
  private static let longestGap = SessionTime.seconds(60)
  /// Filters that weigh less are left out of forecasts; none weighs less than the second, so that it can come back.
  private static let leastWeight = 0.04, smallestWeight = 0.002
  /// How far inside the limits of the target somebody aims who steers, in bpm.
  private static let aimInside = 3.0
  /// How long, and with how many cues, a session is from which something is learned for the next one.
  private static let (shortestLesson, fewestCues) = (SessionTime.seconds(600), 5)
  private var filters: [AdaptiveFilter]
  private var aim: ClosedRange<Double>
  private var last: SessionTime?
  private var lastReading: SessionTime?
  private var disbelievedSince: SessionTime?
  private var isChanged = false
  private var began: SessionTime?
  private var cues = 0

  /// Knows what is thought before; the runner's pace is expected to lead to the middle of the target, more or less.
  init(_ target: ClosedRange<Double>, _ prior: RunnerPrior = .anybody) {
    let habits = AdaptiveHabit.all
    filters = stride(from: 0, to: habits.count, by: AdaptiveFilter.lanes).map {
      AdaptiveFilter(
        (habits[$0], habits[$0 + 1]), prior, middleBPM: (target.lowerBound + target.upperBound) / 2)
    }
    aim = Self.aim(target)
  }

  private static func aim(_ target: ClosedRange<Double>) -> ClosedRange<Double> {
    let lowest = target.lowerBound + aimInside
    return lowest...max(lowest, target.upperBound - aimInside)
  }

  /// Goes on to a time, with the newest reading of it.
  mutating func observe(_ bpm: Int, readAt: SessionTime, now: SessionTime, target: ClosedRange<Double>?) {
    if let target { aim = Self.aim(target) }
    let reading = Double(bpm)
    guard let last else {
      isChanged = false
      for index in filters.indices { filters[index].begin(reading) }
      began = now
      last = now
      lastReading = readAt
      return
    }
    let seconds = min(Self.longestGap.seconds, max(0, (now - last).seconds))
    self.last = now
    if isChanged || now - last > Self.longestGap {
      for index in filters.indices { filters[index].moveTo(reading) }
      isChanged = false
    }
    if seconds > 0 { predict(seconds) }
    guard lastReading != readAt else { return }
    lastReading = readAt
    if areAllFar(from: reading) {
      let since = disbelievedSince ?? now
      disbelievedSince = since
      guard now - since > Self.longestDisbelief else { return }
      for index in filters.indices { filters[index].moveTo(reading) }
    }
    disbelievedSince = nil
    update(reading)
  }

  private mutating func predict(_ seconds: Double) {
    let aim = aim
    var filters = filters.mutableSpan
    for index in filters.indices { filters[index].predict(seconds, aim: aim) }
  }

  private mutating func update(_ reading: Double) {
    var filters = filters.mutableSpan
    var sum = 0.0
    for index in filters.indices {
      filters[index].update(reading)
      sum += filters[index].weights[0]
      sum += filters[index].weights[1]
    }
    let smallest = AdaptiveFilter.Lanes(repeating: Self.smallestWeight)
    for index in filters.indices {
      let weights = sum > 0 ? filters[index].weights / sum : .zero
      filters[index].weights = smallest.replacing(with: weights, where: weights .>= smallest)
    }
  }

  /// Whether a reading is too far from what every filter expects to be believed.
  private func areAllFar(from reading: Double) -> Bool {
    let filters = filters.span
    for index in filters.indices where any(filters[index].distances(of: reading) .<= Self.widest) { return false }
    return true
  }

  /// A cue was given, which is expected to change the pace.
  mutating func say(_ action: CueAction) {
    let direction =
      switch action {
      case .speedUp: 1.0
      case .hold: 0.0
      case .slowDown: -1.0
      }
    if direction != 0 { cues += 1 }
    for index in filters.indices { filters[index].pending = direction }
  }

  /// What the session makes of what was thought before; absent where it was too short.
  func learned(from prior: RunnerPrior) -> RunnerPrior? {
    guard let began, let last, last - began >= Self.shortestLesson, cues >= Self.fewestCues else { return nil }
    var (sum, cue, weights) = (0.0, 0.0, [(habit: AdaptiveHabit, weight: Double)]())
    for filter in filters {
      for lane in 0..<AdaptiveFilter.lanes {
        sum += filter.weights[lane]
        cue += filter.weights[lane] * filter.cueBPM[lane]
        weights.append((lane == 0 ? filter.habits.0 : filter.habits.1, filter.weights[lane]))
      }
    }
    guard sum > 0 else { return nil }
    return prior.learned(weights.map { ($0.habit, $0.weight / sum) }, cue: cue / sum)
  }

  /// Something else is asked for, so that the runner's own pace may be another one.
  mutating func change() { isChanged = true }

  /// What is expected without a word.
  func forecast() -> Forecast {
    var (forecast, sum) = (Forecast(), 0.0)
    let filters = filters.span
    for index in filters.indices where any(filters[index].weights .>= Self.leastWeight) {
      let (weights, expected) = (filters[index].weights, filters[index].expected(aim: aim))
      for lane in 0..<AdaptiveFilter.lanes where weights[lane] >= Self.leastWeight {
        sum += weights[lane]
        forecast.soon += weights[lane] * expected.soon[lane]
        forecast.later += weights[lane] * expected.later[lane]
      }
    }
    guard sum > 0 else { return forecast }
    forecast.soon /= sum
    forecast.later /= sum
    return forecast
  }

  /// Whether a cue that is followed buys some seconds in the target within the next 280 s: the best of one, two, three, five and eight
  /// of them in a row, in proportion to the share of cues that this runner seems to follow.
  func buys(_ price: Double, _ direction: Double, in target: ClosedRange<Double>) -> Bool {
    var (gains, error, follows) = (InlineArray<5, Double>(repeating: 0), 0.0, 0.0)
    let (filters, horizons) = (filters.span, AdaptiveHorizon.all)
    for pair in filters.indices {
      for lane in 0..<AdaptiveFilter.lanes where filters[pair].weights[lane] >= Self.leastWeight {
        let outlook = filters[pair].outlook(lane, direction: direction)
        guard horizons[pair].isGood(for: outlook) else { return !(gain(direction, in: target) < price) }
        let more = horizons[pair].gains(outlook, target, aim: aim)
        for row in gains.indices { gains[row] += outlook.weight * more[row] }
        follows += outlook.weight * outlook.follows
        error += outlook.weight * AdaptiveHorizon.errorSeconds
      }
    }
    guard follows > 0 else { return !(0 < price) }
    let needed = price * follows / AdaptiveHabit.mostFollow
    var near = InlineArray<5, Bool>(repeating: false)
    var isNear = false
    for row in gains.indices {
      let needed = needed * Double(AdaptiveOutlook.series[row])
      if gains[row] > needed + error { return true }
      near[row] = !(gains[row] < needed - error)
      isNear = isNear || near[row]
    }
    // A series that is far below the price is not the best of those that are not.
    return isNear && !(gain(direction, in: target, of: near) < price)
  }

  /// How many seconds in the target it buys, by the best of some series.
  func gain(
    _ direction: Double, in target: ClosedRange<Double>,
    of wanted: InlineArray<5, Bool> = InlineArray(repeating: true)
  ) -> Double {
    var (gains, follows) = (InlineArray<5, Double>(repeating: 0), 0.0)
    let filters = filters.span
    for pair in filters.indices {
      for lane in 0..<AdaptiveFilter.lanes where filters[pair].weights[lane] >= Self.leastWeight {
        let outlook = filters[pair].outlook(lane, direction: direction)
        follows += outlook.weight * outlook.follows
        let more = outlook.gains(target, aim: aim, wanted: wanted)
        for row in gains.indices { gains[row] += outlook.weight * more[row] / Double(AdaptiveOutlook.series[row]) }
      }
    }
    guard follows > 0 else { return 0 }
    var best = -Double.infinity
    for row in gains.indices where wanted[row] { best = max(best, gains[row]) }
    return best * AdaptiveHabit.mostFollow / follows
  }
}

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
/// Memory is constant, about 7 KB beside the engine; a look costs a few thousand operations, and about ten times as many where the
/// target is or will be left.
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
  /// When a cue of now has begun to show, in seconds. Source: none, tuned on virtual runners.
  private static let soonSeconds = 30.0
  /// Filters that weigh less are left out of forecasts; none weighs less than the second, so that it can come back.
  private static let (leastWeight, smallestWeight) = (0.04, 0.002)
  /// How far inside the limits of the target somebody aims who steers, in bpm.
  private static let aimInside = 3.0
  /// How long, and with how many cues, a session is from which something is learned for the next one.
  private static let (shortestLesson, fewestCues) = (SessionTime.seconds(600), 5)
  /// How many cues in a row are tried.
  private static let rows: InlineArray<5, Int> = [1, 2, 3, 5, 8]

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
    filters = AdaptiveHabit.all.map {
      AdaptiveFilter($0, prior, middleBPM: (target.lowerBound + target.upperBound) / 2)
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
    if seconds > 0 { for index in filters.indices { filters[index].predict(seconds, aim: aim) } }
    guard lastReading != readAt else { return }
    lastReading = readAt
    if filters.allSatisfy({ $0.distance(of: reading) > Self.widest }) {
      let since = disbelievedSince ?? now
      disbelievedSince = since
      guard now - since > Self.longestDisbelief else { return }
      for index in filters.indices { filters[index].moveTo(reading) }
    }
    disbelievedSince = nil
    var sum = 0.0
    for index in filters.indices { sum += filters[index].update(reading) }
    for index in filters.indices {
      filters[index].weight = max(Self.smallestWeight, sum > 0 ? filters[index].weight / sum : 0)
    }
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
    let sum = filters.reduce(0) { $0 + $1.weight }
    guard sum > 0 else { return nil }
    return prior.learned(
      filters.map { ($0.habit, $0.weight / sum) }, cue: filters.reduce(0) { $0 + $1.weight * $1.cueBPM } / sum)
  }

  /// Something else is asked for, so that the runner's own pace may be another one.
  mutating func change() { isChanged = true }

  /// What is expected without a word.
  func forecast() -> Forecast {
    var (forecast, sum) = (Forecast(), 0.0)
    for filter in filters where filter.weight >= Self.leastWeight {
      sum += filter.weight
      forecast.soon += filter.weight * filter.expected(in: Self.soonSeconds, aim: aim)
      forecast.later += filter.weight * filter.expected(in: 60, aim: aim)
    }
    guard sum > 0 else { return forecast }
    forecast.soon /= sum
    forecast.later /= sum
    return forecast
  }

  /// How many seconds in the target a cue that is followed buys within the next 280 s: the best of one, two, three, five and eight of
  /// them in a row, in proportion to the share of cues that this runner seems to follow.
  func gain(_ direction: Double, in target: ClosedRange<Double>) -> Double {
    var (gains, follows) = (InlineArray<5, Double>(repeating: 0), 0.0)
    for filter in filters where filter.weight >= Self.leastWeight {
      follows += filter.weight * filter.habit.follows
      let silent = filter.secondsInTarget(cues: 0, direction, target, aim: aim)
      for row in gains.indices {
        let spoken = filter.secondsInTarget(cues: Self.rows[row], direction, target, aim: aim)
        gains[row] += filter.weight * (spoken - silent) / Double(Self.rows[row])
      }
    }
    guard follows > 0 else { return 0 }
    return max(gains[0], gains[1], gains[2], gains[3], gains[4]) * AdaptiveHabit.mostFollow / follows
  }
}

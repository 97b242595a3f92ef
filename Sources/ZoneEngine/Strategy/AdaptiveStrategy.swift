/// Learns in the session how the heart rate of this runner follows, and what a cue does to it; is silent when the heart rate is
/// expected to come back by itself, and while the answer to the last cue cannot show yet; speaks early when the target will be
/// left.
public struct AdaptiveStrategy: Hashable, Sendable {
  /// When it looks.
  public let schedule: CheckSchedule
  /// How many seconds in the target a cue has to buy.
  public let priceSeconds: Double

  /// Creates the strategy.
  ///
  /// - Throws: ``ZoneError/strategy(text:expected:)`` for a value outside the range of its parameter.
  public init(schedule: CheckSchedule, priceSeconds: Double = 20) throws(ZoneError) {
    _ = try StrategyParameter.price.checked(priceSeconds, of: "adaptive")
    self.schedule = schedule
    self.priceSeconds = priceSeconds
  }

  /// The shortest time between two cues. Source: none, an assumption: an answer cannot show before.
  static let shortestSilence = SessionTime.seconds(17)
}

/// What ``AdaptiveStrategy`` knows of a runner: eight Kalman filters, which differ in the time constant of the heart rate and in
/// whether what a cue changed is kept, weighted by how well they foresee the readings.
///
/// Memory is constant, about 2 KB beside the engine; a look costs a few hundred operations, a forecast a few thousand.
///
/// Source of the response of first order: Hunt, Fankhauser & Saengsuwan 2015, 10.1186/s12938-015-0112-7. Of the filter: Kalman 1960,
/// J. Basic Eng. 82:35. The variances are assumptions, which docs/evidence.md names.
struct AdaptiveCourse: Sendable {
  /// What is expected.
  struct Forecast {
    /// The heart rate in bpm when a cue of now could begin to show, without one.
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
  private static let soonSeconds = 25.0
  /// Filters that weigh less are left out of forecasts.
  private static let leastWeight = 0.02

  private var filters: [AdaptiveFilter]
  private var last: SessionTime?
  private var lastReading: SessionTime?
  private var disbelievedSince: SessionTime?
  private var isChanged = false

  /// Knows nothing; the runner's pace is expected to lead to the middle of the target, more or less.
  init(middleBPM: Double) {
    filters = [30.0, 50, 80, 130].flatMap { constant in
      [AdaptiveFilter(constant, relapse: nil, middleBPM), AdaptiveFilter(constant, relapse: 190, middleBPM)]
    }
  }

  /// Goes on to a time, with the newest reading of it.
  mutating func observe(_ bpm: Int, readAt: SessionTime, now: SessionTime) {
    guard let last else {
      isChanged = false
      for index in filters.indices { filters[index].begin(Double(bpm)) }
      last = now
      lastReading = readAt
      return
    }
    let seconds = min(Self.longestGap.seconds, max(0, (now - last).seconds))
    self.last = now
    if isChanged || now - last > Self.longestGap {
      for index in filters.indices { filters[index].moveTo(Double(bpm)) }
      isChanged = false
    }
    if seconds > 0 { for index in filters.indices { filters[index].predict(seconds) } }
    guard lastReading != readAt else { return }
    lastReading = readAt
    let reading = Double(bpm)
    let isFar = filters.allSatisfy { $0.distance(of: reading) > Self.widest }
    if isFar {
      let since = disbelievedSince ?? now
      disbelievedSince = since
      guard now - since > Self.longestDisbelief else { return }
      for index in filters.indices { filters[index].moveTo(reading) }
    }
    disbelievedSince = nil
    var sum = 0.0
    for index in filters.indices { sum += filters[index].update(reading) }
    guard sum > 0 else { return }
    // None dies out, so that it can come back.
    for index in filters.indices { filters[index].weight = max(0.002, filters[index].weight / sum) }
  }

  /// A cue was given, which is expected to change the pace.
  mutating func say(_ action: CueAction) {
    let direction =
      switch action {
      case .speedUp: 1.0
      case .hold: 0.0
      case .slowDown: -1.0
      }
    for index in filters.indices { filters[index].pending = direction }
  }

  /// Something else is asked for, so that the runner's own pace may be another one.
  mutating func change() { isChanged = true }

  /// What is expected without a word.
  func forecast() -> Forecast {
    var (forecast, sum) = (Forecast(), 0.0)
    for filter in filters where filter.weight >= Self.leastWeight {
      sum += filter.weight
      forecast.soon += filter.weight * filter.expected(in: Self.soonSeconds)
      forecast.later += filter.weight * filter.expected(in: 60)
    }
    guard sum > 0 else { return forecast }
    forecast.soon /= sum
    forecast.later /= sum
    return forecast
  }

  /// How many seconds in the target a cue buys within the next 220 s, the best of one, two or three of them in a row.
  func gain(_ direction: Double, from lower: Double, to upper: Double) -> Double {
    var (gains, sum) = (InlineArray<3, Double>(repeating: 0), 0.0)
    for filter in filters where filter.weight >= Self.leastWeight {
      sum += filter.weight
      let silent = filter.secondsInTarget(cues: 0, direction, lower, upper)
      for count in 1...3 {
        let spoken = filter.secondsInTarget(cues: count, direction, lower, upper)
        gains[count - 1] += filter.weight * (spoken - silent) / Double(count)
      }
    }
    return sum > 0 ? max(gains[0], gains[1], gains[2]) / sum : 0
  }
}

extension CoachingEngine {
  /// Goes on with what is known of the runner, and begins it with the first reading that there is a target for.
  mutating func learn() {
    guard let newestReading, now - newestReading.time <= Self.holdLimit, isRunning else { return }
    if adaptive.isEmpty {
      guard let target, target.quantity == nil else { return }
      let (lower, upper) = (target.lowerBPM, target.upperBPM)
      let middle = Double((lower ?? (upper ?? 0) - 20) + (upper ?? (lower ?? 0) + 20)) / 2
      adaptive = [AdaptiveCourse(middleBPM: middle)]
    }
    adaptive[0].observe(newestReading.displayedBPM, readAt: newestReading.time, now: now)
  }

  /// What is expected, and whether a cue buys enough.
  func judgement(of strategy: AdaptiveStrategy, _ instant: Judgement.Instant) -> Judgement {
    var evidence = Evidence(
      heartRateBPM: instant.newest?.displayedBPM, heartRateAge: instant.newest?.age, window: nil, covered: nil,
      held: [])
    guard instant.heartRate != nil, let course = adaptive.first else {
      return Judgement(refusal: .signalLost, evidence: evidence)
    }
    let forecast = course.forecast()
    func displayed(_ bpm: Double) -> Int { HeartRateZones.displayed(min(max(bpm, 0), 255)) }
    let soon = displayed(forecast.soon)
    evidence = Evidence(
      heartRateBPM: evidence.heartRateBPM, heartRateAge: evidence.heartRateAge, window: nil, covered: nil, held: [],
      judgedBPM: soon)
    evidence.expectedBPM = displayed(forecast.later)
    var judgement = once(Judgement(soon, sorter, evidence))
    judgement.saysHold = false
    guard judgement.unsaid == nil, let side = judgement.side, side != .inside else { return judgement }
    let gain = course.gain(
      side == .under ? 1 : -1, from: Double(targetLimits.lower) - 0.5, to: Double(targetLimits.upper) + 0.5)
    judgement.isReturning = gain < strategy.priceSeconds
    return judgement
  }

  /// The judgement, unless the last cue was too short a time ago.
  func once(_ judgement: Judgement) -> Judgement {
    var judgement = judgement
    let silence = quantity == nil ? AdaptiveStrategy.shortestSilence : .seconds(60)
    if let lastCue, now - lastCue < silence { judgement.unsaid = .minimumInterval }
    return judgement
  }
}

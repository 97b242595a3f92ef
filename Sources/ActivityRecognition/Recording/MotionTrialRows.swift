/// The rows of a trial of a file, in the order of the file; a turning rate that is missing is no number.
struct MotionTrialRows: Sendable {
  /// The person and the trial that the rows name; empty where they name none.
  let key: MotionTrialKey
  /// Times in the unit of the file, since the first.
  var times: [Double] = []
  var samples: [SIMD8<Float>] = []
  var labels: [Int16] = []
  /// In which lines of the file the rows stand.
  var lines: [UInt32] = []
  /// The first time, as the file has it.
  var firstTime = 0.0
  /// How many samples have no turning rate, and the line of the first.
  var turnless = 0
  var firstTurnless = 0
  /// The clock by which its rows are timed, where that is one of the day.
  var clock = MotionClock()

  init(_ key: MotionTrialKey) { self.key = key }

  /// Keeps the rows at some places alone.
  mutating func keep(_ places: [Int]) {
    times = places.map { times[$0] }
    labels = places.map { labels[$0] }
    lines = places.map { lines[$0] }
    samples = places.map { samples[$0] }
  }

  /// One in how many times is earlier than the one before it where they are in no order.
  private static let disorderedPart = 4

  /// The median of the steps between times, whichever way they go, those of 0 left out; `nil` where all times are one. Of times that
  /// are in no order it is that of the same in order.
  static func typicalStep(_ times: some Collection<Double>) -> Double? {
    let late = zip(times, times.dropFirst()).count { $1 < $0 }
    if late * disorderedPart > times.count { return medianStep(times.sorted()) }
    return medianStep(times)
  }

  private static func medianStep(_ times: some Collection<Double>) -> Double? {
    var steps: [Double] = []
    var before: Double?
    for time in times {
      if let before, time != before { steps.append((time - before).magnitude) }
      before = time
    }
    steps.sort()
    return steps.isEmpty ? nil : steps[steps.count / 2]
  }
}

/// What distinguishes one trial from another.
struct MotionTrialKey: Hashable, Sendable {
  var person = ""
  var trial = ""
}

/// The usual units of time.
enum MotionTimeUnit: Double, CaseIterable {
  case seconds = 1
  case milliseconds = 1e3
  case microseconds = 1e6
  case nanoseconds = 1e9

  private var name: String {
    switch self {
    case .seconds: "seconds"
    case .milliseconds: "milliseconds"
    case .microseconds: "microseconds"
    case .nanoseconds: "nanoseconds"
    }
  }

  /// The unit of times of which no name says it, by which of the usual ones gives 20 to 200 samples a second; `nil` for none.
  static func unit(ofStep step: Double) -> MotionTimeUnit? {
    allCases.first { MotionLimits.sampleRates.contains($0.rawValue / step) }
  }

  /// How far from a usual rate times may be whose unit is still plain: three times too few samples a second, or too many.
  private static let plainFactor = 3.0

  /// Why times are none of motion.
  ///
  /// - Parameter perSecond: how many of the file's units a second has; `nil` where that is not known.
  static func problem(_ times: [Double], perSecond: Double?) -> String {
    let expected = "expected 20 to 200"
    guard let step = MotionTrialRows.typicalStep(times) else {
      return "all \(times.count) times are the same: \(expected) samples a second"
    }
    let limits = MotionLimits.sampleRates
    let near = allCases.first { unit in
      let rate = unit.rawValue / step
      return rate >= limits.lowerBound / plainFactor && rate <= limits.upperBound * plainFactor
    }
    guard let unit = perSecond ?? near?.rawValue else {
      return "the unit of the times is not known, mostly \(short(step)) from one to the next: "
        + "\(expected) samples a second"
    }
    let rate = unit / step
    var text = (rate < 1000 ? short(rate) : "more than 1000") + " samples a second"
    if perSecond == nil, let near { text += " by times in \(near.name)" }
    let repeated = zip(times, times.dropFirst()).count { $0 == $1 }
    if repeated * 2 > times.count { text += ", for \(repeated) of \(times.count) rows have the time of the one before" }
    return text + ": \(expected)"
  }

  private static func short(_ value: Double) -> String {
    value < 0.05 ? "less than 0.1" : value < 1e15 ? "\((value * 10).rounded() / 10)" : "\(value)"
  }
}

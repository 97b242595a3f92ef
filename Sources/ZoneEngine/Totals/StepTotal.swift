/// Steps of a session and the cadence that follows from them.
public struct StepTotal: Sendable {
  /// The time over which steps are counted into a cadence.
  static let span = SessionTime.seconds(10)
  /// The longest time between two step samples that still gives a cadence.
  static let longestGap = SessionTime.seconds(15)

  /// Steps counted; `nil` when no step sample came.
  public private(set) var steps: Int?
  /// The newest cadence in steps per minute, and when it was reported.
  public private(set) var cadence: (stepsPerMinute: Double, time: SessionTime)?

  private var lastTime: SessionTime?
  private var spanStart: SessionTime?
  private var spanSteps = 0
  private var cadenceSum = 0.0
  private var cadenceCount = 0

  /// Creates an empty total.
  public init() {}

  /// The mean cadence in steps per minute; `nil` when there was none.
  public var meanCadence: Double? { cadenceCount > 0 ? cadenceSum / Double(cadenceCount) : nil }

  /// Takes the steps since the last step sample; returns a new cadence when one is known.
  ///
  /// - Precondition: `count` is not negative.
  public mutating func admit(steps count: Int, at time: SessionTime) -> Double? {
    steps = (steps ?? 0) + count
    defer { lastTime = time }
    guard let lastTime, let start = spanStart, time - lastTime <= Self.longestGap else {
      spanStart = time
      spanSteps = 0
      return nil
    }
    spanSteps += count
    guard time - start >= Self.span else { return nil }
    let stepsPerMinute = Double(spanSteps) / (time - start).seconds * 60
    spanStart = time
    spanSteps = 0
    admit(cadence: stepsPerMinute, at: time)
    return stepsPerMinute
  }

  /// Takes a cadence in steps per minute that a device reported.
  public mutating func admit(cadence stepsPerMinute: Double, at time: SessionTime) {
    cadence = (stepsPerMinute, time)
    guard stepsPerMinute > 0 else { return }
    cadenceSum += stepsPerMinute
    cadenceCount += 1
  }

  /// Forgets the last sample, so that a pause is no slow cadence.
  public mutating func breakCount() {
    lastTime = nil
    spanStart = nil
    spanSteps = 0
  }
}

/// Count, sum and extremes of accepted heart rates, without keeping them.
public struct HeartRateStatistics: Hashable, Sendable {
  /// How many readings.
  public private(set) var count = 0
  /// The sum of all readings.
  public private(set) var sum = 0.0
  /// The lowest reading; `nil` when there was none.
  public var minimum: Double? { count > 0 ? lowest : nil }
  /// The highest reading; `nil` when there was none.
  public var maximum: Double? { count > 0 ? highest : nil }
  /// The mean over readings; `nil` when there was none.
  public var mean: Double? { count > 0 ? sum / Double(count) : nil }

  private var lowest = Double.infinity
  private var highest = -Double.infinity

  /// Creates empty statistics.
  public init() {}

  /// Statistics that were kept: how many readings, their sum, the lowest and the highest; empty for a count of 0.
  package init(count: Int, sum: Double, minimum: Double?, maximum: Double?) {
    guard count > 0, let minimum, let maximum else { return }
    self.count = count
    self.sum = sum
    lowest = minimum
    highest = maximum
  }

  /// Takes a reading.
  public mutating func admit(_ beatsPerMinute: Double) {
    count += 1
    sum += beatsPerMinute
    lowest = min(lowest, beatsPerMinute)
    highest = max(highest, beatsPerMinute)
  }

  /// Takes readings one after the other.
  package mutating func admit(_ readings: Span<Double>) {
    var statistics = self
    for index in readings.indices { statistics.admit(readings[index]) }
    self = statistics
  }
}

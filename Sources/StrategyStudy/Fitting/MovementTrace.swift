package import WorkoutSession

/// The heart rate and the movement of a session, as a model of runners is fitted to them: the movement second by second, the heart rate
/// where it was read.
///
/// What is not known in a second is not a number. Between two readings at most 15 s apart the value lies on a straight line;
/// nothing is known in a pause.
package struct MovementTrace: Sendable {
  /// The longest session that is looked at, in seconds: two days.
  static let longestSeconds = 172_800
  /// How far apart two readings may be that a line is drawn between, in seconds.
  static let longestGap = 15.0
  /// How far apart two readings of the heart rate have to be, in seconds. Source: ours; two that came together say nothing of how fast
  /// noise changes.
  private static let shortestSpacing = 0.5
  /// From so many steps a minute on somebody runs. Source: an assumption; people walk at 90 to 130 and run at 150 to 190.
  static let slowestRunningCadence = 140.0
  /// Over how many seconds ``speed`` is measured.
  static let speedSpan = 9
  /// Over how many seconds to both sides the grade is measured, and over how many metres at least.
  private static let gradeSpan = 10
  private static let shortestGradeMeters = 10.0
  /// The steepest grade that is believed.
  private static let steepest = 0.3

  /// A reading of one quantity.
  struct Point: Hashable, Sendable {
    /// Seconds since the start.
    let seconds: Double
    /// Its value.
    let value: Double
  }

  /// Beats per minute, on lines between the readings.
  package let heartRate: [Double]
  /// The readings of the heart rate, none in a pause. Of two less than half a second apart the second one is left out.
  let heartRates: [Point]
  /// Metres a second: over nine seconds, of which the second itself is the middle one.
  package let speed: [Double]
  /// Metres since the start; absent where the speed of each second is known by itself.
  private let distance: [Double]?
  /// Metres up for each metre forward, over twenty seconds; 0 where the altitude is not known.
  package let grade: [Double]
  /// Steps a minute.
  package let cadence: [Double]
  /// Whether every reading of the heart rate was in whole beats: rounded, as devices write them. A single one between two whole beats
  /// says that none was; what lies on a line between two readings does not count.
  package let hasWholeBeats: Bool
  /// Whether altitudes were read.
  package let hasAltitude: Bool
  /// Where the readings came from; absent where that is not known.
  package internal(set) var origin: SessionOrigin?

  /// Puts readings on a grid of seconds.
  ///
  /// - Parameters:
  ///   - meters: what was covered since the start.
  ///   - altitudes: metres above the sea; none when it is not known.
  ///   - pauses: spans in seconds of which nothing is known.
  init(heartRates: [Point], meters: [Point], altitudes: [Point], cadences: [Point], pauses: [ClosedRange<Double>]) {
    let end = min(heartRates.last?.seconds ?? 0, meters.last?.seconds ?? 0)
    let count = heartRates.isEmpty || meters.isEmpty ? 0 : min(Self.longestSeconds, Int(max(0, end)) + 1)
    func grid(_ points: [Point]) -> [Double] { Self.grid(points, count: count, pauses: pauses) }
    heartRate = grid(heartRates)
    self.heartRates = Self.counted(heartRates, end: Double(count - 1), pauses: pauses)
    hasWholeBeats = Self.areWhole(heartRates.map(\.value))
    cadence = grid(cadences)
    hasAltitude = altitudes.count > 1
    let (distance, height) = (grid(meters), grid(altitudes))
    self.distance = distance
    speed = Self.slopes(distance, seconds: Self.speedSpan).map { $0 < 0 ? 0 : $0 }
    grade = (0..<count).map { second in
      let (low, high) = Self.reach(distance, second, span: Self.gradeSpan)
      let along = distance[high] - distance[low]
      guard along >= Self.shortestGradeMeters else { return 0 }
      let grade = (height[high] - height[low]) / along
      return grade.isNaN ? 0 : min(Self.steepest, max(-Self.steepest, grade))
    }
  }

  /// Makes a trace of values for every second, as a simulation has them.
  package init(heartRate: [Double], speed: [Double], grade: [Double]) {
    precondition(heartRate.count == speed.count && speed.count == grade.count, "every second has every value")
    self.heartRate = heartRate
    heartRates = heartRate.indices.filter { !heartRate[$0].isNaN }
      .map { Point(seconds: Double($0), value: heartRate[$0]) }
    hasWholeBeats = Self.areWhole(heartRates.map(\.value))
    (self.speed, distance) = (speed, nil)
    self.grade = grade
    cadence = [Double](repeating: .nan, count: speed.count)
    hasAltitude = true
  }

  /// The oxygen that the movement of each second costs over rest, in ml/(kg·min); not a number where ``speed`` is not
  /// known, whatever the span.
  ///
  /// By the equations of ``Gait``; nothing for somebody who stands. Gait, grade and what another speed would cost are those of ``speed``,
  /// the metres those of a span of seconds around.
  ///
  /// - Parameter span: an odd number of seconds.
  func costs(span: Int = speedSpan) -> [Double] {
    let own = span == Self.speedSpan ? nil : distance.map { Self.slopes($0, seconds: span) }
    return speed.indices.map { second in
      let speed = self.speed[second]
      guard speed >= 0.3 else { return speed.isNaN ? .nan : 0 }
      let gait = gait(at: second)
      let cost = gait.oxygenUptake(speed: speed, grade: grade[second]) - 3.5
      guard cost > 0 else { return 0 }
      // The last second before a gap has no metres of its own when a span has a single second.
      guard let own = own?[second], !own.isNaN else { return cost }
      // On the tangent: what single distances are off by levels out, which by the equation of walking it would not.
      return cost + (own - speed) * gait.uptakeSlope(speed: speed, grade: grade[second])
    }
  }

  /// Whether somebody walks or runs in a second: by the cadence where it is known, else by the speed at which both cost the
  /// same.
  func gait(at second: Int) -> Gait {
    let cadence = self.cadence[second]
    if !cadence.isNaN { return cadence >= Self.slowestRunningCadence ? .run : .walk }
    return speed[second] >= OxygenCost.transition ? .run : .walk
  }

  private static func areWhole(_ readings: [Double]) -> Bool {
    !readings.isEmpty && readings.allSatisfy { $0 == $0.rounded() }
  }

  /// The readings of the heart rate that count, until the last second that is looked at.
  private static func counted(_ readings: [Point], end: Double, pauses: [ClosedRange<Double>]) -> [Point] {
    var counted: [Point] = []
    for reading in readings where reading.seconds >= 0 && reading.seconds <= end {
      if let last = counted.last, reading.seconds - last.seconds < shortestSpacing { continue }
      if !pauses.contains(where: { $0.contains(reading.seconds) }) { counted.append(reading) }
    }
    return counted
  }

  private static func grid(_ points: [Point], count: Int, pauses: [ClosedRange<Double>]) -> [Double] {
    var values = [Double](repeating: .nan, count: count)
    for (left, right) in zip(points, points.dropFirst()) {
      let span = right.seconds - left.seconds
      guard span >= 0, span <= longestGap else { continue }
      let first = max(0, Int(left.seconds.rounded(.up)))
      let last = min(count - 1, Int(right.seconds.rounded(.down)))
      guard first <= last else { continue }
      for second in first...last {
        let part = span > 0 ? (Double(second) - left.seconds) / span : 0
        values[second] = left.value + (right.value - left.value) * part
      }
    }
    for pause in pauses {
      let first = max(0, Int(pause.lowerBound.rounded(.up)))
      let last = min(Double(count - 1), pause.upperBound).rounded(.down)
      guard Double(first) <= last else { continue }
      for second in first...Int(last) { values[second] = .nan }
    }
    return values
  }

  /// The seconds around one whose values are all known, at most `span` away.
  private static func reach(_ values: [Double], _ second: Int, span: Int) -> (low: Int, high: Int) {
    var (low, high) = (second, second)
    guard !values[second].isNaN else { return (low, high) }
    while low > 0, second - low < span, !values[low - 1].isNaN { low -= 1 }
    while high + 1 < values.count, high - second < span, !values[high + 1].isNaN { high += 1 }
    return (low, high)
  }

  /// How much values rise a second, over an odd number of seconds of which each is the middle one, or as many as are known.
  private static func slopes(_ values: [Double], seconds: Int) -> [Double] {
    let span = seconds / 2
    return values.indices.map { second in
      let low = reach(values, second, span: span).low
      let next = second + 1 < values.count && !values[second + 1].isNaN ? second + 1 : second
      let high = reach(values, next, span: span).high
      return high > low ? (values[high] - values[low]) / Double(high - low) : .nan
    }
  }
}
